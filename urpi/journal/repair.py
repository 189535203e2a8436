"""A damaged journal: what can be read is stored in a new file, and the damaged one set aside.

A game is saved if it is proved to be what was stored: by its checksums, or in a file from before
there were any, by seqs without a gap and a replay that decides the same. Every other game is
reported as lost; what is left of it is in the file that was set aside.
"""

import json
import os
import sqlite3
from collections.abc import Collection
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from urpi.errors import UrpiError
from urpi.journal.aside import COMPANIONS, companion, set_aside
from urpi.journal.entries import Line, StoredGame
from urpi.journal.failures import naming
from urpi.journal.folders import sync_folder
from urpi.journal.integrity import check_game_contents
from urpi.journal.journal import Journal
from urpi.journal.packing import WORDS, unpack
from urpi.journal.pruning import PRUNED
from urpi.journal.queries import settings_of
from urpi.journal.replay import Player, replay
from urpi.journal.schema import MIGRATIONS, migrate

_UNREADABLE: Final = (sqlite3.Error, ValueError, TypeError, KeyError, UrpiError)
"""What reading a damaged file may raise. A text that is not UTF-8 is a ValueError."""
_TABLES: Final = {
    "games": "id",
    "settings": "game",
    "batches": "game",
    "milestones": "game",
    "finished": "game",
}
"""The tables that know games, and the column with a game's number."""
_WITHOUT_CHECKSUMS: Final = 3
"""The last version of a file that had none."""


@dataclass(frozen=True, slots=True)
class Damage:
    """What was done about a damaged file.

    `aside` is where it is now. Of its games, `saved` are in the new file and `lost` are not;
    unless `all_counted`, there may have been others of which nothing can be read.
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
    """Put a new journal, with every game that can be saved, in the place of a damaged file.

    The games `without` are left out. The damaged file keeps its place until the new one is
    complete, so that a full disk does not lose what could have been saved.

    Raises:
        DiskError: if the disk is full, read-only or fails.
        UrpiError: if it cannot be done for another reason.
    """
    path = Path(os.path.realpath(path))
    new = path.with_name(f"{path.name}.salvaged")
    _remove(new)
    try:
        with Journal.open(new) as into:
            saved, lost, all_counted = _salvage(path, into, without)
        aside = set_aside(path, f"{path.stem}.damaged-{now:%Y-%m-%dT%H%M%S}")
        with naming(path):
            new.replace(path)
            sync_folder(path.parent)
    finally:
        _remove(new)
    return Journal.open(path), Damage(aside, saved, lost, all_counted)


def _remove(file: Path) -> None:
    for each in (file, *(companion(file, ending) for ending in COMPANIONS)):
        with suppress(OSError):
            each.unlink()


def _salvage(path: Path, into: Journal, without: Collection[int]) -> tuple[int, int, bool]:
    """Store every game that is proved whole; return games saved, games lost, and if that is all."""
    with closing(sqlite3.connect(path)) as db, into.together():
        numbers, all_counted = _numbers(db)
        wanted = sorted(numbers - set(without))
        source, prove = _source(path, db)
        saved = 0
        with closing(source):
            with suppress(*_UNREADABLE):
                into.prefer(source.preferences())
            for number in wanted:
                try:
                    game = stored_game(source, number)
                    if prove:
                        _prove(source, number)
                except _UNREADABLE:
                    continue
                into.adopt(game)
                saved += 1
    return saved, len(wanted) - saved, all_counted


def _numbers(db: sqlite3.Connection) -> tuple[set[int], bool]:
    """The numbers of all games of which anything can be read, and whether every table could be.

    Each table is read from both ends, to see past a page that is damaged.
    """
    numbers: set[int] = set()
    complete = True
    for table, column in _TABLES.items():
        for order in ("ASC", "DESC"):
            try:
                rows = db.execute(f"SELECT {column} FROM {table} ORDER BY {column} {order}")  # noqa: S608
                for (number,) in rows:
                    numbers.add(int(number))
            except _UNREADABLE:
                complete = False
    return numbers, complete


def _source(path: Path, db: sqlite3.Connection) -> tuple[Journal, bool]:
    """A damaged file as a journal of today, and whether its checksums prove nothing."""
    try:
        db.execute("SELECT checksum FROM batches LIMIT 0")
    except _UNREADABLE:
        with suppress(*_UNREADABLE):
            return Journal(path, _upgraded(db)), True
    try:
        return Journal(path, db), False
    except _UNREADABLE:
        # Whether these are its words, the checksums of the batches tell.
        return Journal(path, db, WORDS), False


def _upgraded(old: sqlite3.Connection) -> sqlite3.Connection:
    """A copy in memory, with checksums, of what can be read of a file from before them."""
    words = WORDS
    with suppress(*_UNREADABLE):
        ((words,),) = old.execute("SELECT words FROM packing").fetchall()
    db = sqlite3.connect(":memory:", isolation_level=None)
    migrate(db, MIGRATIONS[:_WITHOUT_CHECKSUMS])
    db.execute("DROP TRIGGER packing_not_UPDATE")
    db.execute("UPDATE packing SET words = ?", (words,))
    for number in _numbers(old)[0]:
        with suppress(*_UNREADABLE):
            rows = {
                table: old.execute(
                    f"SELECT * FROM {table} WHERE {column} = ?",  # noqa: S608
                    (number,),
                ).fetchall()
                for table, column in _TABLES.items()
            }
            for _, _, _, packed in rows["batches"]:
                unpack(packed, words)
            _insert(db, rows)
    with suppress(*_UNREADABLE):
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
    """Check a game without checksums of its own: no seq is missing, and a replay is the same.

    Raises:
        UrpiError: if it may not be what was stored.
    """
    games = [number for (number,) in journal.rows("SELECT id FROM games")]
    ends = {seq - len(lines) + 1: seq for each in games for seq, _, lines in journal.batches(each)}
    place = None
    for seq, _, lines in journal.batches(game):
        begins = seq - len(lines) + 1
        # Other programs may have stored games of their own in between.
        while place is not None and place < begins:
            place = ends[place] + 1
        place = seq + 1
    settings = settings_of(journal, game)
    if PRUNED not in settings:
        done = replay(journal.entries(game), Player(settings).play)
        if done.differences:
            raise UrpiError(str(done.differences[0]))


def stored_game(journal: Journal, game: int) -> StoredGame:
    """A whole game, checked.

    Raises:
        UrpiError: if it is not what was stored; others of `_UNREADABLE` too.
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
