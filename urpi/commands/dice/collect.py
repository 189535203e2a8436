"""`urpi dice test`: count real throws until each die has enough of them."""

import sys
import time
from collections.abc import Iterable
from typing import Final

import click

from urpi.commands.dice.live import DieNews, LiveDice
from urpi.dice import Tally, empty_tally
from urpi.words import Words
from urpi.words import dice_sentences as say

LOOK_S: Final = 0.5
QUIET_S: Final = 30.0
"""So long without a throw, and the dice that are still to be thrown are named."""
STEPS: Final = 20
"""In a pipe the progress is told about so often in all."""


class Collection:
    """Tallies of the dice that are thrown. What is said meanwhile goes to standard error."""

    def __init__(self, live: LiveDice, wanted: int, die: int | None, words: Words) -> None:
        self._live, self._wanted, self._only, self._words = live, wanted, die, words
        self._tallies: dict[int, Tally] = {}
        self._counted: dict[int, int | None] = {}
        """Of each die its number of the last throw that is done with: counted, or from before."""
        self._redraws = sys.stderr.isatty()
        self._thrown_at = time.monotonic()

    def run(self) -> tuple[Tally, ...]:
        """The tallies by die, when each has enough throws or the person has (Ctrl-C).

        Raises:
            UrpiError: when the hub is not heard.
        """
        self._live.wait_for_hub()
        hint = self._words.text(say.END_HINT)
        self._say(self._words.text(say.COLLECTING).format(throws=self._wanted, hint=hint))
        try:
            while not self._complete:
                for news in self._live.news(LOOK_S):
                    if isinstance(news, DieNews) and self._only in {None, news.now.die}:
                        self._take(news)
                self._remind()
        except KeyboardInterrupt:
            self._say("\n" + self._words.text(say.STOPPED))
        else:
            self._end_progress()
        return tuple(self._tallies[die] for die in sorted(self._tallies))

    @property
    def _complete(self) -> bool:
        """Whether there are dice, and each that was heard has been thrown often enough."""
        dice = {view.die for view in self._live.roster.views if self._only in {None, view.die}}
        return bool(dice) and not self._lacking(dice)

    def _lacking(self, dice: Iterable[int]) -> list[int]:
        return sorted(
            die
            for die in dice
            if die not in self._tallies or self._tallies[die].throws < self._wanted
        )

    def _take(self, news: DieNews) -> None:
        line, throw = news.line, news.now.throws
        if line is None or news.repeated or throw is None:
            return
        if line.die not in self._counted:
            # The first report may be of a throw from before; one that rolls is a new one.
            self._counted[line.die] = None if line.state == "rolling" else throw
        if throw == self._counted[line.die]:
            return
        if line.state == "cocked":
            self._refuse(line.die, say.STATES["cocked"])
        elif line.state == "settled" and not news.thrown:
            self._refuse(line.die, say.TURNED)
        elif line.state == "settled":
            self._counted[line.die] = throw
            self._count(news)

    def _count(self, news: DieNews) -> None:
        line = news.line
        assert line is not None
        assert line.face is not None
        assert line.kind is not None
        faces = range(1, line.kind + 1)
        shows = "".join(self._live.hub.faces.shown(line.die, line.kind, face) for face in faces)
        tally = self._tallies.get(line.die) or empty_tally(line.die, shows)
        self._thrown_at = time.monotonic()
        if tally.throws < self._wanted:
            self._tallies[line.die] = tally.with_throw(line.face - 1)
            self._progress(line.die)

    def _refuse(self, die: int, why: str) -> None:
        text = self._words.text(say.NO_COUNT).format(die=die, why=self._words.text(why))
        self._say(("\r\x1b[K" if self._redraws else "") + text)

    def _progress(self, die: int) -> None:
        throws = self._tallies[die].throws
        if self._redraws:
            told = ", ".join(self._so_far(each) for each in sorted(self._tallies))
            sys.stderr.write(f"\r\x1b[K{told}")
            sys.stderr.flush()
        elif throws in {1, self._wanted} or throws % max(1, self._wanted // STEPS) == 0:
            self._say(self._so_far(die))

    def _so_far(self, die: int) -> str:
        throws = self._tallies[die].throws
        text = self._words.text(say.PROGRESS)
        return text.format(die=die, throws=throws, wanted=self._wanted)

    def _end_progress(self) -> None:
        if self._redraws:
            self._say("")

    def _remind(self) -> None:
        if time.monotonic() - self._thrown_at < QUIET_S:
            return
        self._thrown_at = time.monotonic()
        dice = self._lacking(view.die for view in self._live.roster.views) or "-"
        listed = ", ".join(map(str, dice))
        self._say(self._words.text(say.WAITING).format(dice=listed))

    def _say(self, text: str) -> None:
        click.echo(text, err=True)
