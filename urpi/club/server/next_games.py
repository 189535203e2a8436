"""Tells tables the pairings that are assigned to them: a retained message for each table.

What is retained is compared with the assigned pairings again and again. So it is right also after a
result that was entered while the club was down, and several processes may do this at once: they
publish the same.
"""

import contextlib
import logging
import secrets
import time
from threading import Event, Lock
from typing import TYPE_CHECKING, Any, Final

from psycopg import OperationalError

from urpi.club.server.assigned_tables import assigned_pairings
from urpi.club.server.database import WORK_S, DatabaseError, connect
from urpi.club.server.migrations import migrate
from urpi.core.errors import UrpiError
from urpi.core.limited_log import LimitedLog
from urpi.core.supervision import Part, SupervisedThread
from urpi.link.broker.broker_settings import BrokerSettings
from urpi.link.broker.mqtt import KEEP_ALIVE_S, make_client, stop_client
from urpi.link.protocol.messages import NextGame
from urpi.link.protocol.topics import NEXT_OF_ALL, Topic, parse_topic

if TYPE_CHECKING:
    from paho.mqtt.client import Client
    from psycopg import Connection

POLL_S: Final = 1.0
"""Seconds between two looks at the pairings."""
SETTLE_S: Final = 2.0
"""Seconds after a connection in which the broker sends what it has retained."""
RETRY_S: Final = 5.0
"""Seconds until a database that does not respond is tried again; the receiver logs that."""
MAX_TABLES: Final = 10_000
CLOSE_S: Final = 5.0

_log: Final = logging.getLogger(__name__)


class NextGames:
    """Publishes while it is open.

    Args:
        settings: The broker, as the club's user.
        database: The database's URL.
    """

    def __init__(self, settings: BrokerSettings, database: str) -> None:
        self._settings, self._database = settings, database
        self._limited_log = LimitedLog(_log)
        self._lock, self._stop = Lock(), Event()
        self._retained: dict[str, bytes] = {}
        """What the broker retains, by table, as far as it is known."""
        self._ready_at: float | None = None
        """When the broker has sent what it retains, None without a connection."""
        self._client: Client = make_client(
            settings, f"urpi-next-{secrets.token_hex(4)}", Part("broker, next games")
        )
        self._thread = SupervisedThread(self._run, "next-games")

    def open(self) -> None:
        """Begin to connect; a broker or database that does not respond is retried indefinitely."""
        client = self._client
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_message = self._on_message
        client.on_publish = self._on_publish
        client.connect_async(self._settings.host, self._settings.port, KEEP_ALIVE_S)
        client.loop_start()
        self._thread.start()

    def close(self) -> None:
        """Disconnect; what is retained remains."""
        self._stop.set()
        self._thread.end(CLOSE_S)
        stop_client(self._client)

    # Called by paho's thread.

    def _on_connect(self, client: "Client", *arguments: Any) -> None:
        # The receiver logs why a connection is refused.
        if not arguments[2].is_failure:
            with self._lock:
                self._retained, self._ready_at = {}, time.monotonic() + SETTLE_S
            client.subscribe(NEXT_OF_ALL, 1)

    def _on_disconnect(self, _client: "Client", *_arguments: Any) -> None:
        with self._lock:
            self._ready_at = None

    def _on_message(self, _client: "Client", _user: object, message: Any) -> None:
        try:
            table = parse_topic(message.topic).table
        except UrpiError as error:
            _log.debug("A message is ignored: %s", error)
            return
        with self._lock:
            self._note(table, message.payload)

    def _on_publish(self, _client: "Client", _user: object, _mid: int, *arguments: Any) -> None:
        if arguments[0].is_failure:
            text = f"The broker refuses to tell tables their next games: {arguments[0]}"
            self._limited_log.warning("broker", f"{text}; write its files again.")

    # Called by this object's own thread.

    def _run(self) -> None:
        part = self._thread.part
        while not self._stop.is_set():
            part.alive(WORK_S)
            try:
                with contextlib.closing(connect(self._database)) as database:
                    migrate(database)
                    while not self._stop.is_set():
                        part.alive(WORK_S)
                        self._publish_changes(database)
                        self._stop.wait(POLL_S)
            except (DatabaseError, OperationalError):
                part.alive(None)
                self._stop.wait(RETRY_S)

    def _publish_changes(self, database: "Connection") -> None:
        with self._lock:
            ready_at = self._ready_at
        if ready_at is None or time.monotonic() < ready_at:
            return
        wanted = wanted_messages(database)
        with self._lock:
            for table in {*wanted, *self._retained}:
                message = wanted.get(table, b"")
                if message != self._retained.get(table, b""):
                    self._publish(table, message)

    def _publish(self, table: str, message: bytes) -> None:
        sent = self._client.publish(str(Topic(table, "next")), message, 1, retain=True)
        # Otherwise paho's queue is full, and it is tried again.
        if sent.rc == 0:
            self._note(table, message)

    def _note(self, table: str, message: bytes) -> None:
        if message:
            self._retained[table] = message
        else:
            self._retained.pop(table, None)


def wanted_messages(database: "Connection") -> dict[str, bytes]:
    """The message for each table that has a pairing."""
    return {
        one.table: NextGame(
            one.tournament, one.name, one.round, one.board, *one.sides, one.rules
        ).encode()
        # Of two rounds, the earlier one comes first.
        for one in reversed(assigned_pairings(database, MAX_TABLES))
    }
