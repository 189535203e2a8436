"""Disks that fail at random while a game is stored and read: `python -m tests.journal.outages`.

SQLite's file layer is wrapped (`tests.journal.vfs`): a write, truncation, deletion or sync fails
before it happens, or happens and is reported as failed, once or for a while. Meanwhile a keeper
begins games, appends, reads, writes preferences and retries. When the disk works again, the file
must contain exactly what a list in memory contains: every line once, in order.
"""

import argparse
import logging
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from tests.journal.vfs import OK, Done, WatchedVfs, sqlite_library
from tests.output import print_line
from urpi.core.errors import UrpiError
from urpi.journal import (
    Journal,
    Keeper,
    Preferences,
    entries_of,
    list_games,
    load_preferences,
    store_preferences,
)
from urpi.journal.integrity import check_pages

GAME = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"Ann","dark":"Zoë"}'
WON = '{"t":9,"type":"won","side":"dark","code":"off"}'
NOW = datetime(2026, 11, 21, 19, 2, 11, tzinfo=UTC)
FULL, IO_ERROR = 13, 10
STEPS = 40
PREFERENCES = Preferences("en", "off", "finkel")


@dataclass
class FaultyDisk:
    """Fails the change number `at` and the `lasting` changes after it."""

    rng: Random
    at: int = -1
    lasting: int = 0
    takes_effect: bool = False
    """Whether the change happens although it is reported as failed."""
    code: int = FULL
    done: int = 0
    failures: Counter[str] = field(default_factory=Counter)

    def plan(self) -> None:
        """Fail somewhere in the next changes."""
        self.at = self.done + self.rng.randrange(45)
        self.lasting = self.rng.choice((0, 0, 0, 0, 1, 3, 20, 60))
        self.takes_effect = self.rng.random() < 0.5
        self.code = self.rng.choice((FULL, IO_ERROR))

    def before(self, done: Done) -> int:
        self.done += 1
        return OK if self.takes_effect else self._result(done)

    def after(self, done: Done) -> int:
        return self._result(done) if self.takes_effect else OK

    def _result(self, done: Done) -> int:
        if self.at < 0 or not self.at <= self.done - 1 <= self.at + self.lasting:
            return OK
        kind = "sync" if done.is_sync else "deletion" if done.deleted else "write"
        self.failures[f"{kind} {'reported as failed' if self.takes_effect else 'failed'}"] += 1
        return self.code


@dataclass
class Model:
    """What the file must contain in the end."""

    games: list[list[str]] = field(default_factory=list)
    language: str = "en"


class Run:
    """One keeper on a faulty disk, and the model that it is compared with."""

    def __init__(self, path: Path, disk: FaultyDisk, rng: Random) -> None:
        self.path, self._disk, self._rng = path, disk, rng
        self._t = 0
        self._model = Model()
        self._keeper = Keeper.open(path, NOW)
        self._begin()

    def step(self) -> None:
        """Do one of the actions that happen during play."""
        self._t += self._rng.choice((1, 1, 1, 600, 20_000))
        act = self._rng.choices(
            (
                self._append,
                self._read,
                self._disk.plan,
                self._tick,
                self._store_preferences,
                self._next_game,
            ),
            (8, 6, 4, 2, 1, 1),
        )
        act[0]()

    def _begin(self) -> None:
        started = NOW + timedelta(seconds=len(self._model.games))
        self._keeper.begin(GAME, started.isoformat(), "1", {"language": "en"}, NOW)
        self._model.games.append([GAME])

    def _append(self) -> None:
        size = self._rng.choice((1, 1, 2, 60))
        facts = [
            f'{{"t":{self._t},"type":"answer","move":"{self._rng.getrandbits(400):x}"}}'
            for _ in range(size)
        ]
        self._keeper.append(facts, [], NOW)
        self._model.games[-1] += facts

    def _next_game(self) -> None:
        self._keeper.append([], [WON], NOW, NOW.isoformat())
        self._model.games[-1].append(WON)
        self._begin()

    def _read(self) -> None:
        self._keeper.read(list_games, NOW)

    def _store_preferences(self) -> None:
        self._model.language = self._rng.choice(("en", "fr", "hu"))
        chosen = Preferences(self._model.language, "off", "finkel")
        self._keeper.write(
            "preferences",
            lambda journal: store_preferences(journal, "board", PREFERENCES, chosen),
            NOW,
        )

    def _tick(self) -> None:
        self._keeper.tick(self._t, NOW)

    def end(self) -> None:
        """Let the disk work again, and compare the file with the model.

        Raises:
            AssertionError: If a line is missing, duplicated or out of order.
        """
        self._disk.at = -1
        for _ in range(4):
            self._t += 20_000
            self._tick()
        assert self._keeper.outage is None, self._keeper.outage
        self._keeper.close(NOW)
        with Journal.open(self.path) as journal:
            check_pages(journal)
            stored = [
                [entry.line for entry in entries_of(journal, game.id)]
                for game in reversed(list_games(journal))
            ]
            language = load_preferences(journal, "board", PREFERENCES).language
        assert self._keeper.damage is None, self._keeper.damage
        assert stored == self._model.games, _difference(stored, self._model.games)
        assert language == self._model.language, (language, self._model.language)


def _difference(stored: list[list[str]], expected: list[list[str]]) -> str:
    lines = Counter(line for game in stored for line in game)
    needed = Counter(line for game in expected for line in game)
    return (
        f"{(lines - needed).total()} lines too many, {(needed - lines).total()} lines missing, "
        f"games of {[*map(len, stored)]} lines in place of {[*map(len, expected)]}"
    )


def main() -> None:
    """Run, and report; exit with status 1 if a line was lost or duplicated."""
    parser = argparse.ArgumentParser(prog="python -m tests.journal.outages", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="best on a memory disk")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    logging.disable()
    library = sqlite_library()
    if library is None:
        sys.exit("SQLite's library cannot be reached: Python has it built in.")
    watched = WatchedVfs(library, FaultyDisk(Random(0)))
    failures: Counter[str] = Counter()
    wrong = 0
    for number in range(given.seed, given.seed + given.runs):
        rng = Random(number)
        disk = FaultyDisk(rng)
        watched.watcher = disk
        with tempfile.TemporaryDirectory(dir=given.folder) as folder:
            try:
                run = Run(Path(folder) / "games.sqlite", disk, rng)
                for _ in range(STEPS):
                    run.step()
                run.end()
            except (AssertionError, UrpiError) as error:
                wrong += 1
                print_line(f"seed {number}: {error}")
        failures += disk.failures
    for kind, count in sorted(failures.items()):
        print_line(f"{count:6} times a {kind}")
    print_line(f"{given.runs} runs, {wrong} of them wrong")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
