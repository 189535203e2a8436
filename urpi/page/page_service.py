"""The page of a running program: connected to its board, and served as configured."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from urpi.config import PageSection
from urpi.core.errors import UrpiError
from urpi.http.addresses import parse_address
from urpi.http.proxies import ProxySettings, PublicUrl
from urpi.http.server import PageServer
from urpi.page.app import make_app
from urpi.page.site import Site, make_site
from urpi.referee import Snapshot
from urpi.referee.decisions import Decision
from urpi.service.board import BoardService
from urpi.show.menu import PageAccess

OFF: Final = "off"
_log: Final = logging.getLogger(__name__)


class PageService:
    """Serves the page while `opened`, unless it is switched off or its address is in use.

    Attributes:
        site: The site, None while it is not served.
        url: The URL for other devices, or for a browser on this machine if they cannot reach the
            page; empty while not served.
    """

    def __init__(self, settings: PageSection) -> None:
        self._settings = settings
        self.site: Site | None = None
        self.url = ""

    def watch(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        """Publish a change at the table. The thread that referees calls this."""
        if self.site is not None:
            self.site.feed.publish(self.site.desk.change(snapshot, decisions))

    def about(self) -> PageAccess:
        """The address for other machines and the PIN, to be shown at the table."""
        if self.site is None:
            return PageAccess()
        return PageAccess(self.site.address, self.site.access.pin)

    @contextmanager
    def opened(self, desk: BoardService) -> Iterator[None]:
        """Serve the page of a board.

        If it cannot be served, the reason is logged, because a game needs no page.
        """
        if self._settings.listen == OFF:
            yield
            return
        listen = parse_address(self._settings.listen)
        site = site_of(desk, self._settings)
        server = PageServer(make_app(site), site.feed, listen, site.limits)
        # Before the server opens: the feed reads the table's state once, and every change after
        # that must be published to it.
        self.site = site
        try:
            server.open()
        except UrpiError as error:
            self.site = None
            _log.warning("%s The game goes on without it.", error)
            yield
            return
        # Not the configured address: its port may be 0, for any free one.
        site.listen = server.address
        self.url = site.links[0].url if site.links else server.url
        try:
            yield
        finally:
            self.site, self.url = None, ""
            server.close()


def site_of(desk: BoardService, settings: PageSection) -> Site:
    """Create the site of a table as configured; it is not served yet."""
    public_url = PublicUrl.parse(settings.public_url) if settings.public_url else None
    proxy = ProxySettings(public_url, settings.trust_loopback)
    return make_site(desk, proxy=proxy, names=settings.names)
