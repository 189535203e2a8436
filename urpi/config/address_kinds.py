"""Kinds of values that are addresses in a network."""

import re
from typing import Final

from urpi.config.kinds import FileOnly, ValueKind
from urpi.core.errors import UrpiError
from urpi.core.names import TABLE_ALLOWED, check_table

_PAGE_URL: Final = re.compile(
    r"https?://(?P<host>\[[0-9A-F:.]+\]|[A-Z0-9_.-]+)(:(?P<port>[0-9]{1,5}))?/?",
    re.ASCII | re.IGNORECASE,
)
# Labels of at most 63 characters (RFC 1035); `_` is not allowed there, but occurs.
_HOST_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63}){0,10}", re.ASCII)


class Listen(ValueKind):
    """The address and port at which a server listens, or ``off``."""

    allowed = 'an address with a port, such as "127.0.0.1:8011" or "[::]:8011", or "off"'

    def parse(self, value: object) -> str:
        """The text, ``off`` if it is empty."""
        if not isinstance(value, str):
            raise ValueError(self.allowed)
        if value in {"", "off"}:
            return "off"
        host, _, port = value.rpartition(":")
        if not (port.isascii() and port.isdecimal() and int(port) <= 65535 and _is_address(host)):
            raise ValueError(self.allowed)
        return value


class PageUrl(ValueKind):
    """The URL of a whole server: scheme, host and port, or empty."""

    allowed = 'a URL without a path such as "https://ur.example.org", or empty'

    def parse(self, value: object) -> str:
        """The URL in lower case, without a final slash."""
        if not isinstance(value, str) or (value and not _is_page_url(value)):
            raise ValueError(self.allowed)
        return value.lower().rstrip("/")


class HostNames(FileOnly):
    """Host names of a machine."""

    allowed = 'a list of host names such as ["ur.example.org"]'

    def parse(self, value: object) -> tuple[str, ...]:
        """The names as a tuple in lower case."""
        if not isinstance(value, list | tuple) or not all(map(_is_host_name, value)):
            raise ValueError(self.allowed)
        return tuple(name.lower() for name in value)


class Broker(ValueKind):
    """The address of an MQTT broker: a host, and a port if it is not the usual one."""

    allowed = 'a host name or address such as "club.example.org" or "192.168.1.5:1883"'

    def parse(self, value: object) -> str:
        """The text in lower case."""
        if not isinstance(value, str):
            raise ValueError(self.allowed)
        host, colon, port = value.rpartition(":")
        # The colons of a bare IPv6 address belong to it.
        if not colon or value.endswith("]"):
            host, port = value, "1"
        right = port.isascii() and port.isdecimal() and 1 <= int(port) <= 65535
        if not (right and (_is_host_name(host) or _is_address(host))):
            raise ValueError(self.allowed)
        return value.lower()


class TableId(ValueKind):
    """The id of a table, as in the topics of the broker."""

    @property
    def allowed(self) -> str:
        return f'{TABLE_ALLOWED}, such as "lisbon-2"; and not "club"'

    def parse(self, value: object) -> str:
        try:
            return check_table(value if isinstance(value, str) else "")
        except UrpiError as error:
            raise ValueError(self.allowed) from error


def _is_page_url(text: str) -> bool:
    found = _PAGE_URL.fullmatch(text)
    if found is None:
        return False
    port, bracketed = found["port"], found["host"].startswith("[")
    if port is not None and not 1 <= int(port) <= 65535:
        return False
    return _is_address(found["host"]) if bracketed else _is_host_name(found["host"])


def _is_host_name(name: object) -> bool:
    return isinstance(name, str) and _HOST_NAME.fullmatch(name) is not None


def _is_address(host: str) -> bool:
    if host == "localhost":
        return True
    from ipaddress import ip_address  # noqa: PLC0415 - few commands parse an address

    try:
        address = ip_address(host[1:-1] if host.startswith("[") else host)
    except ValueError:
        return False
    # A version 6 address needs brackets, because its colons could be taken for that of the port.
    return (address.version == 6) == (host.startswith("[") and host.endswith("]"))
