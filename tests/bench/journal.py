"""Speed of the journal with a thousand games: `python -m tests.bench.journal`.

Games are played at the virtual table as by `python -m tools.bench referee`, stored as by the
service, and then replayed, measured, exported, imported and copied. Everything is measured in wall
clock time, with the functions that `urpi games` calls. `--keep FILE` keeps the journal, and uses an
existing one; put it on a memory disk, or the disk is measured. The exit status is 1 if a game is
decided differently or the replay takes too long.
"""

import argparse
import asyncio
import os
import resource
import statistics
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.output import print_line
from tools.bench import Task, run
from tools.bench.figures import GameOutcome
from urpi import __version__
from urpi.journal import (
    CheckVerdict,
    Journal,
    back_up,
    check_games,
    import_archive,
    list_games,
    prunable,
    prune_game,
    timing_settings,
    write_archive,
)
from urpi.journal.checksums import text_checksum
from urpi.journal.stats import summarize, summarize_reviews
from urpi.page.journal_reader import JournalReader
from urpi.page.statistics import FigureCache, statistics_body
from urpi.referee import Timing
from urpi.referee.facts import Fact, Game
from urpi.referee.lines import decision_line, fact_line
from urpi.show.evidence import dispute_minute, dispute_page, dispute_turn
from urpi.show.stats_report.figure_file import SUFFIX
from urpi.show.stats_report.reading import figures_in
from urpi.show.words import words_for

BEGUN = datetime(2026, 1, 1, 18, tzinfo=UTC)
PLAYERS = ("Ann", "Zoë", "Bert", "Mia", "Ole")
MAX_SECONDS = 120.0
"""Time limit for the replay of a thousand games of 150 throws."""

Stored = tuple[str, list[tuple[list[str], list[str]]]]
"""The line of the `game` fact, and after it runs of facts with their decisions."""


def play(task: Task, light: str, dark: str) -> Stored:
    """Play a game and return its lines."""
    return play_and_compare(task, light, dark)[1]


def play_and_compare(task: Task, light: str, dark: str) -> tuple[GameOutcome, Stored]:
    """Play a game; return its outcome and its lines."""
    opening: list[str] = []
    runs: list[tuple[list[str], list[str]]] = [([], [])]

    def trace(entry: Any) -> None:
        if isinstance(entry, Game):
            game = Game(
                entry.t, entry.rules, light, dark, entry.options, entry.first, dice=entry.dice
            )
            opening.append(fact_line(game))
        elif isinstance(entry, Fact):
            if runs[-1][1]:
                runs.append(([], []))
            runs[-1][0].append(fact_line(entry))
        elif not isinstance(entry, str):
            runs[-1][1].append(decision_line(entry))

    outcome = run(task, trace)
    return outcome, (opening[0], runs)


def _play(job: tuple[Task, str, str]) -> Stored:
    return play(*job)


def fill(path: Path, games: int, distinct: int, throws: int, jobs: int) -> None:
    """Play `distinct` games of lively hands, of at most `throws` throws, and store `games`.

    Each is stored several times, on other days and between other players. Playing and storing one
    takes longer than everything that is measured, so the batches are copied.
    """
    settings = timing_settings(Timing()) | {"language": "en"}
    # Murray's path is the longest: random games are not over after 150 throws.
    tasks = [
        (Task("murray", "lively", "random", seed, throws), "Light", "Dark")
        for seed in range(min(games, distinct))
    ]
    with Journal.open(path) as journal, ProcessPoolExecutor(jobs) as pool:
        # Ten games an evening; syncing each decision would measure the disk.
        journal.rows("PRAGMA synchronous = OFF")
        played = list(pool.map(_play, tasks, chunksize=2))
        for number in range(games):
            opening, runs = played[number % len(played)]
            for word, name in zip(("Light", "Dark"), _pair(number), strict=True):
                opening = opening.replace(f'"{word}"', f'"{name}"')
            started = BEGUN + timedelta(days=number // 10, minutes=20 * (number % 10))
            game = journal.new_game(opening, started.isoformat(), __version__, settings)
            if number < len(played):
                for facts, decisions in runs:
                    journal.append(game, facts, decisions)
            else:
                copy_batches(journal, 1 + number % len(played), game)
            journal.finish(game, (started + timedelta(minutes=18)).isoformat())


def copy_batches(journal: Journal, origin: int, game: int) -> None:
    """Copy the packed batches of a game, except the first one, to the newest game."""
    ((end,), *_) = journal.rows("SELECT max(seq) FROM batches WHERE game = ?", game)
    batches = [*journal.batch_texts(origin)]
    by = end - batches[0][0]
    ((checksum,),) = journal.rows("SELECT checksum FROM batches WHERE game = ?", game)
    with journal.transaction():
        for seq, facts, text in batches[1:]:
            checksum = text_checksum(checksum, seq + by, facts, text)
            journal.rows(
                "INSERT INTO batches SELECT ?, seq + ?, facts, lines, ? FROM batches"
                " WHERE game = ? AND seq = ?",
                *(game, by, checksum, origin, seq),
            )
        journal.rows(
            "INSERT INTO milestones SELECT ?, seq + ?, type, side FROM milestones WHERE game = ?",
            *(game, by, origin),
        )


def _pair(seed: int) -> tuple[str, str]:
    light = seed % len(PLAYERS)
    return PLAYERS[light], PLAYERS[(light + 1 + seed // 7 % (len(PLAYERS) - 1)) % len(PLAYERS)]


def print_figure(name: str, value: str) -> None:
    print_line(f"{name:48} {value:>14}")


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Print the duration of the block."""
    began = time.perf_counter()
    yield
    print_figure(what, f"{time.perf_counter() - began:.2f} s")


def measure(path: Path, folder: Path, jobs: int) -> bool:
    """Print the figures; return whether the replay is fast and decides every game the same."""
    with Journal.open(path, create=False) as journal:
        with timed("list"):
            games = list_games(journal)
        ((throws,),) = journal.rows("SELECT count(*) FROM milestones WHERE type = 'roll'")
    numbers = [game.id for game in games]
    print_figure("games", str(len(games)))
    print_figure("throws a game", f"{throws / len(games):.1f}")
    print_figure("size a game", f"{path.stat().st_size / 1000 / len(games):.1f} kB")
    began, worked = time.perf_counter(), _worked()
    done = list(check_games(path, numbers, jobs))
    seconds = time.perf_counter() - began
    print_figure(f"check, {jobs} processes", f"{seconds:.2f} s")
    print_figure("its processor time, all processes", f"{_worked() - worked:.2f} s")
    lines = sum(one.replay.facts + one.replay.decisions for one in done if one.replay)
    print_figure("lines a game", f"{lines / len(games):.0f}")
    same = sum(one.verdict is CheckVerdict.SAME for one in done)
    print_figure("decided the same", f"{same} of {len(done)}")
    with timed(f"stats, {jobs} processes"):
        summarize(figures_in(path, numbers, jobs))
    asyncio.run(_measure_statistics_page(path))
    _measure_dispute(path, max(games, key=lambda game: game.turns).id)
    _measure_care(path, folder)
    return same == len(done) and seconds <= MAX_SECONDS * max(1, len(games) / 1000)


def _worked() -> float:
    """Return the processor time of this process and its finished children, in seconds."""
    own, ended = (
        resource.getrusage(resource.RUSAGE_SELF),
        resource.getrusage(resource.RUSAGE_CHILDREN),
    )
    return own.ru_utime + own.ru_stime + ended.ru_utime + ended.ru_stime


async def _measure_statistics_page(path: Path) -> None:
    reader = JournalReader(path)
    cache = FigureCache(reader)
    path.with_name(f"{path.name}{SUFFIX}").unlink(missing_ok=True)

    async def load() -> tuple[bytes, int]:
        games = await reader.read(list_games)
        figures, unread = await cache.figures(games[::-1])
        days = {game.id: game.started.astimezone().date().isoformat() for game in games}
        reviews = summarize_reviews(
            ((one, days[one.game]) for one in figures), await cache.reviews(games)
        )
        body = await reader.read(
            lambda _: statistics_body(
                summarize(figures), reviews, words_for("en"), running=False, unread=unread
            )
        )
        return body, unread

    worked = _worked()
    with timed("statistics on the page, first visit, the newest games"):
        body, unread = await load()
    print_figure("its processor time", f"{_worked() - worked:.2f} s")
    with timed("the others"):
        while unread:
            body, unread = await load()
    print_figure("processor time until all are shown", f"{_worked() - worked:.2f} s")
    cache = FigureCache(reader)
    worked = _worked()
    with timed("after a restart"):
        assert await load() == (body, 0)
    print_figure("its processor time", f"{_worked() - worked:.2f} s")
    print_figure("its response", f"{len(body) / 1000:.0f} kB")
    seconds = []
    for _ in range(20):
        began = time.perf_counter()
        await load()
        seconds.append(time.perf_counter() - began)
    later = f"{statistics.median(seconds):.2f}, {max(seconds):.2f} s"
    print_figure("again, median and longest of 20", later)


def _measure_dispute(path: Path, longest: int) -> None:
    english = words_for("en")
    with Journal.open(path, create=False) as journal:
        with timed("dispute, last turn of the longest game"):
            page = dispute_page(dispute_turn(journal, longest), english)
        print_figure("its page", f"{len(page) / 1000:.0f} kB")
        with timed("dispute, last minute of it"):
            page = dispute_page(dispute_minute(journal, longest), english)
        print_figure("its page", f"{len(page) / 1000:.0f} kB")


def _measure_care(path: Path, folder: Path) -> None:
    archive, copy = folder / "games.jsonl", folder / "copy.db"
    with Journal.open(path, create=False) as journal, timed("export of everything"):
        numbers = [game.id for game in reversed(list_games(journal))]
        with archive.open("w", encoding="utf-8") as file:
            write_archive(journal, numbers, file.write, __version__)
    print_figure("the archive", f"{archive.stat().st_size / 1e6:.0f} MB")
    with (
        Journal.open(folder / "into.db") as into,
        archive.open("rb") as read,
        timed("import of it"),
    ):
        import_archive(into, read, BEGUN)
    with timed("backup"):
        back_up(path, copy, replace=True)
    with Journal.open(copy) as journal, timed("prune everything"):
        for game in list(prunable(journal, datetime.max.replace(tzinfo=UTC))):
            prune_game(journal, game.id, "2026-12-31")
        journal.rows("VACUUM")
    print_figure("size a game then", f"{copy.stat().st_size / 1000 / len(numbers):.1f} kB")


def main() -> None:
    """Fill a journal, unless one is kept, and measure it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--distinct", type=int, default=200, help="games that are played")
    parser.add_argument("--throws", type=int, default=150, help="at most, a game")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--keep", type=Path, metavar="FILE")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(
        prefix="urpi-bench-", dir=given.keep and given.keep.parent
    ) as name:
        folder = Path(name)
        path = given.keep or folder / "journal.db"
        if not path.exists():
            with timed(f"play {min(given.games, given.distinct)}, store {given.games} games"):
                fill(path, given.games, given.distinct, given.throws, given.jobs)
        raise SystemExit(0 if measure(path, folder, given.jobs) else 1)


if __name__ == "__main__":
    main()
