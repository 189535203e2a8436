"""The keeper: writes games to the journal, and holds in memory what the disk does not accept.

While the disk is full, read-only or failing, play continues: writes are held in their order and
stored when the disk works again. A damaged file is set aside, and the current game continues,
from its first line, in a new one. `outage` and `damage` report both.

The keeper is in one of two states. *Working*: the open connection is known to contain everything
that was stored through it, and nothing is waiting. *Outage*: an operation failed, so what the file
contains is unknown. The connection that failed is used for reading only. An outage ends in one
way: the file is opened again, compared with memory, and everything that waits is stored. Nothing
else can end it, because no other code gets a connection to write to.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final, Self, TypeVar

from urpi.core.errors import UrpiError
from urpi.journal.entries import Entry
from urpi.journal.failures import DamagedError, DiskCode, DiskError
from urpi.journal.held import Addition, HeldGame, Opening
from urpi.journal.integrity import check_pages
from urpi.journal.journal import Journal
from urpi.journal.repair import Damage, replace_damaged

MAX_HELD_BYTES: Final = 16 * 1024 * 1024
"""Default size of the packed lines in memory at which play pauses, about two hundred games."""
RETRY_MS: Final = (500, 10_000)
"""The first and the longest pause between attempts. The pause doubles with each failure."""
BUSY_S: Final = 1.0
"""Default time to wait for another process that has locked the file."""

_log: Final = logging.getLogger(__name__)
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Outage:
    """An outage of the disk: a `DiskError`'s code, and when it began."""

    code: DiskCode
    since: datetime


class Keeper:
    """Keeps games in a journal file. Belongs to one thread.

    No method raises a `DiskError` or a `DamagedError`: they begin an outage.

    Args:
        where: An open journal, which the caller closes, or a file (see `open`).
        busy_s: Time to wait for another process that has locked the file.
        max_held_bytes: Maximum size of the packed lines in memory. Then play pauses.

    Attributes:
        path: The file.
        game: The newest game's number; during an outage, the number it will probably get.
        outage: The current outage, None if there is none.
        damage: The repair when the file was last found damaged, None if it never was.
    """

    def __init__(
        self,
        where: Journal | Path,
        *,
        busy_s: float = BUSY_S,
        max_held_bytes: int = MAX_HELD_BYTES,
    ) -> None:
        self._busy_s, self._max_held_bytes = busy_s, max_held_bytes
        self._borrowed = where if isinstance(where, Journal) else None
        self._journal = self._borrowed
        self._suspect: Journal | None = None
        """The connection that failed; for reading during an outage."""
        self.path = where.path if isinstance(where, Journal) else where
        self.game: int | None = None
        self.outage: Outage | None = None
        self.damage: Damage | None = None
        self._pages_checked = self._borrowed is not None
        self._games: list[HeldGame] = []
        """The current game last; before it, those with waiting writes."""
        self._other_writes: dict[str, Callable[[Journal], None]] = {}
        """Waiting writes that are not of games, by name."""
        self._held_bytes = 0
        self._pause_ms, self._retry_at = RETRY_MS[0], 0

    @classmethod
    def open(
        cls,
        path: Path,
        now: datetime,
        *,
        busy_s: float = BUSY_S,
        max_held_bytes: int = MAX_HELD_BYTES,
    ) -> Self:
        """Open a journal file and check every page of it.

        Args:
            path: The file.
            now: The local time.
            busy_s: As of the class.
            max_held_bytes: As of the class.

        Raises:
            UrpiError: If the file is not a journal, or of a newer version.
        """
        keeper = cls(path, busy_s=busy_s, max_held_bytes=max_held_bytes)
        keeper.retry(now)
        return keeper

    @property
    def journal(self) -> Journal | None:
        """The open journal, None during an outage."""
        return self._journal

    @property
    def seq(self) -> int | None:
        """The seq of the current game's newest entry, None if some of it is not stored."""
        if not self._games or self._games[-1].waiting:
            return None
        return self._games[-1].seq

    @property
    def held_games(self) -> tuple[int | None, ...]:
        """The numbers of the games in memory, None for one that is not stored; the current last."""
        return tuple(game.number for game in self._games)

    @property
    def paused(self) -> bool:
        """Whether memory is full, so that nothing more may be decided."""
        return self._held_bytes >= self._max_held_bytes

    def begin(
        self, line: str, started: str, program: str, settings: Mapping[str, str], now: datetime
    ) -> int:
        """Begin a game, as `Journal.new_game`; return its number, or the one it will probably get.

        Raises:
            UrpiError: If the line is not a `game` fact.
        """
        number = (self.game or self._latest()) + 1
        # Held before it is stored: if the disk fails now, the game goes on in memory.
        self._games.append(HeldGame([Opening(line, started, program, settings)]))
        before, self.game = self.game, number
        try:
            self._store_or_hold(self._games[-1], now)
        except UrpiError:
            self.game = before
            raise
        return self.game

    def append(
        self,
        facts: Sequence[str],
        decisions: Sequence[str],
        now: datetime,
        ended: str | None = None,
    ) -> None:
        """Store lines of the current game, as `Journal.append`.

        Raises:
            UrpiError: If a line is not a fact or decision; nothing is stored.
        """
        self._games[-1].writes.append(Addition.of(facts, decisions, ended))
        self._store_or_hold(self._games[-1], now)

    def _store_or_hold(self, game: HeldGame, now: datetime) -> None:
        """Store the newest write of a game, or hold it until the end of the outage."""
        write = game.writes[-1]
        try:
            if self.outage is None:
                self._attempt(self._store, now)
            else:
                write.check()
                # Counted only during an outage: what is stored needs no room in memory.
                self._held_bytes += write.size
        except UrpiError:
            # An invalid line, which no disk could store: it must not block the writes after it.
            game.writes.pop()
            if not game.writes:
                self._games.remove(game)
            raise

    def continue_game(self, game: int, now: datetime) -> tuple[Entry, ...]:
        """Make a stored game the current one, so that new lines belong to it.

        Returns:
            Its entries; empty if it cannot be read, in which case it is not continued.
        """
        found = self.read(
            lambda journal: (HeldGame.read(journal, game), tuple(journal.entries(game))), now
        )
        if found is None:
            return ()
        self._games, self.game = [found[0]], game
        return found[1]

    def set_aside(self) -> None:
        """Continue no game: the one of `continue_game` stays as it is stored."""
        self._games, self.game = [], None

    def read(self, reading: Callable[[Journal], _T], now: datetime) -> _T | None:
        """Return what a function reads from the journal, None if it cannot be read.

        A failure begins an outage. A success does not end one: it proves nothing about writing.
        """
        journal = self._journal or self._suspect
        if journal is None:
            return None
        try:
            return reading(journal)
        except DamagedError as error:
            # Through `_attempt`: replacing the file may fail as well, which then begins an outage.
            self._attempt(partial(self._replace_file, error, now), now)
        except DiskError as error:
            self._fail(error, now)
        return None

    def write(self, name: str, writing: Callable[[Journal], None], now: datetime) -> None:
        """Store something other than a game's lines, at the end of the outage if there is one.

        Args:
            name: A name for what is stored. Of waiting writes with one name, only the newest is
                kept.
            writing: Stores it. Must be idempotent: it may be called again after it succeeded.
            now: The local time.

        Raises:
            UrpiError: If it is invalid, so that no disk could store it.
        """
        self._other_writes[name] = writing
        if self.outage is None:
            self._attempt(self._store, now)

    def next_due(self) -> int | None:
        """Return when the disk is to be tried again, None if there is no outage."""
        return None if self.outage is None else self._retry_at

    def tick(self, t: int, now: datetime) -> None:
        """Do what is due: try the disk again, or copy a long write-ahead log into the file.

        To be called after what was stored has been displayed, because copying takes time.

        Args:
            t: The time in milliseconds, never decreasing.
            now: The local time.
        """
        if self.outage is None:
            self._checkpoint()
        # The clock of `t` is known only here, so the first pause begins at the first call after a
        # failure.
        elif not self._retry_at:
            self._retry_at = t + self._pause_ms
        elif self._retry_at <= t:
            self._pause_ms = min(2 * self._pause_ms, RETRY_MS[1])
            self._retry_at = t + self._pause_ms
            self.retry(now)

    def _checkpoint(self) -> None:
        if self._journal is not None:
            try:
                self._journal.connection.checkpoint()
            except DiskError as error:
                # Not an outage: everything is stored, in the log.
                _log.warning("%s", error)

    def retry(self, now: datetime) -> None:
        """Open the file again and store what is waiting."""
        self._attempt(self._open_and_store, now)

    def close(self, now: datetime) -> None:
        """Store what is waiting, if the disk accepts it, and close what was opened here."""
        if self.outage is not None:
            self.retry(now)
        if waiting := sum(len(game.waiting) for game in self._games):
            _log.error("%s: what was held in memory is lost, %d writes.", self.path, waiting)
        self._shut()

    def _latest(self) -> int:
        with suppress(UrpiError):
            journal = self._journal or self._suspect
            return (journal.latest_game() or 0) if journal else 0
        return 0

    def _attempt(self, store_all: Callable[[], None], now: datetime) -> None:
        """Call a function that stores everything waiting; only its success ends an outage."""
        try:
            try:
                store_all()
            except DamagedError as error:
                self._pages_checked = False
                self._replace_file(error, now)
        except (DiskError, DamagedError) as error:
            self._fail(error, now)
        else:
            self._end_outage()

    def _open_and_store(self) -> None:
        same_file = self._suspect is not None and self._suspect.connection.is_at_its_path
        if not same_file:
            self._shut()
        journal = Journal.open(self.path, busy_s=self._busy_s)
        # Close the failed connection only now: the last one to be closed removes the log's shared
        # memory, and without room on the disk to allocate it again, nothing could be read.
        self._shut(keep_log=same_file)
        self._suspect = journal
        if not self._pages_checked:
            check_pages(journal)
            self._pages_checked = True
        # A commit that failed may be on the disk nevertheless.
        numbers: list[int] = []
        for game in self._games:
            game.locate(journal, numbers)
            numbers.append(game.number)
        journal.connection.use_log()
        self._journal, self._suspect = journal, None
        self._store()

    def _replace_file(self, error: DamagedError, now: datetime) -> None:
        """Continue in a new file, which gets the held games from their beginning."""
        self._shut()
        held = [game.number for game in self._games if game.number]
        self._journal, self.damage = replace_damaged(self.path, now, without=held)
        self._journal.connection.use_log()
        self._pages_checked = True
        _log.error("%s %s", error, self.damage)
        for game in self._games:
            game.forget_file()
        self._store()

    def _store(self) -> None:
        """Store everything that is waiting."""
        assert self._journal is not None
        for game in self._games:
            while game.waiting:
                game.store(self._journal)
        # Earlier games are complete in the file now; only the current one can get more lines.
        del self._games[:-1]
        if self._games:
            self.game = self._games[-1].number
        # A copy, because what is stored is removed during the loop.
        for name, writing in [*self._other_writes.items()]:
            try:
                writing(self._journal)
            except (DiskError, DamagedError):
                raise
            except UrpiError:
                # Invalid, so that no disk could store it.
                del self._other_writes[name]
                raise
            del self._other_writes[name]

    def _fail(self, error: UrpiError, now: datetime) -> None:
        """Begin an outage, or update the current one."""
        code = error.code if isinstance(error, DiskError) else "disk-failing"
        if self._journal is not None:
            self._suspect, self._journal = self._journal, None
        self._held_bytes = sum(game.size for game in self._games)
        if self.outage is None:
            _log.error("%s Play continues in memory.", error)
            self.outage = Outage(code, now)
            self._pause_ms, self._retry_at = RETRY_MS[0], 0
        else:
            self.outage = replace(self.outage, code=code)

    def _end_outage(self) -> None:
        self._held_bytes = 0
        if self.outage is not None:
            _log.warning("%s: everything is stored again.", self.path)
            self.outage = None

    def _shut(self, *, keep_log: bool = False) -> None:
        for journal in (self._journal, self._suspect):
            if journal is not None and journal is not self._borrowed:
                journal.connection.close(keep_log=keep_log)
        self._journal = self._suspect = None
