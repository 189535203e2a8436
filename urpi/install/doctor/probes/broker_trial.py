"""A connection to the club's broker that tries everything that a table needs.

mosquitto grants every subscription, and drops the messages that a table may not read. So what a
table may read is found by messages that it sends to itself.
"""

import secrets
from collections.abc import Callable, Iterator
from threading import Condition
from typing import Any, Final

from urpi import __version__
from urpi.install.doctor.facts import BrokerFacts
from urpi.link.broker.broker_settings import BrokerSettings
from urpi.link.broker.mqtt import KEEP_ALIVE_S, expiring, make_client, stop_client
from urpi.link.protocol.messages import Free, Lines, Online
from urpi.link.protocol.topics import FREE_OF_ALL, ONLINE_OF_ALL, Topic, message_topic, messages_to

TIMEOUT_S: Final = 5.0
"""Longest wait for each answer."""
ECHO_S: Final = 2.0
"""Longest wait for a message of this table to itself, after the broker has accepted it."""
SILENT: Final = f"it does not answer within {TIMEOUT_S:.0f} seconds"
CLOSED: Final = "it closes the connection without an answer"
"""What a port does that expects an encrypted connection, or another protocol."""


def lines_without_a_game() -> Lines:
    """Lines of a game that no club has, beginning after its first line.

    The club answers that it needs the game from its beginning, and stores nothing.
    """
    # Not an offer without games: with it, the club erases all names that it does not contain.
    key = secrets.token_hex(16)
    return Lines(1, key, 2, key, ())


class Trial:
    """A connection that tries everything that a table needs.

    paho's thread notes what arrives, the caller's thread waits for it.

    Raises:
        UrpiError: If paho-mqtt is not installed, or the file of authorities is invalid.
    """

    def __init__(self, settings: BrokerSettings) -> None:
        # Another client id than the running program's, which would be disconnected.
        self._client = make_client(settings, f"urpi-{settings.user}-check")
        self._settings = settings
        self._changed = Condition()
        self._accepted = self._closed = False
        self._refused = ""
        self._granted: dict[str, bool] = {}
        """Whether each subscription was granted, empty before the answer."""
        self._published: dict[int, bool] = {}
        """Whether each message was accepted, by its number."""
        self._received: dict[str, bytes] = {}
        """The newest message by topic."""

    def run(self, facts: BrokerFacts) -> BrokerFacts:
        """The facts with what the trial finds."""
        client = self._client
        client.on_connect, client.on_disconnect = self._on_connect, self._on_disconnect
        client.on_subscribe, client.on_publish = self._on_subscribe, self._on_publish
        client.on_message = self._on_message
        try:
            client.connect(self._settings.host, self._settings.port, KEEP_ALIVE_S)
        except (OSError, ValueError) as error:
            return facts.with_(unreachable=str(error))
        client.loop_start()
        try:
            return self._connected(facts)
        finally:
            stop_client(client)

    def _connected(self, facts: BrokerFacts) -> BrokerFacts:
        self._wait(lambda: self._accepted or self._refused or self._closed)
        if self._refused:
            return facts.with_(refused=self._refused)
        if not self._accepted:
            return facts.with_(unreachable=CLOSED if self._closed else SILENT)
        return self._try_club(facts)

    def _try_club(self, facts: BrokerFacts) -> BrokerFacts:
        """Send what only the club answers, and try what other tables need."""
        ack, lines = self._topic("ack"), self._topic("lines")
        self._client.subscribe([(topic, qos) for topic, qos in self._subscriptions.items()])
        if not self._wait(lambda: self._granted) or not self._granted[ack]:
            return facts.with_(forbidden=ack)
        number = self._publish(lines, lines_without_a_game().encode())
        facts = facts.with_(lacking=tuple(self._lacking()))
        self._wait(lambda: ack in self._received or self._published.get(number) is False)
        if self._published.get(number) is False:
            return facts.with_(forbidden=lines)
        return facts.with_(answered=ack in self._received)

    @property
    def _subscriptions(self) -> dict[str, int]:
        """The subscriptions with their quality of service.

        There may be thousands of tables, and the broker queues few messages of the quality 1.
        """
        to_me = messages_to(self._settings.user)
        return {self._topic("ack"): 1, to_me: 0, ONLINE_OF_ALL: 0, FREE_OF_ALL: 0}

    def _lacking(self) -> Iterator[str]:
        """Yield the permissions for games on two boards that the table lacks, as in mosquitto.

        Only what is true is published about this table: one without a retained message has not run
        yet, so it is neither connected nor free.
        """
        me = self._settings.user
        own, to_any = message_topic(me, me), message_topic("+", me)
        yield from self._try_message(own, b"", to_any, messages_to(me))
        # The retained messages arrived before the one above.
        free, online = self._topic("free"), self._topic("online")
        has_run = free in self._received
        message = Free(False).encode()
        lacking = [] if has_run else list(self._try_message(free, message, free, FREE_OF_ALL))
        yield from lacking
        if lacking or online in self._received:
            return
        if has_run:
            yield f"read {ONLINE_OF_ALL}"
        else:
            message = Online(False, __version__).encode()
            yield from self._try_message(online, message, online, ONLINE_OF_ALL)

    def _try_message(self, topic: str, message: bytes, write: str, read: str) -> Iterator[str]:
        """Send a message to this table itself, and yield the permission that it lacks for that.

        Args:
            topic: The topic.
            message: The message.
            write: The permission to publish it.
            read: The permission to read it.
        """
        number = self._publish(topic, message)
        self._wait(lambda: number in self._published)
        if self._published.get(number) is False:
            yield f"write {write}"
        elif not self._granted[read] or not self._wait(lambda: topic in self._received, ECHO_S):
            yield f"read {read}"

    def _topic(self, kind: Any) -> str:
        return str(Topic(self._settings.user, kind))

    def _publish(self, topic: str, message: bytes) -> int:
        """Publish a message, and return its number."""
        # Not while `_changed` is held: paho calls `_on_publish` with a lock that this needs.
        sent = self._client.publish(topic, message, 1, properties=expiring(round(TIMEOUT_S)))
        return sent.mid

    def _wait(self, happened: Callable[[], object], wait_s: float | None = None) -> bool:
        with self._changed:
            return bool(self._changed.wait_for(happened, TIMEOUT_S if wait_s is None else wait_s))

    # Called by paho's thread.

    def _on_connect(self, *arguments: Any) -> None:
        reason = arguments[3]
        with self._changed:
            self._accepted = not reason.is_failure
            self._refused = str(reason) if reason.is_failure else ""
            self._changed.notify()

    def _on_disconnect(self, *_: Any) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify()

    def _on_subscribe(self, *arguments: Any) -> None:
        granted = [not reason.is_failure for reason in arguments[3]]
        with self._changed:
            self._granted = dict(zip(self._subscriptions, granted, strict=True))
            self._changed.notify()

    def _on_publish(self, *arguments: Any) -> None:
        with self._changed:
            self._published[arguments[2]] = not arguments[3].is_failure
            self._changed.notify()

    def _on_message(self, *arguments: Any) -> None:
        message = arguments[2]
        with self._changed:
            self._received[message.topic] = message.payload
            self._changed.notify()
