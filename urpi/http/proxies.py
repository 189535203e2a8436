"""Reverse proxies in front of the page: its public URL, and the client that a request comes from.

A proxy on this machine connects from loopback, and one that forwards neither the browser's Host nor
a forwarding header sends requests that are identical to those of a browser on this machine. So a
request counts as local only if no proxy is configured, or if the configuration states that loopback
is trusted nevertheless.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

from urpi.core.loopback import is_loopback
from urpi.http.hosts import split_host

FORWARDED: Final = frozenset(
    {
        "cf-connecting-ip",
        "client-ip",
        "fastly-client-ip",
        "forwarded",
        "true-client-ip",
        "via",
        "x-client-ip",
        "x-cluster-client-ip",
        "x-envoy-external-address",
        "x-original-forwarded-for",
        "x-original-host",
        "x-proxyuser-ip",
        "x-real-ip",
    }
)
"""Headers that proxies add, in addition to those that begin with `FORWARDED_PREFIX`."""
FORWARDED_PREFIX: Final = "x-forwarded"
PORTS: Final = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class PublicUrl:
    """The URL under which a proxy serves the page; `port` is the scheme's default if not given."""

    scheme: str
    host: str
    port: int

    @classmethod
    def parse(cls, text: str) -> "PublicUrl":
        """Parse a value of the configuration's `public_url`, which has been validated.

        >>> PublicUrl.parse("https://ur.example.org")
        PublicUrl(scheme='https', host='ur.example.org', port=443)
        """
        parts = urlsplit(text)
        return cls(parts.scheme, parts.hostname or "", parts.port or PORTS[parts.scheme])

    @property
    def is_https(self) -> bool:
        """Whether browsers reach the page over TLS."""
        return self.scheme == "https"

    @property
    def origin(self) -> str:
        """The URL in the form of an Origin header.

        >>> PublicUrl.parse("https://ur.example.org:8443").origin
        'https://ur.example.org:8443'
        """
        return f"{self.scheme}://{self._authority}"

    @property
    def short(self) -> str:
        """The URL as a person types it: without the scheme if the port is the scheme's default."""
        return self._authority if self.port == PORTS[self.scheme] else self.origin

    @property
    def _authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    def is_named_by(self, header: str) -> bool:
        """Whether a Host header names this URL, with or without the port.

        >>> PublicUrl.parse("https://ur.example.org").is_named_by("ur.example.org:8011")
        False
        """
        split = split_host(header)
        return split is not None and split[0] == self.host and split[1] in {"", str(self.port)}


@dataclass(frozen=True, slots=True)
class Client:
    """The client that made a request.

    Attributes:
        address: The browser's address, or the proxy's if the proxy does not forward it. Rate
            limits count by it.
        is_local: Whether the request comes directly from this machine.
    """

    address: str
    is_local: bool


@dataclass(frozen=True, slots=True)
class ProxySettings:
    """The part of the configuration that decides where a request comes from.

    Attributes:
        public_url: The URL under which a proxy on this machine serves the page, None without one.
        trust_loopback: Whether a direct connection from this machine may act without the PIN.
    """

    public_url: PublicUrl | None = None
    trust_loopback: bool = False

    def client(self, scope: Scope, headers: Headers) -> Client:
        """The client that made a request."""
        address = str((scope.get("client") or ("",))[0])
        is_local = is_loopback(address) and self._may_be_local(scope, headers)
        if self.public_url is not None and is_loopback(address):
            address = _last_forwarded(headers) or address
        return Client(address, is_local)

    def _may_be_local(self, scope: Scope, headers: Headers) -> bool:
        # A proxy on this machine connects from loopback for every browser.
        if self.public_url is not None and not self.trust_loopback:
            return False
        # Browsers no longer use HTTP/1.0, but nginx does by default towards the server behind it.
        if scope["http_version"] == "1.0" or is_forwarded(headers):
            return False
        split = split_host(headers.get("host", ""))
        # A browser on this machine that used the machine's other names is treated like any other.
        return split is not None and is_loopback(split[0])


def is_forwarded(names: Iterable[str]) -> bool:
    """Whether one of these header names, in lower case, was added by a proxy."""
    return any(name in FORWARDED or name.startswith(FORWARDED_PREFIX) for name in names)


def _last_forwarded(headers: Headers) -> str:
    """The address that the nearest proxy appended to X-Forwarded-For, empty if invalid.

    The addresses before it come from the client, which can forge them.
    """
    # Several headers of one name are one list (RFC 9110, 5.3).
    last = ",".join(headers.getlist("x-forwarded-for")).rpartition(",")[2].strip()
    try:
        return str(ip_address(last))
    except ValueError:
        return ""
