"""Repair of a damaged journal: what can be read is saved to a new file, the old one set aside.

A game is saved only if it is proved to be what was stored: by its checksums, or in a file of a
version without checksums, by seqs without a gap and a replay with the same decisions. Every other
game is reported as lost; what remains of it is in the file that was set aside.
"""

import json
import os
import sqlite3
import stat
from collections.abc import Collection
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from urpi.core.errors import UrpiError
from urpi.journal.answers import answer_rows, checked_answer, store_answer
from urpi.journal.connection import Connection
from urpi.journal.corrections import insert_corrections, read_corrections
from urpi.journal.entries import PRUNED, Line, StoredGame
from urpi.journal.failures import journal_errors
from urpi.journal.files import create_like, remove, set_aside, sync_folder
from urpi.journal.integrity import check_game_contents
from urpi.journal.journal import Journal
from urpi.journal.lock import lock_journal
from urpi.journal.migrations import MIGRATIONS
from urpi.journal.packing import DICTIONARY, unpack
from urpi.journal.queries import settings_of
from urpi.journal.replay import ReplayReferee, replay
from urpi.journal.schema import migrate, restore_tables

_READ_ERRORS: Final = (sqlite3.Error, ValueError, TypeError, KeyError, UrpiError)
"""What reading a damaged file may raise. A text that is not UTF-8 is a ValueError."""
_TABLES: Final = {
    "games": "id",
    "settings": "game",
    "batches": "game",
    "milestones": "game",
    "finished": "game",
}
"""The database tables with rows of games, and the column with the game's number."""


@dataclass(frozen=True, slots=True)
class Damage:
    """The repair of a damaged file.

    Attributes:
        aside: The new path of the damaged file.
        saved: Number of its games that are in the new file.
        lost: Number of its games that are not.
        all_counted: Whether these are all its games. If not, there may have been others of which
            nothing can be read.
    """

    aside: Path
    saved: int
    lost: int
    all_counted: bool

    def __str__(self) -> str:
        others = "" if self.all_counted else "; there may be others of which nothing can be read"
        return (
            f"It was set aside as {self.aside}; {self.saved} games were saved, "
            f"{self.lost} could not be{others}."
        )


def replace_damaged(
    path: Path, now: datetime, without: Collection[int] = ()
) -> tuple[Journal, Damage]:
    """Replace a damaged file by a new journal with every game that can be saved.

    The damaged file keeps its place until the new one is complete, so that a full disk does not
    lose what could have been saved.

    Args:
        path: The damaged file.
        now: The local time, which becomes part of its new name.
        without: Numbers of games to leave out, by default none. The keeper leaves out those that
            it holds in memory, and stores them again.

    Raises:
        DiskError: If the disk is full, read-only or fails.
        UrpiError: If it fails for another reason.
    """
    # The file that a link leads to is replaced, not the link.
    path = Path(os.path.realpath(path))
    new = path.with_name(f"{path.name}.salvaged")
    remove(new)
    try:
        with journal_errors(path):
            create_like(new, path)
        with Journal.open(new) as into:
            saved, lost, all_counted = _salvage(path, into, without)
        aside = set_aside(path, f"{path.stem}.damaged-{now:%Y-%m-%dT%H%M%S}")
        with journal_errors(path):
            # Atomic: a power cut leaves the damaged file aside and either no journal or the
            # complete new one.
            new.replace(path)
            sync_folder(path.parent)
    finally:
        remove(new)
    return Journal.open(path), Damage(aside, saved, lost, all_counted)


def begin_afresh(path: Path, now: datetime) -> Path:
    """Set a journal aside as it is, so that a new one is begun; return its new path.

    Raises:
        UrpiError: If there is no such file, a program has it open, or it cannot be renamed.
    """
    with journal_errors(path):
        # Before the lock, whose file would remain.
        if not stat.S_ISREG(path.stat().st_mode):
            message = "it is not a file; choose another with --journal"
            raise UrpiError(message)
    with lock_journal(path):
        path = Path(os.path.realpath(path))
        aside = set_aside(path, f"{path.stem}.aside-{now:%Y-%m-%dT%H%M%S}")
        remove(path)
        return aside


def _salvage(path: Path, into: Journal, without: Collection[int]) -> tuple[int, int, bool]:
    """Save every game that can be proved; return `Damage`'s saved, lost and all_counted."""
    with closing(_connect(path)) as db, into.transaction():
        numbers, all_counted = _game_numbers(db)
        requested = sorted(numbers - set(without))
        source, has_checksums = _source(path, db)
        saved: set[int] = set()
        with closing(source):
            with suppress(*_READ_ERRORS):
                into.store_preferences(source.preferences())
            for number in requested:
                try:
                    game = stored_game(source, number)
                    if not has_checksums:
                        _prove(source, number)
                except _READ_ERRORS:
                    continue
                # Under its old number, so that links and exported files still refer to it.
                into.adopt(game)
                saved.add(number)
            _save_answers(source, into, saved)
            _save_corrections(source, into)
    return len(saved), len(requested) - len(saved), all_counted


def _save_answers(source: Journal, into: Journal, games: Collection[int]) -> None:
    """Save every answer to an exercise from some games that is what was stored."""
    rows: list[tuple[Any, ...]] = []
    with suppress(*_READ_ERRORS):
        rows = answer_rows(source)
    for row in rows:
        with suppress(*_READ_ERRORS):
            answer = checked_answer(row)
            if answer.game in games:
                store_answer(into, answer)


def _save_corrections(source: Journal, into: Journal) -> None:
    """Copy the corrections that are what was stored."""
    with suppress(*_READ_ERRORS):
        for (game,) in source.rows("SELECT DISTINCT game FROM corrections ORDER BY id"):
            with suppress(*_READ_ERRORS):
                insert_corrections(into, read_corrections(source, game))


def _connect(path: Path) -> sqlite3.Connection:
    """Connect to a damaged file, or to a copy in memory with the definitions restored.

    SQLite reads no database table of a file if it cannot parse one of the definitions.
    """
    db = sqlite3.connect(path)
    try:
        for table in _TABLES:
            db.execute(f"SELECT * FROM {table} LIMIT 0")  # noqa: S608
    except _READ_ERRORS:
        with suppress(*_READ_ERRORS), closing(db):
            copy = sqlite3.connect(":memory:", isolation_level=None)
            db.backup(copy)
            restore_tables(copy)
            return copy
        return sqlite3.connect(path)
    return db


def _game_numbers(db: sqlite3.Connection) -> tuple[set[int], bool]:
    """Return the numbers of all games with a readable row, and whether all rows are readable."""
    numbers: set[int] = set()
    complete = True
    for table, column in _TABLES.items():
        # From both ends: reading stops at a damaged page, and the rows after it count too.
        for order in ("ASC", "DESC"):
            try:
                rows = db.execute(f"SELECT {column} FROM {table} ORDER BY {column} {order}")  # noqa: S608
                # A changed byte can make a number a text, or one that no column can contain.
                numbers.update(number for (number,) in rows if isinstance(number, int))
            except _READ_ERRORS:
                complete = False
    return numbers, complete


def _source(path: Path, db: sqlite3.Connection) -> tuple[Journal, bool]:
    """Return a damaged file as a journal of the current version, and if it has checksums."""
    try:
        db.execute("SELECT checksum FROM batches LIMIT 0")
    except _READ_ERRORS:
        with suppress(*_READ_ERRORS):
            return Journal(Connection(path, _upgraded(db))), False
    try:
        return Journal(Connection(path, db)), True
    except _READ_ERRORS:
        # Its dictionary is damaged. Almost every file has this one, and if this file had another,
        # the checksums of the unpacked lines are wrong.
        return Journal(Connection(path, db), DICTIONARY), True


def _upgraded(old: sqlite3.Connection) -> sqlite3.Connection:
    """Copy what can be read of a file without checksums to memory, and add checksums there."""
    dictionary = DICTIONARY
    with suppress(*_READ_ERRORS):
        ((dictionary,),) = old.execute("SELECT words FROM packing").fetchall()
    db = sqlite3.connect(":memory:", isolation_level=None)
    # The first version has no checksums.
    migrate(db, MIGRATIONS[:1])
    # The trigger protects the dictionary, which is now that of the old file.
    db.execute("DROP TRIGGER packing_not_UPDATE")
    db.execute("UPDATE packing SET words = ?", (dictionary,))
    for number in _game_numbers(old)[0]:
        with suppress(*_READ_ERRORS):
            rows = {
                table: old.execute(
                    f"SELECT * FROM {table} WHERE {column} = ?",  # noqa: S608
                    (number,),
                ).fetchall()
                for table, column in _TABLES.items()
            }
            for _, _, _, packed in rows["batches"]:
                # Raises if it is damaged: a game is copied completely or not at all.
                unpack(packed, dictionary)
            _insert(db, rows)
    with suppress(*_READ_ERRORS):
        _insert(db, {"preferences": old.execute("SELECT * FROM preferences").fetchall()})
    migrate(db)
    return db


def _insert(db: sqlite3.Connection, rows: dict[str, list[tuple[Any, ...]]]) -> None:
    db.execute("BEGIN")
    try:
        for table, some in rows.items():
            for row in some:
                places = ", ".join("?" * len(row))
                db.execute(f"INSERT INTO {table} VALUES ({places})", row)  # noqa: S608
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def _prove(journal: Journal, game: int) -> None:
    """Check a game without checksums of its own: its seqs have no gap, a replay is the same.

    Raises:
        UrpiError: If it may not be what was stored.
        KeyError: If a seq of it is missing.
    """
    # Seqs count through all games, so that the others are needed to see a gap in this one.
    games = [number for (number,) in journal.rows("SELECT DISTINCT game FROM batches")]
    last_of = {
        seq - len(lines) + 1: seq for each in games for seq, _, lines in journal.batches(each)
    }
    place = None
    for seq, _, lines in journal.batches(game):
        first = seq - len(lines) + 1
        # Other programs may have stored games of their own in between: follow their batches.
        while place is not None and place < first:
            place = last_of[place] + 1
        place = seq + 1
    settings = settings_of(journal, game)
    # A pruned game lacks facts, so that a replay would decide differently.
    if PRUNED not in settings:
        done = replay(journal.entries(game), ReplayReferee(settings).process)
        if done.differences:
            raise UrpiError(str(done.differences[0]))


def stored_game(journal: Journal, game: int) -> StoredGame:
    """A whole game after checking it.

    Raises:
        UrpiError: If it is not what was stored; others of `_READ_ERRORS` too.
    """
    check_game_contents(journal, game)
    ((_, *about),) = journal.rows(
        "SELECT id, started, program, rules, light, dark FROM games WHERE id = ?", game
    )
    batches = tuple(
        (seq, facts, tuple(map(_line, lines))) for seq, facts, lines in journal.batches(game)
    )
    if not batches or batches[0][2][0].type != "game":
        message = f"Game {game} has no beginning."
        raise UrpiError(message)
    started, program, rules, light, dark = about
    ends = journal.rows("SELECT at FROM finished WHERE game = ?", game)
    return StoredGame(
        game,
        (started, program, rules, light, dark),
        tuple(settings_of(journal, game).items()),
        batches,
        ends[0][0] if ends else None,
    )


def _line(text: str) -> Line:
    content = json.loads(text) if text else {}
    return Line(text, content.get("type", ""), content.get("side"))
