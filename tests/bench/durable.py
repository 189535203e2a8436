"""The cost of storing every fact: `python -m tests.bench.durable`.

Games are played at the virtual table as by `python -m tools.bench referee`, and every fact goes
through the real service, keeper and journal, with the service's waiting times: the sizes are those
of files that `urpi serve` would leave. Commits and starts are measured in wall clock time, on the
disk of `--folder`; a start is the whole command in a fresh process. With `--cold`, root drops the
disk's cache before each.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from tests.output import print_line
from tools.bench import Task, run
from urpi.config import Config
from urpi.journal import Journal, Keeper
from urpi.journal.entries import StoredGame
from urpi.journal.integrity import check_pages
from urpi.journal.repair import stored_game
from urpi.referee.decisions import Decision
from urpi.referee.facts import Fact, Game, Time
from urpi.rules import RULE_SETS
from urpi.service.referee_settings import referee_settings
from urpi.service.service import Service

NOW = datetime(2026, 11, 21, 19, 2, 11, tzinfo=UTC)
MAX_KB = 150
"""Maximum size of a file with one game of a usual length, up to about 250 throws."""
MAX_BYTES_PER_THROW = 550
"""Maximum growth of a file per throw. Simulated players make no plans, so that skiryuk, murray and
freecompany take more throws than between people, and their files exceed `MAX_KB`."""
MAX_START_S = 3.0
LONG_TURNS = 1500
LIMIT = 2000
"""Throws after which a game is stopped."""


def played(task: Task) -> tuple[list[Fact], int]:
    """Return the facts of a game, and the number of its throws."""
    facts: list[Fact] = []
    rolls = 0

    def trace(entry: Fact | Decision | str) -> None:
        nonlocal rolls
        if isinstance(entry, Fact):
            facts.append(entry)
        elif not isinstance(entry, str):
            rolls += type(entry).__name__ == "Roll"

    run(task, trace)
    return facts, rolls


def store(path: Path, facts: list[Fact]) -> None:
    """Store a game as the service does when it receives these facts at their times."""
    now = 0
    keeper = Keeper.open(path, NOW)
    assert keeper.journal is not None
    # Only the size is measured here, and syncing thousands of times would take long.
    keeper.journal.rows("PRAGMA synchronous = OFF")
    service = Service(
        keeper,
        referee_settings(Config()),
        lambda: now,
        lambda _snapshot, _decisions: None,
        language="en",
        now=lambda: NOW,
    )
    for fact in facts:
        if isinstance(fact, Game):
            service.new_game(fact)
            continue
        while (due := service.next_due) is not None and due < fact.t:
            now = max(now, due)
            service.work()
        now = max(now, fact.t)
        if not isinstance(fact, Time):
            service.submit(fact)
        service.work()
    service.close()


def empty_size(folder: Path) -> int:
    """Return the size of a journal without a game."""
    path = folder / "empty.sqlite"
    Journal.open(path).close()
    return path.stat().st_size


def measure_sizes(folder: Path, rule_sets: Sequence[str], games: int, behaviour: str) -> bool:
    """Print the size of a game's file by rule set; return whether the median is small enough."""
    empty = empty_size(folder) / 1000
    print_line(f"an empty file: {empty:.0f} kB; {games} games of each, {behaviour}")
    kept = True
    for rules in rule_sets:
        sizes, lengths = [], []
        for seed in range(games):
            facts, rolls = played(Task(rules, behaviour, "greedy", seed, LIMIT))
            path = folder / f"{rules}-{seed}.sqlite"
            store(path, facts)
            sizes.append(path.stat().st_size / 1000)
            lengths.append(rolls)
            path.unlink()
        most = max(zip(sizes, lengths, strict=True))
        whole = sum(size <= MAX_KB for size in sizes)
        print_line(
            f"{rules:14} median {median(sizes):5.0f} kB of {median(lengths):5.0f} throws,"
            f" largest {most[0]:5.0f} kB of {most[1]:5} throws,"
            f" {1000 * sum(sizes) / sum(lengths):4.0f} bytes a throw,"
            f" {whole} of {games} within {MAX_KB} kB"
        )
        limit = max(MAX_KB, empty + MAX_BYTES_PER_THROW * median(lengths) / 1000)
        kept = kept and median(sizes) <= limit
    return kept


def measure_commits(folder: Path, commits: int) -> None:
    """Print the time of storing a decision."""
    path = folder / "commits.sqlite"
    keeper = Keeper.open(path, NOW)
    game = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"","dark":""}'
    keeper.begin(game, NOW.isoformat(), "1", {}, NOW)
    took = []
    for t in range(commits):
        facts = [f'{{"t":{t},"type":"square","square":"B{n}","on":true}}' for n in range(1, 7)]
        decision = f'{{"t":{t},"type":"pass","side":"light","code":"zero"}}'
        began = time.perf_counter()
        keeper.append(facts, [decision], NOW)
        took.append(1000 * (time.perf_counter() - began))
    keeper.close(NOW)
    path.unlink()
    took.sort()
    print_line(
        f"a decision with six edges stored: median {median(took):.2f} ms,"
        f" 99 of 100 within {took[commits * 99 // 100]:.2f} ms, in {folder}"
    )


def fill(path: Path, games: int, long: list[Fact], short: list[Fact]) -> None:
    """Fill a journal with games of one kind, and an unfinished long one."""
    store(path.with_suffix(".one"), short)
    with Journal.open(path.with_suffix(".one")) as one:
        game = stored_game(one, 1)
    path.with_suffix(".one").unlink()
    seqs = game.batches[-1][0]
    with Journal.open(path) as journal, journal.transaction():
        for number in range(games):
            batches = tuple((seq + number * seqs, n, lines) for seq, n, lines in game.batches)
            journal.adopt(StoredGame(number + 1, game.about, game.settings, batches, game.finished))
    store(path, long)


def unfinished(facts: list[Fact]) -> list[Fact]:
    """Return the facts without the end of the game."""
    return facts[: int(len(facts) * 0.98)]


def drop_caches() -> None:
    os.sync()
    Path("/proc/sys/vm/drop_caches").write_text("3\n")


START = """
import sys, time
from datetime import UTC, datetime
from pathlib import Path
from urpi.cli import serve
from urpi.config import Config
from urpi.journal import Keeper
from urpi.service.referee_settings import referee_settings
from urpi.service.service import Service
imported = time.perf_counter()
now = datetime.now(UTC)
keeper = Keeper.open(Path(sys.argv[1]), now)
checked = time.perf_counter()
service = Service(keeper, referee_settings(Config()), lambda: 0, lambda *_: None,
    language="en", now=lambda: now)
assert service.resume() is not None
print(checked - imported, time.perf_counter() - checked)
"""


def measure_start(path: Path, *, cold: bool) -> bool:
    """Print the time from the program's start to the same turn; return whether it is met."""
    if cold:
        drop_caches()
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.check_output([sys.executable, "-c", START, str(path)], text=True)
    whole = time.perf_counter() - began
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = usage.ru_utime + usage.ru_stime - before.ru_utime - before.ru_stime
    checked, resumed = map(float, done.split())
    print_line(
        f"from the program's start to the same turn{' (cold)' if cold else ''}: {whole:.2f} s,"
        f" {processor:.2f} s of the processor's; {checked:.2f} s of it to open and check the"
        f" journal, {resumed:.2f} s to replay the game"
    )
    return whole <= MAX_START_S


@contextmanager
def timed(what: str) -> Iterator[None]:
    began = time.perf_counter()
    yield
    print_line(f"{what}: {time.perf_counter() - began:.2f} s")


def measure_checks(path: Path) -> None:
    """Print the times of SQLite's two checks."""
    with Journal.open(path) as journal:
        with timed("integrity_check"):
            check_pages(journal)
        with timed("quick_check"):
            journal.rows("PRAGMA quick_check")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.durable", description=__doc__)
    parser.add_argument("--games", type=int, default=10, help="of each rule set; 0: none")
    parser.add_argument("--rules", action="append", choices=list(RULE_SETS), help="default: all")
    parser.add_argument("--behaviour", default="lively")
    parser.add_argument("--stored", type=int, default=1000, help="games in the journal at a start")
    parser.add_argument("--commits", type=int, default=200)
    parser.add_argument("--folder", type=Path, help="where the disk is that is measured")
    parser.add_argument("--cold", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="urpi-durable-", dir=given.folder) as name:
        folder = Path(name)
        measure_commits(folder, given.commits)
        small = not given.games or measure_sizes(
            folder, given.rules or list(RULE_SETS), given.games, given.behaviour
        )
        long, rolls = played(Task("murray", "lively", "random", 3, LONG_TURNS))
        short, _ = played(Task("finkel", "lively", "random", 1, 150))
        path = folder / "games.sqlite"
        fill(path, given.stored, unfinished(long), short)
        size = path.stat().st_size / 1e6
        print_line(
            f"{given.stored} games and one of {rolls} throws: {len(long)} facts, {size:.0f} MB"
        )
        measure_checks(path)
        quick = measure_start(path, cold=given.cold)
    raise SystemExit(0 if small and quick else 1)


if __name__ == "__main__":
    main()
