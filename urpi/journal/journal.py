"""The journal: every fact and decision of every game, on disk before it is displayed.

It stores lines as they are and does not interpret them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from urpi.journal.batches import Batches
from urpi.journal.checksums import end_checksum, preference_checksum
from urpi.journal.connection import BUSY_TIMEOUT_S, Connection
from urpi.journal.entries import Batch, Entry, StoredGame, check_time
from urpi.journal.failures import DamagedError
from urpi.journal.migrations import changeable

# The number of a deleted game is not given again.
_LATEST: Final = (
    "SELECT max(coalesce((SELECT max(id) FROM games), 0),"
    " coalesce((SELECT max(game) FROM corrections WHERE kind = 'deleted'), 0))"
)


class Journal:
    """An open journal. Belongs to the thread that opened it."""

    def __init__(self, connection: Connection, dictionary: bytes | None = None) -> None:
        """Use a connection.

        Args:
            connection: The connection; it is closed with the journal.
            dictionary: The dictionary to unpack lines with; the file's by default.

        Raises:
            DamagedError: If the file's dictionary is not what was stored.
        """
        self.connection = connection
        self.path = connection.path
        self._batches = Batches(connection, dictionary)

    @classmethod
    def open(cls, path: Path, *, create: bool = True, busy_s: float = BUSY_TIMEOUT_S) -> Self:
        """Open a journal for reading and writing; arguments and errors as `Connection.open`."""
        return cls._with_view(Connection.open(path, create=create, busy_s=busy_s))

    @classmethod
    def read_only(cls, path: Path, *, busy_s: float = BUSY_TIMEOUT_S) -> Self:
        """Open a journal for reading only; arguments and errors as `Connection.read_only`."""
        return cls._with_view(Connection.read_only(path, busy_s=busy_s))

    @classmethod
    def _with_view(cls, connection: Connection) -> Self:
        try:
            journal = cls(connection)
            journal._batches.create_view()
        except BaseException:
            connection.close()
            raise
        return journal

    def new_game(
        self, fact_line: str, started: str, program: str, settings: Mapping[str, str]
    ) -> int:
        """Begin a game with its `game` fact; return its number, from 1.

        Args:
            fact_line: The JSON line of the `game` fact, which becomes its first entry.
            started: The local time, ISO 8601 with the offset from UTC.
            program: The version of the program that referees.
            settings: What a replay needs to reach the same decisions, by name.

        Raises:
            UrpiError: If the line is not a `game` fact, `started` is invalid, or the disk fails.
        """
        from urpi.journal import line_checks  # noqa: PLC0415 - readers need no referee

        first = line_checks.checked_fact(fact_line)
        about = line_checks.checked_game(fact_line)
        check_time(started)
        with self.transaction():
            (number,) = self.connection.db.execute(
                f"INSERT INTO games VALUES (({_LATEST}) + 1, ?, ?, ?, ?, ?) RETURNING id",  # noqa: S608 - own text
                (started, program, *about),
            ).fetchone()
            self._insert_settings(number, settings)
            self._batches.append(number, [first], [])
        return int(number)

    def append(
        self,
        game: int,
        facts: Iterable[str] = (),
        decisions: Iterable[str] = (),
        *,
        ended: str | None = None,
    ) -> int:
        """Store lines in one transaction, facts before decisions; return the newest `seq`.

        `seq` numbers the entries of all games from 1, in the order in which they were stored.
        When this method returns, they are on the disk.

        Args:
            game: The game's number.
            facts: JSON lines.
            decisions: JSON lines.
            ended: When the game ended, in the format of `started` of `new_game`. By default it goes
                on.

        Raises:
            UrpiError: If a line is invalid, there is no such game, it has been finished, or the
                disk fails.
        """
        from urpi.journal import line_checks  # noqa: PLC0415 - readers need no referee

        checked_facts = [line_checks.checked_fact(line) for line in facts]
        checked_decisions = [line_checks.checked_decision(line) for line in decisions]
        if ended is not None:
            check_time(ended)
        with self.transaction():
            seq = self._batches.append(game, checked_facts, checked_decisions)
            if ended is not None:
                self._insert_end(game, ended)
        return seq

    def finish(self, game: int, at: str) -> None:
        """Store when a game ended; how it ended is among its decisions.

        Args:
            game: The game's number.
            at: As `started` of `new_game`.

        Raises:
            UrpiError: If there is no such game, it has been finished, or the disk fails.
        """
        self.append(game, ended=at)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Store everything that is stored inside at once, or nothing of it.

        Raises:
            UrpiError: If the disk fails.
        """
        with self.connection.writing():
            yield

    def adopt(self, game: StoredGame) -> None:
        """Store a whole game of another journal under its numbers there.

        Raises:
            UrpiError: If there already is a game of that number, or the disk fails.
        """
        with self.transaction():
            self.connection.db.execute(
                "INSERT INTO games (id, started, program, rules, light, dark)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (game.id, *game.about),
            )
            self._insert_settings(game.id, dict(game.settings))
            for seq, facts, lines in game.batches:
                self._batches.insert(game.id, seq, facts, lines)
            if game.finished is not None:
                self._insert_end(game.id, game.finished)

    def _insert_settings(self, game: int, settings: Mapping[str, str]) -> None:
        self.connection.db.executemany(
            "INSERT INTO settings (game, name, value) VALUES (?, ?, ?)",
            [(game, name, value) for name, value in settings.items()],
        )

    def _insert_end(self, game: int, at: str) -> None:
        checksum = end_checksum(game, at, self.last_seq(game))
        self.connection.db.execute("INSERT INTO finished VALUES (?, ?, ?)", (game, at, checksum))

    def entries(self, game: int, after: int = 0) -> Iterator[Entry]:
        """Yield a game's entries in the order in which they were stored.

        Args:
            game: The game's number.
            after: Only entries with a greater seq; by default all, since seq numbers from 1.

        Raises:
            DamagedError: If they are not what was stored.
        """
        for batch in self.batches(game, after):
            for entry in batch.entries:
                if entry.seq > after and entry.line:
                    yield entry

    def batches(self, game: int, after: int = 0) -> Iterator[Batch]:
        """Yield a game's batches in their order, those with an entry after `after`; by default all.

        Raises:
            DamagedError: If they are not what was stored.
        """
        return self._batches.read(game, after)

    def batch_texts(self, game: int) -> Iterator[tuple[int, int, bytes]]:
        """Yield a game's batches without splitting them into lines.

        Each is its seq, its number of facts, and its lines as UTF-8 text separated by newlines.

        Raises:
            DamagedError: If they are not what was stored.
        """
        return self._batches.texts(game)

    def rewrite(
        self,
        game: int,
        change: Callable[[Entry], str],
        names: tuple[str, str] | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> int:
        """Change a game's lines, to prune it or to anonymise a player; return how many changed.

        The only method that changes what is stored. Every line keeps its `seq`.

        Args:
            game: The game's number.
            change: Returns the new line of an entry, empty if it is to be removed.
            names: New names of light and dark in the list of games; by default they stay.
            settings: Settings to add, by name; none by default.

        Raises:
            UrpiError: If the disk fails; the game is unchanged.
        """
        with self.transaction(), changeable(self.connection.db, "batches", "games"):
            old = list(self.batches(game))
            if names is not None:
                self.connection.db.execute(
                    "UPDATE games SET light = ?, dark = ? WHERE id = ?", (*names, game)
                )
            self._insert_settings(game, settings or {})
            new = [_changed(batch, change) for batch in old]
            self._batches.replace(game, new)
        return sum(
            before != after
            for old_batch, new_batch in zip(old, new, strict=True)
            for before, after in zip(old_batch.lines, new_batch.lines, strict=True)
        )

    def latest_game(self) -> int | None:
        """The number of the newest game, deleted ones included; None if there is none."""
        ((number,),) = self.rows(_LATEST)
        return int(number) or None

    def newest_seq(self) -> int:
        """The seq of the newest entry of all games, deleted ones included; 0 if there is none."""
        return self._batches.newest_seq()

    def last_seq(self, game: int) -> int:
        """The seq of a game's newest entry, 0 if there is no such game."""
        return self._batches.last_seq(game)

    def store_preferences(self, preferences: Iterable[tuple[str, str, str, str]]) -> None:
        """Store preferences: rows of table, name, chosen value and value configured at that time.

        Raises:
            UrpiError: If the disk fails; the previous ones are unchanged.
        """
        rows = [(*row, preference_checksum(*row)) for row in preferences]
        with self.transaction():
            self.connection.db.executemany("REPLACE INTO preferences VALUES (?, ?, ?, ?, ?)", rows)

    def preferences(self) -> Iterator[tuple[str, str, str, str]]:
        """Yield the rows of `store_preferences`.

        Raises:
            DamagedError: If they are not what was stored.
        """
        for *row, checksum in self.rows("SELECT * FROM preferences"):
            if preference_checksum(*row) != checksum:
                message = (
                    f"The journal {self.path} is damaged: a preference differs from what "
                    "was stored."
                )
                raise DamagedError(message)
            table, name, value, instead = row
            yield table, name, value, instead

    def rows(self, query: str, *values: int | str) -> list[tuple[Any, ...]]:
        """Return the rows of a query; `urpi.journal.queries` contains the usual ones.

        Raises:
            UrpiError: If the file cannot be read.
        """
        return self.connection.rows(query, *values)

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _changed(batch: Batch, change: Callable[[Entry], str]) -> Batch:
    """Return a batch with changed lines; those that have been removed stay so."""
    return batch._replace(lines=[entry.line and change(entry) for entry in batch.entries])
