"""Sound: a motif on the buzzer, then a sentence, in a thread of its own; the newest wins.

What is heard when is a view's (`urpi.views.sounds`); this module owns buzzer and thread.
"""

import logging
from collections.abc import Callable, Mapping
from threading import Condition, Thread
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from gpiozero import TonalBuzzer
from gpiozero.tones import Tone

from urpi.config import Config
from urpi.devices.contacts import buzzer_pin
from urpi.devices.pins import PinMap
from urpi.devices.speech import Speech, espeak
from urpi.errors import UrpiError

_Part = TypeVar("_Part")
_log: Final = logging.getLogger(__name__)


class Note(NamedTuple):
    """A tone by its name, such as ``A4``, or None for a rest; and how long, in milliseconds."""

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
"""What the buzzer plays for each, between A4 and A6: where small piezos are loud."""


class Buzzer(Protocol):
    """What is used of gpiozero's `TonalBuzzer`."""

    def play(self, tone: Tone, /) -> None: ...  # noqa: D102
    def stop(self) -> None: ...  # noqa: D102
    def close(self) -> None: ...  # noqa: D102


def open_buzzer(factory: Any, pin: int) -> Buzzer:
    """The passive buzzer between that GPIO and ground.

    Raises:
        UrpiError: when the pin cannot be opened.
    """
    try:
        buzzer: Buzzer = TonalBuzzer(pin, mid_tone=Tone("A5"), octaves=1, pin_factory=factory)
    # A pin library's own errors share no base with gpiozero's.
    except Exception as error:
        message = f"The buzzer on GPIO {pin} cannot be used: {error}; is the pin another's?"
        raise UrpiError(message) from error
    return buzzer


class SoundPlayer:
    """Plays and speaks the newest that it is given, from the moment it is made until `close`.

    `play` never waits. A buzzer or a speech that fails is told to `on_fault` in the player's
    thread, once, and left alone from then on.
    """

    def __init__(
        self,
        buzzer: Buzzer | None,
        speech: Speech | None,
        on_fault: Callable[[UrpiError], None],
        motifs: Mapping[str, tuple[Note, ...]] = MOTIFS,
    ) -> None:
        self._buzzer, self._speech, self._on_fault = buzzer, speech, on_fault
        self._motifs = motifs
        self._changed = Condition()
        self._next: tuple[str, str] | None = None
        self._closing = False
        self._thread = Thread(target=self._run, name="urpi-sound", daemon=True)
        self._thread.start()

    def play(self, motif: str, text: str) -> None:
        """Play that motif and then say that, in place of what is being heard."""
        with self._changed:
            self._next = motif, text
            self._changed.notify_all()

    def close(self) -> None:
        """Be silent, and give the pin back."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join()

    def _run(self) -> None:
        while (newest := self._wait()) is not None:
            motif, text = newest
            self._hush()
            if self._motif(motif) and text:
                self._say(text)
        self._hush()
        if self._buzzer is not None:
            self._buzzer.close()

    def _wait(self) -> tuple[str, str] | None:
        with self._changed:
            self._changed.wait_for(lambda: self._next is not None or self._closing)
            newest, self._next = self._next, None
            return None if self._closing else newest

    def _motif(self, name: str) -> bool:
        """Play it; whether it was played to its end, with nothing newer to be heard."""
        for note in self._motifs[name] if self._buzzer is not None else ():
            self._sound(note)
            with self._changed:
                if self._changed.wait_for(self._overtaken, note.ms / 1000):
                    return False
        self._sound(Note(None, 0))
        return not self._overtaken()

    def _overtaken(self) -> bool:
        return self._next is not None or self._closing

    def _sound(self, note: Note) -> None:
        if self._buzzer is None:
            return
        try:
            if note.tone is None:
                self._buzzer.stop()
            else:
                self._buzzer.play(Tone(note.tone))
        # A pin library's own errors share no base with gpiozero's.
        except Exception as error:
            self._buzzer.close()
            self._buzzer = None
            message = f"The buzzer fails: {error}; sound goes on without it."
            self._on_fault(UrpiError(message))

    def _say(self, text: str) -> None:
        if self._speech is None:
            return
        try:
            self._speech.say(text)
        except UrpiError as error:
            self._speech = None
            self._on_fault(error)

    def _hush(self) -> None:
        self._sound(Note(None, 0))
        if self._speech is not None:
            self._speech.hush()


def _log_fault(fault: UrpiError) -> None:
    _log.warning("%s", fault)


def open_sound(
    config: Config,
    pins: PinMap,
    factory: Any,
    on_fault: Callable[[UrpiError], None] = _log_fault,
) -> SoundPlayer | None:
    """What plays by [sound] of the configuration; None when nothing is to be heard.

    What is missing is told to `on_fault`: a game goes on without sound.
    """
    wanted = config.sound

    def buzzer() -> Buzzer:
        return open_buzzer(factory, buzzer_pin(config, pins))

    def speech() -> Speech:
        return Speech(espeak(config.table.language, wanted.volume, wanted.words_a_minute))

    beeps = _opened(buzzer, on_fault) if wanted.buzzer else None
    says = _opened(speech, on_fault) if wanted.speech else None
    return SoundPlayer(beeps, says, on_fault) if beeps is not None or says is not None else None


def _opened(make: Callable[[], _Part], on_fault: Callable[[UrpiError], None]) -> _Part | None:
    try:
        return make()
    except UrpiError as error:
        on_fault(error)
        return None
