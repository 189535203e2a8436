"""The keeper: writes games to the journal, and holds in memory what the disk does not take.

While the disk is full, read-only or failing, play goes on: writes are held in their order and
stored when the disk works again. A damaged file is set aside, and the running game continues,
from its first line, in a new one. `failing` and `damage` report both.

The keeper is in one of two states. *Working*: the open connection is known to hold everything
that was stored through it, and nothing waits. *Outage*: some operation failed, so what the file
holds is unknown. The connection that failed is used for reading only. An outage ends in one way:
the file is opened anew, compared with memory, and all that waits is stored. Nothing else can end
it, because nothing else gets a connection to write to.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final, Self, TypeVar

from urpi.errors import UrpiError
from urpi.journal.entries import Entry
from urpi.journal.failures import DamagedError, DiskError
from urpi.journal.held import Batch, HeldGame, Opening
from urpi.journal.integrity import check_pages
from urpi.journal.journal import Journal
from urpi.journal.repair import Damage, replace_damaged

MOST_HELD_BYTES: Final = 16 * 1024 * 1024
"""Of packed lines: some two hundred games. When it is reached, play pauses."""
RETRY_MS: Final = (500, 10_000)
"""The first pause before the disk is tried again, and the longest; each is twice the one before."""
BUSY_S: Final = 1.0
"""The longest wait for another process that has locked the file."""

_log: Final = logging.getLogger(__name__)
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Failing:
    """An outage of the disk: a `DiskError`'s code, and when it began."""

    code: str
    since: datetime


class Keeper:
    """Keeps games in a journal file. It belongs to one thread.

    No method raises a `DiskError` or a `DamagedError`: they begin an outage.
    """

    def __init__(self, where: Journal | Path) -> None:
        """Use an open journal, which its owner closes, or a file (see `open`)."""
        self._borrowed = where if isinstance(where, Journal) else None
        self._journal = self._borrowed
        self._suspect: Journal | None = None
        """The connection that failed; for reading during an outage."""
        self.path = where.path if isinstance(where, Journal) else where
        self.game: int | None = None
        """The newest game's number; during an outage, the number it is likely to get."""
        self.failing: Failing | None = None
        self.damage: Damage | None = None
        """What was done about the file when it was last found damaged."""
        self._checked = self._borrowed is not None
        self._games: list[HeldGame] = []
        """The running game last; before it, those of which something waits."""
        self._besides: dict[str, Callable[[Journal], None]] = {}
        """Writes other than games' that wait, by name."""
        self._held_bytes = 0
        self._pause_ms, self._retry_at = RETRY_MS[0], 0

    @classmethod
    def open(cls, path: Path, now: datetime) -> Self:
        """Open a journal file and check every page of it.

        Args:
            path: the file.
            now: the local time.

        Raises:
            UrpiError: if the file is not a journal, or of a newer version.
        """
        keeper = cls(path)
        keeper.try_disk(now)
        return keeper

    @property
    def journal(self) -> Journal | None:
        """The open journal, None during an outage."""
        return self._journal

    @property
    def seq(self) -> int | None:
        """The seq of the running game's newest entry, None while some of it is not stored."""
        if not self._games or self._games[-1].waiting:
            return None
        return self._games[-1].seq

    @property
    def paused(self) -> bool:
        """Whether memory is full, so that nothing more may be decided."""
        return self._held_bytes >= MOST_HELD_BYTES

    def begin(
        self, line: str, started: str, program: str, settings: Mapping[str, str], now: datetime
    ) -> int:
        """Begin a game, as `Journal.new_game`; return its number, or the one it is likely to get.

        Raises:
            UrpiError: if the line is not a `game` fact.
        """
        number = (self.game or self._latest()) + 1
        self._games.append(HeldGame([Opening(line, started, program, settings)]))
        before, self.game = self.game, number
        try:
            self._hold(self._games[-1], now)
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
        """Store lines of the running game, as `Journal.append`.

        Raises:
            UrpiError: if a line is not of its kind; nothing of it is stored.
        """
        self._games[-1].writes.append(Batch.of(facts, decisions, ended))
        self._hold(self._games[-1], now)

    def _hold(self, game: HeldGame, now: datetime) -> None:
        """Store the newest write of a game, or keep it for the end of the outage."""
        write = game.writes[-1]
        try:
            if self.failing is None:
                self._attempt(self._store, now)
            else:
                write.check()
                self._held_bytes += write.size
        except UrpiError:
            # No disk could store it.
            game.writes.pop()
            if not game.writes:
                self._games.remove(game)
            raise

    def go_on(self, game: int, now: datetime) -> tuple[Entry, ...]:
        """Continue a stored game, so that new lines belong to it; return its entries.

        Empty if it cannot be read; then it is not continued.
        """
        found = self.read(
            lambda journal: (HeldGame.read(journal, game), tuple(journal.entries(game))), now
        )
        if found is None:
            return ()
        self._games, self.game = [found[0]], game
        return found[1]

    def read(self, reading: Callable[[Journal], _T], now: datetime) -> _T | None:
        """Return what a function reads from the journal, None if the disk does not let it.

        A reading that fails begins an outage. One that succeeds proves nothing about writing.
        """
        journal = self._journal or self._suspect
        if journal is None:
            return None
        try:
            return reading(journal)
        except DamagedError as error:
            self._attempt(partial(self._start_anew, error, now), now)
        except DiskError as error:
            self._fail(error, now)
        return None

    def write(self, name: str, writing: Callable[[Journal], None], now: datetime) -> None:
        """Store something other than a game's lines, at the end of the outage if there is one.

        Args:
            name: what it is; of the writes of one name only the newest is kept.
            writing: stores it. It may run again after it succeeded: it must be idempotent.
            now: the local time.

        Raises:
            UrpiError: if no disk could store it.
        """
        self._besides[name] = writing
        if self.failing is None:
            self._attempt(self._store, now)

    def next_due(self) -> int | None:
        """When the disk is to be tried again, None outside an outage."""
        return None if self.failing is None else self._retry_at

    def tend(self, t: int, now: datetime) -> None:
        """Do what is due: try the disk again, or copy a long log into the file.

        To be called when players have been shown what was stored: copying takes its time.

        Args:
            t: milliseconds, never decreasing.
            now: the local time.
        """
        if self.failing is None:
            self._copy_log()
        elif not self._retry_at:
            self._retry_at = t + self._pause_ms
        elif self._retry_at <= t:
            self._pause_ms = min(2 * self._pause_ms, RETRY_MS[1])
            self._retry_at = t + self._pause_ms
            self.try_disk(now)

    def _copy_log(self) -> None:
        if self._journal is not None:
            try:
                self._journal.copy_log()
            except DiskError as error:
                # Everything is stored, in the log.
                _log.warning("%s", error)

    def try_disk(self, now: datetime) -> None:
        """Open the file anew and store what waits."""
        self._attempt(self._open_and_store, now)

    def close(self, now: datetime) -> None:
        """Store what waits, if the disk takes it, and close what was opened here."""
        if self.failing is not None:
            self.try_disk(now)
        if waiting := sum(len(game.waiting) for game in self._games):
            _log.error("%s: what was held in memory is lost, %d writes.", self.path, waiting)
        self._shut()

    def _latest(self) -> int:
        with suppress(UrpiError):
            journal = self._journal or self._suspect
            return (journal.latest_game() or 0) if journal else 0
        return 0

    def _attempt(self, store_all: Callable[[], None], now: datetime) -> None:
        """Run what stores all that waits: the outage, if there is one, ends only if it succeeds."""
        try:
            try:
                store_all()
            except DamagedError as error:
                self._checked = False
                self._start_anew(error, now)
        except (DiskError, DamagedError) as error:
            self._fail(error, now)
        else:
            self._recover()

    def _open_and_store(self) -> None:
        same_file = self._suspect is not None and self._suspect.is_at_its_path
        if not same_file:
            self._shut()
        journal = Journal.open(self.path, busy_s=BUSY_S)
        # Not before: the last connection takes the log's shared memory with it, and a full disk
        # has no room for another one, without which nothing can be read.
        self._shut(keep_log=same_file)
        self._suspect = journal
        if not self._checked:
            check_pages(journal)
            self._checked = True
        numbers: list[int] = []
        for game in self._games:
            game.locate(journal, numbers)
            numbers.append(game.number)
        journal.log_ahead()
        self._journal, self._suspect = journal, None
        self._store()

    def _start_anew(self, error: DamagedError, now: datetime) -> None:
        """Continue in a new file, which gets the held games whole."""
        self._shut()
        without = [game.number for game in self._games if game.number]
        self._journal, self.damage = replace_damaged(self.path, now, without)
        self._journal.log_ahead()
        self._checked = True
        _log.error("%s %s", error, self.damage)
        for game in self._games:
            game.forget_file()
        self._store()

    def _store(self) -> None:
        """Store all that waits."""
        assert self._journal is not None
        for game in self._games:
            while game.waiting:
                game.store(self._journal)
        del self._games[:-1]
        if self._games:
            self.game = self._games[-1].number
        for name, writing in [*self._besides.items()]:
            try:
                writing(self._journal)
            except (DiskError, DamagedError):
                raise
            except UrpiError:
                # No disk could store it.
                del self._besides[name]
                raise
            del self._besides[name]

    def _fail(self, error: UrpiError, now: datetime) -> None:
        """Begin an outage, or note that it goes on."""
        code = error.code if isinstance(error, DiskError) else "disk-failing"
        if self._journal is not None:
            self._suspect, self._journal = self._journal, None
        self._held_bytes = sum(game.size for game in self._games)
        if self.failing is None:
            _log.error("%s Play goes on in memory.", error)
            self.failing = Failing(code, now)
            self._pause_ms, self._retry_at = RETRY_MS[0], 0
        else:
            self.failing = replace(self.failing, code=code)

    def _recover(self) -> None:
        self._held_bytes = 0
        if self.failing is not None:
            _log.warning("%s: all is stored again.", self.path)
            self.failing = None

    def _shut(self, *, keep_log: bool = False) -> None:
        for journal in (self._journal, self._suspect):
            if journal is not None and journal is not self._borrowed:
                journal.close(keep_log=keep_log)
        self._journal = self._suspect = None
