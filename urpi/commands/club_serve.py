"""`urpi club serve`: receive, store and verify the games of a club's tables."""

import contextlib
import logging
import time
from typing import Final

import click

from urpi.club.topics import CLUB
from urpi.club_server.database import DatabaseError, connect
from urpi.club_server.migrations import migrate
from urpi.club_table.broker_settings import club_settings
from urpi.commands.stop_request import StopRequest
from urpi.config import ClubServerSection

POLL_S: Final = 0.2

_log: Final = logging.getLogger(__name__)


def serve_club(section: ClubServerSection) -> None:
    """Receive games until SIGTERM or Ctrl-C.

    Raises:
        UrpiError: If the section is incomplete, a library is missing, or the database belongs to
            a newer version. A broker or database that does not respond is waited for.
    """
    logging.basicConfig(level=logging.INFO, format="%(levelname)s: %(message)s")
    settings = club_settings(section)
    try:
        with contextlib.closing(connect(section.database)) as connection:
            migrate(connection)
    except DatabaseError as error:
        # As when the machine starts, and the database is not ready yet.
        _log.warning("%s It is tried again.", error)
    # Imported here: without psycopg, `connect` has reported that by now.
    from urpi.club_server.receiver import Receiver
    from urpi.club_server.verifier import Verifier
    from urpi.club_web.page import club_page

    stop = StopRequest()
    stop.handle_signals()
    receiver, verifier = Receiver(settings, section.database), Verifier(section.database)
    with club_page(section, settings) as url:
        receiver.open()
        verifier.open()
        click.echo(f"The club receives games at {settings.host}:{settings.port} as {CLUB}.")
        if url:
            click.echo(f"The wall is at {url}")
        try:
            while not stop.requested:
                time.sleep(POLL_S)
        finally:
            receiver.close()
            verifier.close()
    click.echo(f"{receiver.stored} messages were stored, {receiver.rejected} rejected.")
