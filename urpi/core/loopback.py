"""Names and addresses of this machine that no other machine can reach. Pure: no I/O."""

from ipaddress import ip_address
from typing import Final

LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
"""The usual ones, in lower case."""


def is_loopback(host: str) -> bool:
    """Whether a name or address is loopback, which only this machine itself can reach.

    >>> is_loopback("LOCALHOST"), is_loopback("127.8.9.1"), is_loopback("192.168.1.20")
    (True, True, False)
    """
    if host.lower() in LOOPBACK_NAMES:
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    # Before Python 3.13, is_loopback is False for a mapped address such as ::ffff:127.0.0.1.
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback
