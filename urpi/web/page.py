"""The page of one table: all that its routes need."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from urpi.web.access import Access, new_pin
from urpi.web.desk import Desk
from urpi.web.feed import Feed
from urpi.web.hosts import Hosts, own_names
from urpi.web.library import Library
from urpi.web.limits import Limits, usual_limits
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
    clock: Callable[[], float] = field(default=time.monotonic)
    address: str = ""


def make_page(
    desk: Desk,
    *,
    open_here: bool = True,
    names: tuple[str, ...] = (),
    pin: str | None = None,
    limits: Limits | None = None,
) -> Page:
    """A page of a table.

    Args:
        desk: the table.
        open_here: whoever is on this machine may act without the PIN, because the page is
            served to nobody else.
        names: by which the page may be asked for, besides this machine's own.
        pin: None for a new one.
        limits: None for the usual ones.
    """
    library = Library(desk.journal)
    access = Access(pin or new_pin(), open_here=open_here)
    hosts = Hosts.of(own_names(), names)
    feed = Feed(desk, library)
    return Page(desk, feed, library, read_files(), access, hosts, limits or usual_limits())
