"""By which names the page may be asked for, and from which pages it may be acted on.

A browser that was led to this machine by somebody else's name (DNS rebinding) still says that
name, and a request that another site's page makes says that site's: both are refused.
"""

import socket
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})


def split_host(text: str) -> tuple[str, str] | None:
    """Host and port (or nothing) of a Host header, None when it is none.

    >>> split_host("urpi.local:8011"), split_host("[::1]"), split_host("a b")
    (('urpi.local', '8011'), ('::1', ''), None)
    """
    host, _, port = text.rpartition(":") if text.count(":") == 1 else (text, "", "")
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            return None
        port = rest[1:]
    host = host.lower().rstrip(".")
    if not host or not set(host) <= _LETTERS or not (port == "" or port.isdecimal()):
        return None
    return host, port


_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-.:%_")


def own_names() -> frozenset[str]:
    """What this machine is called by its neighbours."""
    name = socket.gethostname().lower().partition(".")[0]
    return frozenset({name, f"{name}.local", socket.gethostname().lower()} - {""})


@dataclass(frozen=True, slots=True)
class Hosts:
    """The names that are ours: of this machine, and those that the configuration adds."""

    names: frozenset[str]

    @classmethod
    def of(cls, own: Iterable[str], configured: Iterable[str] = ()) -> "Hosts":
        """With the machine's names and the configured ones."""
        return cls(frozenset(name.lower() for name in (*own, *configured)) | LOOPBACK_NAMES)

    def knows(self, header: str, arrived_at: str) -> bool:
        """Whether a Host header is one of ours; `arrived_at` is the address that was connected to.

        That address is ours whatever it is: who leads a browser astray needs a name for it.
        """
        split = split_host(header)
        if split is None:
            return False
        return split[0] in self.names or _same_address(split[0], arrived_at)


def is_loopback(host: str) -> bool:
    """Whether that name or address is this machine's own, to itself alone."""
    if host.lower() in LOOPBACK_NAMES:
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    # Python 3.13 looks at the IPv4 address by itself.
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def _same_address(one: str, other: str) -> bool:
    try:
        first, second = (ip_address(text.partition("%")[0]) for text in (one, other))
    except ValueError:
        return False
    return first == second or getattr(second, "ipv4_mapped", None) == first


def same_site(own: Collection[str], origin: str | None, fetch_site: str | None) -> bool:
    """Whether a request that acts comes from our own page, or from a program that says so.

    Args:
        own: The origins of our own page, in lower case.
        origin: The Origin header.
        fetch_site: The Sec-Fetch-Site header.

    >>> same_site({"http://urpi:8011"}, "http://urpi:8011", None)
    True
    >>> same_site({"http://urpi:8011"}, "http://evil.example", "cross-site")
    False
    """
    if fetch_site not in {None, "same-origin", "none"}:
        return False
    if origin is not None:
        return origin.lower() in own
    return fetch_site is not None
