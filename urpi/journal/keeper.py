"""The keeper: writes to the journal, and keeps in memory what the disk does not take.

While the disk is full, read-only or failing, play goes on: what was decided is held, packed, in
the order in which it came, and written in that order when the disk takes it again. A file that
turns out to be damaged is set aside, and the running game goes on, from its first line, in a
new one. Every failure is told: `failing` and `damage` say which.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Self, TypeAlias, TypeVar

from urpi.errors import UrpiError
from urpi.journal.entries import Entry
from urpi.journal.failures import DamagedError, DiskError
from urpi.journal.journal import Journal
from urpi.journal.packing import WORDS, pack, unpack
from urpi.journal.repair import Damage, check_pages, replace_damaged

MOST_HELD_BYTES: Final = 16 * 1024 * 1024
"""Of packed lines: some two hundred games. When it is reached, play pauses."""
RETRY_MS: Final = (500, 10_000)
"""The first pause before the disk is tried again; each is twice as long, up to the second."""
BUSY_S: Final = 1.0
"""Play stands still so long at most for another process that holds the file."""
AT_ONCE: Final = 500
"""So many writes become one transaction when what was held is written."""

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Failing:
    """That nothing is stored: why (a `DiskError`'s code), and since when."""

    code: str
    since: datetime


@dataclass(frozen=True, slots=True)
class _Opening:
    """A game begins."""

    line: str
    started: str
    program: str
    settings: Mapping[str, str]

    @property
    def size(self) -> int:
        return len(self.line)


@dataclass(frozen=True, slots=True)
class _Batch:
    """Lines of the running game: facts, then decisions, packed."""

    facts: int
    packed: bytes
    ended: str | None

    @property
    def size(self) -> int:
        return len(self.packed)


_Write: TypeAlias = _Opening | _Batch


@dataclass(frozen=True, slots=True)
class _Place:
    """How far a game is known to be stored: its number, its beginning, its newest batch."""

    game: int
    started: str
    seq: int


_Act: TypeAlias = Callable[[], None]
_T = TypeVar("_T")


class Keeper:
    """Keeps games in the journal of a file. It belongs to one thread.

    Nothing here raises a `DiskError` or a `DamagedError`: they are what it is for.
    """

    def __init__(self, where: Journal | Path) -> None:
        """Keep in an open journal, which its owner closes, or in a file (see `open`)."""
        self._borrowed = where if isinstance(where, Journal) else None
        self._journal = self._borrowed
        self.path = where.path if isinstance(where, Journal) else where
        self.game: int | None = None
        """The number of the newest game; the one that it will have, while it is not stored."""
        self.failing: Failing | None = None
        self.damage: Damage | None = None
        """What was done about the file when it was last found damaged."""
        self._checked = self._borrowed is not None
        self._running: list[_Write] = []
        """The running game from its beginning, and all that waits."""
        self._waiting: deque[_Write] = deque()
        self._held = 0
        self._stored: _Place | None = None
        self._pause_ms, self._retry_at = RETRY_MS[0], 0

    @classmethod
    def open(cls, path: Path, now: datetime) -> Self:
        """A keeper with a journal of its own, whose every page has been read and found right.

        Args:
            path: the file.
            now: the local time.

        Raises:
            UrpiError: when the file is none of ours, or a newer version's.
        """
        keeper = cls(path)
        keeper.try_disk(now)
        return keeper

    @property
    def journal(self) -> Journal | None:
        """The open journal, None while the file cannot be opened."""
        return self._journal

    @property
    def seq(self) -> int | None:
        """The newest entry's seq of the running game, None while some of it is held in memory."""
        return None if self._stored is None or self._waiting else self._stored.seq

    @property
    def paused(self) -> bool:
        """Whether no more can be held, so that nothing more may be decided."""
        return self._held >= MOST_HELD_BYTES

    def begin(
        self, line: str, started: str, program: str, settings: Mapping[str, str], now: datetime
    ) -> int:
        """Begin a game, as `Journal.new_game`; the number that it has, or is likely to get."""
        if not self._waiting:
            self._running = []
        self.game = (self.game or self._latest()) + 1
        self._write(_Opening(line, started, program, settings), now)
        return self.game

    def append(
        self,
        facts: Sequence[str],
        decisions: Sequence[str],
        now: datetime,
        ended: str | None = None,
    ) -> None:
        """Store lines of the running game, as `Journal.append`."""
        lines = (*facts, *decisions)
        self._write(_Batch(len(facts), pack(lines, WORDS) if lines else b"", ended), now)

    def go_on(self, game: int, now: datetime) -> tuple[Entry, ...]:
        """Take up a stored game, so that what comes now belongs to it; its entries.

        Empty when it cannot be read after all: then it is not taken up.
        """

        def read(journal: Journal) -> tuple[Entry, ...]:
            opening, *batches = _writes_of(journal, game)
            entries = tuple(journal.entries(game))
            self._running = [opening, *batches]
            self._stored = _Place(game, opening.started, journal.last_seq_of(game))
            self.game = game
            return entries

        return self.read(read, now) or ()

    def read(self, reading: Callable[[Journal], _T], now: datetime) -> _T | None:
        """What a reading of the journal gives; None when the disk does not let it be read."""
        found: _T | None = None

        def act() -> None:
            nonlocal found
            assert self._journal is not None
            found = reading(self._journal)

        if self._journal is not None:
            self._guarded(act, now)
        return found

    def next_due(self) -> int | None:
        """When the disk is to be tried again, None while all is well."""
        return None if self.failing is None else self._retry_at

    def tend(self, t: int, now: datetime) -> None:
        """Try the disk again when that is due; `t` are milliseconds, never decreasing."""
        if self.failing is None:
            return
        if not self._retry_at:
            self._retry_at = t + self._pause_ms
        elif self._retry_at <= t:
            self._pause_ms = min(2 * self._pause_ms, RETRY_MS[1])
            self._retry_at = t + self._pause_ms
            self.try_disk(now)

    def close(self, now: datetime) -> None:
        """Write what is held, if the disk takes it, and close what was opened here."""
        if self._waiting:
            self.try_disk(now)
        if self._waiting:
            held = len(self._waiting)
            _log.error("%s: what was held in memory is lost, %d writes.", self.path, held)
        self._shut()

    def _latest(self) -> int:
        with suppress(UrpiError):
            return (self._journal.latest_game() or 0) if self._journal else 0
        return 0

    def _write(self, write: _Write, now: datetime) -> None:
        self._running.append(write)
        self._waiting.append(write)
        self._held += write.size
        if self.failing is not None:
            return
        try:
            self._guarded(self._store_waiting, now)
        except UrpiError:
            # It was no failure of the disk: it can never be stored.
            self._waiting.pop()
            self._running.pop()
            self._held -= write.size
            raise

    def try_disk(self, now: datetime) -> None:
        """Open the file anew, and write what waits."""
        self._guarded(self._open_and_store, now)

    def _guarded(self, act: _Act, now: datetime) -> None:
        """Do it; a failure is noted, and damage is mended."""
        try:
            try:
                act()
            except DamagedError as error:
                self._start_anew(error, now)
        except (DiskError, DamagedError) as error:
            self._fail(error, now)
        else:
            self._recover()

    def _open_and_store(self) -> None:
        self._shut()
        self._journal = Journal.open(self.path, busy_s=BUSY_S)
        if not self._checked:
            check_pages(self._journal)
            self._checked = True
        self._pass_over_landed(self._journal)
        while self._waiting:
            self._store_waiting()

    def _start_anew(self, error: DamagedError, now: datetime) -> None:
        """The file is damaged: go on in a new one, which gets the running game whole."""
        self._shut()
        without = self._stored.game if self._stored else 0
        self._journal, self.damage = replace_damaged(self.path, now, without)
        self._checked = True
        _log.error(
            "%s It was set aside as %s; %d games were saved, %d could not be.",
            *(error, self.damage.aside, self.damage.saved, self.damage.lost),
        )
        self._wait_from_the_beginning()
        while self._waiting:
            self._store_waiting()

    def _wait_from_the_beginning(self) -> None:
        self._waiting = deque(self._running)
        self._held = sum(write.size for write in self._waiting)

    def _pass_over_landed(self, journal: Journal) -> None:
        """Take out what the disk has after all, though it said that it failed.

        When the file is not the one that the running game is in (another card was put in),
        all of that is to be written.
        """
        if self._stored is not None and not _has(journal, self._stored):
            self._wait_from_the_beginning()
            self._stored = None
        while self._waiting and (place := self._landed(journal, self._waiting[0])):
            self._stored, self.game = place, place.game
            self._held -= self._waiting.popleft().size

    def _landed(self, journal: Journal, write: _Write) -> _Place | None:
        """Where a write lies in the file, None when it does not."""
        if isinstance(write, _Opening):
            return _opening_in(journal, write, self._stored)
        if self._stored is None or not write.packed:
            return None
        seq = journal.seq_behind(self._stored.game, self._stored.seq)
        return None if seq is None else replace(self._stored, seq=seq)

    def _store_waiting(self) -> None:
        """Store the oldest of what waits, in one transaction."""
        assert self._journal is not None
        writes = [self._waiting[place] for place in range(min(AT_ONCE, len(self._waiting)))]
        place = self._stored
        with self._journal.together():
            for write in writes:
                place = _store(self._journal, write, place)
        self._stored = place
        for write in writes:
            self._waiting.popleft()
            self._held -= write.size
        if place and not any(isinstance(write, _Opening) for write in self._waiting):
            self.game = place.game

    def _fail(self, error: UrpiError, now: datetime) -> None:
        code = error.code if isinstance(error, DiskError) else "disk-failing"
        if self.failing is None:
            _log.error("%s Play goes on in memory.", error)
            self.failing = Failing(code, now)
            self._pause_ms, self._retry_at = RETRY_MS[0], 0
        elif self.failing.code != code:
            self.failing = Failing(code, self.failing.since)

    def _recover(self) -> None:
        if self.failing is not None:
            _log.warning("%s: all is stored again.", self.path)
            self.failing = None

    def _shut(self) -> None:
        if self._journal is not None and self._journal is not self._borrowed:
            self._journal.close()
        self._journal = None


def _store(journal: Journal, write: _Write, place: _Place | None) -> _Place:
    """Store one write behind that place; where it lies."""
    if isinstance(write, _Opening):
        game = journal.new_game(write.line, write.started, write.program, write.settings)
        return _Place(game, write.started, journal.last_seq_of(game))
    assert place is not None
    lines = unpack(write.packed, WORDS) if write.packed else []
    facts, decisions = lines[: write.facts], lines[write.facts :]
    journal.append(place.game, facts, decisions, ended=write.ended)
    return replace(place, seq=journal.last_seq_of(place.game))


def _has(journal: Journal, place: _Place) -> bool:
    """Whether this is the file in which that place is."""
    rows = journal.rows(
        "SELECT 1 FROM games JOIN batches ON game = id WHERE id = ? AND started = ? AND seq = ?",
        *(place.game, place.started, place.seq),
    )
    return bool(rows)


def _opening_in(journal: Journal, opening: _Opening, before: _Place | None) -> _Place | None:
    """Where a game's beginning lies in the file, None when it does not."""
    games = journal.rows(
        "SELECT id FROM games WHERE id > ? AND started = ? ORDER BY id",
        *(before.game if before else 0, opening.started),
    )
    for (game,) in games:
        if next(journal.entries(game)).line == opening.line:
            return _Place(game, opening.started, journal.seq_behind(game, 0) or 0)
    return None


def _writes_of(journal: Journal, game: int) -> Iterator[Any]:
    """The writes that make a stored game, the opening first."""
    ((started, program),) = journal.rows("SELECT started, program FROM games WHERE id = ?", game)
    settings = dict(journal.rows("SELECT name, value FROM settings WHERE game = ?", game))
    (_, facts, packed), *batches = journal.batches(game)
    opening, *others = unpack(packed, WORDS)
    yield _Opening(opening, started, program, settings)
    if others:
        yield _Batch(facts - 1, pack(others, WORDS), None)
    for _, facts, packed in batches:
        yield _Batch(facts, packed, None)
