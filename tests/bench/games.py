"""Thousands of games through referee and journal: `python -m tests.bench.games --games 10000`.

Each game is played by lively or clumsy simulated players, whose true moves are known, decided by
the referee, and stored as by the service. At the end every stored game is decided again from its
facts. It counts records that differ from the truth, and games that are decided differently. The
exit status is 1 if a game is, or if a rule set without piles has a record that differs.
"""

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

from tests.bench.journal import Stored, play_and_compare
from tests.bench.rest import resident_mb
from tests.output import print_line
from tools.bench import Task
from tools.bench.figures import GameOutcome
from urpi import __version__
from urpi.journal import CheckVerdict, Journal, check_games, list_games, timing_settings
from urpi.referee import Timing

RULES = (
    *("finkel[pieces=3]", "finkel3[pieces=3]", "murray[pieces=3]", "bell[pieces=3]"),
    *("coursework[pieces=3]", "skiryuk", "ravensburger", "freecompany"),
    *("masters[pieces=3]", "blitz[pieces=3]"),
)
WITH_PILES = ("skiryuk", "ravensburger", "freecompany")
"""Rule sets in which two moves may occupy the same squares, so that a record may differ."""
BEHAVIOURS = ("lively", "clumsy")
BEGUN = datetime(2026, 1, 1, 18, tzinfo=UTC)
CHUNK = 8


def tasks(games: int, seed: int, max_throws: int) -> Iterator[Task]:
    """Yield the games: the rule sets in turn, each with both behaviours in turn."""
    for number in range(games):
        rules = RULES[number % len(RULES)]
        behaviour = BEHAVIOURS[number // len(RULES) % len(BEHAVIOURS)]
        yield Task(rules, behaviour, "greedy", seed + number, max_throws)


def play(task: Task) -> tuple[GameOutcome, Stored]:
    """Play one game."""
    return play_and_compare(task, "Light", "Dark")


def store(journal: Journal, number: int, stored: Stored) -> None:
    """Store a game as the service does, with a transaction for each decision."""
    opening, runs = stored
    started = BEGUN + timedelta(minutes=20 * number)
    settings = timing_settings(Timing()) | {"language": "en"}
    game = journal.new_game(opening, started.isoformat(), __version__, settings)
    for facts, decisions in runs:
        journal.append(game, facts, decisions)
    journal.finish(game, (started + timedelta(minutes=18)).isoformat())


def play_all(path: Path, wanted: Iterable[Task], jobs: int) -> Iterator[tuple[Task, GameOutcome]]:
    """Play the games in `jobs` processes, store each, and yield how the referee did."""
    with Journal.open(path) as journal, ProcessPoolExecutor(jobs) as pool:
        # Syncing each decision would measure the disk.
        journal.rows("PRAGMA synchronous = OFF")
        left = enumerate(wanted)
        # A batch at a time: the pool would keep the lines of all games that wait to be stored.
        while batch := list(islice(left, 50 * CHUNK)):
            played = pool.map(play, (task for _, task in batch), chunksize=CHUNK)
            for (number, task), (outcome, stored) in zip(batch, played, strict=True):
                store(journal, number, stored)
                yield task, outcome


def decided_again(path: Path, jobs: int) -> Counter[CheckVerdict]:
    """Decide every stored game again; return the number of games by verdict."""
    with Journal.open(path, create=False) as journal:
        numbers = [game.id for game in list_games(journal)]
    return Counter(checked.verdict for checked in check_games(path, numbers, jobs))


def measure(path: Path, wanted: Iterable[Task], jobs: int) -> bool:
    """Play, print the figures and return whether all is as it must be."""
    played, wrong, ended = Counter[str](), Counter[str](), Counter[str]()
    moves = 0
    for task, outcome in play_all(path, wanted, jobs):
        rules = task.rules.partition("[")[0]
        played[rules] += 1
        ended[outcome.ended] += 1
        moves += outcome.compared.made
        if not outcome.right:
            wrong[rules] += 1
            print_line(f"differs: {task.rules} {task.case} seed {task.seed} ({outcome.ended})")
        if played.total() % 1000 == 0:
            print_line(f"{played.total():6} games, {resident_mb(os.getpid()):.0f} MB resident")
    for rules, games in played.items():
        print_line(f"{rules:13} {games:6} games, {wrong[rules]:3} records differ from the truth")
    print_line(f"{moves} moves; {', '.join(f'{count} {how}' for how, count in ended.items())}")
    verdicts = decided_again(path, jobs)
    print_line(
        f"decided again: {', '.join(f'{n} {verdict.value}' for verdict, n in verdicts.items())}"
    )
    print_line(f"journal: {path.stat().st_size / 1e6:.0f} MB")
    return set(verdicts) <= {CheckVerdict.SAME} and set(wrong) <= set(WITH_PILES)


def main() -> None:
    """Play and print; the exit status is 1 if a game went wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.games", description=__doc__)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--throws", type=int, default=80, help="after which a game is left")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="where the journal lies while it is used")
    given = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="urpi-games-", dir=given.folder) as folder:
        wanted = tasks(given.games, given.seed, given.throws)
        good = measure(Path(folder) / "games.db", wanted, given.jobs)
    print_line(f"{time.monotonic() - began:.0f} s")
    sys.exit(not good)


if __name__ == "__main__":
    main()
