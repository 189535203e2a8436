"""The feed: the events for all open pages, each encoded once for a language.

The referee's thread publishes changes (`publish`), and the page's thread processes them. There is
no queue for each page. Instead, each page has a cursor and requests the events after it
(`Feed.next_events`), so that a slow page costs nothing: it receives only the newest state, but
still every decision, the recent ones from memory and older ones from the journal.
"""

import asyncio
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol

from urpi.core.errors import UrpiError
from urpi.http.feeding import Feeding
from urpi.http.responses import decision_event, event_bytes, json_bytes, png_url
from urpi.page.documents.record import Record
from urpi.page.documents.state import Scene
from urpi.page.journal_reader import StoredDecision
from urpi.page.versions import Cursor, Version
from urpi.referee.decisions import Decision
from urpi.service.board import BoardService
from urpi.service.table_state import TableChange
from urpi.show.words import Words
from urpi.show.words.decisions import announcements

MAX_RECENT: Final = 256
"""Maximum number of decisions in memory; older ones are read from the journal."""
MAX_GAMES: Final = 3
"""A page that was asleep receives the decisions of at most this many games, the newest ones."""
POLL_S: Final = 1.0
"""Interval for checking devices and the OLED's picture while no change is published."""


class History(Protocol):
    """Reads decisions from the journal without blocking the event loop."""

    async def decisions(self, game: int, after: int, until: int) -> list[StoredDecision]:
        """A game's decisions with a seq greater than `after` and at most `until`.

        Raises:
            UrpiError: If the journal cannot be read.
        """


@dataclass(frozen=True, slots=True)
class _Game:
    """A game that was played since the feed was created, with its players' names."""

    number: int
    light: str
    dark: str

    def event(self, seq: int, decision: Decision, words: Words) -> bytes:
        """The event of one of its decisions."""
        texts = announcements(words, self.light, self.dark)
        return decision_event(seq, self.number, decision, texts)


@dataclass(frozen=True, slots=True)
class _Recent:
    """A decision in memory, encoded once for all viewers of a language."""

    seq: int
    game: _Game
    decision: Decision
    encoded: dict[str, bytes] = field(default_factory=dict)

    def event(self, words: Words) -> bytes:
        language = words.language
        if language not in self.encoded:
            self.encoded[language] = self.game.event(self.seq, self.decision, words)
        return self.encoded[language]


class Feed(Feeding):
    """The events for all open pages.

    `publish`, `publish_table` and `close` may be called from any thread.
    """

    def __init__(self, desk: BoardService, history: History, max_recent: int = MAX_RECENT) -> None:
        super().__init__()
        self._desk, self._history, self._max_recent = desk, history, max_recent
        self._inbox: deque[TableChange] = deque()
        # The current game last.
        self._games: deque[_Game] = deque(maxlen=MAX_GAMES)
        self._record = Record()
        self._recent: deque[_Recent] = deque()
        self._floor = 0
        """All decisions after this seq are in memory."""
        self.seq = 0
        self._start = 0
        """The journal's seq when `run` began: changes before it are read from the journal."""
        self._incomplete = False
        """Whether the record or the recent decisions lack some that are, or will be, stored."""
        # The decisions are not kept here: they are in `_record`, and `_recent` has those with a
        # seq.
        self._now = replace(desk.now(), decisions=())
        self._table: tuple[int, bytes] = 0, b""
        self.version = Version(1, self._scene(), (), desk.clock)

    def publish(self, change: TableChange) -> None:
        """Publish a change at the table, without waiting for it to be processed."""
        if self.closed:
            return
        # deque.append is atomic, so that the referee's thread needs no lock and never waits.
        self._inbox.append(change)
        self._wake()

    def publish_table(self, document: Mapping[str, Any]) -> None:
        """Publish the state of the virtual table; pages receive only the newest one."""
        self._table = self._table[0] + 1, event_bytes("table", json_bytes(document))
        self._wake()

    async def _process(self) -> None:
        # What was published before is part of the state that is read next.
        self._inbox.clear()
        now = self._desk.now()
        self._apply(now)
        self._start = now.seq or 0
        while not self.closed:
            while self._inbox:
                self._apply(self._inbox.popleft())
            # Before the update, so that the first state that pages receive has the whole record.
            await self._read_missing()
            self._update()
            self.ready.set()
            await self._pause()

    async def _pause(self) -> None:
        if self._inbox:
            return
        try:
            async with asyncio.timeout(POLL_S):
                await self._received.wait()
        except TimeoutError:
            pass
        self._received.clear()

    def _apply(self, change: TableChange) -> None:
        if change.seq is not None:
            # Published before `run` began, and already contained in the state with which it began.
            if change.seq < self._start:
                return
            self._start = 0
        if change.game is not None and not self._is_running(change.game):
            self._begin(change)
        elif _is_resumed(change) and not _is_resumed(self._now):
            # The table's program was restarted, and has stored decisions that it did not publish.
            self._incomplete = True
        if change.seq is None:
            # Without a seq the decisions are held in memory during an outage: they have no number
            # yet.
            self._incomplete = self._incomplete or bool(change.decisions)
        elif change.seq < self.seq:
            self._restart_numbering()
        if self._incomplete or change.seq is None:
            self._record_decisions(change)
        elif change.seq > self.seq:
            # With the same seq nothing was stored: only the snapshot is new.
            self._record_decisions(change)
            self._keep_decisions(change)
        self._now = replace(change, decisions=())

    def _is_running(self, game: int) -> bool:
        return bool(self._games) and self._games[-1].number == game

    def _begin(self, change: TableChange) -> None:
        assert change.game is not None
        self._record, self._incomplete = Record(), True
        shot = change.snapshot
        self._games.append(_Game(change.game, shot.light, shot.dark))

    def _record_decisions(self, change: TableChange) -> None:
        for decision in change.decisions:
            self._record.add(decision)

    def _keep_decisions(self, change: TableChange) -> None:
        """Keep the change's decisions in memory: they are the last entries up to its seq."""
        assert change.seq is not None
        # The change's seq is that of its last decision.
        for place, decision in enumerate(change.decisions, 1 - len(change.decisions)):
            self._keep(_Recent(change.seq + place, self._games[-1], decision))
        self.seq = change.seq

    def _keep(self, recent: _Recent) -> None:
        self._recent.append(recent)
        while len(self._recent) > self._max_recent:
            self._floor = self._recent.popleft().seq

    def _restart_numbering(self) -> None:
        """Forget the places in the previous journal file: the new one counts from 1 again."""
        self._recent.clear()
        self.seq = self._floor = 0
        # The numbers of earlier games belong to the old file as well.
        self._games = deque(tuple(self._games)[-1:], maxlen=MAX_GAMES)
        self._incomplete = True

    async def _read_missing(self) -> None:
        """Read missing decisions from the journal, once all of them are stored.

        Decisions are missing that were taken before `run` began, or while nothing could be
        stored. If the journal cannot be read, the next round tries again; until then `_older`
        reads the decisions for each page.
        """
        until = self._now.seq
        if not self._incomplete or until is None:
            return
        read: list[tuple[_Game, list[StoredDecision]]] = []
        try:
            for game in tuple(self._games):
                # The running game's record needs all decisions, the events only those that are new.
                after = 0 if self._is_running(game.number) else self.seq
                read.append((game, await self._history.decisions(game.number, after, until)))
        # Pages then read from the journal what they need, each for itself.
        except UrpiError:
            self._recent.clear()
            self._floor = self.seq = until
            return
        self._record = Record()
        for stored in read[-1][1]:
            self._record.add(stored.decision)
        for game, decisions in read:
            for seq, decision in decisions:
                if seq > self.seq:
                    self._keep(_Recent(seq, game, decision))
        self.seq, self._incomplete = until, False

    def _update(self) -> None:
        """Create a new version if the state has changed, and notify the pages."""
        newest, lines = self.version, tuple(self._record.lines)
        version = Version(newest.number + 1, self._scene(), lines, self._desk.clock)
        # The documents, not the scenes: what no page shows may differ.
        after, before = version.scene.snapshot, newest.scene.snapshot
        timed, known = (after.seems_due, after.clock), (before.seems_due, before.clock)
        if (version.state, lines, timed) != (newest.state, newest.lines, known):
            self.version = version
        self._notify_pages()

    def _scene(self) -> Scene:
        change, desk = self._now, self._desk
        return Scene(
            seq=self.seq,
            game=change.game,
            table=desk.table,
            snapshot=change.snapshot,
            words=desk.preferences.words,
            notice=change.notice,
            devices=dict(desk.device_states()),
            oled=png_url(desk.picture()),
            review=change.review,
            tables=change.tables,
            waits=change.waits,
            has_lights=desk.has_lights,
        )

    async def next_events(self, cursor: Cursor, *, may_act: bool) -> bytes:
        """Wait for events after a cursor, advance it, and return them; empty once closed."""
        return await self._next(lambda: self._events_after(cursor, may_act=may_act))

    async def _events_after(self, cursor: Cursor, *, may_act: bool) -> bytes:
        # A page from before a replaced journal has a number that does not exist any more.
        cursor.seq = min(cursor.seq, self.seq)
        events = await self._older(cursor)
        # No await from here on, so that the decisions and the state belong together.
        words = cursor.words or self._desk.preferences.words
        for recent in self._recent:
            if recent.seq > cursor.seq:
                cursor.seq = recent.seq
                events.append(recent.event(words))
        # Only the newest state, however many versions the page has missed.
        if cursor.version < self.version.number:
            document = self.version.send(cursor, may_act=may_act)
            events.append(event_bytes("state", document, self.version.seq))
        number, table = self._table
        if cursor.table < number:
            cursor.table = number
            events.append(table)
        return b"".join(events)

    async def _older(self, cursor: Cursor) -> list[bytes]:
        """Return the decisions that are no longer in memory; none if the journal is unreadable."""
        events: list[bytes] = []
        while cursor.seq < self._floor:
            until = self._floor
            for game in tuple(self._games):
                try:
                    stored = await self._history.decisions(game.number, cursor.seq, until)
                except UrpiError:
                    continue
                words = cursor.words or self._desk.preferences.words
                events += [game.event(seq, decision, words) for seq, decision in stored]
            cursor.seq = until
        return events


def _is_resumed(change: TableChange) -> bool:
    return change.notice is not None and change.notice.code == "resumed"
