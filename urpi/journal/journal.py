"""The journal: every fact and decision of every game, on disk before anybody sees it.

SQLite that is synced at every commit, so that what was appended outlives a power cut, and a
transaction is there whole or not at all. It stores lines as they are given and judges nothing.

A file at rest is one file. While a keeper uses it, commits go to a write-ahead log beside it, which
costs one sync instead of five. No connection but the keeper's copies the log into the file, and
it does so while nobody can write: SQLite before 3.51.3 can lose pages when another connection
commits during a second copy (https://www.sqlite.org/wal.html#walresetbug).
"""

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypeAlias
from zlib import crc32

from urpi.errors import UrpiError
from urpi.journal.checksums import (
    batch_checksum,
    end_checksum,
    game_checksum,
    preference_checksum,
)
from urpi.journal.entries import (
    Entry,
    Line,
    StoredGame,
    check_time,
)
from urpi.journal.failures import DamagedError, naming
from urpi.journal.packing import pack, unpack
from urpi.journal.schema import (
    MILESTONES,
    append_only,
    check_header,
    check_schema,
    migrate,
    transaction,
)

BUSY_TIMEOUT_S: Final = 5.0
"""How long a writer waits for another process that holds the file."""

LONG_LOG: Final = 500
"""Commits after which the write-ahead log is copied: some 4 MB."""

OLDEST_SQLITE: Final = (3, 37, 0)
"""The first with strict tables."""

_WAL: Final = "wal"
"""SQLite's name for the mode with a write-ahead log."""

_ENTRIES: Final = """
CREATE TEMP VIEW entries AS
SELECT seq - json_array_length(texts) + 1 + each.key AS seq, game,
    iif(each.key < facts, 'fact', 'decision') AS kind,
    json_extract(each.value, '$.type') AS type,
    json_extract(each.value, '$.side') AS side,
    each.value AS line
FROM (SELECT game, seq, facts, unpacked(lines) AS texts FROM batches), json_each(texts) AS each
WHERE each.value != ''
"""
"""For `rows`: the lines one by one, as if each had a row of its own."""


Batch: TypeAlias = tuple[int, int, list[str]]
"""The seq of its last line, how many lines are facts, and the lines."""


class Journal:
    """An open journal. It belongs to the thread that opened it."""

    def __init__(self, path: Path, db: sqlite3.Connection, words: bytes | None = None) -> None:
        """Use a connection; `words` are those of the file unless they are given."""
        self.path = path
        self._db = db
        self._words = self._read_words() if words is None else words
        db.create_function("unpacked", 1, self._unpacked_json, deterministic=True)
        self._seq = 0
        self._seq_is_of = -1
        """The data version that `_seq` was true for."""
        self._opened = path.stat()
        self._logs_ahead = False
        self._commits = 0
        """In the log since it was last copied."""

    def _read_words(self) -> bytes:
        ((words, checksum),) = self.rows("SELECT words, checksum FROM packing")
        if crc32(words) != checksum:
            message = f"The journal {self.path} is damaged: its dictionary is not what was stored."
            raise DamagedError(message)
        return bytes(words)

    @classmethod
    def open(cls, path: Path, *, create: bool = True, busy_s: float = BUSY_TIMEOUT_S) -> Self:
        """The journal in a file, brought to the newest version.

        Args:
            path: the file.
            create: make the file and its folder when there is none.
            busy_s: how long to wait when another process holds the file.

        Raises:
            DiskError: when the disk is full, read-only or fails.
            DamagedError: when the file is damaged.
            UrpiError: when it cannot be opened or made otherwise, or is no journal of ours.
        """
        with naming(path):
            _check_sqlite()
            if create:
                path.parent.mkdir(parents=True, exist_ok=True)
            elif not path.exists():
                message = "there is no such file; name another with --journal, or play a game first"
                raise UrpiError(message)
            db = sqlite3.connect(path, timeout=busy_s, isolation_level=None)
            try:
                _prepare(db)
                return cls(path, db)
            except BaseException:
                db.close()
                raise

    @classmethod
    def read_only(cls, path: Path, *, busy_s: float = BUSY_TIMEOUT_S) -> Self:
        """The journal in a file that is there and of the newest version; nothing is written.

        Raises:
            DiskError: when the disk fails, or another process holds the file too long.
            DamagedError: when the file is damaged.
            UrpiError: when it cannot be opened, or is no journal of ours.
        """
        with naming(path):
            _check_sqlite()
            address = f"{path.absolute().as_uri()}?mode=ro"
            db = sqlite3.connect(address, timeout=busy_s, isolation_level=None, uri=True)
            try:
                _prepare(db)
                return cls(path, db)
            except BaseException:
                db.close()
                raise

    def log_ahead(self) -> None:
        """Commit to a write-ahead log until `close`, if the file system allows it now.

        Otherwise the rollback journal stays in use, which is as safe and slower. Only the keeper
        calls this, and `copy_log` now and then.
        """
        with suppress(sqlite3.OperationalError):
            ((mode,),) = self._db.execute("PRAGMA journal_mode = WAL").fetchall()
            self._logs_ahead = mode == _WAL
            # Takes the log's shared memory now: a disk that is full later has no room for it.
            self._db.execute("SELECT 1 FROM games LIMIT 1").fetchall()

    def copy_log(self, *, longer_than: int = LONG_LOG) -> None:
        """Copy the write-ahead log into the file if it has more commits, so that it starts over.

        Raises:
            DiskError: if the disk is full or fails; nothing is lost, the log goes on.
        """
        if not self._logs_ahead or self._commits <= longer_than:
            return
        # If it fails, not again at every commit.
        self._commits = 0
        # Inside a transaction nobody else can write; but no connection copies in its own.
        with (
            naming(self.path),
            transaction(self._db),
            closing(sqlite3.connect(self.path)) as copier,
        ):
            copier.execute("PRAGMA synchronous = FULL")
            copier.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

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
        from urpi.journal import checking  # noqa: PLC0415 - readers need no referee

        first = checking.checked_fact(fact_line)
        about = checking.checked_game(fact_line)
        check_time(started)
        with self._writing():
            (number,) = self._db.execute(
                "INSERT INTO games (started, program, rules, light, dark) VALUES (?, ?, ?, ?, ?)"
                " RETURNING id",
                (started, program, *about),
            ).fetchone()
            self._insert_settings(number, settings)
            self._insert(number, [first], [])
        return int(number)

    def append(
        self,
        game: int,
        facts: Iterable[str] = (),
        decisions: Iterable[str] = (),
        *,
        ended: str | None = None,
    ) -> int:
        """Store lines in one transaction, facts before decisions; the newest entry's `seq`.

        `seq` counts the entries of all games, from 1, in the order in which they were stored.
        When this returns, they are on the disk.

        Args:
            game: the game's number.
            facts: JSON lines.
            decisions: JSON lines.
            ended: when the game ended, if it did, as `started` of `new_game`.

        Raises:
            UrpiError: when a line is none of its kind, there is no such game, it has been
                finished, or the disk fails.
        """
        from urpi.journal import checking  # noqa: PLC0415 - readers need no referee

        stored = (
            [checking.checked_fact(line) for line in facts],
            [checking.checked_decision(line) for line in decisions],
        )
        if ended is not None:
            check_time(ended)
        with self._writing():
            seq = self._insert(game, *stored)
            if ended is not None:
                self._insert_end(game, ended)
        return seq

    def finish(self, game: int, at: str) -> None:
        """Note when a game ended; how it ended is among its decisions.

        Args:
            game: the game's number.
            at: as `started` of `new_game`.

        Raises:
            UrpiError: when there is no such game, it has been finished, or the disk fails.
        """
        self.append(game, ended=at)

    @contextmanager
    def together(self) -> Iterator[None]:
        """All that is stored inside is one transaction; when it ends, all is on the disk.

        Raises:
            UrpiError: when the disk fails; nothing of it is stored.
        """
        with self._writing():
            yield

    def prefer(self, preferences: Iterable[tuple[str, str, str, str]]) -> None:
        """Keep preferences: table, name, what was chosen, and what was configured then.

        Raises:
            UrpiError: when the disk fails; those before are as they were.
        """
        rows = [(*row, preference_checksum(*row)) for row in preferences]
        with self._writing():
            self._db.executemany("REPLACE INTO preferences VALUES (?, ?, ?, ?, ?)", rows)

    def preferences(self) -> Iterator[tuple[str, str, str, str]]:
        """The rows of `prefer`.

        Raises:
            DamagedError: if they are not what was stored.
        """
        for *row, checksum in self.rows("SELECT * FROM preferences"):
            if preference_checksum(*row) != checksum:
                message = (
                    f"The journal {self.path} is damaged: a preference is not what was stored."
                )
                raise DamagedError(message)
            table, name, value, instead = row
            yield table, name, value, instead

    def adopt(self, game: StoredGame) -> None:
        """Store a whole game of another journal under the numbers that it had there.

        Raises:
            UrpiError: when there is a game of that number already, or the disk fails.
        """
        with self._writing():
            self._db.execute(
                "INSERT INTO games (id, started, program, rules, light, dark)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (game.id, *game.about),
            )
            self._insert_settings(game.id, dict(game.settings))
            for seq, facts, lines in game.batches:
                self._insert_batch(game.id, seq, facts, lines)
            if game.finished is not None:
                self._insert_end(game.id, game.finished)
            self._seq_is_of = -1

    def _insert_settings(self, game: int, settings: Mapping[str, str]) -> None:
        self._db.executemany(
            "INSERT INTO settings (game, name, value) VALUES (?, ?, ?)",
            [(game, name, value) for name, value in settings.items()],
        )

    def _insert(self, game: int, facts: list[Line], decisions: list[Line]) -> int:
        lines = [*facts, *decisions]
        before = self._last_seq()
        if not lines:
            return before
        seq = before + len(lines)
        self._insert_batch(game, seq, len(facts), lines)
        self._seq = seq
        return seq

    def _insert_batch(self, game: int, seq: int, facts: int, lines: Sequence[Line]) -> None:
        texts = [line.text for line in lines]
        checksum = batch_checksum(self._checksum_up_to(game, seq), seq, facts, texts)
        self._db.execute(
            "INSERT INTO batches VALUES (?, ?, ?, ?, ?)",
            (game, seq, facts, pack(texts, self._words), checksum),
        )
        self._db.executemany(
            "INSERT INTO milestones VALUES (?, ?, ?, ?)",
            [
                (game, place, line.type, line.side)
                for place, line in enumerate(lines, seq - len(lines) + 1)
                if line.type in MILESTONES
            ],
        )

    def _insert_end(self, game: int, at: str) -> None:
        checksum = end_checksum(game, at, self.last_seq_of(game))
        self._db.execute("INSERT INTO finished VALUES (?, ?, ?)", (game, at, checksum))

    def _checksum_up_to(self, game: int, seq: int) -> int:
        """The checksum of a game's last batch up to `seq`; if there is none, of the game."""
        query = "SELECT checksum FROM batches WHERE game = ? AND seq <= ? ORDER BY seq DESC LIMIT 1"
        for (checksum,) in self.rows(query, game, seq):
            return int(checksum)
        row = self.rows(
            "SELECT id, started, program, rules, light, dark FROM games WHERE id = ?", game
        )
        settings = self.rows("SELECT name, value FROM settings WHERE game = ?", game)
        return game_checksum(row[0] if row else (), settings)

    def _last_seq(self) -> int:
        """The newest entry's seq, asked for anew when another connection has written."""
        ((version,),) = self._db.execute("PRAGMA data_version")
        if version != self._seq_is_of:
            ((seq,),) = self._db.execute(
                "SELECT coalesce(max("
                "(SELECT max(seq) FROM batches WHERE game = games.id)), 0) FROM games"
            )
            self._seq, self._seq_is_of = int(seq), version
        return self._seq

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            with naming(self.path), transaction(self._db):
                yield
            self._commits += 1
        except BaseException:
            self._seq_is_of = -1
            raise

    def entries(self, game: int, after: int = 0) -> Iterator[Entry]:
        """A game's entries in the order in which they were stored, those behind `after` alone.

        Raises:
            DamagedError: when they cannot be read as they were written.
        """
        for last, facts, lines in self.batches(game, after):
            for place, line in enumerate(lines):
                seq = last - len(lines) + 1 + place
                if seq > after and line:
                    yield Entry(seq, "fact" if place < facts else "decision", line)

    def batches(self, game: int, after: int = 0) -> Iterator[Batch]:
        """A game's batches in their order, those with lines after `after`.

        Raises:
            DamagedError: if they are not what was stored.
        """
        before = self._checksum_up_to(game, after)
        query = (
            "SELECT seq, facts, lines, checksum FROM batches"
            " WHERE game = ? AND seq > ? ORDER BY seq"
        )
        for seq, facts, packed, checksum in self.rows(query, game, after):
            lines = self._unpack(packed)
            if batch_checksum(before, seq, facts, lines) != checksum:
                message = (
                    f"The journal {self.path} is damaged: game {game} up to entry {seq} is not "
                    "what was stored."
                )
                raise DamagedError(message)
            before = checksum
            yield seq, facts, lines

    def _unpack(self, packed: bytes) -> list[str]:
        try:
            return unpack(packed, self._words)
        except ValueError as error:
            message = f"The journal {self.path} is damaged: a batch of lines cannot be read."
            raise DamagedError(message) from error

    def _unpacked_json(self, packed: bytes) -> str:
        return json.dumps(self._unpack(packed), ensure_ascii=False)

    def rewrite(
        self,
        game: int,
        change: Callable[[Entry], str],
        names: tuple[str, str] | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> int:
        """Change a game's lines, which is for taking away alone; how many have changed.

        The others keep their `seq`. What is stored is otherwise never changed: this is for
        thinning out what is old, and for forgetting a person.

        Args:
            game: its number.
            change: what each entry's line becomes, empty where it is to go.
            names: what light and dark are to be called in the list of games.
            settings: settings to add, by name.

        Raises:
            UrpiError: when the disk fails; the game is as it was.
        """
        with self._writing(), self._changing("batches", "games"):
            old = list(self.batches(game))
            if names is not None:
                self._db.execute(
                    "UPDATE games SET light = ?, dark = ? WHERE id = ?", (*names, game)
                )
            self._insert_settings(game, settings or {})
            new = [(*batch[:2], _changed(batch, change)) for batch in old]
            self._replace_batches(game, new)
        return sum(
            one != other
            for (_, _, lines), (_, _, others) in zip(old, new, strict=True)
            for one, other in zip(lines, others, strict=True)
        )

    def _replace_batches(self, game: int, batches: Iterable[Batch]) -> None:
        checksum = self._checksum_up_to(game, 0)
        for seq, facts, lines in batches:
            checksum = batch_checksum(checksum, seq, facts, lines)
            self._db.execute(
                "UPDATE batches SET lines = ?, checksum = ? WHERE game = ? AND seq = ?",
                (pack(lines, self._words), checksum, game, seq),
            )

    @contextmanager
    def _changing(self, *tables: str) -> Iterator[None]:
        """Inside, what is stored can be changed; who else reads sees it whole, before or after."""
        for table in tables:
            for event in ("UPDATE", "DELETE"):
                self._db.execute(f"DROP TRIGGER {table}_not_{event}")
        yield
        for text in append_only(*tables):
            self._db.execute(text)

    def latest_game(self) -> int | None:
        """The number of the newest game, None when there is none."""
        ((number,),) = self.rows("SELECT max(id) FROM games")
        return None if number is None else int(number)

    def last_seq_of(self, game: int) -> int:
        """The seq of a game's newest entry, 0 when there is no such game."""
        ((seq,),) = self.rows("SELECT max(seq) FROM batches WHERE game = ?", game)
        return int(seq or 0)

    def seq_behind(self, game: int, seq: int) -> int | None:
        """The seq of the last entry of a game's first batch behind `seq`, None when none is."""
        query = "SELECT min(seq) FROM batches WHERE game = ? AND seq > ?"
        ((behind,),) = self.rows(query, game, seq)
        return None if behind is None else int(behind)

    def rows(self, query: str, *values: int | str) -> list[tuple[Any, ...]]:
        """What a query gives; `urpi.journal.queries` has those that are asked.

        Raises:
            UrpiError: when the file cannot be read.
        """
        with naming(self.path):
            return self._db.execute(query, values).fetchall()

    @property
    def is_at_its_path(self) -> bool:
        """Whether the file at the path is the one that was opened, not another card's."""
        with suppress(OSError):
            return os.path.samestat(self._opened, self.path.stat())
        return False

    def close(self, *, keep_log: bool = False) -> None:
        """Close the file, and leave one file if a log was used and nobody else uses it.

        Args:
            keep_log: leave the log as it is, for a connection that is open already.
        """
        if self._logs_ahead and not keep_log:
            with suppress(sqlite3.Error, UnicodeDecodeError):
                self._db.execute("PRAGMA journal_mode = DELETE")
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


def _changed(batch: Batch, change: Callable[[Entry], str]) -> list[str]:
    """A batch's lines after a change; those that were taken away stay so."""
    last, facts, lines = batch
    return [
        line and change(Entry(last - len(lines) + 1 + place, kind, line))
        for place, line in enumerate(lines)
        for kind in ("fact" if place < facts else "decision",)
    ]


def _check_sqlite() -> None:
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        needed = ".".join(map(str, OLDEST_SQLITE))
        message = f"it needs SQLite {needed}, Python has {sqlite3.sqlite_version} here"
        raise UrpiError(message)


def _prepare(db: sqlite3.Connection) -> None:
    db.execute("PRAGMA foreign_keys = ON")
    check_header(db)
    migrate(db)
    check_schema(db)
    # After the check that it is ours: another program's file would be changed by this. A
    # write-ahead log is a keeper's, which may be running.
    ((mode,),) = db.execute("PRAGMA journal_mode").fetchall()
    if mode != _WAL:
        db.execute("PRAGMA journal_mode = TRUNCATE")
    db.execute("PRAGMA wal_autocheckpoint = 0")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA temp_store = MEMORY")
    db.execute(_ENTRIES)
