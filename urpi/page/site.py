"""The site: everything that the request handlers of one table's page need."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from starlette.requests import Request

from urpi.http.access import Access
from urpi.http.addresses import (
    Address,
    InterfaceAddress,
    Link,
    interface_addresses,
    links_for_others,
    short_address,
)
from urpi.http.guarded_site import GuardedSite
from urpi.http.hosts import AllowedHosts, own_names
from urpi.http.limits import Limits, default_limits
from urpi.http.proxies import ProxySettings
from urpi.http.static_files import read_files
from urpi.page.feed import Feed
from urpi.page.journal_reader import JournalReader
from urpi.page.templates import with_parts
from urpi.service.board import BoardService
from urpi.service.engine_player import Engine
from urpi.service.engine_process import analysis_process
from urpi.show.words import Words, languages, words_for

LANGUAGE_COOKIE: Final = "urpi-language"
"""The cookie with the language that a browser's user has chosen."""
STATIC: Final = Path(__file__).parent / "static"
"""The folder of the files that browsers load, also those of the club's page."""


@dataclass(slots=True, kw_only=True)
class Site(GuardedSite):
    """The page of one table.

    Attributes:
        desk: The interface to the running program.
        feed: The events for all open pages.
        journal: The reader of stored games.
        engine: Analyses positions.
        listen: The address that the page listens on, None while it is not served.
        interfaces: Returns the machine's addresses that others can use, the likeliest first.
    """

    desk: BoardService
    feed: Feed
    journal: JournalReader
    engine: Engine
    listen: Address | None = None
    interfaces: Callable[[], tuple[InterfaceAddress, ...]] = field(default=interface_addresses)

    def words_of(self, request: Request) -> Words:
        """The texts in the language of the address, else of the browser, else of the table."""
        return self.own_words_of(request) or self.desk.preferences.words

    def own_words_of(self, request: Request) -> Words | None:
        """Those of the address, else of the browser, None if they follow the table."""
        cookie = request.cookies.get(LANGUAGE_COOKIE)
        chosen = request.query_params.get("language", cookie)
        return words_for(chosen) if chosen in languages() else None

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


def make_site(
    desk: BoardService,
    *,
    proxy: ProxySettings | None = None,
    names: tuple[str, ...] = (),
    pin: str = "",
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
    journal = JournalReader(desk.service.path)
    return Site(
        desk=desk,
        feed=Feed(desk, journal),
        journal=journal,
        engine=analysis_process(desk.service.path),
        files=with_parts(read_files(STATIC)),
        access=Access(pin),
        hosts=AllowedHosts.of(own_names(), names),
        limits=limits or default_limits(),
        proxy=proxy or ProxySettings(),
    )
