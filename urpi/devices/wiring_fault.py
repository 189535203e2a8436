"""What is wrong with a wiring: which key, what was found, what is allowed, what to do."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WiringFault:
    """One fault. `key` is the configuration's, as ``section.name``, or a pin map's file.

    The parts are of one sentence and have no full stop. `wrong`: the board does not work like
    this; else it does, but not as somebody meant it.
    """

    key: str
    found: str
    allowed: str
    cure: str
    wrong: bool = True

    @property
    def sentence(self) -> str:
        """All of it.

        >>> WiringFault("oled.i2c_port", "it is 3", "pins 3 and 5 are 1", "set 1").sentence
        'oled.i2c_port: it is 3; pins 3 and 5 are 1; set 1.'
        """
        return f"{self.key}: {self.found}; {self.allowed}; {self.cure}."
