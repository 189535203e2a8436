"""`urpi dice record`: write what dice with Bluetooth send, to be attached to a report."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Final, TypeAlias

import click

from urpi.cli.dice.live_bluetooth import LiveBluetooth
from urpi.cli.dice.replay import report_words
from urpi.config import Config
from urpi.core.errors import UrpiError
from urpi.core.moments import milliseconds
from urpi.hardware.bluetooth_link import BluetoothLink, PairedDie
from urpi.hardware.die_faces import DieFaces
from urpi.hardware.die_reports import Motion, numbers_of
from urpi.hardware.recording import (
    FIRMWARE,
    LONGEST_MESSAGE,
    About,
    Message,
    RecordedDie,
    entry_line,
    without_personal_details,
)
from urpi.show.words import Words, words_for
from urpi.show.words import dice_sentences as sentences

Received: TypeAlias = tuple[int, PairedDie, bytes]
"""When a message arrived, in milliseconds, the die and the message."""
POLL_S: Final = 0.5
"""Longest time in seconds until Ctrl-C is noticed."""


def record(config: Config, file: Path, about: About, *, ask: bool) -> None:
    """Write the messages of the paired dice to a new file until Ctrl-C.

    Args:
        config: The configuration with the paired dice.
        file: The file.
        about: The first line.
        ask: Whether to ask what a die shows whenever it comes to rest.

    Raises:
        UrpiError: If no dice are paired, Bluetooth is unavailable, or the file exists or cannot be
            written.
    """
    words = words_for(config.table.language)
    queue: SimpleQueue[Received] = SimpleQueue()
    live = LiveBluetooth(config, lambda die, data: queue.put((milliseconds(), die, data)))
    if not live.dice:
        message = "None of the paired dice is a Pixels or GoDice, and only these are recorded."
        raise UrpiError(message)
    if file.exists():
        message = f"The file {file} exists; choose another name."
        raise UrpiError(message)
    with live:
        live.wait_for_port()
        try:
            out = file.open("x", encoding="utf-8")
        except OSError as error:
            message = f"The file {file} cannot be written: {error.strerror}; choose another one."
            raise UrpiError(message) from error
        with out:
            click.echo(words.text(sentences.RECORD_HINT).format(file=file))
            recorder = Recorder(out, live.dice, about, words, ask_person if ask else ask_nobody)
            try:
                while True:
                    try:
                        recorder.add(queue.get(timeout=POLL_S))
                    except Empty:
                        continue
            except (KeyboardInterrupt, click.Abort):
                click.echo()
        click.echo(
            words.text(sentences.RECORD_WRITTEN).format(
                file=file, messages=recorder.messages, shown=recorder.shown
            )
        )


def about_recording(today: str, firmware: str) -> About:
    """Return the first line of a recording.

    Args:
        today: The date, such as ``2026-11-27``.
        firmware: The firmware of the GoDice, empty if it is unknown.

    Raises:
        UrpiError: If the firmware is invalid.
    """
    try:
        return About(today, firmware=FIRMWARE.parse(firmware))
    except ValueError as error:
        message = f"The firmware must be {FIRMWARE.allowed}; found {firmware}."
        raise UrpiError(message) from error


class Recorder:
    """Writes each message as a line.

    Args:
        out: The file.
        dice: The paired dice.
        about: The first line.
        words: The texts in the user's language.
        ask: Returns the number that a die shows, None to leave it out.
    """

    def __init__(
        self,
        out: IO[str],
        dice: tuple[PairedDie, ...],
        about: About,
        words: Words,
        ask: Callable[[PairedDie, Words], int | None],
    ) -> None:
        self._out, self._words, self._ask = out, words, ask
        self._link = BluetoothLink(dice, DieFaces())
        self._began: int | None = None
        self._moved: set[int] = set()
        self.messages = self.shown = 0
        """The number of messages written, and of those with what a person read."""
        self._write(about)
        for one in dice:
            self._write(RecordedDie(one.number, one.brand, one.faces))

    def add(self, received: Received) -> None:
        """Write a message, after asking what the die shows if it has come to rest."""
        at, die, data = received
        # A recording with it could not be read again.
        if not 0 < len(data) <= LONGEST_MESSAGE:
            return
        if self._began is None:
            self._began = at
        message = Message(at - self._began, die.number, without_personal_details(die.brand, data))
        reports = self._link.parse(die.number, data)
        motion = next((each for each in reports if isinstance(each, Motion)), None)
        try:
            if motion is not None and self._asks(die, motion):
                message = replace(message, shows=self._ask(die, self._words))
        finally:
            # Also if Ctrl-C is the answer.
            self._write(message)
            self.messages += 1
            self.shown += message.shows is not None

    def _asks(self, die: PairedDie, motion: Motion) -> bool:
        """Print a motion, and return whether to ask what the die shows: once after it moved."""
        line = self._words.text(sentences.REPLAY_REST)
        click.echo(line.format(die=die.number, motion=report_words(motion, self._words)))
        if motion.state in {"rolling", "handled"}:
            self._moved.add(die.number)
            return False
        moved = die.number in self._moved
        self._moved.discard(die.number)
        return moved

    def _write(self, entry: About | RecordedDie | Message) -> None:
        # Line by line, so that a killed program leaves what was recorded until then.
        self._out.write(entry_line(entry) + "\n")
        self._out.flush()


def ask_nobody(_die: PairedDie, _words: Words) -> None:
    """Leave out what a die shows, where no person can be asked."""


def ask_person(die: PairedDie, words: Words) -> int | None:
    """Ask in the terminal which number a die shows; None if it is left out."""
    allowed = numbers_of(die.faces)
    while True:
        text = words.text(sentences.RECORD_SHOWS).format(die=die.number)
        typed = click.prompt(text, default="", show_default=False).strip()
        if not typed:
            return None
        if typed.isascii() and typed.isdecimal() and int(typed) in allowed:
            return int(typed)
        numbers = words.text(sentences.RECORD_NUMBERS)
        click.echo(numbers.format(die=die.number, first=allowed[0], last=allowed[-1]))
