"""Sound: a thread that plays a motif on the buzzer and then speaks a sentence.

`urpi.show.views.sounds` decides what is played when. A newer sound interrupts an older one.
"""

from collections.abc import Callable, Mapping
from threading import Condition
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from gpiozero import TonalBuzzer
from gpiozero.tones import Tone

from urpi.config import Config
from urpi.core.errors import UrpiError
from urpi.core.supervision import SupervisedThread
from urpi.hardware.configured import usable_gpio
from urpi.hardware.outputs.output import OnFault
from urpi.hardware.outputs.sound import Sound
from urpi.hardware.pins import PinMap
from urpi.hardware.speech import Speech, espeak

_Part = TypeVar("_Part")


class Note(NamedTuple):
    """A tone by its name, such as ``A4``, or None for a rest; and its length in milliseconds."""

    tone: str | None
    ms: int


MOTIFS: Final[Mapping[str, tuple[Note, ...]]] = MappingProxyType(
    {
        "throw": (Note("A5", 60),),
        "turn": (Note("E5", 80), Note("A5", 80)),
        "warning": (Note("D5", 150), Note(None, 50), Note("D5", 150)),
        "winner": (Note("A4", 120), Note("C#5", 120), Note("E5", 120), Note("A5", 360)),
    }
)
"""The notes of each motif, between A4 and A6, where small piezo buzzers are loud."""


class Buzzer(Protocol):
    """The part of gpiozero's `TonalBuzzer` that is used."""

    def play(self, tone: Tone, /) -> None: ...
    def stop(self) -> None: ...
    def close(self) -> None: ...


def open_buzzer(factory: Any, pin: int) -> Buzzer:
    """Open the passive buzzer between a GPIO and ground.

    Raises:
        UrpiError: If the pin cannot be opened.
    """
    try:
        # One octave to each side of A5: the motifs are between A4 and A6.
        buzzer: Buzzer = TonalBuzzer(pin, mid_tone=Tone("A5"), octaves=1, pin_factory=factory)
    # The pin libraries' exceptions share no base class with gpiozero's.
    except Exception as error:
        message = f"The buzzer on GPIO {pin} cannot be used: {error}; is the pin in use?"
        raise UrpiError(message) from error
    return buzzer


class SoundPlayer:
    """A player of motifs and speech with a thread of its own, until `close`.

    Args:
        buzzer: The buzzer, None without one.
        speech: The speech, None without one.
        on_fault: Called in the player's thread when the buzzer or the speech fails; it is not
            used any more then.
        motifs: The notes of each motif.
    """

    def __init__(
        self,
        buzzer: Buzzer | None,
        speech: Speech | None,
        on_fault: OnFault,
        motifs: Mapping[str, tuple[Note, ...]] = MOTIFS,
    ) -> None:
        self._buzzer, self._speech, self._on_fault = buzzer, speech, on_fault
        self._motifs = motifs
        self._changed = Condition()
        self._next: tuple[str, str] | None = None
        self._closing = False
        self._thread = SupervisedThread(self._run, "sound")
        self._thread.start()

    def play(self, motif: str, text: str) -> None:
        """Play a motif and then speak a text, in place of the current sound. Does not wait."""
        with self._changed:
            self._next = motif, text
            self._changed.notify_all()

    def close(self) -> None:
        """Stop the sound and release the buzzer's pin."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.end()
        self._stop()
        if self._buzzer is not None:
            self._buzzer.close()

    def _run(self) -> None:
        while (newest := self._wait()) is not None:
            # Longer than any motif.
            self._thread.part.alive()
            motif, text = newest
            self._stop()
            if self._play_motif(motif) and text:
                self._speak(text)

    def _wait(self) -> tuple[str, str] | None:
        self._thread.part.alive(None)
        with self._changed:
            self._changed.wait_for(lambda: self._next is not None or self._closing)
            newest, self._next = self._next, None
            return None if self._closing else newest

    def _play_motif(self, name: str) -> bool:
        """Play a motif, and return False if a newer sound or `close` interrupted it."""
        for note in self._motifs[name] if self._buzzer is not None else ():
            self._play_note(note)
            with self._changed:
                # The wait is the note's length, and ends early for a newer sound.
                if self._changed.wait_for(self._interrupted, note.ms / 1000):
                    return False
        self._play_note(Note(None, 0))
        return not self._interrupted()

    def _interrupted(self) -> bool:
        return self._next is not None or self._closing

    def _play_note(self, note: Note) -> None:
        if self._buzzer is None:
            return
        try:
            if note.tone is None:
                self._buzzer.stop()
            else:
                self._buzzer.play(Tone(note.tone))
        # The pin libraries' exceptions share no base class with gpiozero's.
        except Exception as error:
            self._buzzer.close()
            self._buzzer = None
            message = f"The buzzer has failed: {error}; sound continues without it."
            self._on_fault(UrpiError(message))

    def _speak(self, text: str) -> None:
        if self._speech is None:
            return
        try:
            self._speech.speak(text)
        except UrpiError as error:
            self._speech = None
            self._on_fault(error)

    def _stop(self) -> None:
        self._play_note(Note(None, 0))
        if self._speech is not None:
            self._speech.stop()


def open_sound(config: Config, pins: PinMap, factory: Any, on_fault: OnFault) -> SoundPlayer | None:
    """Open the sound that [sound] of the configuration describes.

    Returns:
        The player. None if sound is switched off, or neither buzzer nor speech is available:
        what is missing is reported to `on_fault`, and the game continues without it.
    """
    sound = config.sound

    def buzzer() -> Buzzer:
        (pin,) = Sound().pins(config, pins)
        return open_buzzer(factory, usable_gpio(pin, config, pins))

    def speech() -> Speech:
        return Speech(espeak(config.table.language, sound.volume, sound.words_a_minute))

    buzzer_part = _try_open(buzzer, on_fault) if sound.buzzer else None
    speech_part = _try_open(speech, on_fault) if sound.speech else None
    if buzzer_part is None and speech_part is None:
        return None
    return SoundPlayer(buzzer_part, speech_part, on_fault)


def _try_open(open_part: Callable[[], _Part], on_fault: OnFault) -> _Part | None:
    try:
        return open_part()
    except UrpiError as error:
        on_fault(error)
        return None
