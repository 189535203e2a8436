"""The page of a running program: joined with its board, served where the configuration says."""

import logging
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from starlette.routing import BaseRoute

from urpi.config import Page as PageSettings
from urpi.errors import UrpiError
from urpi.menu import PageAccess
from urpi.referee import Snapshot
from urpi.referee.decisions import Decision
from urpi.web.app import make_app
from urpi.web.desk import BoardDesk, Desk
from urpi.web.page import Page, make_page
from urpi.web.proxies import Entrance, PublicUrl
from urpi.web.server import Address, PageServer
from urpi.web.table_desk import TableDesk

OFF: Final = "off"
_log: Final = logging.getLogger(__name__)


class TablePage:
    """What is served while `opened`; nothing where the page is off, or its address is taken."""

    def __init__(self, settings: PageSettings) -> None:
        self._settings = settings
        self._desk: BoardDesk | TableDesk | None = None
        self.page: Page | None = None
        self.url = ""
        """The public URL, or else the URL for a browser on this machine; empty while not served."""

    def watch(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        """Something has changed at the table; told by the thread that referees."""
        if self._desk is not None and self.page is not None:
            self.page.feed.tell(self._desk.change(snapshot, decisions))

    def about(self) -> PageAccess:
        """The address for other machines and the PIN, to be shown at the table."""
        if self.page is None:
            return PageAccess()
        return PageAccess(self.page.address, self.page.access.pin)

    @contextmanager
    def opened(
        self, desk: BoardDesk | TableDesk, routes: tuple[BaseRoute, ...] = ()
    ) -> Iterator[None]:
        """Serve the page of that desk; `routes` are those of a virtual table.

        What cannot be served is told in the log: a game needs no page.
        """
        if self._settings.listen == OFF:
            yield
            return
        listen = address_of(self._settings.listen)
        page = page_of(desk, self._settings)
        server = PageServer(make_app(page, routes=routes), page.feed, listen, page.limits)
        # Before it is served: the feed looks once at the table, and is told of all behind that.
        self._desk, self.page = desk, page
        try:
            server.open()
        except UrpiError as error:
            self.page = None
            _log.warning("%s The game goes on without it.", error)
            yield
            return
        page.address = address_for_others(server.address, page.entrance.public_url)
        self.url = public_link(page) or server.url
        try:
            yield
        finally:
            self.page, self.url = None, ""
            server.close()


def address_of(listen: str) -> Address:
    """What `listen` of the configuration says.

    >>> address_of("[::1]:8011")
    Address(host='::1', port=8011)
    """
    host, _, port = listen.rpartition(":")
    host = "127.0.0.1" if host == "localhost" else host.strip("[]")
    return Address(host, int(port))


def page_of(desk: Desk, settings: PageSettings) -> Page:
    """The page of a table, as configured; it is not served yet."""
    public_url = PublicUrl.parse(settings.public_url) if settings.public_url else None
    entrance = Entrance(public_url, settings.trust_loopback)
    return make_page(desk, entrance=entrance, names=settings.names)


def public_link(page: Page) -> str:
    """The page's public URL, empty without a proxy."""
    public = page.entrance.public_url
    return "" if public is None else f"{public.origin}/"


def address_for_others(address: Address, public_url: PublicUrl | None = None) -> str:
    """The page's address for other machines, as a person types it."""
    if public_url is not None:
        return public_url.short
    if address.host not in {"0.0.0.0", "::"}:  # noqa: S104 - compared, not listened on
        return str(address)
    return str(Address(own_address() or f"{socket.gethostname()}.local", address.port))


def own_address() -> str | None:
    """The address by which this machine speaks to others, None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # A datagram socket sends nothing here: it is only bound to the way out.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])
