"""Host and Origin checks against DNS rebinding and cross-site requests.

In DNS rebinding, a foreign name resolves to this machine; the browser still sends that name in the
Host header. A request from another site's page carries that site in the Origin header. Both are
rejected.
"""

import socket
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

from urpi.core.loopback import LOOPBACK_NAMES


def split_host(text: str) -> tuple[str, str] | None:
    """Return host and port of a Host header, the port empty if missing; None if it is invalid.

    >>> split_host("urpi.local:8011"), split_host("[::1]"), split_host("a b")
    (('urpi.local', '8011'), ('::1', ''), None)
    """
    host, _, port = text.rpartition(":") if text.count(":") == 1 else (text, "", "")
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            return None
        port = rest[1:]
    # A trailing dot is the root of DNS and names the same host.
    host = host.lower().rstrip(".")
    if not host or not set(host) <= _LETTERS or not (port == "" or _is_port(port)):
        return None
    return host, port


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 5


_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-.:%_")


def own_names() -> frozenset[str]:
    """The names of this machine in its network."""
    name = socket.gethostname().lower().partition(".")[0]
    return frozenset({name, f"{name}.local", socket.gethostname().lower()} - {""})


@dataclass(frozen=True, slots=True)
class AllowedHosts:
    """The host names under which the page is served, in lower case."""

    names: frozenset[str]

    @classmethod
    def of(cls, own: Iterable[str], configured: Iterable[str] = ()) -> "AllowedHosts":
        """Combine the machine's names with those of loopback and the configured ones.

        By default no names are configured: a table needs no others in its own network.
        """
        return cls(frozenset(name.lower() for name in (*own, *configured)) | LOOPBACK_NAMES)

    def allows(self, header: str, connected_to: str) -> bool:
        """Whether a Host header is allowed.

        The address that the client connected to is always allowed: DNS rebinding requires a name.

        Args:
            header: The value of the header.
            connected_to: The local address of the connection.
        """
        split = split_host(header)
        if split is None:
            return False
        return split[0] in self.names or _same_address(split[0], connected_to)


def _same_address(one: str, other: str) -> bool:
    try:
        first, second = (ip_address(text.partition("%")[0]) for text in (one, other))
    except ValueError:
        return False
    return first == second or getattr(second, "ipv4_mapped", None) == first


def same_site(own: Collection[str], origin: str | None, fetch_site: str | None) -> bool:
    """Whether a request that acts comes from the page itself or from a program, not another site.

    Args:
        own: The page's own origins, in lower case.
        origin: The Origin header.
        fetch_site: The Sec-Fetch-Site header, which a program without an Origin must send.

    >>> same_site({"http://urpi:8011"}, "http://urpi:8011", None)
    True
    >>> same_site({"http://urpi:8011"}, "http://evil.example", "cross-site")
    False
    """
    # Browsers set Sec-Fetch-Site themselves; a page's script cannot forge it.
    if fetch_site not in {None, "same-origin", "none"}:
        return False
    if origin is not None:
        return origin.lower() in own
    return fetch_site is not None
