"""The club's broker: whether this table reaches it, is accepted, and is answered by the club."""

import socket
import ssl
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from urpi.config import ClubSection
from urpi.core.errors import UrpiError
from urpi.install.doctor.facts import BrokerFacts
from urpi.install.doctor.probes.broker_trial import TIMEOUT_S, Trial
from urpi.link.broker.broker_settings import BrokerSettings, broker_settings
from urpi.link.broker.mqtt import tls_context


def broker(section: ClubSection, password: str | None = None) -> BrokerFacts | None:
    """Try the configured broker; return None if there is none.

    Args:
        section: The section of the configuration.
        password: A password that is not stored yet, None for the one in the section's file.
    """
    if section.broker is None:
        return None
    try:
        settings = broker_settings(section, password)
    except UrpiError as error:
        return BrokerFacts(section.broker, section.table or "", settings=str(error))
    facts = try_broker(settings, lambda: datetime.now(UTC))
    file = str(Path(section.password_file).expanduser()) if password is None else ""
    return facts.with_(password_file=file)


def try_broker(settings: BrokerSettings, now: Callable[[], datetime]) -> BrokerFacts:
    """Connect as the table, subscribe, and send what the club answers without storing anything.

    A running urpi of the same table stays connected. A file of authorities must be valid even if
    the connection is not encrypted: otherwise the error would appear when encryption is enabled.
    """
    place = f"{settings.host}:{settings.port}"
    facts = BrokerFacts(place, settings.user, year=now().year, tls=settings.tls)
    try:
        context = tls_context(settings)
    except UrpiError as error:
        return facts.with_(settings=str(error))
    try:
        socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)
    except OSError as error:
        return facts.with_(unresolved=error.strerror or str(error))
    try:
        days = _certificate_days(settings, context, now()) if settings.tls else None
        if not settings.tls:
            socket.create_connection((settings.host, settings.port), TIMEOUT_S).close()
    except ssl.SSLCertVerificationError as error:
        return facts.with_(untrusted=error.verify_message.rstrip("."))
    except OSError as error:
        return facts.with_(unreachable=error.strerror or str(error))
    return Trial(settings).run(facts.with_(certificate_days=days))


def _certificate_days(settings: BrokerSettings, context: ssl.SSLContext, now: datetime) -> int:
    """The number of days for which the broker's certificate is still valid.

    Raises:
        OSError: If there is no connection, or the certificate is not trusted.
    """
    with (
        socket.create_connection((settings.host, settings.port), TIMEOUT_S) as plain,
        context.wrap_socket(plain, server_hostname=settings.host) as encrypted,
    ):
        found: Any = encrypted.getpeercert()
    until = datetime.fromtimestamp(ssl.cert_time_to_seconds(str(found["notAfter"])), UTC)
    return (until - now).days
