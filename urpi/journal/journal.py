"""The journal: every fact and decision of every game, on disk before anybody sees it.

SQLite with a rollback journal that is truncated and synced at every commit, so that what was
appended outlives a power cut, and a transaction is there whole or not at all. It stores lines
as they are given and judges nothing.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypeAlias

from urpi.errors import UrpiError
from urpi.journal.schema import migrate, transaction
from urpi.referee.decisions import Decision
from urpi.referee.facts import Fact, Game
from urpi.referee.lines import parse_decision, parse_fact, type_of
from urpi.rules import rule_set

BUSY_TIMEOUT_S: Final = 5.0
"""How long a writer waits for another process that holds the file."""

OLDEST_SQLITE: Final = (3, 37, 0)
"""The first with strict tables."""

_Row: TypeAlias = tuple[str, str, str | None, str]
"""An entry's kind, type, side and line."""


class Journal:
    """An open journal. It belongs to the thread that opened it."""

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        self.path = path
        self._db = db

    @classmethod
    def open(cls, path: Path, *, create: bool = True) -> Self:
        """The journal in a file, brought to the newest version.

        Args:
            path: the file.
            create: make the file and its folder when there is none.

        Raises:
            UrpiError: when the file cannot be opened or made, or is no journal of ours.
        """
        with _naming(path):
            _check_sqlite()
            if create:
                path.parent.mkdir(parents=True, exist_ok=True)
            elif not path.exists():
                message = "there is no such file; name another with --journal, or play a game first"
                raise UrpiError(message)
            db = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
            try:
                _prepare(db)
            except BaseException:
                db.close()
                raise
        return cls(path, db)

    def new_game(
        self, fact_line: str, started: str, program: str, settings: Mapping[str, str]
    ) -> int:
        """Begin a game with its `game` fact; its number, from 1.

        Args:
            fact_line: the JSON line of the `game` fact, its first entry.
            started: the local time, ISO 8601 with the offset from UTC.
            program: the version that referees.
            settings: what a replay needs to decide the same, by name.

        Raises:
            UrpiError: when the line is no `game` fact, `started` no such time, or the disk fails.
        """
        game = parse_fact(fact_line)
        if not isinstance(game, Game):
            message = f"A game begins with a line of type game; found type {type_of(game)}."
            raise UrpiError(message)
        _check_time(started)
        rules = rule_set(game.rules, dict(game.options)).text
        with _naming(self.path), transaction(self._db):
            (number,) = self._db.execute(
                "INSERT INTO games (started, program, rules, light, dark) VALUES (?, ?, ?, ?, ?)"
                " RETURNING id",
                (started, program, rules, game.light, game.dark),
            ).fetchone()
            self._db.executemany(
                "INSERT INTO settings (game, name, value) VALUES (?, ?, ?)",
                [(number, name, value) for name, value in settings.items()],
            )
            self._insert(number, [_fact_row(fact_line)])
        return int(number)

    def append(self, game: int, facts: Iterable[str] = (), decisions: Iterable[str] = ()) -> int:
        """Store lines in one transaction, facts before decisions; the newest entry's `seq`.

        `seq` counts the entries of all games, from 1, in the order in which they were stored.
        When this returns, they are on the disk.

        Raises:
            UrpiError: when a line is none of its kind, there is no such game, or the disk fails.
        """
        rows = [*map(_fact_row, facts), *map(_decision_row, decisions)]
        with _naming(self.path), transaction(self._db):
            return self._insert(game, rows)

    def _insert(self, game: int, rows: list[_Row]) -> int:
        self._db.executemany(
            "INSERT INTO entries (game, kind, type, side, line) VALUES (?, ?, ?, ?, ?)",
            [(game, *row) for row in rows],
        )
        (seq,) = self._db.execute("SELECT coalesce(max(seq), 0) FROM entries").fetchone()
        return int(seq)

    def latest_game(self) -> int | None:
        """The number of the newest game, None when there is none."""
        ((number,),) = self.rows("SELECT max(id) FROM games")
        return None if number is None else int(number)

    def finish(self, game: int, at: str) -> None:
        """Note when a game ended; how it ended is among its decisions.

        Args:
            game: the game's number.
            at: as `started` of `new_game`.

        Raises:
            UrpiError: when there is no such game, it has been finished, or the disk fails.
        """
        _check_time(at)
        with _naming(self.path), transaction(self._db):
            self._db.execute("INSERT INTO finished (game, at) VALUES (?, ?)", (game, at))

    def rows(self, query: str, *values: int | str) -> list[tuple[Any, ...]]:
        """What a query gives; `urpi.journal.queries` has those that are asked.

        Raises:
            UrpiError: when the file cannot be read.
        """
        with _naming(self.path):
            return self._db.execute(query, values).fetchall()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _check_sqlite() -> None:
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        needed = ".".join(map(str, OLDEST_SQLITE))
        message = f"it needs SQLite {needed}, Python has {sqlite3.sqlite_version} here"
        raise UrpiError(message)


def _prepare(db: sqlite3.Connection) -> None:
    db.execute("PRAGMA foreign_keys = ON")
    migrate(db)
    # Behind the check that it is ours: another program's file would be changed by this.
    db.execute("PRAGMA journal_mode = TRUNCATE")
    db.execute("PRAGMA synchronous = FULL")


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Say which file it was when something fails inside."""
    try:
        yield
    except (sqlite3.Error, OSError, UrpiError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        message = f"The journal {path} cannot be used: {reason}."
        raise UrpiError(message) from error


def _fact_row(line: str) -> _Row:
    return _row("fact", parse_fact(line), line)


def _decision_row(line: str) -> _Row:
    return _row("decision", parse_decision(line), line)


def _row(kind: str, value: Fact | Decision, line: str) -> _Row:
    side = getattr(value, "side", None)
    return kind, type_of(value), None if side is None else side.value, line.strip()


def _check_time(text: str) -> None:
    try:
        aware = datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        aware = False
    if not aware:
        message = f"A game's time is like 2026-11-20T19:02:11+01:00; found {text!r}."
        raise UrpiError(message)
