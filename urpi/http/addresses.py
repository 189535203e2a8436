"""The addresses of the page: where it listens, and under which other devices reach it."""

import socket
from collections.abc import Iterable
from ipaddress import ip_address
from typing import Final, NamedTuple

import ifaddr

from urpi.core.loopback import is_loopback
from urpi.http.proxies import PublicUrl

ANY_IPV4: Final = "0.0.0.0"  # noqa: S104 - compared, not listened on
ANY: Final = "::"
"""The address for all interfaces with IPv6 and IPv4."""


class Address(NamedTuple):
    """An address to listen on; port 0 stands for any free port."""

    host: str
    port: int

    def __str__(self) -> str:
        """The address in the form of a URL."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


class InterfaceAddress(NamedTuple):
    """An IP address of this machine, and the name of the interface that has it."""

    host: str
    interface: str


class Link(NamedTuple):
    """A URL of the page for other devices, and the interface's name, empty if configured."""

    url: str
    interface: str = ""


def parse_address(listen: str) -> Address:
    """Parse the configuration's `listen`.

    >>> parse_address("[::1]:8011")
    Address(host='::1', port=8011)
    """
    host, _, port = listen.rpartition(":")
    # The resolver may know `localhost` as ::1, while browsers try both.
    host = "127.0.0.1" if host == "localhost" else host.strip("[]")
    return Address(host, int(port))


def local_url(listen: Address) -> str:
    """The URL of the page for a browser on this machine.

    >>> local_url(Address("0.0.0.0", 8011))
    'http://127.0.0.1:8011/'
    """
    # All interfaces are no address that a browser can open.
    host = {ANY_IPV4: "127.0.0.1", ANY: "::1"}.get(listen.host, listen.host)
    return f"http://{Address(host, listen.port)}/"


def links_for_others(
    listen: Address, public_url: PublicUrl | None, interfaces: Iterable[InterfaceAddress]
) -> tuple[Link, ...]:
    """The URLs under which other devices reach the page, the likeliest first.

    Args:
        listen: The address that the page listens on.
        public_url: The URL of a proxy; it is the only one then.
        interfaces: The machine's addresses, the likeliest first.
    """
    if public_url is not None:
        return (Link(f"{public_url.origin}/"),)
    if is_loopback(listen.host):
        return ()
    if listen.host not in {ANY_IPV4, ANY}:
        return (Link(f"http://{listen}/"),)
    return tuple(
        Link(f"http://{Address(host, listen.port)}/", interface)
        for host, interface in interfaces
        if listen.host == ANY or ":" not in host
    )


def short_address(
    listen: Address, public_url: PublicUrl | None, interfaces: Iterable[InterfaceAddress]
) -> str:
    """The page's address for other machines, as a person types it."""
    if public_url is not None:
        return public_url.short
    if listen.host not in {ANY_IPV4, ANY}:
        return str(listen)
    links = links_for_others(listen, None, interfaces)
    if links:
        return links[0].url.removeprefix("http://").rstrip("/")
    return str(Address(f"{socket.gethostname()}.local", listen.port))


def interface_addresses() -> tuple[InterfaceAddress, ...]:
    """The addresses of this machine that others can use, as `usable_addresses`.

    None if the system does not reveal them, as a systemd unit that lacks AF_NETLINK does.
    """
    try:
        adapters = list(ifaddr.get_adapters())
    except OSError:
        return ()
    found = (
        InterfaceAddress(ip.ip if isinstance(ip.ip, str) else ip.ip[0], adapter.nice_name)
        for adapter in adapters
        for ip in adapter.ips
    )
    return usable_addresses(found, _outgoing_address())


def usable_addresses(
    found: Iterable[InterfaceAddress], outgoing: str | None
) -> tuple[InterfaceAddress, ...]:
    """One IPv4 and one IPv6 address of each interface, the likeliest first.

    Left out are loopback, and the link-local addresses of IPv6, which browsers do not accept.

    Args:
        found: All addresses, in the system's order.
        outgoing: The address from which this machine reaches others, None without a network.
    """
    usable: dict[tuple[str, int], InterfaceAddress] = {}
    for one in found:
        address = ip_address(one.host.partition("%")[0])
        if address.is_loopback or (address.version == 6 and address.is_link_local):
            continue
        key = one.interface, address.version
        if key not in usable or one.host == outgoing:
            usable[key] = one

    # The one that leads to other machines first, then addresses with a network, then IPv4: it is
    # shorter to type.
    def rank(one: InterfaceAddress) -> tuple[bool, bool, bool]:
        address = ip_address(one.host)
        return one.host != outgoing, address.is_link_local, address.version == 6

    return tuple(sorted(usable.values(), key=rank))


def _outgoing_address() -> str | None:
    """The IPv4 address from which this machine reaches others, None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a datagram socket sends nothing; it only selects the outgoing interface.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])
