"""Simulated tables: one process with a connection for each, which publishes recorded games.

A table behaves as `urpi.link.broker.connection` does: it offers its games on every connection, has
one message in flight, repeats it, and goes on after what was acknowledged. Its journal is in
memory.
"""

import heapq
import math
import random
import selectors
import socket
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from paho.mqtt.client import Client

from tests.bench_club.recorded_games import PROGRAM, Beat, RecordedGame
from urpi.link.broker.broker_settings import BrokerSettings
from urpi.link.broker.mqtt import KEEP_ALIVE_S, make_client
from urpi.link.broker.state_message import TableState, state_message
from urpi.link.protocol.chain import next_chain
from urpi.link.protocol.message_parsers import parse_from_club
from urpi.link.protocol.messages import (
    MAX_LINES,
    Ack,
    Compared,
    GameHead,
    Lines,
    Offer,
    OfferedGame,
    Online,
)
from urpi.link.protocol.outbox import RETRY_MS
from urpi.link.protocol.topics import HELLO, Topic

RECONNECT_S: Final = 1.0, 4.0
NEVER: Final = -math.inf
"""The time of what was stored before the connection, which is not measured."""
AT: Final = "2026-11-23T12:00:00+00:00"

Shown = tuple[int, str, str, str, str]
"""What the wall shows: number of the game, position, phase, side and faces."""


@dataclass
class _Played:
    """A game as far as it has been played and acknowledged."""

    head: GameHead
    chain: str
    """The checksum after what was acknowledged."""
    lines: list[str] = field(default_factory=list)
    made_s: list[float] = field(default_factory=list)
    """When each line was stored."""
    finished: bool = False
    acked: int = 0
    closed: bool = False
    """Whether the club acknowledged its end."""


class SimulatedTable:
    """A table; all of them share one thread and a clock.

    Args:
        fleet: The others.
        name: Its id.
        settings: The broker, as this table's user.
        games: The games that it plays, again and again.
        beats: How far the first game has been played already.
    """

    def __init__(
        self,
        fleet: "Fleet",
        name: str,
        settings: BrokerSettings,
        games: Sequence[RecordedGame],
        beats: int,
    ) -> None:
        self.fleet, self.name, self._settings, self._games = fleet, name, settings, games
        self.played: list[_Played] = []
        self.published: deque[tuple[Shown, float]] = deque()
        """The states that the wall has not shown yet, and when they were published."""
        self._beats: deque[Beat] = deque()
        self._sent: Lines | None = None
        self._offer = ""
        self.ready = False
        self._connects = True
        """Whether an attempt to connect is due."""
        self._topics = {
            kind: str(Topic(name, kind)) for kind in ("state", "online", "lines", "ack")
        }
        client = self.client = make_client(settings, f"load-{name}")
        client.on_socket_open = lambda *found: fleet.watch(self, found[2])
        client.on_socket_close = lambda *found: fleet.forget(self, found[2])
        client.on_connect, client.on_message = self._on_connect, self._on_message
        client.will_set(self._topics["online"], Online(False, PROGRAM).encode(), 1, retain=True)
        for _ in range(beats):
            self._store(NEVER)

    def connect(self) -> None:
        """Begin to connect, or try again later."""
        self._connects = False
        try:
            self.client.connect(self._settings.host, self._settings.port, KEEP_ALIVE_S)
        except OSError:
            self.reconnect_later()

    def reconnect_later(self) -> None:
        self.ready, self._sent = False, None
        # A second attempt would close the connection of the first one.
        if not self._connects:
            self._connects = True
            self.fleet.later(self.fleet.dice.uniform(*RECONNECT_S), self.connect)

    # What happens at the table.

    def _store(self, now: float) -> Beat:
        if not self._beats:
            number = len(self.played) + 1
            game = self._games[number % len(self._games)]
            head = game.head(number)
            self.played.append(_Played(head, chain=head.key))
            self._beats = deque(game.beats)
        beat, played = self._beats.popleft(), self.played[-1]
        played.lines += beat.lines
        played.made_s += [now] * len(beat.lines)
        played.finished = beat.over
        return beat

    def play(self) -> None:
        """Store the next throw or move, and publish it."""
        now = time.monotonic()
        beat = self._store(now)
        self.fleet.played += 1
        if self.ready:
            number = len(self.played)
            shot = beat.snapshot
            shown = (
                number,
                str(shot.position),
                shot.phase.value,
                shot.side.value if shot.side else "",
                shot.throw.faces if shot.throw else "",
            )
            self.published.append((shown, now))
            self._publish("state", state_message(TableState(number, shot), AT, {}), retain=True)
            self._send()

    def _send(self) -> None:
        """Send the oldest lines that are not acknowledged, one message at a time."""
        if self._sent is not None or not self.ready:
            return
        for number, game in enumerate(self.played, 1):
            if not game.closed and (game.acked < len(game.lines) or game.finished):
                lines = tuple(game.lines[game.acked : game.acked + MAX_LINES])
                whole = game.acked + len(lines) == len(game.lines)
                self._transmit(
                    Lines(
                        number,
                        game.head.key,
                        game.acked + 1,
                        game.chain,
                        lines,
                        game.head if game.acked == 0 else None,
                        finished=AT if game.finished and whole else None,
                    )
                )
                return

    def _transmit(self, message: Lines, attempt: int = 0) -> None:
        self._sent = message
        self._publish("lines", message.encode())
        wait = RETRY_MS[min(attempt, len(RETRY_MS) - 1)] / 1000
        self.fleet.later(wait, lambda: self._repeat(message, attempt + 1))

    def _repeat(self, message: Lines, attempt: int) -> None:
        if self.ready and self._sent is message:
            self.fleet.repeated += 1
            self._transmit(message, attempt)

    def _publish(self, kind: str, data: bytes, *, retain: bool = False) -> None:
        self.client.publish(self._topics[kind], data, 1, retain=retain)
        self.fleet.attend(self)

    # What the broker sends.

    def _on_connect(self, client: Client, *arguments: Any) -> None:
        if arguments[2].is_failure:
            self.fleet.failures.append(f"{self.name}: {arguments[2]}")
            return
        client.subscribe([(self._topics["ack"], 1), (HELLO, 1)])
        self._publish("online", Online(True, PROGRAM).encode(), retain=True)
        self.ready, self._sent = True, None
        self._compare()

    def _compare(self) -> None:
        self._offer = f"{self.fleet.dice.getrandbits(64):x}"
        games = tuple(
            OfferedGame(number, game.head.key, game.acked, game.chain, game.closed)
            for number, game in enumerate(self.played, 1)
            if game.acked
        )
        self._publish("lines", Offer(self._offer, games).encode())

    def _on_message(self, _client: Client, _user: object, message: Any) -> None:
        if message.topic == HELLO:
            # As on a connection: what was in flight is sent again at once.
            self._sent = None
            self._compare()
            return
        match parse_from_club(message.payload):
            case Compared(offer, missing) if offer == self._offer:
                for game in self.played:
                    if game.head.key in missing:
                        self._restart(game)
                self._send()
            case Ack() as ack:
                self._acknowledge(ack)
            case Compared():
                pass
            case other:
                self.fleet.failures.append(f"{self.name}: {other}")

    def _restart(self, game: _Played) -> None:
        game.acked, game.chain, game.closed = 0, game.head.key, False

    def _acknowledge(self, ack: Ack) -> None:
        sent = self._sent
        if sent is None or (sent.key, sent.last) != (ack.key, ack.lines):
            return
        self._sent = None
        self.fleet.answered += 1
        game = self.played[sent.number - 1]
        if not ack.stored:
            self._restart(game)
        else:
            now = time.monotonic()
            expected = next_chain(game.chain, sent.lines)
            if ack.chain != expected:
                self.fleet.failures.append(f"{self.name}: a wrong checksum")
            self.fleet.acknowledged(now - made for made in game.made_s[game.acked : ack.lines])
            game.acked, game.chain, game.closed = ack.lines, ack.chain, ack.finished
        self._send()

    @property
    def waiting(self) -> bool:
        """Whether anything is not acknowledged."""
        return any(
            game.acked < len(game.lines) or game.finished != game.closed for game in self.played
        )


class Fleet:
    """All simulated tables, and the loop that they share.

    Args:
        interval_s: The mean time between two beats of a table.
        seed: The seed of all that is random.
    """

    def __init__(self, interval_s: float, seed: int) -> None:
        self.interval_s = interval_s
        self.dice = random.Random(seed)
        self.tables: list[SimulatedTable] = []
        self.played = self.repeated = self.answered = 0
        self.failures: list[str] = []
        self.stored_s: list[float] = []
        """From each line's origin to its acknowledgement."""
        self.measures = False
        self.plays = False
        self._selector = selectors.DefaultSelector()
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._number = 0

    def later(self, seconds: float, action: Callable[[], None]) -> None:
        """Call something later."""
        self._number += 1
        heapq.heappush(self._due, (time.monotonic() + seconds, self._number, action))

    def acknowledged(self, seconds: Any) -> None:
        if self.measures:
            self.stored_s += [each for each in seconds if each < -NEVER]

    def connect(self, within_s: float) -> None:
        """Connect all tables, spread over a time, and let them play."""
        for table in self.tables:
            self.later(self.dice.uniform(0, within_s), table.connect)
            self.later(1, lambda table=table: self._keep_alive(table))
            self.later(
                within_s + self.dice.uniform(0, self.interval_s),
                lambda table=table: self._play(table),
            )

    def _play(self, table: SimulatedTable) -> None:
        if self.plays:
            table.play()
        self.later(self.interval_s * self.dice.uniform(0.5, 1.5), lambda: self._play(table))

    def _keep_alive(self, table: SimulatedTable) -> None:
        table.client.loop_misc()
        self.attend(table)
        self.later(5, lambda: self._keep_alive(table))

    def watch(self, table: SimulatedTable, connection: socket.socket) -> None:
        self._selector.register(connection, selectors.EVENT_READ, table)

    def forget(self, table: SimulatedTable, connection: socket.socket) -> None:
        with suppress(KeyError, ValueError):
            self._selector.unregister(connection)
        table.reconnect_later()

    def attend(self, table: SimulatedTable) -> None:
        """Wait for the connection to accept data, if there is some."""
        connection = table.client.socket()
        if connection is not None:
            wanted = selectors.EVENT_READ
            if table.client.want_write():
                wanted |= selectors.EVENT_WRITE
            with suppress(KeyError, ValueError):
                if self._selector.get_key(connection).events != wanted:
                    self._selector.modify(connection, wanted, table)

    def add_reader(self, connection: socket.socket, read: Callable[[], None]) -> None:
        """Call something when a connection can be read."""
        self._selector.register(connection, selectors.EVENT_READ, read)

    def remove_reader(self, connection: socket.socket) -> None:
        self._selector.unregister(connection)

    def run(self, seconds: float, until: Callable[[], bool] = lambda: False) -> bool:
        """Run for a time, or until something is true; return whether it became true."""
        end, checked = time.monotonic() + seconds, 0.0
        while (now := time.monotonic()) < end:
            if now - checked > 0.2:
                checked = now
                if until():
                    return True
            while self._due and self._due[0][0] <= now:
                heapq.heappop(self._due)[2]()
            wait = min(self._due[0][0] if self._due else end, end) - time.monotonic()
            for key, events in self._selector.select(max(min(wait, 0.2), 0)):
                if isinstance(key.data, SimulatedTable):
                    self._serve(key.data, events)
                else:
                    key.data()
        return until()

    def _serve(self, table: SimulatedTable, events: int) -> None:
        if events & selectors.EVENT_READ:
            table.client.loop_read()
        if events & selectors.EVENT_WRITE:
            table.client.loop_write()
        self.attend(table)
