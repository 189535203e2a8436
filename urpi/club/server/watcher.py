"""The watcher: receives the retained states of all tables, for the wall.

It has a connection of its own, because every process of the club needs every state, but stores only
its share of the lines.
"""

import logging
import secrets
from typing import TYPE_CHECKING, Any, Final, Protocol

from urpi.core.errors import UrpiError
from urpi.core.supervision import Part
from urpi.link.broker.broker_settings import BrokerSettings
from urpi.link.broker.mqtt import KEEP_ALIVE_S, make_client, stop_client
from urpi.link.protocol.topics import ONLINE_OF_ALL, STATES_OF_ALL, TopicKind, parse_topic

if TYPE_CHECKING:
    from paho.mqtt.client import Client

_log: Final = logging.getLogger(__name__)


class Watching(Protocol):
    """What receives the messages, such as `urpi.club.web.wall.Wall`."""

    def receive(self, table: str, kind: Any, data: bytes, *, retained: bool) -> None:
        """Receive a message of a table."""

    def set_connected(self, connected: bool) -> None:
        """Set whether there is a connection to the broker."""


class Watcher:
    """Receives while it is open.

    Args:
        settings: The broker, as the club's user.
        watching: Receives the messages, in the connection's thread.
    """

    def __init__(self, settings: BrokerSettings, watching: Watching) -> None:
        self._settings, self._watching = settings, watching
        self._client: Client = make_client(
            settings, f"urpi-wall-{secrets.token_hex(4)}", Part("broker, states", is_vital=True)
        )

    def open(self) -> None:
        """Begin to connect; a broker that does not respond is retried indefinitely."""
        self._client.on_connect = self._on_connect
        self._client.on_disconnect = self._on_disconnect
        self._client.on_message = self._on_message
        self._client.connect_async(self._settings.host, self._settings.port, KEEP_ALIVE_S)
        self._client.loop_start()

    def close(self) -> None:
        stop_client(self._client)

    def _on_connect(self, client: "Client", *arguments: Any) -> None:
        # The receiver logs why a connection is refused.
        if not arguments[2].is_failure:
            client.subscribe([(STATES_OF_ALL, 1), (ONLINE_OF_ALL, 1)])
            self._watching.set_connected(True)

    def _on_disconnect(self, _client: "Client", *_arguments: Any) -> None:
        self._watching.set_connected(False)

    def _on_message(self, _client: "Client", _user: object, message: Any) -> None:
        try:
            topic = parse_topic(message.topic)
        except UrpiError as error:
            _log.debug("A message is ignored: %s", error)
            return
        kind: TopicKind = topic.kind
        self._watching.receive(topic.table, kind, message.payload, retained=message.retain)
