"""The connection of a running table to its club, in threads of its own.

The referee's thread only replaces the newest state, which takes microseconds; nothing that happens
here can delay or stop a game.
"""

import contextlib
import logging
import queue
import secrets
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from threading import Event, RLock
from typing import TYPE_CHECKING, Any, Final

from urpi import __version__
from urpi.core.errors import UrpiError
from urpi.core.limited_log import LimitedLog
from urpi.core.supervision import Part, SupervisedThread
from urpi.link.broker.broker_settings import BrokerSettings
from urpi.link.broker.home_assistant import discovery_message, discovery_topic
from urpi.link.broker.ledger import LedgerFile, ledger_path
from urpi.link.broker.mqtt import KEEP_ALIVE_S, expiring, make_client, stop_client
from urpi.link.broker.published_games import PublishedGames
from urpi.link.broker.reachable_tables import ReachableTables
from urpi.link.broker.state_message import ClubStatus, TableState, state_message
from urpi.link.protocol.message_parsers import parse_from_club, parse_hello
from urpi.link.protocol.messages import Free, FromClub, Online, Rejected
from urpi.link.protocol.outbox import Outbox
from urpi.link.protocol.topics import (
    FREE_OF_ALL,
    HELLO,
    ONLINE_OF_ALL,
    Topic,
    message_topic,
    messages_to,
    sender_of,
)

if TYPE_CHECKING:
    from paho.mqtt.client import Client

STATE_INTERVAL_MS: Final = 200
"""Shortest time between two states; in between only the newest is kept."""
JOURNAL_INTERVAL_MS: Final = 1000
"""How often the journal is looked at without a visible change at the table."""
JOURNAL_RETRY_MS: Final = 10_000
"""Time until a journal that could not be read is tried again."""
REST: Final = 9
"""The thread's idle time divided by its working time, so that it uses at most a tenth of a
processor core: only one thread of the program can run Python at a time, and the referee is one."""
# After a long piece of work, such as the first look at a large journal, states must not be late.
MAX_REST_S: Final = 1.0
LOOK_MS: Final = 60_000
"""Time for which the tables that can be invited are received after somebody has looked for them. A
table that received them all the time would make the broker's work grow with the square of its
tables."""
EXPIRY_S: Final = 60
"""Time after which the broker drops lines that the club has not fetched; they are sent again."""
MAX_RECEIVED: Final = 100
"""Messages of the club that wait for this thread; further ones are dropped and repeated."""
WORK_S: Final = 60.0
"""Time in seconds after which a piece of its work, such as reading a journal, hangs."""
CLOSE_S: Final = 2.0
"""Longest time for announcing that the table is offline."""

_log: Final = logging.getLogger(__name__)


class _Hello:
    """The club has started."""


class _Connected:
    """The broker has accepted the connection."""


class _Disconnected:
    """The connection has ended."""


_Event = FromClub | _Hello | _Connected | _Disconnected


class ClubConnection:
    """Publishes a table while it is open.

    Args:
        settings: The broker.
        journal: The journal.
        table: The name of the table in the journal.
        clock: Returns milliseconds, never decreasing.
        now: Returns the local time.
        home_assistant: Whether the table announces itself to Home Assistant.
    """

    def __init__(  # noqa: PLR0913 - what varies is passed in
        self,
        settings: BrokerSettings,
        journal: Path,
        table: str,
        *,
        clock: Callable[[], int],
        now: Callable[[], datetime],
        home_assistant: bool = False,
    ) -> None:
        self._settings, self._clock, self._now = settings, clock, now
        self._home_assistant = home_assistant
        self._limited_log = LimitedLog(_log)
        self._games = PublishedGames(journal, table)
        self._ledger_path = ledger_path(journal)
        self._state: TableState | None = None
        self._state_at = 0
        self._sent: tuple[TableState, Mapping[str, str]] | None = None
        """The state that was sent last, and its names."""
        self._next_state_at = self._next_look_at = 0
        self._received: queue.Queue[_Event] = queue.Queue(MAX_RECEIVED)
        self._wake, self._stop = Event(), Event()
        self._connected = False
        self._problem = self._journal_problem = self._failure = ""
        self.status = ClubStatus()
        """The state of the connection. Replaced as a whole, so it may be read by any thread."""
        self.on_message_of_table: Callable[[str, bytes], None] | None = None
        """Called in paho's thread with another table's id and its message."""
        self.on_connected: Callable[[], None] = lambda: None
        """Called in paho's thread when the broker has accepted the connection."""
        self.on_next: Callable[[bytes], None] = lambda _message: None
        """Called in paho's thread with what the club says that is to be played next here."""
        self._tables = ReachableTables(settings.user)
        self._looked_at: int | None = None
        self._opponent = ""
        self._subscribed: frozenset[str] = frozenset()
        """Subscriptions to what other tables announce."""
        self._free, self._free_lock = False, RLock()
        self._client: Client = make_client(settings, f"urpi-{settings.user}", Part("club's broker"))
        self._thread = SupervisedThread(self._run, "club")

    def open(self) -> None:
        """Begin to connect; a broker that does not respond is retried indefinitely."""
        client = self._client
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_connect_fail = self._on_connect_fail
        client.on_message = self._on_message
        client.on_publish = self._on_publish
        # The broker publishes this by itself when the table's power fails.
        client.will_set(self._topic("online"), Online(False, __version__).encode(), 1, retain=True)
        # Asynchronous: a name server or broker that does not respond must not hold up the start of
        # play.
        client.connect_async(self._settings.host, self._settings.port, KEEP_ALIVE_S)
        client.loop_start()
        self._thread.start()

    def publish(self, state: TableState) -> None:
        """Publish the newest state of the table soon. Never waits; thread-safe."""
        self._state, self._state_at = state, self._clock()
        self._wake.set()

    def close(self) -> None:
        """Announce that the table is offline, and disconnect."""
        self._stop.set()
        self._wake.set()
        # First the thread, which uses the client.
        self._thread.end(CLOSE_S)
        if self._client.is_connected():
            message = Online(False, __version__).encode()
            done = self._client.publish(self._topic("online"), message, 1, retain=True)
            # paho raises these if the message was not queued, or the connection has ended
            # meanwhile.
            with contextlib.suppress(ValueError, RuntimeError):
                done.wait_for_publish(CLOSE_S)
        stop_client(self._client)

    def send_to(self, table: str, message: bytes) -> None:
        """Send a message to another table, if the broker is connected. Thread-safe.

        paho's thread sends it. It is not repeated here: tables repeat what is not answered.
        """
        if self._client.is_connected():
            self._client.publish(message_topic(table, self._settings.user), message, 0)

    def announce_free(self, free: bool) -> None:
        """Publish whether this table can be invited, now and at every connection. Thread-safe."""
        # Under a lock: what is retained must be the last value, although this object's own thread
        # announces it, too, when the broker has been connected.
        with self._free_lock:
            self._free = free
            self._announce_free()

    def _announce_free(self) -> None:
        with self._free_lock:
            if self._client.is_connected():
                self._client.publish(self._topic("free"), Free(self._free).encode(), 1, retain=True)

    def look_for_tables(self) -> tuple[str, ...]:
        """The ids of the tables that can be invited, as far as they are known. Thread-safe.

        They arrive soon after the first call, and are kept up to date for `LOOK_MS` after the last.
        """
        is_new, self._looked_at = self._looked_at is None, self._clock()
        if is_new:
            self._wake.set()
        return self._tables.free

    def is_offline(self, table: str) -> bool:
        """Whether the table of a common game is known to have left the broker. Thread-safe."""
        if table != self._opponent:
            self._opponent = table
            self._wake.set()
        return self._tables.is_offline(table)

    @property
    def is_connected(self) -> bool:
        """Whether the broker is connected. Thread-safe."""
        return self._client.is_connected()

    def _topic(self, kind: Any) -> str:
        return str(Topic(self._settings.user, kind))

    # Called by paho's thread.

    def _on_connect(
        self, client: "Client", _user: object, _flags: object, reason: Any, _properties: object
    ) -> None:
        if reason.is_failure:
            # paho tries again by itself.
            self._problem = f"the broker refuses the connection: {reason}"
            return
        self._problem = ""
        client.subscribe(
            [
                (self._topic("ack"), 1),
                (self._topic("next"), 1),
                (HELLO, 1),
                (messages_to(self._settings.user), 0),
            ]
        )
        self._put(_Connected())
        self.on_connected()

    def _on_connect_fail(self, _client: "Client", _user: object) -> None:
        self._problem = f"{self._settings.host} port {self._settings.port} does not respond"
        self._wake.set()

    def _on_disconnect(
        self, _client: "Client", _user: object, _flags: object, reason: Any, _properties: object
    ) -> None:
        if reason.is_failure:
            # What the broker has refused says more than that it then closed the connection.
            self._problem = self._problem or f"the connection ended: {reason}"
        self._put(_Disconnected())

    def _on_publish(
        self, _client: "Client", _user: object, _mid: int, reason: Any, _properties: object
    ) -> None:
        if reason.is_failure:
            self._problem = f"the broker refuses what the table publishes: {reason}"

    def _on_message(self, _client: "Client", _user: object, message: Any) -> None:
        try:
            sender = sender_of(message.topic)
            if sender is not None:
                # `urpi doctor` and `urpi club join` send one as this table to find permissions.
                if sender != self._settings.user and self.on_message_of_table is not None:
                    self.on_message_of_table(sender, message.payload)
            elif self._tables.receive(message.topic, message.payload):
                pass
            elif message.topic == self._topic("next"):
                self.on_next(message.payload)
            elif message.topic == HELLO:
                parse_hello(message.payload)
                self._put(_Hello())
            else:
                self._put(parse_from_club(message.payload))
        except UrpiError as error:
            self._limited_log.warning("message", f"A message of the club is ignored. {error}")

    def _put(self, event: _Event) -> None:
        # A message that is dropped here is repeated, as if it had been lost on the way.
        with contextlib.suppress(queue.Full):
            self._received.put_nowait(event)
        self._wake.set()

    # Called by this object's own thread.

    def _run(self) -> None:
        ledger = LedgerFile(self._ledger_path)
        outbox = Outbox(self._games, ledger, secrets.token_hex(4))
        try:
            if self._connected:
                # Called again after a failure.
                outbox.connect()
                self._sent = None
            while not self._stop.is_set():
                self._thread.part.alive(None)
                self._wake.wait(self._wait_s(outbox))
                self._wake.clear()
                self._thread.part.alive(WORK_S)
                began = time.thread_time()
                self._work(outbox)
                # Not `_wake`: a rest is not cut short by what arrives, but the end of the program
                # does so.
                self._stop.wait(min(MAX_REST_S, REST * (time.thread_time() - began)))
        except Exception as error:
            # It is called again: what was received is given up, and the journal is read again.
            self._failure = f"an error in the program ({type(error).__name__}); see the log"
            self._update_status(outbox)
            raise
        finally:
            ledger.close()

    def _wait_s(self, outbox: Outbox) -> float:
        due = [self._next_look_at]
        if outbox.resend_at is not None:
            due.append(outbox.resend_at)
        if self._connected and self._unsent(outbox) is not None:
            due.append(self._next_state_at)
        if self._looked_at is not None:
            due.append(self._looked_at + LOOK_MS)
        return max(0.0, (min(due) - self._clock()) / 1000)

    def _work(self, outbox: Outbox) -> None:
        self._process_events(outbox)
        self._send_lines(outbox)
        if self._connected:
            self._subscribe_to_tables()
            self._send_state(outbox)
        self._failure = ""
        self._update_status(outbox)

    def _process_events(self, outbox: Outbox) -> None:
        while True:
            try:
                event = self._received.get_nowait()
            except queue.Empty:
                return
            match event:
                case _Connected():
                    self._connected = True
                    self._subscribed = frozenset()
                    self._tables.clear()
                    outbox.connect()
                    self._announce()
                case _Disconnected():
                    self._connected = False
                    outbox.disconnect()
                case _Hello():
                    if self._connected:
                        outbox.connect()
                case Rejected():
                    text = f"The club rejects a game ({event.code}). {event.text}"
                    self._limited_log.warning("game", text)
                    self._problem = f"the club rejects a game ({event.code}): {event.text}"
                    outbox.receive(event)
                case _:
                    outbox.receive(event)

    def _subscribe_to_tables(self) -> None:
        """Receive what other tables announce while that matters here."""
        looked_at = self._looked_at
        if looked_at is not None and self._clock() >= looked_at + LOOK_MS:
            looked_at = self._looked_at = None
        topics = {ONLINE_OF_ALL, FREE_OF_ALL} if looked_at is not None else set()
        if self._opponent:
            topics.add(str(Topic(self._opponent, "online")))
        if topics == self._subscribed:
            return
        if ended := self._subscribed - topics:
            self._client.unsubscribe(list(ended))
            # What is announced from now on is missed; what is retained arrives again.
            self._tables.clear()
        # Without acknowledgement: the broker keeps no more than so many messages in flight to a
        # client, and the retained ones of thousands of tables arrive at once.
        if topics:
            self._client.subscribe([(topic, 0) for topic in topics])
        self._subscribed = frozenset(topics)

    def _announce(self) -> None:
        message = Online(True, __version__).encode()
        self._client.publish(self._topic("online"), message, 1, retain=True)
        self._announce_free()
        if self._home_assistant:
            table = self._settings.user
            self._client.publish(
                discovery_topic(table), discovery_message(table, __version__), 1, retain=True
            )
        self._sent = None

    def _unsent(self, outbox: Outbox) -> tuple[TableState, Mapping[str, str]] | None:
        """The newest state with its names, None if it has been sent with these names."""
        state = self._state
        if state is None:
            return None
        names = outbox.names(state.game)
        # The names too: a consent that is withdrawn changes them while nothing moves at the table.
        if self._sent is not None and self._sent[0] is state and self._sent[1] == names:
            return None
        return state, names

    def _send_state(self, outbox: Outbox) -> None:
        unsent, now = self._unsent(outbox), self._clock()
        if unsent is None or now < self._next_state_at:
            return
        self._sent, self._next_state_at = unsent, now + STATE_INTERVAL_MS
        state, names = unsent
        at = self._now().isoformat(timespec="seconds")
        message = state_message(state, at, names, passed_ms=now - self._state_at)
        self._client.publish(self._topic("state"), message, 1, retain=True)

    def _send_lines(self, outbox: Outbox) -> None:
        now = self._clock()
        try:
            with self._games.opened():
                if self._games.may_have_changed(now):
                    outbox.look()
                message = outbox.next_message(now)
        except UrpiError as error:
            self._journal_problem = f"the journal cannot be read: {error}"
            self._next_look_at = now + JOURNAL_RETRY_MS
            return
        self._journal_problem = ""
        self._next_look_at = now + JOURNAL_INTERVAL_MS
        if message is not None:
            self._client.publish(
                self._topic("lines"), message.encode(), 1, properties=expiring(EXPIRY_S)
            )

    def _update_status(self, outbox: Outbox) -> None:
        before = self.status
        problem = self._problem or self._journal_problem or self._failure
        self.status = ClubStatus(
            self._connected,
            bool(outbox.rejected),
            problem,
            outbox.waiting_games,
        )
        # Once for each problem: an outage of the broker lasts for hours, with an attempt every 30
        # s.
        if problem and problem != before.problem:
            _log.warning("Club: %s. The game goes on; everything is sent later.", problem)
        elif self._connected and not before.connected:
            _log.info("Connected to the club at %s.", self._settings.host)
