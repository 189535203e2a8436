"""`urpi dice calibrate`: walk a person through a die's faces, teach each, check each.

A die that sleeps fetches what it is told only when it next speaks: within a second while its lamp
is on or it was moved in the last ten, else with its heartbeat (FORMATS.md). A tap on the table
wakes one that does not answer.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final

import click

from urpi.commands.dice.live import DieNews, LiveDice, News
from urpi.devices import CalLine, DieLine, LedLine
from urpi.errors import UrpiError
from urpi.words import Words
from urpi.words import dice_sentences as say

SLANTED_DEG: Final = 5
"""A face that lies further off than this right after it was learnt was moved meanwhile."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long is waited, in seconds.

    `meet_s` for a person to find the die and move it, `awake_s` for the answer of a die that
    was just moved, `asleep_s` for one that sleeps (its heartbeat comes every 32 s), and
    `check_s` for a person to turn the die to a face.
    """

    meet_s: float = 60.0
    awake_s: float = 4.0
    asleep_s: float = 40.0
    check_s: float = 60.0


class Calibration:
    """One die's calibration. Questions and answers go to the terminal."""

    def __init__(
        self,
        live: LiveDice,
        die: int,
        words: Words,
        patience: Patience = Patience(),
    ) -> None:
        self._live, self._die, self._words, self._patience = live, die, words, patience

    def run(self) -> bool:
        """Teach and check all faces; whether every one was told right in the check.

        Raises:
            UrpiError: when the hub or the die is not heard.
            click.Abort: when the person ends it, or the input does.
        """
        self._live.wait_for_hub()
        kind = self._meet()
        self._say(say.MEETING, kind=kind)
        with self._lamp():
            try:
                for face in range(1, kind + 1):
                    self._teach(face, kind)
                return self._check_all(kind)
            except (KeyboardInterrupt, click.Abort):
                self._say(say.INTERRUPTED)
                raise click.Abort from None

    @contextmanager
    def _lamp(self) -> Iterator[None]:
        """The die's lamp is put out at the end; it was lit with every question."""
        try:
            yield
        finally:
            # Without the hub nobody can; then the die does so itself after half a minute.
            with suppress(UrpiError):
                self._live.send(LedLine(self._die, 0))

    def _light(self) -> None:
        """Light the lamp: one sees which die it is, and it stays awake to be told more."""
        self._live.send(LedLine(self._die, 1))

    def _meet(self) -> int:
        """How many faces the die has, when it has been heard lying still."""
        known = self._kind()
        if known is None and not self._live.wait_for(self._tells_kind, 1.0):
            self._say(say.UNHEARD)
            self._live.wait_for(self._tells_kind, self._patience.meet_s)
        kind = self._kind()
        if kind is None:
            message = (
                f"Die {self._die} is not heard by the hub at {self._live.hub.port}; see its "
                "battery and number, and what `urpi dice watch` shows."
            )
            raise UrpiError(message)
        return kind

    def _kind(self) -> int | None:
        line = self._live.roster[self._die].line
        return line.kind if line else None

    def _tells_kind(self, news: News) -> bool:
        return self._of_die(news) and self._kind() is not None

    def _of_die(self, news: News) -> bool:
        return isinstance(news, DieNews) and news.now.die == self._die

    def _teach(self, face: int, kind: int) -> None:
        while True:
            self._light()
            self._ask(say.PUT, face=self._name(face, kind))
            for _ in self._live.news(0.0):
                pass
            self._live.send(CalLine(self._die, face))
            answer = self._answer(face)
            if answer is not None and self._has_learnt(answer, face):
                self._say(say.LEARNT, face=self._name(face, kind), angle=answer.angle_deg or 0)
                return

    def _answer(self, face: int) -> DieLine | None:
        """What the die says when it was told to learn a face; None when it says nothing."""
        answer: DieLine | None = None

        def answers(news: News) -> bool:
            nonlocal answer
            line = self._said(news)
            if line is not None and line.state != "found":
                # What it said before it heard the command may come first.
                answer = line
            return answer is not None and (answer.state == "cocked" or _learnt(answer, face))

        if not self._live.wait_for(answers, self._patience.awake_s) and answer is None:
            self._say(say.SLEEPS)
            self._live.wait_for(answers, self._patience.asleep_s)
        if answer is None:
            self._say(say.SILENT)
        return answer

    def _said(self, news: News) -> DieLine | None:
        """What the die itself says anew, None when that is no news of it."""
        if not isinstance(news, DieNews) or not self._of_die(news):
            return None
        return None if news.repeated or news.now.lost else news.line

    def _has_learnt(self, answer: DieLine, face: int) -> bool:
        if answer.state == "cocked":
            self._say(say.LEANED)
        elif not _learnt(answer, face) or (answer.angle_deg or 0) > SLANTED_DEG:
            self._say(say.MOVED)
        else:
            return True
        return False

    def _check_all(self, kind: int) -> bool:
        self._say(say.CHECKING)
        wrong = [face for face in range(1, kind + 1) if not self._check(face, kind)]
        for face in wrong:
            self._say(say.UNCHECKED, face=self._name(face, kind))
        if not wrong:
            self._say(say.TAUGHT)
        return not wrong

    def _check(self, face: int, kind: int) -> bool:
        """Whether the die tells that face when it is put up, in time."""
        self._light()
        self._say(say.CHECK, face=self._name(face, kind))
        right: DieLine | None = None

        def tells(news: News) -> bool:
            nonlocal right
            line = self._said(news)
            if line is None or line.state != "settled" or line.face is None:
                return False
            if line.face != face:
                found = self._name(line.face, kind)
                self._say(say.OTHER, found=found, face=self._name(face, kind))
                return False
            right = line
            return True

        if not self._live.wait_for(tells, self._patience.check_s) or right is None:
            return False
        self._say(say.RIGHT, face=self._name(face, kind), angle=right.angle_deg or 0)
        return True

    def _name(self, face: int, kind: int) -> str:
        shows = self._live.hub.faces.shown(self._die, kind, face)
        return say.face_words(self._words, face, shows)

    def _say(self, sentence: str, **values: object) -> None:
        click.echo(self._words.text(sentence).format(die=self._die, **values))
        sys.stdout.flush()

    def _ask(self, sentence: str, **values: object) -> None:
        """Say it, and wait for Enter.

        Raises:
            click.Abort: when the input has ended.
        """
        self._say(sentence, **values)
        if not sys.stdin.readline():
            raise click.Abort


def _learnt(line: DieLine, face: int) -> bool:
    """Whether that is how a die answers when it has learnt a face (FORMATS.md)."""
    still = not line.tumbles and not line.fall_ms
    return line.state == "settled" and line.face == face and still
