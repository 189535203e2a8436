"""The receiver: stores what tables send, and acknowledges it after the commit.

Several processes may run it at once: the broker passes each message to one of them, and a table's
histories are locked while one is stored.
"""

import contextlib
import logging
import secrets
import time
from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import partial
from threading import Event, Lock
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from psycopg import DataError, OperationalError
from psycopg.errors import DiskFull

from urpi.club.server.database import WORK_S, DatabaseError, connect, one_line_reason, store_of
from urpi.club.server.log_lines import log_about
from urpi.club.server.migrations import migrate
from urpi.club.server.months import create_months
from urpi.club.server.players import prune_changes
from urpi.club.server.presence import PresenceLog
from urpi.club.server.security_log import record
from urpi.club.server.storage_status import StorageState, StorageStatus
from urpi.club.server.table_queue import TableQueue
from urpi.core.errors import UrpiError
from urpi.core.limited_log import LimitedLog
from urpi.core.supervision import Part, Quarantine, SupervisedThread
from urpi.http.limits import RateLimit
from urpi.link.broker.broker_settings import BrokerSettings
from urpi.link.broker.mqtt import KEEP_ALIVE_S, expiring, make_client, stop_client
from urpi.link.protocol.archive import Store, receive
from urpi.link.protocol.message_parsers import parse_from_table
from urpi.link.protocol.messages import FromClub, FromTable, Hello, Lines, Rejected
from urpi.link.protocol.topics import HELLO, LINES_OF_ALL, ONLINE_OF_ALL, Topic, parse_topic

if TYPE_CHECKING:
    from paho.mqtt.client import Client
    from psycopg import Connection

# Short at first: a restart of the database takes only a moment.
RETRY_S: Final = (0.5, 1.0, 2.0, 5.0)
"""Waiting times before the database is tried again; the last one repeats."""
FULL_S: Final = 2.0
"""Waiting time after a message that could not be stored because the disk is full."""
GAMES_AT_ONCE: Final = 500
"""Number of games that a table may begin at once, as after an absence; then `GAMES_PER_DAY`."""
GAMES_PER_DAY: Final = 500
"""No board can play more: a game takes some minutes."""
CONNECTIONS: Final = 4
"""Connections to the database. One alone mostly waits for the database's answers."""
MIGRATION_S: Final = 3600.0
"""Longest time in seconds to upgrade the database."""
# The table repeats its message before, so that an older answer would come too late.
EXPIRY_S: Final = 60
CLOSE_S: Final = 10.0

_log: Final = logging.getLogger(__name__)


class Received(NamedTuple):
    """What became of the messages of tables since the program's start.

    Attributes:
        stored: Number of messages that were stored or recognised.
        rejected: Number of messages that were rejected.
        postponed: Number of messages that would have begun more games than a table may.
        dropped: Number of messages for which the queue had no room.
        waiting: Number of messages in the queue now.
    """

    stored: int = 0
    rejected: int = 0
    postponed: int = 0
    dropped: int = 0
    waiting: int = 0


class Receiver:
    """Receives and stores while it is open.

    Args:
        settings: The broker, as the club's user.
        database: The database's URL.
        on_storage: Called with every change of whether the database stores, by any thread.
    """

    def __init__(
        self,
        settings: BrokerSettings,
        database: str,
        on_storage: Callable[[StorageState], None] = lambda _state: None,
    ) -> None:
        self._database, self._storage = database, StorageStatus(on_storage)
        self._settings = settings
        self._messages, self._presence = TableQueue(), PresenceLog()
        self._counts_lock = Lock()
        self._limited_log = LimitedLog(_log)
        self._new_games = RateLimit(GAMES_AT_ONCE, GAMES_PER_DAY / (24 * 3600))
        self._stop = Event()
        self._broken = Quarantine("message of a table")
        self._stored_at_failure = 0
        self.stored = 0
        """Number of messages that were stored or recognised."""
        self.rejected = 0
        """Number of messages that were rejected."""
        self.postponed = 0
        """Number of messages that would have begun more games than a table may."""
        # A client id of its own for each process: with the same one the broker would end the
        # other's connection.
        self._client: Client = make_client(
            settings, f"urpi-club-{secrets.token_hex(4)}", Part("broker, games", is_vital=True)
        )
        self._threads = [
            SupervisedThread(partial(self._run, number), f"receiver-{number}", is_vital=True)
            for number in range(CONNECTIONS)
        ]

    def open(self) -> None:
        """Begin to connect; a broker or database that does not respond is retried indefinitely."""
        self._client.on_connect = self._on_connect
        self._client.on_disconnect = self._on_disconnect
        self._client.on_message = self._on_message
        self._client.connect_async(self._settings.host, self._settings.port, KEEP_ALIVE_S)
        self._client.loop_start()
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Finish the messages in work, and disconnect."""
        self._stop.set()
        for thread in self._threads:
            thread.end(CLOSE_S)
        stop_client(self._client)

    def received(self) -> Received:
        """What became of the messages. Any thread may call it."""
        queue = self._messages
        return Received(self.stored, self.rejected, self.postponed, queue.dropped, queue.count)

    # Called by paho's thread.

    def _on_connect(self, client: "Client", *arguments: Any) -> None:
        reason = arguments[2]
        if reason.is_failure:
            _log.error("The broker refuses the club: %s", reason)
            return
        _log.info("Connected to the broker at %s.", self._settings.host)
        self._presence.connect()
        client.subscribe([(LINES_OF_ALL, 1), (ONLINE_OF_ALL, 1)])
        self._say_hello()

    def _on_disconnect(self, _client: "Client", *arguments: Any) -> None:
        reason = arguments[2]
        if reason.is_failure:
            _log.warning("The connection to the broker ended: %s", reason)

    def _on_message(self, _client: "Client", _user: object, message: Any) -> None:
        try:
            topic = parse_topic(message.topic)
            if topic.kind == "online":
                self._presence.note(topic.table, message.payload, retained=message.retain)
                return
        except UrpiError as error:
            self._log_about("a topic", str(error))
            return
        # Paho's thread must never block.
        self._messages.put(topic.table, message.payload)

    # Called by this object's own threads, each with a connection of its own.

    def _run(self, number: int) -> None:
        part = self._threads[number].part
        failures, stored = 0, self.stored
        while not self._stop.is_set():
            try:
                part.alive(WORK_S)
                with contextlib.closing(connect(self._database)) as database:
                    part.alive(MIGRATION_S)
                    migrate(database)
                    part.alive(WORK_S)
                    self._greet()
                    self._receive_all(database, part)
            except (DatabaseError, OperationalError) as error:
                # Tables repeat what was not acknowledged. A database that accepts connections need
                # not be able to store.
                if self.stored != stored:
                    failures, stored = 0, self.stored
                if isinstance(error, DiskFull):
                    self._storage.full(error)
                else:
                    self._storage.unavailable(error)
                part.alive(None)
                self._stop.wait(RETRY_S[min(failures, len(RETRY_S) - 1)])
                failures += 1

    def _greet(self) -> None:
        """After the database was unavailable, let all tables compare what is stored."""
        if self._storage.connected():
            # It may have been restored from a backup meanwhile.
            self._say_hello()

    def _say_hello(self) -> None:
        if self._client.is_connected():
            self._client.publish(HELLO, Hello(secrets.token_hex(8)).encode(), 1)

    def _receive_all(self, database: "Connection", part: Part) -> None:
        day: date | None = None
        while not self._stop.is_set():
            part.alive(WORK_S)
            today = datetime.now(UTC).date()
            # At the first round as well.
            if today != day:
                create_months(database, today)
                prune_changes(database)
                day = today
            self._presence.store(database)
            # The timeout only serves to notice `close`.
            message = self._messages.get(timeout_s=0.5)
            if message is None:
                continue
            table, data = message
            try:
                with log_about(table=table):
                    answer = self._receive(database, table, data)
            except DiskFull as error:
                if database.closed:
                    raise
                # The table repeats the message.
                self._storage.full(error, table)
                self._stop.wait(FULL_S)
                continue
            except OperationalError:
                # Once the database works again, a message that it always fails at is rejected.
                if self._has_stored_since_failure():
                    self._broken.fail((table, data))
                raise
            finally:
                self._messages.release(table, data)
            self._storage.stored(table)
            if answer is None:
                continue
            self._client.publish(
                str(Topic(table, "ack")), answer.encode(), 1, properties=expiring(EXPIRY_S)
            )

    def _receive(self, database: "Connection", table: str, data: bytes) -> FromClub | None:
        """Store a message, and return the answer; None if the table has to repeat it later."""
        if (table, data) in self._broken:
            text = "It cannot be stored: the club's program has failed at it several times"
            return self._reject(database, table, Rejected("malformed", text))
        try:
            message = parse_from_table(data)
            with store_of(database, table) as store:
                may_begin = self._may_begin(store, table, message)
                answer = receive(store, message) if may_begin else None
        except (DatabaseError, OperationalError):
            raise
        except UrpiError as error:
            return self._reject(database, table, Rejected("malformed", str(error)))
        except Exception as error:
            # Such as the 31st of February, a character that PostgreSQL cannot store, or an error of
            # this program, which must not keep a connection from the other tables.
            if not isinstance(error, DataError):
                _log.exception("A message of table %s cannot be stored", table)
            reason = one_line_reason(error)
            text = f"It cannot be stored: {reason}"
            return self._reject(database, table, Rejected("malformed", text))
        if answer is None:
            self._report_postponed(database, table)
            return None
        if isinstance(answer, Rejected):
            return self._reject(database, table, answer)
        with self._counts_lock:
            self.stored += 1
        return answer

    def _may_begin(self, store: Store, table: str, message: FromTable) -> bool:
        """Whether a table may store a message: it may begin a limited number of games."""
        if not isinstance(message, Lines) or message.head is None:
            return True
        if store.histories((message.key,)):
            return True
        with self._counts_lock:
            if self._new_games.allows(table, time.monotonic()):
                return True
            self.postponed += 1
        return False

    def _has_stored_since_failure(self) -> bool:
        """Whether the database has stored anything since its last failure."""
        with self._counts_lock:
            before, self._stored_at_failure = self._stored_at_failure, self.stored
            return before != self.stored

    def _report_postponed(self, database: "Connection", table: str) -> None:
        text = f"postponed: it has begun more than {GAMES_AT_ONCE} games, of {GAMES_PER_DAY} a day"
        if count := self._log_about(f"table {table} (quota)", text):
            record(database, "games-postponed", table, count=count)

    def _reject(self, database: "Connection", table: str, answer: Rejected) -> Rejected:
        with self._counts_lock:
            self.rejected += 1
        text = f"{answer.code}: {answer.text}"
        if count := self._log_about(f"table {table}", f"rejected ({answer.code}): {answer.text}"):
            record(database, "message-rejected", table, about=text, count=count)
        return answer

    def _log_about(self, what: str, text: str) -> int:
        """Log what a table sends wrongly, as `LimitedLog.warning`."""
        return self._limited_log.warning(what, f"A message of {what} is {text}")
