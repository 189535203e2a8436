"""The ledger: how far each game was acknowledged, in a file beside the journal.

It may be deleted at any time: the table then offers its games again, and the club recognises what
it has. So its writes are not synced, which would wear the card out.
"""

import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from urpi.link.protocol.outbox import Ledger, Place

SUFFIX: Final = ".club"
"""What the name of the ledger adds to that of the journal."""

# A number in the name in place of migrations: a later version begins with an empty ledger.
_TABLE: Final = """
CREATE TABLE IF NOT EXISTS places_1 (
    game INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    lines INTEGER NOT NULL,
    chain TEXT NOT NULL,
    seq INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    finished INTEGER NOT NULL
) STRICT
"""


def ledger_path(journal: Path) -> Path:
    return journal.with_name(journal.name + SUFFIX)


def was_sent(journal: Path, game: int) -> bool:
    """Whether a club has acknowledged lines of a game, as far as the ledger knows."""
    path = ledger_path(journal)
    if not path.exists():
        return False
    ledger = LedgerFile(path)
    try:
        place = ledger.places().get(game)
    finally:
        ledger.close()
    return place is not None and place.lines > 0


class LedgerFile(Ledger):
    """The ledger of a journal. Belongs to one thread.

    A file that cannot be used is replaced; if that fails, places are kept in memory only.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._db: sqlite3.Connection | None = None
        # A damaged file is removed, and the second attempt creates a new one.
        for _ in range(2):
            try:
                self._db = _opened(path)
                return
            except sqlite3.Error:
                with suppress(OSError):
                    path.unlink(missing_ok=True)

    def places(self) -> dict[int, Place]:
        if self._db is None:
            return {}
        try:
            rows = self._db.execute("SELECT * FROM places_1").fetchall()
        except sqlite3.Error:
            return {}
        return {game: _place(row) for game, *row in rows}

    def store(self, game: int, place: Place) -> None:
        self._write(
            "REPLACE INTO places_1 VALUES (?, ?, ?, ?, ?, ?, ?)",
            game,
            place.key,
            place.lines,
            place.chain,
            place.seq,
            place.checksum,
            int(place.finished),
        )

    def remove(self, game: int) -> None:
        self._write("DELETE FROM places_1 WHERE game = ?", game)

    def close(self) -> None:
        if self._db is not None:
            self._db.close()

    def _write(self, statement: str, *values: int | str) -> None:
        # What cannot be stored is compared with the club again.
        with suppress(sqlite3.Error):
            if self._db is not None:
                self._db.execute(statement, values)


def _place(row: list[Any]) -> Place:
    key, lines, chain, seq, checksum, finished = row
    return Place(key, lines, chain, seq, checksum, bool(finished))


def _opened(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=1, isolation_level=None)
    try:
        db.execute("PRAGMA synchronous = OFF")
        db.execute(_TABLE)
        # Reads every row, so that damage is found here and not while playing.
        db.execute("SELECT * FROM places_1").fetchall()
    except sqlite3.Error:
        db.close()
        raise
    return db
