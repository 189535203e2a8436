"""A fault in the configured wiring."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WiringFault:
    """A fault in the wiring: the key, what was found, what is allowed, and how to correct it.

    `key` is a configuration key, as ``section.name``, or the file name of a pin map. `found`,
    `allowed` and `cure` are parts of one sentence, without a full stop. `wrong` is True, the
    default, if the board does not work with the fault, False if it works but probably not as
    intended.
    """

    key: str
    found: str
    allowed: str
    cure: str
    wrong: bool = True

    @property
    def sentence(self) -> str:
        """The fault as a sentence.

        >>> WiringFault("oled.i2c_port", "it is 3", "pins 3 and 5 are 1", "set 1").sentence
        'oled.i2c_port: it is 3; pins 3 and 5 are 1; set 1.'
        """
        return f"{self.key}: {self.found}; {self.allowed}; {self.cure}."
