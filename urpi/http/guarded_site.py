"""What the guard of a page must know: its names, its proxy, its sessions and its limits."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from starlette.datastructures import Headers

from urpi.http.access import Access
from urpi.http.hosts import AllowedHosts, split_host
from urpi.http.limits import Limits
from urpi.http.proxies import PORTS, ProxySettings
from urpi.http.static_files import StaticFile


@dataclass(slots=True, kw_only=True)
class GuardedSite:
    """A page that is served behind the guard: that of a table or that of a club.

    Attributes:
        files: The static files by name.
        access: The PIN and the sessions.
        hosts: The allowed host names, besides the public URL's.
        limits: Limits on resources.
        proxy: How requests arrive.
        section: The section of the configuration with the page's address and names.
        no_session: The error of an action without a session, as a sentence.
        clock: Returns a monotonic time in seconds.
    """

    files: Mapping[str, StaticFile]
    access: Access
    hosts: AllowedHosts
    limits: Limits
    proxy: ProxySettings
    section: str = "page"
    no_session: str = "Enter the PIN first; the table's display shows it."
    clock: Callable[[], float] = field(default=time.monotonic)

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
        """The origins from which a request with that Host header may act.

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
        """The port of the page as a browser sees it, by the value of its Host header."""
        public = self.proxy.public_url
        if public is not None and public.is_named_by(host):
            return public.port
        _, port = split_host(host) or ("", "")
        return int(port or PORTS["http"])

    def base_url(self, scheme: str, host: str) -> str:
        """The URL under which a browser that sends that Host header reaches the page.

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
