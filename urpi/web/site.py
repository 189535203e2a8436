"""The site: everything that the request handlers of one table's page need."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from starlette.datastructures import Headers

from urpi.web.access import Access, new_pin
from urpi.web.addresses import (
    Address,
    InterfaceAddress,
    Link,
    interface_addresses,
    links_for_others,
    short_address,
)
from urpi.web.desk import Desk
from urpi.web.feed import Feed
from urpi.web.hosts import AllowedHosts, own_names, split_host
from urpi.web.journal_reader import JournalReader
from urpi.web.limits import Limits, default_limits
from urpi.web.proxies import PORTS, ProxySettings
from urpi.web.static_files import StaticFile, read_files


@dataclass(slots=True)
class Site:
    """The page of one table.

    Attributes:
        desk: The interface to the running program.
        feed: The events for all open pages.
        journal: The reader of stored games.
        files: The static files by name.
        access: The PIN and the sessions.
        hosts: The allowed host names, besides the public URL's.
        limits: Limits on resources.
        proxy: How requests arrive.
        clock: Returns a monotonic time in seconds.
        listen: The address that the page listens on, None while it is not served.
        interfaces: Returns the machine's addresses that others can use, the likeliest first.
    """

    desk: Desk
    feed: Feed
    journal: JournalReader
    files: Mapping[str, StaticFile]
    access: Access
    hosts: AllowedHosts
    limits: Limits
    proxy: ProxySettings
    clock: Callable[[], float] = field(default=time.monotonic)
    listen: Address | None = None
    interfaces: Callable[[], tuple[InterfaceAddress, ...]] = field(default=interface_addresses)

    @property
    def address(self) -> str:
        """The page's address for other machines, as a person types it."""
        if self.listen is None:
            return ""
        return short_address(self.listen, self.proxy.public_url, self.interfaces())

    @property
    def links(self) -> tuple[Link, ...]:
        """The page's URLs for other devices; none if only this machine can reach it."""
        if self.listen is None:
            return ()
        return links_for_others(self.listen, self.proxy.public_url, self.interfaces())

    def allows_host(self, host: str, connected_to: str) -> bool:
        """Whether the page is served under a Host header.

        Args:
            host: The value of the header.
            connected_to: The local address of the connection.
        """
        public = self.proxy.public_url
        if public is not None and public.is_named_by(host):
            return True
        return self.hosts.allows(host, connected_to)

    def origins(self, scheme: str, host: str) -> frozenset[str]:
        """Return the origins from which a request with that Host header may act.

        If the Host header names the public URL, only that URL's own origin may: a page that was
        loaded from there over plain HTTP may have been changed on the way.
        """
        public, direct = self.proxy.public_url, f"{scheme}://{host.lower()}"
        if public is None:
            return frozenset({direct})
        if public.is_named_by(host):
            return frozenset({public.origin})
        return frozenset({public.origin, direct})

    def port(self, host: str) -> int:
        """Return the port of the page as a browser sees it, by the value of its Host header."""
        public = self.proxy.public_url
        if public is not None and public.is_named_by(host):
            return public.port
        _, port = split_host(host) or ("", "")
        return int(port or PORTS["http"])

    def base_url(self, scheme: str, host: str) -> str:
        """Return the URL under which a browser that sends that Host header reaches the page.

        Args:
            scheme: The scheme of the request.
            host: The value of the header, which `allows_host` has accepted.
        """
        public = self.proxy.public_url
        if public is not None and public.is_named_by(host):
            return public.origin
        return f"{scheme}://{host.lower()}"

    def is_secure(self, headers: Headers) -> bool:
        """Whether a request was made by a page that was loaded over TLS."""
        public = self.proxy.public_url
        if public is None or not public.is_https:
            return False
        origin = headers.get("origin")
        if origin is None:
            return public.is_named_by(headers.get("host", ""))
        return origin.lower() == public.origin


def make_site(
    desk: Desk,
    *,
    proxy: ProxySettings | None = None,
    names: tuple[str, ...] = (),
    pin: str | None = None,
    limits: Limits | None = None,
) -> Site:
    """Create the site of a table.

    Args:
        desk: The table.
        proxy: How requests arrive; by default without a proxy, and acting requires the PIN.
        names: Host names under which the page is served, besides this machine's own.
        pin: The PIN; by default a new one.
        limits: The limits; by default those for this process.
    """
    journal = JournalReader(desk.journal)
    access = Access(pin or new_pin())
    hosts = AllowedHosts.of(own_names(), names)
    feed = Feed(desk, journal)
    limits = limits or default_limits()
    files, proxy = read_files(), proxy or ProxySettings()
    return Site(desk, feed, journal, files, access, hosts, limits, proxy)
