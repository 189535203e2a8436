"""The broker of a configuration: address, TLS and password, checked before anything connects."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from urpi.config import ClubSection, ClubServerSection
from urpi.core.errors import UrpiError
from urpi.core.inputs import read_text
from urpi.core.loopback import is_loopback
from urpi.core.names import CLUB, check_table

# The ports that IANA has assigned to MQTT, without and with TLS.
PLAIN_PORT: Final = 1883
TLS_PORT: Final = 8883
# Far more than any password needs, and a bound for a path to another file.
_MAX_PASSWORD: Final = 1000


@dataclass(frozen=True, slots=True)
class BrokerSettings:
    """How to reach a broker, and as whom.

    Attributes:
        host: The host's name or address.
        port: The port.
        tls: Whether the connection is encrypted.
        ca_file: The certificates of the authorities to trust, None for the system's.
        user: The user at the broker: for a table its id.
        password: The password.
        section: The section of the configuration, which errors name.
    """

    host: str
    port: int
    tls: bool
    ca_file: Path | None
    user: str
    password: str = field(repr=False)
    section: Literal["club", "club_server"] = "club"


def broker_settings(section: ClubSection, password: str | None = None) -> BrokerSettings:
    """The broker of a configuration.

    Args:
        section: The section of the configuration.
        password: The password, None for the one in the section's file.

    Raises:
        UrpiError: If the section is incomplete, or the password cannot be read.
    """
    if section.broker is None or section.table is None:
        missing = "broker" if section.broker is None else "table"
        message = f"The section [club] lacks {missing}; run `urpi club join`, or add it."
        raise UrpiError(message)
    return BrokerSettings(
        *broker_address(section.broker, section.tls),
        Path(section.ca_file).expanduser() if section.ca_file else None,
        check_table(section.table),
        read_password(Path(section.password_file).expanduser()) if password is None else password,
    )


def club_settings(section: ClubServerSection) -> BrokerSettings:
    """The broker of a club.

    Raises:
        UrpiError: As `broker_settings`.
    """
    if section.broker is None:
        message = "The section [club_server] lacks broker; add its host."
        raise UrpiError(message)
    return BrokerSettings(
        *broker_address(section.broker, section.tls),
        Path(section.ca_file).expanduser() if section.ca_file else None,
        CLUB,
        read_password(Path(section.password_file).expanduser()),
        "club_server",
    )


def broker_address(broker: str, tls: bool | None) -> tuple[str, int, bool]:
    """Return host, port and whether the connection is encrypted.

    Args:
        broker: The host, with a port if it is not the usual one.
        tls: Whether it is encrypted, None for the default: unless the host is this machine.
    """
    host, _, port = broker.rpartition(":")
    # An IPv6 address has colons of its own, so that a port can follow it only in brackets.
    if not host or not port.isdecimal() or (":" in host and not host.startswith("[")):
        host, port = broker, ""
    host = host.strip("[]")
    encrypted = not is_loopback(host) if tls is None else tls
    return host, int(port) if port else (TLS_PORT if encrypted else PLAIN_PORT), encrypted


def read_password(path: Path) -> str:
    """Return the password in a file: its first line.

    Raises:
        UrpiError: If there is none, or others than the file's owner and group may read it.
    """
    advice = "write the password at the broker into it, in one line"
    lines = read_text(path, "password file", _MAX_PASSWORD, advice).splitlines()
    if not lines or not lines[0].strip():
        message = f"The password file {path} is empty; {advice}."
        raise UrpiError(message)
    if path.stat().st_mode & 0o007:
        message = f"Every user may read the password file {path}; run `chmod o= {path}`."
        raise UrpiError(message)
    return lines[0].strip()
