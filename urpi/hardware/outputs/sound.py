"""Sound as an output: a buzzer that plays motifs, and espeak-ng, which speaks sentences after them.

They are one output, because speech waits for the end of the motif.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from urpi.config import Config, SoundSection
from urpi.hardware.finding import Finding, poor, right
from urpi.hardware.outputs.output import Ends, OnFault, Output, OutputPin, Present
from urpi.hardware.pins import PinMap

if TYPE_CHECKING:
    from urpi.hardware.sound import SoundPlayer
    from urpi.show.scene import Scene

PROGRAM: Final = "espeak-ng"
"""The program that speaks."""


class Sounds:
    """Open sound."""

    def __init__(self, player: "SoundPlayer") -> None:
        self._player = player

    def show(self, scene: "Scene") -> None:
        """Play what has happened, or the question in the menu, in place of the current sound."""
        from urpi.show.views.sounds import sound_of  # noqa: PLC0415 - Pillow is slow to import

        if played := sound_of(scene):
            self._player.play(played.motif, played.text)

    def wake(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Stop the sound and release the buzzer's pin."""
        self._player.close()


class Sound(Output):
    """The buzzer and the speech."""

    name = "sound"
    title = "Sound"
    about = "Throws, turns, warnings and the winner, as motifs and spoken sentences."
    library = "gpiozero"
    module = "gpiozero"
    program = PROGRAM

    def is_used(self, config: Config) -> bool:
        """Return whether the buzzer or speech is switched on."""
        return config.sound.buzzer or config.sound.speech

    def open(self, config: Config, ends: Ends, on_fault: OnFault) -> Sounds | None:
        """Open the parts that are switched on; what is missing is reported to `on_fault`."""
        from urpi.hardware.sound import open_sound  # noqa: PLC0415 - gpiozero is slow to import

        player = open_sound(config, ends.pins, ends.factory, on_fault)
        return None if player is None else Sounds(player)

    def pins(self, config: Config, pins: PinMap) -> Iterator[OutputPin]:
        """Yield the buzzer's pin, if it is switched on or at least has a pin."""
        gpio = config.sound.buzzer_pin
        if gpio is None and not config.sound.buzzer:
            return
        if gpio is None and config.gpio.wiring == "expander" and pins.expander is not None:
            gpio = pins.expander.buzzer
        to = "the buzzer, its other lead to ground"
        yield OutputPin("the buzzer", "sound.buzzer_pin", gpio, to)

    def findings(self, config: Config, present: Present) -> Iterator[Finding]:
        """Yield whether announcements can be spoken, if they are enabled."""
        if not config.sound.speech:
            return
        if PROGRAM in present.programs:
            yield right("sound", f"{PROGRAM} is installed")
        else:
            yield poor("sound", f"{PROGRAM} is not installed", f"Run `sudo apt install {PROGRAM}`.")

    def examples(self) -> Iterable[tuple[Config, Present]]:
        """Return a board without the program that speaks."""
        yield Config(sound=SoundSection(buzzer=True, buzzer_pin=14, speech=True)), Present()
