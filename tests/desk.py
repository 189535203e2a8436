"""A service alone, with a clock that is set by hand."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self

from urpi.journal import Journal, Keeper
from urpi.referee import Phase, Settings, Snapshot
from urpi.referee.decisions import Decision
from urpi.referee.facts import Die, Fact, Game, Occupancy
from urpi.service.service import Service
from urpi.words import words_for

STARTED = datetime(2026, 11, 20, 19, 2, 11, tzinfo=UTC)
STILL_MS = 1000
"""Longer than a picture must stand still."""


class Desk:
    """A service at a journal on disk; everything shown is kept with what was stored by then."""

    def __init__(self, path: Path, keeper: Keeper, boot_ms: int = 0) -> None:
        self.path, self.keeper = path, keeper
        self.now = boot_ms
        """What the machine's clock says; the game's may say something else."""
        self.shown: list[Snapshot] = []
        self.decided: list[Decision] = []
        self.stored_when_shown: list[str] = []
        self.service = Service(
            keeper,
            Settings(words_for("en").sentence),
            lambda: self.now,
            self._show,
            language="en",
            now=lambda: STARTED + timedelta(milliseconds=self.now),
        )

    @classmethod
    def at(cls, path: Path, boot_ms: int = 0) -> Self:
        """A service at a journal on disk, begun so long after the machine was switched on."""
        return cls(path, Keeper.open(path, STARTED), boot_ms)

    @property
    def t(self) -> int:
        """What time it is in the game."""
        return self.service.clock()

    def _show(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        self.shown.append(snapshot)
        self.decided += decisions
        self.stored_when_shown = self.lines("decision")

    def lines(self, kind: str) -> list[str]:
        """What another process reads in the file now."""
        with Journal.open(self.path) as reader:
            query = "SELECT line FROM entries WHERE kind = ? ORDER BY seq"
            return [line for (line,) in reader.rows(query, kind)]

    def types(self, kind: str) -> list[str]:
        return [json.loads(line)["type"] for line in self.lines(kind)]

    def take(self, *facts: Fact) -> None:
        for fact in facts:
            self.service.emit(fact)
        self.service.work()

    def wait(self, ms: int) -> None:
        """Let time pass, and the service work whenever it asks to."""
        until = self.now + ms
        while self.now < until:
            due = self.service.next_due
            wait = until if due is None else due - self.t + self.now
            self.now = min(max(wait, self.now + 1), until)
            self.service.work()

    def throw(self, faces: str) -> None:
        dice = tuple(enumerate(faces, 1))
        self.take(*(Die(self.t, die, "rolling") for die, _ in dice))
        self.take(*(Die(self.t, die, "settled", face, tumbled=True) for die, face in dice))

    def begin(self) -> None:
        """A game that light has begun: light is to throw."""
        self.service.new_game(Game(self.t, "finkel", "Ann", "Bob"))
        self.take(Occupancy(self.t, 0))
        self.wait(STILL_MS)
        self.throw("ggg-")
        self.throw("----")
        assert self.service.snapshot.phase is Phase.THROW
