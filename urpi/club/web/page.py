"""The club's page of a running program, served as configured."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from urpi.club.server.watcher import Watcher
from urpi.club.web.app import make_club_app
from urpi.club.web.site import make_site
from urpi.club.web.wall import Wall
from urpi.config import ClubServerSection
from urpi.core.errors import UrpiError
from urpi.http.addresses import parse_address
from urpi.http.server import PageServer
from urpi.link.broker.broker_settings import BrokerSettings

OFF: Final = "off"
_log: Final = logging.getLogger(__name__)


@contextmanager
def club_page(
    section: ClubServerSection, settings: BrokerSettings, tables: Path, wall: Wall
) -> Iterator[str]:
    """Serve the club's page, and yield its URL for a browser on this machine.

    The URL is empty if the page is switched off, or cannot be served; then the reason is logged,
    because games are stored without it.

    Args:
        section: The configuration.
        settings: The broker.
        tables: The folder of the tables of exact values.
        wall: The live tables.
    """
    if section.listen == OFF:
        yield ""
        return
    site = make_site(section, wall, tables)
    listen = parse_address(section.listen)
    server = PageServer(make_club_app(site), wall, listen, site.limits, site.section)
    try:
        server.open()
    except UrpiError as error:
        _log.warning("%s Games are stored without it.", error)
        yield ""
        return
    watcher = Watcher(settings, wall)
    watcher.open()
    try:
        yield server.url
    finally:
        watcher.close()
        server.close()
