"""An MQTT 5 connection by paho-mqtt, for tables and for the club."""

import logging
import ssl
from typing import TYPE_CHECKING, Any, Final

from urpi.core.errors import UrpiError
from urpi.core.extras import installation
from urpi.core.inputs import reason

if TYPE_CHECKING:
    from paho.mqtt.client import Client

    from urpi.core.supervision import Part
    from urpi.link.broker.broker_settings import BrokerSettings

# After 1.5 times this without a packet the broker publishes the last will (MQTT 5, 3.1.2.10).
KEEP_ALIVE_S: Final = 30
RECONNECT_S: Final = 30
"""Longest wait before the connection is tried again; the first wait is one second."""
_ERROR: Final = 0x08
"""paho's level of errors."""
MAX_QUEUED: Final = 100
"""Messages that paho keeps until they are sent."""
SILENCE_S: Final = 3.0 * KEEP_ALIVE_S
"""Longest time in seconds between two entries in the log of paho's thread, which makes one for each
packet, of which a ping comes after `KEEP_ALIVE_S` at the latest, and one for each attempt."""

_log: Final = logging.getLogger(__name__)


def make_client(settings: "BrokerSettings", client_id: str, part: "Part | None" = None) -> "Client":
    """A client that is not connected yet.

    Args:
        settings: The broker and the account.
        client_id: The client's id at the broker.
        part: The part of the program that paho's thread is; None if it does not run for long.

    Raises:
        UrpiError: If paho-mqtt is not installed, or the file of authorities is invalid.
    """
    try:
        from paho.mqtt.client import Client  # noqa: PLC0415 - an extra
        from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion  # noqa: PLC0415
    except ImportError:
        extra = settings.section.replace("_", "-")
        message = f"A club needs the library paho-mqtt 2; run {installation(extra)}."
        raise UrpiError(message) from None
    client = Client(
        CallbackAPIVersion.VERSION2,
        client_id=client_id,
        userdata=part,
        protocol=MQTTProtocolVersion.MQTTv5,
    )
    client.username_pw_set(settings.user, settings.password)
    client.reconnect_delay_set(1, RECONNECT_S)
    client.max_queued_messages_set(MAX_QUEUED)
    # Otherwise paho's thread ends for ever at the first message that this program cannot process.
    # paho logs the error, and the message is given up.
    client.suppress_exceptions = True
    client.on_pre_connect, client.on_log = _on_pre_connect, _on_log
    client.on_subscribe = _on_subscribe
    if settings.tls:
        client.tls_set_context(tls_context(settings))
    return client


def _on_pre_connect(_client: "Client", part: "Part | None") -> None:
    if part is not None:
        part.start()
        part.alive(SILENCE_S)


def _on_log(_client: "Client", part: "Part | None", level: int, text: str) -> None:
    # Threads that publish call it, too.
    if part is not None and part.is_called_here:
        part.alive(SILENCE_S)
    if level == _ERROR:
        _log.error("The broker's connection: %s", text)


def _on_subscribe(client: "Client", _part: object, _mid: int, reasons: Any, _: object) -> None:
    # Some brokers refuse what the account may not read; mosquitto 2 grants it, and sends nothing.
    refused = sorted({str(reason) for reason in reasons if reason.is_failure})
    if refused:
        _log.error(
            "The broker refuses what %s subscribes to: %s; check its access control list.",
            client.username,
            ", ".join(refused),
        )


def tls_context(settings: "BrokerSettings") -> ssl.SSLContext:
    """The context of an encrypted connection, with the authorities that are trusted.

    Raises:
        UrpiError: If the file of authorities is invalid.
    """
    try:
        return ssl.create_default_context(cafile=settings.ca_file)
    except OSError as error:
        message = (
            f"The certificates {settings.ca_file} cannot be read ({reason(error)}); set ca_file in "
            f"[{settings.section}] to those of the authority that signed the broker's, in PEM."
        )
        raise UrpiError(message) from error


def stop_client(client: "Client") -> None:
    """Disconnect, end the client's thread, and remove its callbacks."""
    client.disconnect()
    client.loop_stop()
    # paho closes a pair of sockets only when the client is deleted. The callbacks are methods of
    # objects that refer to the client, so that this would be some time after the last use.
    client.on_connect = client.on_connect_fail = client.on_disconnect = None
    client.on_message = client.on_publish = client.on_subscribe = client.on_pre_connect = None
    part = client.user_data_get()
    if part is not None:
        part.end()


def expiring(seconds: int) -> Any:
    """The properties of a message that the broker drops after a time."""
    from paho.mqtt.packettypes import PacketTypes  # noqa: PLC0415 - an extra
    from paho.mqtt.properties import Properties  # noqa: PLC0415

    properties: Any = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    properties.MessageExpiryInterval = seconds
    return properties
