"""`urpi dice test`: count real throws until each die has enough of them."""

import sys
import time
from collections.abc import Iterable
from typing import Final

import click

from urpi.cli.dice.live_dice import DieChange, LiveDice
from urpi.cli.dice.watch import verdict_words
from urpi.journal.fairness import Tally, empty_tally
from urpi.show.words import Words
from urpi.show.words import dice_sentences as sentences

POLL_S: Final = 0.5
REMINDER_S: Final = 30.0
"""Seconds without a throw after which the dice still to be thrown are printed."""
STEPS: Final = 20
"""Number of progress lines for each die in a pipe."""


class Collection:
    """Counts throws until each die has enough. Progress is printed to standard error."""

    def __init__(self, live: LiveDice, required: int, die: int | None, words: Words) -> None:
        self._live, self._required, self._only, self._words = live, required, die, words
        self._tallies: dict[int, Tally] = {}
        self._counted: dict[int, int | None] = {}
        """The number of each die's last throw that is counted or was before the start."""
        self._redraws = sys.stderr.isatty()
        self._thrown_at = time.monotonic()

    def run(self) -> tuple[Tally, ...]:
        """The tallies by die, once each die has enough throws or Ctrl-C is pressed.

        Raises:
            UrpiError: If the hub does not respond.
        """
        self._live.wait_for_hub()
        hint = self._words.text(sentences.END_HINT)
        self._print(sentences.collecting_words(self._words, self._required, hint))
        try:
            while not self._complete:
                for change in self._live.changes(POLL_S):
                    if isinstance(change, DieChange) and self._only in {None, change.now.die}:
                        self._on_change(change)
                self._remind()
        except KeyboardInterrupt:
            self._print("\n" + self._words.text(sentences.STOPPED))
        else:
            self._end_progress()
        return tuple(self._tallies[die] for die in sorted(self._tallies))

    @property
    def _complete(self) -> bool:
        """Whether there are dice, and each has been thrown often enough."""
        dice = {view.die for view in self._live.roster.views if self._only in {None, view.die}}
        return bool(dice) and not self._incomplete(dice)

    def _incomplete(self, dice: Iterable[int]) -> list[int]:
        return sorted(
            die
            for die in dice
            if die not in self._tallies or self._tallies[die].throws < self._required
        )

    def _on_change(self, change: DieChange) -> None:
        line, throw = change.line, change.now.throws
        if line is None or change.repeated or throw is None:
            return
        if line.die not in self._counted:
            # The first report may be of a throw before the start, unless the die is rolling.
            self._counted[line.die] = None if line.state == "rolling" else throw
        if throw == self._counted[line.die]:
            return
        if line.state == "cocked":
            self._refuse(line.die, sentences.STATES["cocked"])
        elif line.state == "settled" and not change.thrown:
            self._refuse(line.die, verdict_words(change))
        elif line.state == "settled":
            self._counted[line.die] = throw
            self._count(change)

    def _count(self, change: DieChange) -> None:
        line = change.line
        assert line is not None
        assert line.face is not None
        assert line.kind is not None
        faces = range(1, line.kind + 1)
        shows = "".join(self._live.hub.faces.shown(line.die, line.kind, face) for face in faces)
        tally = self._tallies.get(line.die) or empty_tally(line.die, shows)
        self._thrown_at = time.monotonic()
        if tally.throws < self._required:
            self._tallies[line.die] = tally.with_throw(line.face - 1)
            self._progress(line.die)

    def _refuse(self, die: int, why: str) -> None:
        text = self._words.text(sentences.NO_COUNT).format(die=die, why=self._words.text(why))
        self._print(("\r\x1b[K" if self._redraws else "") + text)

    def _progress(self, die: int) -> None:
        throws = self._tallies[die].throws
        if self._redraws:
            progress = ", ".join(self._so_far(each) for each in sorted(self._tallies))
            sys.stderr.write(f"\r\x1b[K{progress}")
            sys.stderr.flush()
        elif throws in {1, self._required} or throws % max(1, self._required // STEPS) == 0:
            self._print(self._so_far(die))

    def _so_far(self, die: int) -> str:
        throws = self._tallies[die].throws
        text = self._words.text(sentences.PROGRESS)
        return text.format(die=die, throws=throws, required=self._required)

    def _end_progress(self) -> None:
        if self._redraws:
            self._print("")

    def _remind(self) -> None:
        if time.monotonic() - self._thrown_at < REMINDER_S:
            return
        self._thrown_at = time.monotonic()
        dice = self._incomplete(view.die for view in self._live.roster.views) or "-"
        listed = ", ".join(map(str, dice))
        self._print(self._words.text(sentences.WAITING).format(dice=listed))

    def _print(self, text: str) -> None:
        click.echo(text, err=True)
