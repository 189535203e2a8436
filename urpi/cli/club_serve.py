"""`urpi club serve`: receive, store and verify the games of a club's tables."""

import contextlib
import logging
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import click

from urpi.cli.output import echo_error
from urpi.cli.stop_request import StopRequest
from urpi.club.server.database import DatabaseError, connect
from urpi.club.server.log_lines import begin_json_log
from urpi.club.server.migrations import migrate
from urpi.config import ClubServerSection
from urpi.core.errors import UrpiError
from urpi.core.names import CLUB
from urpi.install.running_parts import PartsReporter
from urpi.install.supervisor import Supervisor
from urpi.link.broker.broker_settings import club_settings

POLL_S: Final = 0.2

_log: Final = logging.getLogger(__name__)


def _report(reporter: PartsReporter, complain: Callable[[str], None]) -> None:
    """Report the faults, and end the process at once if a part hangs that only this helps.

    Tables repeat what is not acknowledged.
    """
    fault = reporter.report()
    if fault is not None:
        complain(f"{fault.text}; the program is started again.")
        sys.stdout.flush()
        os._exit(1)


def serve_club(section: ClubServerSection, tables: Path) -> None:
    """Receive games until SIGTERM or Ctrl-C. If it logs JSON, it prints nothing else.

    Args:
        section: The configuration.
        tables: The folder of the tables of exact values, for reviews.

    Raises:
        UrpiError: If the section is incomplete, a library is missing, or the database belongs to
            a newer version. A broker or database that does not respond is waited for.
    """
    if section.log != "json":
        logging.basicConfig(level=logging.INFO, format="%(levelname)s: %(message)s")
        _serve(section, tables, click.echo, echo_error)
        return
    begin_json_log()
    try:
        _serve(section, tables, _log.info, _log.critical)
    except UrpiError as error:
        _log.critical(str(error))
        sys.exit(2)


def _serve(
    section: ClubServerSection,
    tables: Path,
    say: Callable[[str], None],
    complain: Callable[[str], None],
) -> None:
    as_json = section.log == "json"
    settings = club_settings(section)
    try:
        with contextlib.closing(connect(section.database)) as connection:
            migrate(connection)
    except DatabaseError as error:
        # As when the machine starts, and the database is not ready yet.
        _log.warning("%s It is tried again.", error)
    # Imported here: without psycopg, `connect` has reported that by now.
    from urpi.club.server.next_games import NextGames
    from urpi.club.server.receiver import Receiver
    from urpi.club.server.reviewer import make_reviewer
    from urpi.club.server.verifier import make_verifier
    from urpi.club.web.app import club_page
    from urpi.club.web.wall import Wall, steady_clock

    supervisor = Supervisor(os.environ, lambda: time.monotonic_ns() // 1_000_000)
    reporter = PartsReporter(supervisor, os.environ.get("RUNTIME_DIRECTORY"), time.monotonic)
    stop = StopRequest()
    stop.handle_signals()
    wall = Wall(steady_clock())
    receiver = Receiver(settings, section.database, wall.set_storage)
    next_games = NextGames(settings, section.database)
    workers = (
        make_verifier(section.database, as_json=as_json),
        make_reviewer(section.database, tables, as_json=as_json),
    )
    with club_page(section, settings, tables, wall, receiver.received) as url:
        receiver.open()
        next_games.open()
        for worker in workers:
            worker.open()
        say(f"The club receives games at {settings.host}:{settings.port} as {CLUB}.")
        if url:
            say(f"The wall is at {url}")
        supervisor.ready(f"Receiving games at {settings.host}:{settings.port}")
        try:
            while not stop.requested:
                time.sleep(POLL_S)
                supervisor.alive()
                _report(reporter, complain)
        finally:
            supervisor.stopping()
            receiver.close()
            next_games.close()
            for worker in workers:
                worker.close()
    say(f"{receiver.stored} messages were stored, {receiver.rejected} rejected.")
