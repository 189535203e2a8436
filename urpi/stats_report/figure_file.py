"""A file with the figures of games, beside their journal, so that each is computed only once.

Only a cache: a file that is damaged, locked, of another version of the program, or that cannot be
written makes no difference but time, and deleting it is always safe. Figures are found by the
checksum of a game's last batch, which depends on everything that is stored of the game. The file
contains no names, so that an anonymised player leaves none.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import astuple
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from urpi import __version__
from urpi.journal import GameSummary, Journal
from urpi.stats import GameFigures, SideFigures

SUFFIX: Final = ".figures"
FORMAT: Final = 1
"""To be increased when the figures of a stored game change, or how they are stored here."""
BUSY_S: Final = 0.2
"""Time to wait for another process, after which the figures are computed or not stored."""
_VERSION: Final = f"{__version__} {FORMAT}"
_TABLE: Final = """
CREATE TABLE IF NOT EXISTS figures (
    game INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL,       -- of the game's last entry
    checksum INTEGER NOT NULL,  -- of its last batch
    version TEXT NOT NULL,      -- of the program that computed the figures
    figures TEXT NOT NULL,      -- JSON, null for a lesson
    crc INTEGER NOT NULL        -- CRC-32 of the JSON text
) STRICT
"""

End = tuple[int, int]
"""The seq and the checksum of a game's last batch."""


class FigureFile:
    """The figures of games that have ended, as they were computed last.

    Args:
        journal: The path of the journal.
    """

    def __init__(self, journal: Path) -> None:
        self._path = journal.with_name(journal.name + SUFFIX)

    def read(
        self, games: Iterable[GameSummary], ends: Mapping[int, End]
    ) -> dict[GameSummary, GameFigures | None]:
        """Return the stored figures of games that still have the same end; None for a lesson."""
        rows: dict[int, tuple[Any, ...]] = {}
        with suppress(sqlite3.Error), self._opened() as db:
            rows = {row[0]: row[1:] for row in db.execute("SELECT * FROM figures")}
        found = {}
        for game in games:
            seq, checksum, version, text, crc = rows.get(game.id, (0, 0, "", "", 0))
            is_same = version == _VERSION and (seq, checksum) == ends[game.id]
            if is_same and crc32(text.encode()) == crc:
                found[game] = _figures(game, json.loads(text))
        return found

    def write(
        self, figures: Mapping[GameSummary, GameFigures | None], ends: Mapping[int, End]
    ) -> None:
        """Store the figures of games, if the file can be written.

        Args:
            figures: The figures, None for a lesson.
            ends: The ends of the games, read before their figures were computed.
        """
        rows = [
            (game.id, *ends[game.id], _VERSION, text, crc32(text.encode()))
            for game, one in figures.items()
            for text in (_text(one),)
        ]
        # The second attempt is in an empty file, if the first one was in a damaged one.
        for _ in range(2):
            try:
                with self._opened(write=True) as db, db:
                    db.executemany("INSERT OR REPLACE INTO figures VALUES (?, ?, ?, ?, ?, ?)", rows)
            except sqlite3.OperationalError:
                # It is locked, or the disk is full or read-only.
                return
            except sqlite3.DatabaseError:
                with suppress(OSError):
                    self._path.unlink()
            else:
                return

    @contextmanager
    def _opened(self, *, write: bool = False) -> Iterator[sqlite3.Connection]:
        address = f"{self._path.absolute().as_uri()}?mode={'rwc' if write else 'ro'}"
        with closing(sqlite3.connect(address, timeout=BUSY_S, uri=True)) as db:
            if write:
                # A file that was cut off may accept rows and lose them.
                if db.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                    raise sqlite3.DatabaseError
                db.execute("PRAGMA synchronous = OFF")
                db.execute(_TABLE)
            yield db


def ends_of(journal: Journal) -> dict[int, End]:
    """Return the end of every game of a journal."""
    rows = journal.rows(
        "SELECT games.id, seq, checksum FROM games JOIN batches ON game = games.id"
        " AND seq = (SELECT max(seq) FROM batches WHERE game = games.id)"
    )
    return {game: (seq, checksum) for game, seq, checksum in rows}


def _text(figures: GameFigures | None) -> str:
    if figures is None:
        return "null"
    sides = [astuple(side) for side in figures.sides]
    return json.dumps([figures.rules, sides, figures.faces, figures.result, figures.lasted_ms])


def _figures(game: GameSummary, values: Any) -> GameFigures | None:
    if values is None:
        return None
    rules, (light, dark), faces, result, lasted_ms = values
    return GameFigures(
        game.id,
        game.light,
        game.dark,
        rules,
        (SideFigures(*light), SideFigures(*dark)),
        {int(die): Counter(shown) for die, shown in faces.items()},
        result,
        lasted_ms,
    )
