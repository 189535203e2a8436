"""A service without devices, with a clock set by the test."""

import json
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self

from urpi.core.errors import UrpiError
from urpi.journal import Journal, Keeper
from urpi.referee import Phase, Settings, Snapshot, Timing
from urpi.referee.decisions import Decision
from urpi.referee.facts import Die, Fact, Game, Occupancy
from urpi.service.service import Service
from urpi.show.words import words_for

STARTED = datetime(2026, 11, 20, 19, 2, 11, tzinfo=UTC)
DEFAULT_TIMING = Timing()
STILL_MS = 1000
"""Longer than the occupancy of the board must be unchanged to count."""


class Desk:
    """A service with a journal on disk. Records everything shown, and what was stored by then."""

    def __init__(
        self,
        path: Path,
        keeper: Keeper,
        boot_ms: int = 0,
        timing: Timing = DEFAULT_TIMING,
        *,
        lights: bool = False,
    ) -> None:
        self.path, self.keeper = path, keeper
        self.now = boot_ms
        """The machine's clock; the game's clock may have another origin."""
        self.shown: list[Snapshot] = []
        self.decided: list[Decision] = []
        self.stored_when_shown: list[str] = []
        self.service = Service(
            keeper,
            Settings(words_for("en").sentence, timing),
            lambda: self.now,
            self._show,
            language="en",
            now=lambda: STARTED + timedelta(milliseconds=self.now),
            lights=lights,
        )

    @classmethod
    def at(cls, path: Path, boot_ms: int = 0) -> Self:
        """Return a service with a journal on disk, `boot_ms` after the machine was switched on."""
        return cls(path, Keeper.open(path, STARTED), boot_ms)

    def drop(self) -> None:
        """Close the files of a service that was aborted, and store nothing more.

        Only once the next service has opened them: the last connection to be closed merges the log
        into the file, which a power cut does not.
        """
        for keeper in {self.keeper, self.service.current.keeper}:
            if keeper.journal is not None:
                keeper.journal.connection.close(keep_log=True)

    @property
    def t(self) -> int:
        """The game's time."""
        return self.service.clock()

    def _show(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        self.shown.append(snapshot)
        self.decided += decisions
        # Lines of another game may be damaged.
        with suppress(UrpiError):
            self.stored_when_shown = self.lines("decision")

    def lines(self, kind: str) -> list[str]:
        """Return the stored lines, as another process reads them in the file."""
        with Journal.open(self.path) as reader:
            query = "SELECT line FROM entries WHERE kind = ? ORDER BY seq"
            return [line for (line,) in reader.rows(query, kind)]

    def types(self, kind: str) -> list[str]:
        return [json.loads(line)["type"] for line in self.lines(kind)]

    def submit(self, *facts: Fact) -> None:
        """Submit facts, and let the service process them."""
        for fact in facts:
            self.service.submit(fact)
        self.service.work()

    def wait(self, ms: int) -> None:
        """Advance the clock, and call `work` whenever it is due."""
        until = self.now + ms
        while self.now < until:
            due = self.service.next_due
            wait = until if due is None else due - self.t + self.now
            self.now = min(max(wait, self.now + 1), until)
            self.service.work()

    def throw(self, faces: str) -> None:
        dice = tuple(enumerate(faces, 1))
        self.submit(*(Die(self.t, die, "rolling") for die, _ in dice))
        self.submit(*(Die(self.t, die, "settled", face, tumbled=True) for die, face in dice))

    def begin(self) -> None:
        """Begin a game in which light must throw."""
        self.service.new_game(Game(self.t, "finkel", "Ann", "Bob"))
        self.submit(Occupancy(self.t, 0))
        self.wait(STILL_MS)
        self.throw("ggg-")
        self.throw("----")
        assert self.service.snapshot.phase is Phase.THROW
