"""The page of a running program: connected to its board, and served as configured.

It is imported and opened in a thread of its own, after the board: a third of what the program
imports is for the page, and a game that continues after a power cut does not wait for it.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from urpi.config import PageSection
from urpi.core.errors import UrpiError
from urpi.core.supervision import SupervisedThread
from urpi.referee import Snapshot
from urpi.referee.decisions import Decision
from urpi.service.board import BoardService
from urpi.show.menu import PageAccess

if TYPE_CHECKING:
    from urpi.http.server import PageServer
    from urpi.page.site import Site

OFF: Final = "off"
CLOSE_S: Final = 2.0
"""Longest time in seconds until a page that is being opened, such as while a name server does not
answer, is given up when the program stops."""
_log: Final = logging.getLogger(__name__)


LIBRARIES: Final = ("starlette", "uvicorn", "segno", "ifaddr")
"""What the page needs besides what every command does."""


def check_libraries(settings: PageSection) -> None:
    """Check that the page's libraries are installed, without importing them.

    They are imported once a game is shown, when a missing one would be a fault of the page, tried
    again and again, in place of an error of the installation.

    Raises:
        ModuleNotFoundError: If one is missing, and the page is not switched off.
    """
    if settings.listen == OFF:
        return
    for name in LIBRARIES:
        if find_spec(name) is None:
            message = f"No module named {name!r}"
            raise ModuleNotFoundError(message, name=name)


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
        self._server: PageServer | None = None

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
    def opened(
        self, desk: BoardService, on_open: Callable[[str], None] = lambda _url: None
    ) -> Iterator[None]:
        """Serve the page of a board, some time after this has begun.

        If it cannot be served, the reason is logged, because a game needs no page.

        Args:
            desk: The board.
            on_open: Called in a thread of this object with `url`, once the page is served.
        """
        if self._settings.listen == OFF:
            yield
            return
        opening = SupervisedThread(lambda: self._open(desk, on_open), "page's start")
        opening.start()
        try:
            yield
        finally:
            opening.end(CLOSE_S)
            site, self.site, self.url = self.site, None, ""
            if self._server is not None:
                self._server.close()
            if site is not None:
                site.engine.close()

    def _open(self, desk: BoardService, on_open: Callable[[str], None]) -> None:
        from urpi.http.addresses import parse_address  # noqa: PLC0415 - see the module's docstring
        from urpi.http.server import PageServer  # noqa: PLC0415 - the same
        from urpi.page.app import make_app  # noqa: PLC0415 - the same

        site = site_of(desk, self._settings)
        listen = parse_address(self._settings.listen)
        server = PageServer(make_app(site), site.feed, listen, site.limits)
        # Before the server opens: the feed reads the table's state once, and every change after
        # that must be published to it.
        self.site = site
        try:
            server.open()
        except UrpiError as error:
            self.site = None
            _log.warning("%s The game goes on without it.", error)
            return
        self._server = server
        # Not the configured address: its port may be 0, for any free one.
        site.listen = server.address
        self.url = site.links[0].url if site.links else server.url
        on_open(self.url)


def site_of(desk: BoardService, settings: PageSection) -> "Site":
    """Create the site of a table as configured; it is not served yet."""
    from urpi.http.access import Access, access_file  # noqa: PLC0415 - as above
    from urpi.http.proxies import ProxySettings, PublicUrl  # noqa: PLC0415 - as above
    from urpi.page.site import make_site  # noqa: PLC0415 - the same

    public_url = PublicUrl.parse(settings.public_url) if settings.public_url else None
    proxy = ProxySettings(public_url, settings.trust_loopback)
    site = make_site(desk, proxy=proxy, names=settings.names)
    site.access = Access(file=access_file(desk.service.path))
    return site
