"""Batches: the lines of games as they are stored, packed, each batch with a checksum.

A batch contains the lines that were stored at once. It is one row of the file.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Final
from zlib import crc32

from urpi.journal.checksums import batch_checksum, game_checksum, text_checksum
from urpi.journal.connection import Connection
from urpi.journal.entries import Batch, Line
from urpi.journal.failures import DamagedError
from urpi.journal.migrations import MILESTONES
from urpi.journal.packing import pack, unpack_text

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
"""A row for each line."""


class Batches:
    """The batches of all games of a file."""

    def __init__(self, connection: Connection, dictionary: bytes | None = None) -> None:
        """Read the file's dictionary, unless one is given to unpack the lines with.

        Raises:
            DamagedError: If the file's dictionary is not what was stored.
        """
        self._connection = connection
        self._dictionary = self._read_dictionary() if dictionary is None else dictionary
        self._newest_seq = 0
        self._newest_seq_as_of: tuple[int, int] | None = None
        """SQLite's data version and the number of failed writes when `_newest_seq` was read."""

    def _read_dictionary(self) -> bytes:
        ((dictionary, checksum),) = self._connection.rows("SELECT words, checksum FROM packing")
        if crc32(dictionary) != checksum:
            raise self._damaged("its dictionary is not what was stored")
        return bytes(dictionary)

    def create_view(self) -> None:
        """Create the view `entries`, for this connection only."""

        def unpacked(packed: bytes) -> str:
            return json.dumps(self._unpack(packed).decode().split("\n"), ensure_ascii=False)

        # SQLite cannot inflate the lines itself.
        self._connection.db.create_function("unpacked", 1, unpacked, deterministic=True)
        self._connection.rows(_ENTRIES)

    def append(self, game: int, facts: Sequence[Line], decisions: Sequence[Line]) -> int:
        """Insert a batch after all others of the file; return the seq of the newest entry."""
        lines = [*facts, *decisions]
        # A batch is stored under the seq of its last line.
        seq = self.newest_seq() + len(lines)
        if lines:
            self.insert(game, seq, len(facts), lines)
        return seq

    def insert(self, game: int, seq: int, facts: int, lines: Sequence[Line]) -> None:
        """Insert a batch.

        Args:
            game: The game's number.
            seq: The seq of the last line.
            facts: Number of lines that are facts; decisions follow them.
            lines: The lines.
        """
        texts = [line.text for line in lines]
        checksum = batch_checksum(self._checksum_up_to(game, seq), seq, facts, texts)
        self._connection.db.execute(
            "INSERT INTO batches VALUES (?, ?, ?, ?, ?)",
            (game, seq, facts, pack(texts, self._dictionary), checksum),
        )
        self._connection.db.executemany(
            "INSERT INTO milestones VALUES (?, ?, ?, ?)",
            [
                (game, place, line.type, line.side)
                for place, line in enumerate(lines, seq - len(lines) + 1)
                if line.type in MILESTONES
            ],
        )
        # Not simply `seq`: a repair inserts one game after the other, and their lines were stored
        # in turn.
        self._newest_seq = max(self._newest_seq, seq)

    def read(self, game: int, after: int = 0) -> Iterator[Batch]:
        """Yield a game's batches in their order, by default all.

        Args:
            game: The game's number.
            after: Only batches with a greater seq.

        Raises:
            DamagedError: If they are not what was stored.
        """
        for seq, facts, text in self.texts(game, after):
            yield Batch(seq, facts, text.decode().split("\n"))

    def texts(self, game: int, after: int = 0) -> Iterator[tuple[int, int, bytes]]:
        """Yield a game's batches as `read`, with the lines as UTF-8 text separated by newlines.

        Raises:
            DamagedError: As `read`.
        """
        # Each checksum depends on the one before it, so reading can begin in the middle.
        checksum = self._checksum_up_to(game, after)
        # A seq below 1 is damage, which the checksum shows.
        query = (
            "SELECT seq, facts, lines, checksum FROM batches"
            " WHERE game = ? AND (seq > ? OR seq < 1) ORDER BY seq"
        )
        rows = self._connection.rows(query, game, after)
        is_stored = "SELECT id FROM games WHERE id = ?"
        if not rows and not after and self._connection.rows(is_stored, game):
            # Without any batch there is no checksum that could fail.
            raise self._damaged(f"game {game} has no beginning")
        for seq, facts, packed, stored_checksum in rows:
            text = self._unpack(packed)
            checksum = text_checksum(checksum, seq, facts, text)
            if checksum != stored_checksum:
                raise self._damaged(f"game {game} up to entry {seq} is not what was stored")
            yield seq, facts, text

    def replace(self, game: int, batches: Iterable[Batch]) -> None:
        """Replace the lines of all of a game's batches, and every checksum that depends on them."""
        checksum = self._checksum_up_to(game, 0)
        for seq, facts, lines in batches:
            checksum = batch_checksum(checksum, seq, facts, lines)
            self._connection.db.execute(
                "UPDATE batches SET lines = ?, checksum = ? WHERE game = ? AND seq = ?",
                (pack(lines, self._dictionary), checksum, game, seq),
            )

    def newest_seq(self) -> int:
        """The seq of the newest entry of all games, 0 if there is none.

        Reading it takes a step per game, so it is cached until another connection has written,
        or a write of this one has failed.
        """
        ((version,),) = self._connection.db.execute("PRAGMA data_version")
        as_of = version, self._connection.failed_writes
        if as_of != self._newest_seq_as_of:
            rows = self._connection.rows(
                "SELECT batches.seq FROM games JOIN batches ON game = games.id AND seq ="
                " (SELECT max(seq) FROM batches WHERE game = games.id)"
            )
            # Those of a deleted game are not given again.
            rows += self._connection.rows("SELECT coalesce(max(seq), 0) AS seq FROM corrections")
            self._newest_seq = max(seq for (seq,) in rows)
            self._newest_seq_as_of = as_of
        return self._newest_seq

    def last_seq(self, game: int) -> int:
        """The seq of a game's newest entry, 0 if there is no such game."""
        query = "SELECT seq FROM batches WHERE game = ? ORDER BY seq DESC LIMIT 1"
        return next((int(seq) for (seq,) in self._connection.rows(query, game)), 0)

    def _checksum_up_to(self, game: int, seq: int) -> int:
        """Return the checksum of a game's last batch up to `seq`; without one, of the game."""
        query = (
            "SELECT checksum FROM batches WHERE game = ? AND seq BETWEEN 1 AND ?"
            " ORDER BY seq DESC LIMIT 1"
        )
        for (checksum,) in self._connection.rows(query, game, seq):
            return int(checksum)
        row = self._connection.rows(
            "SELECT id, started, program, rules, light, dark FROM games WHERE id = ?", game
        )
        settings = self._connection.rows("SELECT name, value FROM settings WHERE game = ?", game)
        return game_checksum(row[0] if row else (), settings)

    def _unpack(self, packed: bytes) -> bytes:
        try:
            return unpack_text(packed, self._dictionary)
        except ValueError as error:
            raise self._damaged("a batch of lines cannot be read") from error

    def _damaged(self, found: str) -> DamagedError:
        return DamagedError(f"The journal {self._connection.path} is damaged: {found}.")
