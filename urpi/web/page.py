"""The page of one table: all that its routes need."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from starlette.datastructures import Headers

from urpi.web.access import Access, new_pin
from urpi.web.desk import Desk
from urpi.web.feed import Feed
from urpi.web.hosts import Hosts, own_names
from urpi.web.library import Library
from urpi.web.limits import Limits, usual_limits
from urpi.web.proxies import Entrance
from urpi.web.static_files import StaticFile, read_files


@dataclass(slots=True)
class Page:
    """What the routes need.

    `clock` gives seconds, never decreasing; `address` is what people are told.
    """

    desk: Desk
    feed: Feed
    library: Library
    files: Mapping[str, StaticFile]
    access: Access
    hosts: Hosts
    limits: Limits
    entrance: Entrance
    clock: Callable[[], float] = field(default=time.monotonic)
    address: str = ""

    def knows(self, host: str, arrived_at: str) -> bool:
        """Whether a Host header names this page; `arrived_at` is the address connected to."""
        public = self.entrance.public_url
        if public is not None and public.is_named_by(host):
            return True
        return self.hosts.knows(host, arrived_at)

    def origins(self, scheme: str, host: str) -> frozenset[str]:
        """Return the origins from which a request with that Host header may act.

        If the Host header names the public URL, only that URL's own origin may: a page that was
        loaded from there over plain HTTP may have been changed on the way.
        """
        public, direct = self.entrance.public_url, f"{scheme}://{host.lower()}"
        if public is None:
            return frozenset({direct})
        if public.is_named_by(host):
            return frozenset({public.origin})
        return frozenset({public.origin, direct})

    def is_secure(self, headers: Headers) -> bool:
        """Whether a request was made by a page that was loaded over TLS."""
        public = self.entrance.public_url
        if public is None or not public.is_https:
            return False
        origin = headers.get("origin")
        if origin is None:
            return public.is_named_by(headers.get("host", ""))
        return origin.lower() == public.origin


def make_page(
    desk: Desk,
    *,
    entrance: Entrance | None = None,
    names: tuple[str, ...] = (),
    pin: str | None = None,
    limits: Limits | None = None,
) -> Page:
    """A page of a table.

    Args:
        desk: the table.
        entrance: how requests arrive; by default without a proxy, and acting requires the PIN.
        names: by which the page may be asked for, besides this machine's own.
        pin: None for a new one.
        limits: None for the usual ones.
    """
    library = Library(desk.journal)
    access = Access(pin or new_pin())
    hosts = Hosts.of(own_names(), names)
    feed = Feed(desk, library)
    limits = limits or usual_limits()
    return Page(desk, feed, library, read_files(), access, hosts, limits, entrance or Entrance())
