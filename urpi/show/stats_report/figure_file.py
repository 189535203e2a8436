"""A file with the figures and reviews of games, beside their journal: each is computed only once.

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
from typing import Any, Final, Literal, TypeAlias
from zlib import crc32

from urpi import __version__
from urpi.journal import GameSummary, Journal
from urpi.journal.stats import GameFigures, GameReview, SideFigures, parse_review, review_values
from urpi.journal.study import Exercise, exercise_values, parse_exercise
from urpi.rules import Side

SUFFIX: Final = ".figures"
FORMAT: Final = 4
"""To be increased when the figures of a stored game change, or how they are stored here."""
REVIEW_FORMAT: Final = "2"
"""The same for reviews. They take seconds each, so that a new version of the program keeps them."""
BUSY_S: Final = 0.2
"""Time to wait for another process, after which the figures are computed or not stored."""
REVIEWED: Final = frozenset({"light", "dark", "draw"})
"""The results of games that are reviewed."""
_VERSION: Final = f"{__version__} {FORMAT}"
_TABLE: Final = """
CREATE TABLE IF NOT EXISTS computed (
    kind TEXT NOT NULL,         -- figures, review or exercises
    game INTEGER NOT NULL,
    seq INTEGER NOT NULL,       -- of the game's last entry
    checksum INTEGER NOT NULL,  -- of its last batch
    version TEXT NOT NULL,      -- of what computed the figures
    figures TEXT NOT NULL,      -- JSON, null for a lesson and for a game without a review
    crc INTEGER NOT NULL,       -- CRC-32 of the JSON text
    PRIMARY KEY (kind, game)
) STRICT
"""
_Kind: TypeAlias = Literal["figures", "review", "exercises"]

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
        games = list(games)
        stored = self._read("figures", _VERSION, _ends_of(games, ends))
        return {game: _figures(game, stored[game.id]) for game in games if game.id in stored}

    def read_reviews(
        self, games: Iterable[GameSummary], ends: Mapping[int, End]
    ) -> dict[int, GameReview | None]:
        """Return the stored reviews by the game's number; None for a game that has none."""
        stored = self._read("review", REVIEW_FORMAT, _ends_of(games, ends))
        return {
            game: None if values is None else parse_review(values)
            for game, values in stored.items()
        }

    def _read(self, kind: _Kind, version: str, ends: Mapping[int, End]) -> dict[int, Any]:
        """Return the valid values of the games that still have the same end."""
        rows: list[tuple[Any, ...]] = []
        with suppress(sqlite3.Error), self._opened() as db:
            rows = db.execute("SELECT * FROM computed WHERE kind = ?", (kind,)).fetchall()
        return {
            game: json.loads(text)
            for _, game, seq, checksum, stored_version, text, crc in rows
            if stored_version == version
            and ends.get(game) == (seq, checksum)
            and crc32(text.encode()) == crc
        }

    def read_exercises(
        self, games: Iterable[GameSummary], ends: Mapping[int, End]
    ) -> dict[int, tuple[Exercise, ...]]:
        """Return the stored exercises by the game's number; none of a game without a review."""
        stored = self._read("exercises", REVIEW_FORMAT, _ends_of(games, ends))
        return {
            game: tuple(parse_exercise(game, each) for each in values)
            for game, values in stored.items()
        }

    def write(
        self, figures: Mapping[GameSummary, GameFigures | None], ends: Mapping[int, End]
    ) -> None:
        """Store the figures of games, if the file can be written.

        Args:
            figures: The figures, None for a lesson.
            ends: The ends of the games, read before their figures were computed.
        """
        texts = {game.id: _text(one) for game, one in figures.items()}
        self._write("figures", _VERSION, texts, ends)

    def write_review(
        self,
        game: int,
        review: GameReview | None,
        exercises: Iterable[Exercise],
        ends: Mapping[int, End],
    ) -> None:
        """Store the review of a game in the same way, None if it cannot be reviewed."""
        # First: a game with a review is not reviewed again.
        values = [exercise_values(one) for one in exercises]
        self._write("exercises", REVIEW_FORMAT, {game: json.dumps(values)}, ends)
        text = json.dumps(None if review is None else review_values(review))
        self._write("review", REVIEW_FORMAT, {game: text}, ends)

    def _write(
        self, kind: _Kind, version: str, texts: Mapping[int, str], ends: Mapping[int, End]
    ) -> None:
        rows = [
            (kind, game, *ends[game], version, text, crc32(text.encode()))
            for game, text in texts.items()
        ]
        # The second attempt is in an empty file, if the first one was in a damaged one.
        for _ in range(2):
            try:
                with self._opened(write=True) as db, db:
                    db.executemany(
                        "INSERT OR REPLACE INTO computed VALUES (?, ?, ?, ?, ?, ?, ?)", rows
                    )
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


def has_ended(game: GameSummary) -> bool:
    """Whether a game will not change by itself any more."""
    return game.result is not None or game.finished is not None


def ends_of(journal: Journal) -> dict[int, End]:
    """Return the end of every game of a journal."""
    # CROSS JOIN: otherwise SQLite reads all batches, which takes forty times as long.
    rows = journal.rows(
        "SELECT games.id, seq, checksum FROM games CROSS JOIN batches ON game = games.id"
        " AND seq = (SELECT max(seq) FROM batches WHERE game = games.id)"
    )
    return {game: (seq, checksum) for game, seq, checksum in rows}


def _ends_of(games: Iterable[GameSummary], ends: Mapping[int, End]) -> dict[int, End]:
    return {game.id: ends[game.id] for game in games if game.id in ends}


def _text(figures: GameFigures | None) -> str:
    if figures is None:
        return "null"
    sides = [astuple(side) for side in figures.sides]
    first = figures.first and figures.first.value
    begun = first, figures.captured, figures.resigned
    values = figures.rules, sides, figures.faces, figures.result, figures.lasted_ms, *begun
    return json.dumps(values)


def _figures(game: GameSummary, values: Any) -> GameFigures | None:
    if values is None:
        return None
    rules, (light, dark), faces, result, lasted_ms, first, captured, resigned = values
    return GameFigures(
        game.id,
        game.light,
        game.dark,
        rules,
        (SideFigures(*light), SideFigures(*dark)),
        {int(die): Counter(shown) for die, shown in faces.items()},
        result,
        lasted_ms,
        first and Side(first),
        Counter(captured),
        resigned,
    )
