"""How fast the journal answers over a thousand games: `python -m tests.bench.journal`.

Games are played at the virtual table as `urpi bench referee` plays them, stored as the service
stores them, and then replayed, measured and laid out. Everything is in wall clock time, by the
same functions that `urpi games` calls. `--keep FILE` keeps the journal, and uses the one that is
there; give one on a memory disk, or what is measured is the disk.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from urpi import __version__
from urpi.bench import Task, run
from urpi.journal import Journal, Verdict, check_games, list_games, timing_settings
from urpi.referee import Timing
from urpi.referee.facts import Fact, Game
from urpi.referee.lines import decision_line, fact_line

BEGUN = datetime(2026, 1, 1, 18, tzinfo=UTC)
PLAYERS = ("Ann", "Zoë", "Bert", "Mia", "Ole")
MOST_SECONDS = 120.0
"""In which a thousand games of 150 throws are to replay."""

Stored = tuple[str, list[tuple[list[str], list[str]]]]
"""The line of the `game` fact, and behind it runs of facts with what they decided."""


def play(task: Task, light: str, dark: str) -> Stored:
    """Play a game; its lines."""
    opening: list[str] = []
    runs: list[tuple[list[str], list[str]]] = [([], [])]

    def trace(told: Any) -> None:
        if isinstance(told, Game):
            game = Game(told.t, told.rules, light, dark, told.options, told.first, dice=told.dice)
            opening.append(fact_line(game))
        elif isinstance(told, Fact):
            if runs[-1][1]:
                runs.append(([], []))
            runs[-1][0].append(fact_line(told))
        elif not isinstance(told, str):
            runs[-1][1].append(decision_line(told))

    run(task, trace)
    return opening[0], runs


def _play(job: tuple[Task, str, str]) -> Stored:
    return play(*job)


def fill(path: Path, games: int, throws: int, jobs: int) -> None:
    """Play and store that many games of lively hands, of at most so many throws each."""
    settings = timing_settings(Timing()) | {"language": "en"}
    tasks = [
        (Task("finkel", "lively", "random", seed, throws), *_pair(seed)) for seed in range(games)
    ]
    with Journal.open(path) as journal, ProcessPoolExecutor(jobs) as pool:
        # Ten games an evening; syncing each decision would measure the disk.
        journal.rows("PRAGMA synchronous = OFF")
        for number, (opening, runs) in enumerate(pool.map(_play, tasks, chunksize=4)):
            started = BEGUN + timedelta(days=number // 10, minutes=20 * (number % 10))
            game = journal.new_game(opening, started.isoformat(), __version__, settings)
            for facts, decisions in runs:
                journal.append(game, facts, decisions)
            journal.finish(game, (started + timedelta(minutes=18)).isoformat())


def _pair(seed: int) -> tuple[str, str]:
    light = seed % len(PLAYERS)
    return PLAYERS[light], PLAYERS[(light + 1 + seed // 7 % (len(PLAYERS) - 1)) % len(PLAYERS)]


@contextmanager
def timed(what: str) -> Iterator[Callable[[], float]]:
    """Say how long something took."""
    began = time.perf_counter()
    yield lambda: time.perf_counter() - began
    print(f"{what:40} {time.perf_counter() - began:8.2f} s")


def measure(path: Path, jobs: int) -> bool:
    """Print the figures; whether the replay holds its time."""
    with Journal.open(path, create=False) as journal:
        with timed("list"):
            games = list_games(journal)
        (throws,) = journal.rows("SELECT count(*) FROM entries WHERE type = 'roll'")[0]
        (entries,) = journal.rows("SELECT count(*) FROM entries")[0]
    size_kb = path.stat().st_size / 1000 / len(games)
    print(f"{len(games)} games, {throws} throws, {entries} entries, {size_kb:.0f} kB a game")
    with timed(f"check, {jobs} processes") as took:
        done = list(check_games(path, [game.id for game in games], jobs))
        seconds = took()
    same = all(checked.verdict is Verdict.SAME for checked in done)
    print("all decided the same" if same else "SOME DIFFER")
    return same and seconds <= MOST_SECONDS * max(1, len(games) / 1000)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--throws", type=int, default=150, help="at most, a game")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--keep", type=Path, metavar="FILE")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="urpi-bench-") as folder:
        path = given.keep or Path(folder) / "journal.db"
        if not path.exists():
            with timed(f"play and store {given.games} games"):
                fill(path, given.games, given.throws, given.jobs)
        raise SystemExit(0 if measure(path, given.jobs) else 1)


if __name__ == "__main__":
    main()
