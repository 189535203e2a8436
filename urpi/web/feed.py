"""The feed: what every open page is to get, made once for all of them.

A change comes in from the referee's thread (`tell`) and is worked on in the page's. There is no
queue a page: each has a cursor and asks what is behind it (`Feed.news`), so that a slow page
costs nothing, gets the newest state alone, and every decision all the same: from those held
here, and what is older from the journal.
"""

import asyncio
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, Protocol

from urpi.errors import UrpiError
from urpi.service.notices import Notice
from urpi.web.desk import Change, Desk
from urpi.web.documents.record import Record
from urpi.web.documents.said import Teller
from urpi.web.documents.state import Scene, state_document
from urpi.web.event_lines import Placed, decision_event, event_bytes, json_bytes
from urpi.web.picture import data_url, png
from urpi.web.versions import Cursor, Version
from urpi.words import Words

HELD: Final = 256
"""So many decisions are held here; older ones are in the journal."""
GAMES_BACK: Final = 3
"""A page that slept is told the decisions of so many games at most, the running one included."""
LOOK_S: Final = 1.0
"""Devices and the OLED's picture are looked at so often while nothing is told."""


class Past(Protocol):
    """Reads the journal without keeping anybody waiting."""

    async def decisions(self, game: int, after: int, until: int) -> list[Placed]:
        """A game's decisions with a seq behind `after`, up to `until`.

        Raises:
            UrpiError: when the journal cannot be read.
        """


class _Told(NamedTuple):
    """A decision as it is sent."""

    seq: int
    event: bytes


@dataclass(frozen=True, slots=True)
class _Game:
    """A game that was played while this feed looked, with its players' names."""

    number: int
    light: str
    dark: str


class Feed:
    """Everything that open pages are told. `tell`, `tell_table` and `close` are any thread's."""

    def __init__(self, desk: Desk, past: Past, held: int = HELD) -> None:
        self._desk, self._past, self._most_held = desk, past, held
        self._loop: asyncio.AbstractEventLoop | None = None
        self._inbox: deque[Change] = deque()
        self._told_something = asyncio.Event()
        self._news = asyncio.Event()
        self._games: deque[_Game] = deque(maxlen=GAMES_BACK)
        self._record = Record()
        self._held: deque[_Told] = deque()
        self._floor = 0
        """All decisions behind it are held."""
        self.seq = 0
        self._start = 0
        """Where the journal was when the work began: what is told of before is read there."""
        self._incomplete = False
        """Whether the record or the held decisions lack some that the journal has or will have."""
        self._spoken = desk.words.language
        self._now = replace(desk.now(), decisions=())
        self._table: tuple[int, bytes] = 0, b""
        self.closed = False
        self.version = Version(1, self._shown(), (), desk.words)

    def tell(self, change: Change) -> None:
        """Something has changed; whoever tells is not kept waiting."""
        self._inbox.append(change)
        self._wake()

    def tell_table(self, document: Mapping[str, Any]) -> None:
        """The virtual table has changed; of several, pages get the newest."""
        self._table = self._table[0] + 1, event_bytes("table", json_bytes(document))
        self._wake()

    def close(self) -> None:
        """Let every page go."""
        self.closed = True
        self._wake()

    def _wake(self) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._told_something.set)

    async def run(self) -> None:
        """Work on what is told, until `close`."""
        self._loop = asyncio.get_running_loop()
        self._inbox.clear()
        now = self._desk.now()
        self._take(now)
        self._start = now.seq or 0
        while not self.closed:
            while self._inbox:
                self._take(self._inbox.popleft())
            await self._complete()
            self._show()
            await self._pause()
        self._spread()

    async def _pause(self) -> None:
        if self._inbox:
            return
        try:
            async with asyncio.timeout(LOOK_S):
                await self._told_something.wait()
        except TimeoutError:
            pass
        self._told_something.clear()

    def _take(self, change: Change) -> None:
        if change.seq is not None:
            if change.seq < self._start:
                return
            self._start = 0
        if change.game is not None and not self._is_running(change.game):
            self._begin(change)
        elif _went_on(change) and not _went_on(self._now):
            # The table's program was restarted, and has stored decisions that it did not report.
            self._incomplete = True
        if change.seq is None:
            self._incomplete = self._incomplete or bool(change.decisions)
        elif change.seq < self.seq:
            self._start_over()
        if self._incomplete or change.seq is None:
            self._follow(change)
        elif change.seq > self.seq:
            self._follow(change)
            self._hold(change)
        self._now = replace(change, decisions=())

    def _is_running(self, game: int) -> bool:
        return bool(self._games) and self._games[-1].number == game

    def _begin(self, change: Change) -> None:
        assert change.game is not None
        self._record, self._incomplete = Record(), True
        shot = change.snapshot
        self._games.append(_Game(change.game, shot.light, shot.dark))

    def _follow(self, change: Change) -> None:
        for decision in change.decisions:
            self._record.take(decision)

    def _hold(self, change: Change) -> None:
        """Hold what was decided: the last entries up to the seq."""
        assert change.seq is not None
        teller = self._teller(self._games[-1])
        for place, decision in enumerate(change.decisions, 1 - len(change.decisions)):
            seq = change.seq + place
            self._add(_Told(seq, decision_event(seq, change.game, decision, teller)))
        self.seq = change.seq

    def _add(self, told: _Told) -> None:
        self._held.append(told)
        while len(self._held) > self._most_held:
            self._floor = self._held.popleft().seq

    def _start_over(self) -> None:
        """Forget the places of another journal file: the one in use now counts from 1 again."""
        self._held.clear()
        self.seq = self._floor = 0
        self._games = deque(tuple(self._games)[-1:], maxlen=GAMES_BACK)
        self._incomplete = True

    async def _complete(self) -> None:
        """Read what is missing from the journal, once all of it is stored.

        Decisions are missing that were taken before this feed's first look, or while nothing
        could be stored. Where the journal cannot be read it is tried again at the next look;
        until then the decisions are left to `_older`, which reads them for each page.
        """
        until = self._now.seq
        if not self._incomplete or until is None:
            return
        read: list[tuple[_Game, list[Placed]]] = []
        try:
            for game in tuple(self._games):
                after = 0 if self._is_running(game.number) else self.seq
                read.append((game, await self._past.decisions(game.number, after, until)))
        except UrpiError:
            self._held.clear()
            self._floor = self.seq = until
            return
        self._record = Record()
        for one in read[-1][1]:
            self._record.take(one.decision)
        for game, placed in read:
            teller = self._teller(game)
            for seq, decision in placed:
                if seq > self.seq:
                    self._add(_Told(seq, decision_event(seq, game.number, decision, teller)))
        self.seq, self._incomplete = until, False

    def _teller(self, game: _Game) -> Teller:
        return Teller(self._desk.words, game.light, game.dark)

    def _show(self) -> None:
        """Make a new version where something looks different; let every page look."""
        self._speak()
        shown, lines = self._shown(), tuple(self._record.lines)
        if (shown, lines) != (self.version.shown, self.version.lines):
            self.version = Version(self.version.number + 1, shown, lines, self._desk.words)
        self._spread()

    def _speak(self) -> None:
        """In another language, what was held is told anew: from the journal, to who asks for it."""
        if self._desk.words.language != self._spoken:
            self._spoken = self._desk.words.language
            self._held.clear()
            self._floor = self.seq

    def _spread(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    def _shown(self) -> dict[str, Any]:
        words, change, desk = self._desk.words, self._now, self._desk
        scene = Scene(
            seq=self.seq,
            game=change.game,
            table=desk.table,
            snapshot=change.snapshot,
            words=words,
            notice=_said(change.notice, words),
            devices=dict(desk.devices()),
            oled=data_url(png(desk.picture())),
        )
        return state_document(scene)

    async def news(self, cursor: Cursor, *, may_act: bool) -> bytes:
        """The events behind a cursor, which is moved; waits for the next, empty when closed."""
        while not self.closed:
            news = self._news
            if events := await self._behind(cursor, may_act=may_act):
                return events
            await news.wait()
        return b""

    async def _behind(self, cursor: Cursor, *, may_act: bool) -> bytes:
        cursor.seq = min(cursor.seq, self.seq)
        events = await self._older(cursor)
        # Nothing waits from here on, so that state and decisions are of one moment.
        for told in self._held:
            if told.seq > cursor.seq:
                cursor.seq = told.seq
                events.append(told.event)
        if cursor.version < self.version.number:
            document = self.version.send(cursor, may_act=may_act)
            events.append(event_bytes("state", document, self.version.seq))
        number, table = self._table
        if cursor.table < number:
            cursor.table = number
            events.append(table)
        return b"".join(events)

    async def _older(self, cursor: Cursor) -> list[bytes]:
        """The decisions that are not held any more; none where the journal cannot be read."""
        events: list[bytes] = []
        while cursor.seq < self._floor:
            until = self._floor
            for game in tuple(self._games):
                try:
                    placed = await self._past.decisions(game.number, cursor.seq, until)
                except UrpiError:
                    continue
                teller = self._teller(game)
                events += [decision_event(seq, game.number, one, teller) for seq, one in placed]
            cursor.seq = until
        return events


def _went_on(change: Change) -> bool:
    return change.notice is not None and change.notice.code == "resumed"


def _said(notice: Notice | None, words: Words) -> str | None:
    return None if notice is None else words.sentence(notice.code, notice.details)
