"""The club's broker: whether this table reaches it, is accepted, and is answered by the club."""

import secrets
import socket
import ssl
import time
from collections.abc import Callable
from datetime import UTC, datetime
from threading import Event
from typing import Any, Final

from urpi.club.messages import Offer
from urpi.club.topics import Topic
from urpi.club_table.broker_settings import BrokerSettings, broker_settings
from urpi.club_table.mqtt import KEEP_ALIVE_S, expiring, make_client, stop_client
from urpi.config import ClubSection
from urpi.doctor.facts import BrokerFacts
from urpi.errors import UrpiError

TIMEOUT_S: Final = 5.0
"""Longest wait for each answer."""


def broker(section: ClubSection) -> BrokerFacts | None:
    """Try the configured broker; return None if there is none."""
    if section.broker is None:
        return None
    try:
        settings = broker_settings(section)
    except UrpiError as error:
        return BrokerFacts(section.broker, section.table or "", settings=str(error))
    return try_broker(settings, lambda: datetime.now(UTC))


def try_broker(settings: BrokerSettings, now: Callable[[], datetime]) -> BrokerFacts:
    """Connect as the table, subscribe, and offer no games; the club answers that.

    A running urpi of the same table stays connected.
    """
    place = f"{settings.host}:{settings.port}"
    facts = BrokerFacts(place, settings.user, year=now().year, tls=settings.tls)
    try:
        socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)
    except OSError as error:
        return facts.with_(unresolved=error.strerror or str(error))
    try:
        days = _certificate_days(settings, now()) if settings.tls else None
        if not settings.tls:
            socket.create_connection((settings.host, settings.port), TIMEOUT_S).close()
    except ssl.SSLCertVerificationError as error:
        return facts.with_(untrusted=error.verify_message)
    except OSError as error:
        return facts.with_(unreachable=error.strerror or str(error))
    except UrpiError as error:
        return facts.with_(settings=str(error))
    return _Trial(settings).run(facts.with_(certificate_days=days))


def _certificate_days(settings: BrokerSettings, now: datetime) -> int:
    """Return the number of days for which the broker's certificate is still valid.

    Raises:
        OSError: If there is no connection, or the certificate is not trusted.
        UrpiError: If the authorities' file cannot be read.
    """
    try:
        context = ssl.create_default_context(cafile=settings.ca_file)
    except (OSError, ssl.SSLError) as error:
        message = f"ca_file {settings.ca_file} cannot be read: {error}"
        raise UrpiError(message) from error
    with (
        socket.create_connection((settings.host, settings.port), TIMEOUT_S) as plain,
        context.wrap_socket(plain, server_hostname=settings.host) as encrypted,
    ):
        found: Any = encrypted.getpeercert()
    until = datetime.fromtimestamp(ssl.cert_time_to_seconds(str(found["notAfter"])), UTC)
    return (until - now).days


class _Trial:
    """A connection that tries everything that a table needs."""

    def __init__(self, settings: BrokerSettings) -> None:
        # Another client id than the running program's, which would be disconnected.
        self._client = make_client(settings, f"urpi-{settings.user}-check")
        self._table = settings.user
        self._settings = settings
        self._event = Event()
        self._refused = self._forbidden = ""
        self._answered = False

    def run(self, facts: BrokerFacts) -> BrokerFacts:
        client = self._client
        client.on_connect, client.on_subscribe = self._on_connect, self._on_subscribe
        client.on_publish, client.on_message = self._on_publish, self._on_message
        try:
            client.connect(self._settings.host, self._settings.port, KEEP_ALIVE_S)
        except (OSError, ValueError) as error:
            return facts.with_(unreachable=str(error))
        client.loop_start()
        try:
            self._steps()
        finally:
            stop_client(client)
        return facts.with_(
            refused=self._refused, forbidden=self._forbidden, answered=self._answered
        )

    def _steps(self) -> None:
        if not self._wait():
            self._refused = self._refused or "it does not answer"
            return
        if self._refused:
            return
        ack, lines = str(Topic(self._table, "ack")), str(Topic(self._table, "lines"))
        self._client.subscribe(ack, 1)
        if not self._wait() or self._forbidden:
            self._forbidden = self._forbidden or ack
            return
        offer = Offer(f"check-{secrets.token_hex(4)}", ())
        self._client.publish(lines, offer.encode(), 1, properties=expiring(round(TIMEOUT_S)))
        deadline = time.monotonic() + TIMEOUT_S
        while not (self._answered or self._forbidden) and time.monotonic() < deadline:
            self._wait()

    def _wait(self) -> bool:
        found = self._event.wait(TIMEOUT_S)
        self._event.clear()
        return found

    def _on_connect(self, *arguments: Any) -> None:
        reason = arguments[3]
        self._refused = str(reason) if reason.is_failure else ""
        self._event.set()

    def _on_subscribe(self, *arguments: Any) -> None:
        if any(reason.is_failure for reason in arguments[3]):
            self._forbidden = str(Topic(self._table, "ack"))
        self._event.set()

    def _on_publish(self, *arguments: Any) -> None:
        if arguments[3].is_failure:
            self._forbidden = str(Topic(self._table, "lines"))
            self._event.set()

    def _on_message(self, *_: Any) -> None:
        self._answered = True
        self._event.set()
