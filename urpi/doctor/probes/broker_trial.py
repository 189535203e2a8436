"""A connection to the club's broker that tries everything that a table needs."""

import secrets
from collections.abc import Callable
from threading import Condition
from typing import Any, Final

from urpi.club.messages import Offer
from urpi.club.topics import Topic
from urpi.club_table.broker_settings import BrokerSettings
from urpi.club_table.mqtt import KEEP_ALIVE_S, expiring, make_client, stop_client
from urpi.doctor.facts import BrokerFacts

TIMEOUT_S: Final = 5.0
"""Longest wait for each answer."""
SILENT: Final = f"it does not answer within {TIMEOUT_S:.0f} seconds"
CLOSED: Final = "it closes the connection without an answer"
"""What a port does that expects an encrypted connection, or another protocol."""


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
        self._grants: list[bool] | None = None
        """Whether each subscription was granted, None before the answer."""
        self._published: dict[int, bool] = {}
        """Whether each message was accepted, by its number."""
        self._received: dict[str, bytes] = {}
        """The newest message by topic."""

    def run(self, facts: BrokerFacts) -> BrokerFacts:
        """Return the facts with what the trial finds."""
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
        """Offer no games to the club, which answers that."""
        ack, lines = self._topic("ack"), self._topic("lines")
        self._client.subscribe(ack, 1)
        if not self._wait(lambda: self._grants is not None) or self._grants != [True]:
            return facts.with_(forbidden=ack)
        offer = Offer(f"check-{secrets.token_hex(4)}", ())
        number = self._publish(lines, offer.encode())
        self._wait(lambda: ack in self._received or self._published.get(number) is False)
        if self._published.get(number) is False:
            return facts.with_(forbidden=lines)
        return facts.with_(answered=ack in self._received)

    def _topic(self, kind: Any) -> str:
        return str(Topic(self._settings.user, kind))

    def _publish(self, topic: str, message: bytes) -> int:
        """Publish a message, and return its number."""
        # Not while `_changed` is held: paho calls `_on_publish` with a lock that this needs.
        sent = self._client.publish(topic, message, 1, properties=expiring(round(TIMEOUT_S)))
        return sent.mid

    def _wait(self, happened: Callable[[], object]) -> bool:
        with self._changed:
            return bool(self._changed.wait_for(happened, TIMEOUT_S))

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
        with self._changed:
            self._grants = [not reason.is_failure for reason in arguments[3]]
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
