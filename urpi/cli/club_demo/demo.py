"""Runs a club with virtual tables until Ctrl-C, and removes everything then."""

import os
import signal
import socket
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from typing import Final

import click

from urpi.cli.club_demo.programs import (
    Broker,
    Club,
    Database,
    Program,
    accepts,
    check_programs,
    shared_folder,
    wait_until,
)
from urpi.cli.club_demo.table import TableProgram, demo_tables
from urpi.cli.stop_request import StopRequest
from urpi.club.server.database import connect
from urpi.club.server.entered_names import enter_name
from urpi.club.web.app import OFF
from urpi.core.errors import UrpiError
from urpi.http.addresses import Address, local_url, parse_address

CHECK_S: Final = 0.3
STOP_S: Final = 90.0
"""Time to stop: the tables at once, then the others one after another, each 20 s at most. A program
that is still running then would be left behind."""


def show_club(count: int, listen: str, seed: int, speed: float) -> None:
    """Show a wall until Ctrl-C, SIGTERM or the end of the terminal.

    Args:
        count: Number of tables.
        listen: The address of the page.
        seed: The seed of the first table's first game.
        speed: The factor between virtual and real time.

    Raises:
        UrpiError: If a program is not installed, the address is in use, or a program ends.
    """
    if listen == OFF:
        message = "The demo needs a page; add --listen 127.0.0.1:8032."
        raise UrpiError(message)
    check_programs()
    address = parse_address(listen)
    _check_free(address)
    stop = StopRequest(STOP_S)
    stop.handle_signals()
    # Without a handler, the end of the terminal would leave the programs behind.
    signal.signal(signal.SIGHUP, lambda *_: setattr(stop, "requested", True))
    with ExitStack() as stack:
        folder = stack.enter_context(shared_folder())
        tables = demo_tables(count, seed, speed)
        running: list[Program] = []

        def run(program: Program) -> None:
            # Ended in reverse order, the tables first.
            stack.callback(program.end)
            running.append(program)
            program.start()

        click.echo(f"Starting mosquitto, PostgreSQL and the club in {folder}.")
        broker = Broker(folder, [table.id for table in tables])
        database = Database(folder)
        club = Club(folder, broker, database, listen=str(address))
        for program in (broker, database, club):
            if not stop.requested:
                run(program)
        wait_until(
            lambda: stop.requested or not club.runs or accepts(address.port), "The club's page"
        )
        if club.runs and not stop.requested:
            with closing(connect(database.url)) as connection:
                # Every name at every table, so that all games are rated.
                enter_name(connection, "*", "*")
        for table in tables:
            if not stop.requested:
                run(TableProgram(folder, broker, table))
        if not stop.requested:
            click.echo(
                f"The wall is at {local_url(address)} (Ctrl-C ends it; {count} tables play)."
            )
        while not stop.requested:
            _check_running(running)
            time.sleep(CHECK_S)
        click.echo("Ending all programs.")
        _end_tables(running)


def _check_free(address: Address) -> None:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    try:
        socket.create_server(address, family=family).close()
    except OSError as error:
        message = (
            f"The page cannot be served at {address}: {os.strerror(error.errno or 0)}; "
            "add --listen with another address."
        )
        raise UrpiError(message) from error


def _end_tables(programs: Sequence[Program]) -> None:
    """Let all tables end at the same time."""
    for program in programs:
        if isinstance(program, TableProgram):
            program.request_end()


def _check_running(programs: Sequence[Program]) -> None:
    for program in programs:
        if not program.runs:
            message = f"{program.name} has ended: {program.last_line.strip()}"
            raise UrpiError(message)
