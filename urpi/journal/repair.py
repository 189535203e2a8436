"""A damaged journal: found, set aside with a name and a date, and what can be read saved.

What is saved are games that can be read from the first batch to the last. That nothing is
missing behind a game's last throw cannot be proved from a damaged file.
"""

import json
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from urpi.errors import UrpiError
from urpi.journal.entries import Line, StoredGame
from urpi.journal.failures import DamagedError, naming
from urpi.journal.folders import sync_folder
from urpi.journal.journal import Journal
from urpi.journal.packing import WORDS, unpack

_UNREADABLE: Final = (sqlite3.Error, ValueError, TypeError, UrpiError)


@dataclass(frozen=True, slots=True)
class Damage:
    """What was done about a damaged file: where it lies now, and how many games were saved."""

    aside: Path
    saved: int
    lost: int


def check_pages(journal: Journal) -> None:
    """Read every page and see that it is what it must be.

    Raises:
        DamagedError: when one is not.
    """
    ((found,),) = journal.rows("PRAGMA integrity_check(1)")
    if found != "ok":
        found = str(found).splitlines()[-1]
        message = f"The journal {journal.path} is damaged: {found}."
        raise DamagedError(message)


def set_aside(path: Path, now: datetime) -> Path:
    """Give a damaged file, and the rollback journal beside it, a name that says so.

    Raises:
        UrpiError: when they cannot be renamed.
    """
    aside = _free_name(path, f"{now:%Y-%m-%dT%H%M%S}")
    with naming(path):
        # The rollback journal first: beside a new file it would be taken for that one's.
        with suppress(FileNotFoundError):
            _beside(path).rename(_beside(aside))
        path.rename(aside)
        sync_folder(path.parent)
    return aside


def _free_name(path: Path, stamp: str) -> Path:
    name = f"{path.stem}.damaged-{stamp}"
    aside, count = path.with_name(f"{name}{path.suffix}"), 1
    while aside.exists():
        count += 1
        aside = path.with_name(f"{name}-{count}{path.suffix}")
    return aside


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.name}-journal")


def replace_damaged(
    path: Path, now: datetime, without: Collection[int] = ()
) -> tuple[Journal, Damage]:
    """Set a damaged file aside; a new journal in its place with every game that can be read.

    The games `without` are left out.

    Raises:
        DiskError: when the disk is full, read-only or fails.
        UrpiError: when it cannot be done otherwise.
    """
    aside = set_aside(path, now)
    journal = Journal.open(path)
    saved, lost = _salvage(aside, journal, without)
    return journal, Damage(aside, saved, lost)


def _salvage(damaged: Path, into: Journal, without: Collection[int]) -> tuple[int, int]:
    """Store every game that can be read; how many were, and how many were not."""
    saved = lost = 0
    with suppress(*_UNREADABLE), closing(sqlite3.connect(damaged)) as db, into.together():
        with suppress(*_UNREADABLE):
            into.prefer(_readable(db, "SELECT * FROM preferences"))
        words = _words_of(db)
        for number, *about in _readable(db, "SELECT * FROM games ORDER BY id"):
            if number in without:
                continue
            try:
                game = _read(db, words, int(str(number)), about)
            except _UNREADABLE:
                lost += 1
            else:
                into.adopt(game)
                saved += 1
    return saved, lost


def _words_of(db: sqlite3.Connection) -> bytes:
    for (words,) in _readable(db, "SELECT words FROM packing"):
        if isinstance(words, bytes):
            return words
    return WORDS


def _readable(db: sqlite3.Connection, query: str) -> Iterator[tuple[Any, ...]]:
    """The rows before the first that cannot be read."""
    with suppress(sqlite3.Error):
        yield from db.execute(query)


def _read(db: sqlite3.Connection, words: bytes, game: int, about: list[object]) -> StoredGame:
    started, program, rules, light, dark = map(str, about)
    batches = tuple(
        (seq, facts, tuple(map(_line, unpack(packed, words))))
        for seq, facts, packed in db.execute(
            "SELECT seq, facts, lines FROM batches WHERE game = ? ORDER BY seq", (game,)
        )
    )
    if not batches or batches[0][2][0].type != "game":
        message = f"Game {game} has no beginning."
        raise UrpiError(message)
    if batches[-1][0] < _last_milestone(db, game):
        message = f"Game {game} has no end."
        raise UrpiError(message)
    settings = db.execute("SELECT name, value FROM settings WHERE game = ?", (game,)).fetchall()
    finished = db.execute("SELECT at FROM finished WHERE game = ?", (game,)).fetchone()
    return StoredGame(
        game,
        (started, program, rules, light, dark),
        tuple(settings),
        batches,
        finished and finished[0],
    )


def _last_milestone(db: sqlite3.Connection, game: int) -> int:
    """How far the game went at least; 0 where that cannot be read."""
    query = f"SELECT max(seq) FROM milestones WHERE game = {game}"  # noqa: S608 - a number
    return max((seq or 0 for (seq,) in _readable(db, query)), default=0)


def _line(text: str) -> Line:
    told = json.loads(text) if text else {}
    return Line(text, told.get("type", ""), told.get("side"))
