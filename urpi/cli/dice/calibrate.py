"""`urpi dice calibrate`: guide a person through a die's faces, calibrate and check each.

A die receives commands only after it has sent a report: within a second while its lamp is on or
within ten seconds after it was moved, otherwise with its heartbeat (FORMATS.md). A tap on the
table wakes a sleeping die.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final

import click

from urpi.cli.dice.live_dice import Change, DieChange, LiveDice, is_since
from urpi.cli.dice.watch import volts
from urpi.core.errors import UrpiError
from urpi.hardware import BatLine, CalLine, DieLine, LedLine
from urpi.show.words import Words
from urpi.show.words import dice_sentences as sentences

MAX_ANGLE_DEG: Final = 5
"""Largest angle in degrees right after calibration; more means that the die was moved."""
MAX_CELL_ERROR_MV: Final = 30
"""Largest difference between the given and the reported voltage right after calibration."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Timeouts of a calibration in seconds. The defaults suit the firmware of this version.

    `first_report_s` is for the person to pick up the die, `awake_s` for the response of a die that
    was just moved, `asleep_s` for that of a sleeping die (its heartbeat is every 32 s), and
    `check_s` for the person to turn the die to a face.
    """

    first_report_s: float = 60.0
    awake_s: float = 4.0
    asleep_s: float = 40.0
    check_s: float = 60.0


class Calibration:
    """The calibration of one die, as a dialogue in the terminal."""

    def __init__(
        self,
        live: LiveDice,
        die: int,
        words: Words,
        timeouts: Timeouts = Timeouts(),
    ) -> None:
        self._live, self._die, self._words, self._timeouts = live, die, words, timeouts
        self._since_ms = 0
        """The hub's time of the last instruction, to the die or to the person."""

    def run(self) -> bool:
        """Calibrate and check all faces; return whether the check was successful for each.

        Raises:
            UrpiError: If the hub or the die does not respond.
            click.Abort: If the person or the end of the input stops it.
        """
        self._live.wait_for_hub()
        kind = self._wait_for_kind()
        self._print(sentences.MEETING, kind=kind)
        with self._lamp():
            try:
                for face in range(1, kind + 1):
                    self._calibrate(face, kind)
                return self._check_all(kind)
            except (KeyboardInterrupt, click.Abort):
                self._print(sentences.INTERRUPTED)
                raise click.Abort from None

    def run_battery(self, cell_mv: int) -> bool:
        """Calibrate the die's battery measurement by its cell's voltage in millivolts.

        Returns:
            Whether the die then reports this voltage.

        Raises:
            UrpiError: If the hub or the die does not respond.
        """
        self._live.wait_for_hub()
        self._wait_for_kind()
        before = volts(self._live.roster[self._die].battery_mv, self._words)
        self._since_ms = self._live.hub_time()
        self._live.send(BatLine(self._die, cell_mv))

        def is_right(change: Change) -> bool:
            line = self._new_line(change)
            found = line.battery_mv if line else None
            return found is not None and abs(found - cell_mv) <= MAX_CELL_ERROR_MV

        right = self._live.wait_for(is_right, self._timeouts.awake_s)
        if not right:
            self._print(sentences.SLEEPS)
            right = self._live.wait_for(is_right, self._timeouts.asleep_s)
        now = volts(self._live.roster[self._die].battery_mv, self._words)
        self._print(sentences.CELL_RIGHT if right else sentences.CELL_WRONG, before=before, now=now)
        return right

    @contextmanager
    def _lamp(self) -> Iterator[None]:
        """Switch the die's lamp off at the end; it is switched on with every question."""
        try:
            yield
        finally:
            # Without the hub it cannot be sent; the die switches it off after half a minute.
            with suppress(UrpiError):
                self._live.send(LedLine(self._die, 0))

    def _light(self) -> None:
        """Switch the lamp on, which identifies the die and keeps it awake for commands."""
        self._live.send(LedLine(self._die, 1))

    def _wait_for_kind(self) -> int:
        """The die's number of faces, once it has reported while at rest."""
        known = self._kind()
        if known is None and not self._live.wait_for(self._reports_kind, 1.0):
            self._print(sentences.UNHEARD)
            self._live.wait_for(self._reports_kind, self._timeouts.first_report_s)
        kind = self._kind()
        if kind is None:
            message = (
                f"The hub at {self._live.hub.port} has no report of die {self._die}; check its "
                "battery and number, and what `urpi dice watch` shows."
            )
            raise UrpiError(message)
        return kind

    def _kind(self) -> int | None:
        line = self._live.roster[self._die].line
        return line.kind if line else None

    def _reports_kind(self, change: Change) -> bool:
        return self._of_die(change) and self._kind() is not None

    def _of_die(self, change: Change) -> bool:
        return isinstance(change, DieChange) and change.now.die == self._die

    def _calibrate(self, face: int, kind: int) -> None:
        while True:
            self._light()
            self._ask(sentences.PUT, face=self._name(face, kind))
            self._wait_for_rest()
            self._live.send(CalLine(self._die, face))
            answer = self._answer(face)
            if answer is not None and self._is_accepted(answer, face):
                self._print(
                    sentences.LEARNT, face=self._name(face, kind), angle=answer.angle_deg or 0
                )
                return

    def _wait_for_rest(self) -> None:
        """Wait for the report of a die that was put down only just now.

        Sent after the command, it would be taken for the response.
        """
        self._since_ms = self._live.hub_time()
        if self._moves():
            self._live.wait_for(lambda _change: not self._moves(), self._timeouts.awake_s)
            self._since_ms = self._live.hub_time()

    def _moves(self) -> bool:
        return self._live.roster[self._die].state in {"rolling", "handled"}

    def _answer(self, face: int) -> DieLine | None:
        """The die's response to the command to calibrate a face, None after a timeout."""
        answer: DieLine | None = None

        def is_response(change: Change) -> bool:
            nonlocal answer
            line = self._new_line(change)
            if line is not None and line.state != "found":
                answer = line
            return answer is not None and (answer.state == "cocked" or _is_calibrated(answer, face))

        if not self._live.wait_for(is_response, self._timeouts.awake_s) and answer is None:
            self._print(sentences.SLEEPS)
            self._live.wait_for(is_response, self._timeouts.asleep_s)
        if answer is None:
            self._print(sentences.SILENT)
        return answer

    def _new_line(self, change: Change) -> DieLine | None:
        """A line that the die itself has sent since the instruction, None for any other change."""
        if not isinstance(change, DieChange) or not self._of_die(change):
            return None
        line = None if change.repeated or change.now.lost else change.line
        return line if line and is_since(line, self._since_ms) else None

    def _is_accepted(self, answer: DieLine, face: int) -> bool:
        if answer.state == "cocked":
            self._print(sentences.LEANED)
        elif not _is_calibrated(answer, face) or (answer.angle_deg or 0) > MAX_ANGLE_DEG:
            self._print(sentences.MOVED)
        else:
            return True
        return False

    def _check_all(self, kind: int) -> bool:
        self._print(sentences.CHECKING)
        wrong = [face for face in range(1, kind + 1) if not self._check(face, kind)]
        for face in wrong:
            self._print(sentences.UNCHECKED, face=self._name(face, kind))
        if not wrong:
            self._print(sentences.TAUGHT)
        return not wrong

    def _check(self, face: int, kind: int) -> bool:
        """Whether the die reports a face when it is turned up, before the timeout."""
        self._light()
        self._since_ms = self._live.hub_time()
        self._print(sentences.CHECK, face=self._name(face, kind))
        right: DieLine | None = None

        def is_right(change: Change) -> bool:
            nonlocal right
            line = self._new_line(change)
            if line is None or line.state != "settled" or line.face is None:
                return False
            if line.face != face:
                found = self._name(line.face, kind)
                self._print(sentences.OTHER, found=found, face=self._name(face, kind))
                return False
            right = line
            return True

        if not self._live.wait_for(is_right, self._timeouts.check_s) or right is None:
            return False
        self._print(sentences.RIGHT, face=self._name(face, kind), angle=right.angle_deg or 0)
        return True

    def _name(self, face: int, kind: int) -> str:
        shows = self._live.hub.faces.shown(self._die, kind, face)
        return sentences.face_words(self._words, face, shows)

    def _print(self, sentence: str, **values: object) -> None:
        click.echo(self._words.text(sentence).format(die=self._die, **values))

    def _ask(self, sentence: str, **values: object) -> None:
        """Print a request, and wait for Enter.

        Raises:
            click.Abort: If the input has ended.
        """
        self._print(sentence, **values)
        if not sys.stdin.readline():
            raise click.Abort


def _is_calibrated(line: DieLine, face: int) -> bool:
    """Whether a line is the response of a die that has calibrated a face (FORMATS.md)."""
    still = not line.tumbles and not line.fall_ms
    return line.state == "settled" and line.face == face and still
