"""`urpi demo` with a page: the virtual table in a browser, and how other devices reach it."""

import os
import signal
import sys
import webbrowser
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Final, TextIO

import click

from urpi.cli.demo_screen import PictureFolder
from urpi.cli.stop_request import StopRequest
from urpi.config import Config
from urpi.core.errors import UrpiError
from urpi.core.qr_code import qr_modules, terminal_lines
from urpi.http.access import linked_pin
from urpi.http.addresses import Address, Link, parse_address
from urpi.http.server import PageServer
from urpi.journal import lock_journal
from urpi.link.broker.club_link import ClubLink
from urpi.page.app import make_app
from urpi.page.page_service import OFF, PageService, site_of
from urpi.page.site import Site
from urpi.page.virtual_bodies import virtual_operations
from urpi.referee import Snapshot
from urpi.referee.decisions import Decision
from urpi.service.board import club_state
from urpi.service.interactive import InteractiveService, InteractiveSetting
from urpi.service.service import OnChange

# The variables by which X11 and Wayland tell programs of a screen.
SCREENS: Final = ("DISPLAY", "WAYLAND_DISPLAY")


@dataclass(frozen=True, slots=True)
class Showing:
    """The page's address, whether to open a browser, and the folder for pictures, if any."""

    listen: str
    browser: bool
    pictures: PictureFolder | None = None


def play_on_page(setting: InteractiveSetting, config: Config, path: Path, showing: Showing) -> None:
    """Serve the virtual table until Ctrl-C or SIGTERM.

    Raises:
        UrpiError: If the page is switched off, or the address or the journal is in use.
    """
    if showing.listen == OFF:
        message = (
            "The demo needs a page, and listen in [page] is off; "
            "add --listen 127.0.0.1:8011, or --terminal."
        )
        raise UrpiError(message)
    club = ClubLink(config.club, path, "virtual")
    page = PageService(config.page)
    with lock_journal(path), InteractiveService(setting, config, path, page.about) as service:
        _connect(service, club)
        _serve(service, config, page, showing, club)


def _connect(service: InteractiveService, club: ClubLink) -> None:
    """Connect a table to its club and, through it, to other tables, once the link is opened."""
    service.connect_tables(club)
    club.on_message, club.on_connected = service.receive, service.on_connect
    club.on_next = service.receive_next


def _serve(
    service: InteractiveService,
    config: Config,
    page: PageService,
    showing: Showing,
    club: ClubLink,
) -> None:
    with club.opened():
        service.subscribe(_club_publisher(service, club))
        if showing.pictures is not None:
            service.subscribe(_picture_saver(service, showing.pictures))
        page.site = site = site_of(service.board, config.page)
        # Before the page is served, so that a browser that opens it at once misses no change.
        service.subscribe(page.watch, site.feed.publish_table)
        with (
            _server_of(service, site, parse_address(showing.listen)) as server,
            _stop_request() as stop,
        ):
            site.listen = server.address
            link = linked_pin(server.url, site.access.pin)
            click.echo(
                f"The virtual table is at {link} (Ctrl-C ends it; journal {site.journal.path})"
            )
            for line in invitation(site.links, site.access.pin, standard_room()):
                click.echo(line)
            if showing.browser and has_screen(os.environ):
                # Opening a browser can block until that browser is closed.
                Thread(target=webbrowser.open, args=(link,), daemon=True).start()
            while not stop.requested:
                service.run()


def has_screen(environ: Mapping[str, str]) -> bool:
    """Return whether a browser has a screen; one in a terminal cannot show the page."""
    return sys.platform != "linux" or any(environ.get(name) for name in SCREENS)


def _server_of(service: InteractiveService, site: Site, listen: Address) -> PageServer:
    app = make_app(site, virtual_operations(service))
    return PageServer(app, site.feed, listen, site.limits)


def _picture_saver(service: InteractiveService, pictures: PictureFolder) -> OnChange:
    def save(_snapshot: Snapshot, _decisions: tuple[Decision, ...]) -> None:
        if service.has_power and service.board.devices.screen is not None:
            service.board.devices.screen.flush()
            pictures.save(service.picture())

    return save


def _club_publisher(service: InteractiveService, club: ClubLink) -> OnChange:
    def publish(snapshot: Snapshot, _decisions: tuple[Decision, ...]) -> None:
        if club.is_open:
            club.publish(club_state(service.board, snapshot))

    return publish


@contextmanager
def _stop_request() -> Iterator[StopRequest]:
    """Handle signals that end the program; their earlier handlers are restored afterwards."""
    stop = StopRequest()
    before = stop.handle_signals()
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@dataclass(frozen=True, slots=True)
class Room:
    """The size of a terminal in characters, in which a QR code can be printed."""

    columns: int
    lines: int


def room_of(out: TextIO, term: str) -> Room | None:
    """The size of the terminal, None if `out` cannot show a QR code.

    Args:
        out: The text stream.
        term: The kind of terminal, as in the environment variable TERM.
    """
    encoding = (out.encoding or "").lower().replace("-", "").replace("_", "")
    if term in {"", "dumb"} or encoding != "utf8" or not out.isatty():
        return None
    try:
        size = os.get_terminal_size(out.fileno())
    except OSError:
        return None
    return Room(size.columns, size.lines)


def invitation(links: Sequence[Link], pin: str, room: Room | None) -> Iterator[str]:
    """Yield the lines with the links by which other devices play or watch.

    Args:
        links: The page's URLs, the likeliest first; none if only this machine can reach it.
        pin: The PIN.
        room: The terminal's size, None for no QR code.
    """
    if not links:
        yield "Other devices cannot open it; --listen 0.0.0.0:8011 would let them."
        return
    yield f"To play on another device (PIN {pin}):"
    for link in links:
        interface = f" ({link.interface})" if link.interface else ""
        yield f"  {linked_pin(link.url, pin)}{interface}"
    yield f"To watch only: {links[0].url}"
    if room is not None:
        yield from _code(linked_pin(links[0].url, pin), room)


def _code(link: str, room: Room) -> Iterator[str]:
    """Yield the QR code of a link, if the terminal is large enough to show all of it."""
    modules = qr_modules(link)
    lines = terminal_lines(modules)
    # A code that wraps or scrolls cannot be read by a phone.
    if len(modules[0]) <= room.columns and len(lines) < room.lines:
        yield from lines


def standard_room() -> Room | None:
    """The size of the terminal of standard output, as `room_of`."""
    return room_of(sys.stdout, os.environ.get("TERM", "")) if sys.stdout is not None else None
