"""`urpi serve`: referee the real board, one game after another."""

import os
import sys
import time
from collections.abc import Callable
from typing import Final, NoReturn

import click

from urpi.cli.event_lines import event_lines
from urpi.cli.output import echo_error
from urpi.cli.stop_request import StopRequest
from urpi.config import Config
from urpi.core.moments import local_now, milliseconds
from urpi.core.supervision import Fault
from urpi.install.running_parts import PartsReporter
from urpi.install.supervisor import Supervisor
from urpi.journal import Keeper, lock_journal
from urpi.link.broker.club_link import ClubLink
from urpi.page.page_service import PageService, check_libraries
from urpi.referee import Phase, Snapshot
from urpi.referee.decisions import Decision
from urpi.service.backends import Backends, configured_backends
from urpi.service.board import BoardService, club_state
from urpi.service.board_parts import BoardParts
from urpi.service.machine_clock import read_machine_clock

MAX_WAIT_S: Final = 0.5
"""Longest wait in seconds until a request to stop is noticed."""
RESULT_S: Final = 10.0
"""Seconds for which the result is shown before an empty board begins the next game."""


def serve_board(config: Config, *, new_game: bool) -> None:
    """Referee the configured board until SIGTERM or Ctrl-C; `new_game` ends an unfinished game.

    Raises:
        UrpiError: As `run`, and if another program uses the journal.
    """
    check_libraries(config.page)
    backends = configured_backends(config)
    with lock_journal(config.journal.file):
        run(config, backends, new_game=new_game)


def run(config: Config, backends: Backends, *, new_game: bool = False) -> None:
    """Referee a board on its backends until SIGTERM or Ctrl-C.

    Raises:
        UrpiError: If the journal is invalid, or a configured library is missing.
    """

    def watch(snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        for line in event_lines(snapshot, decisions, board.preferences.words):
            click.echo(line)
        page.watch(snapshot, decisions)
        if club.is_open:
            club.publish(club_state(board, snapshot))

    page = PageService(config.page)
    club = ClubLink(config.club, config.journal.file, "board")
    stop = StopRequest()
    supervisor = Supervisor(os.environ, milliseconds)
    reporter = PartsReporter(supervisor, os.environ.get("RUNTIME_DIRECTORY"), time.monotonic)
    keeper = Keeper.open(config.journal.file, local_now())
    parts = BoardParts(
        *(config, keeper, milliseconds, backends, watch),
        page=page.about,
        machine=read_machine_clock,
    )
    board = BoardService(parts)
    board.remote.connect(club)
    club.on_message, club.on_connected = board.remote.receive, board.remote.on_connect
    club.on_next = board.tables.receive_next
    number = board.service.resume()
    where = f"journal {config.journal.file}"
    with board, club.opened(), page.opened(board, lambda url: click.echo(f"Page {url}")):
        stop.handle_signals()
        if number is not None and new_game:
            board.service.abandon()
            click.echo(f"Game {number} is abandoned")
        elif number is not None or board.service.exploring is not None:
            what = "The exploration" if number is None else f"Game {number}"
            click.echo(f"{what} continues; {where}")
            supervisor.ready(f"{what} continues")
            _play(board, lambda: stop.requested, reporter, where)
        while not stop.requested:
            board.begin(board.next_game)
            _announce(board, supervisor, where)
            _play(board, lambda: stop.requested, reporter, where)
        supervisor.stopping()


def _announce(board: BoardService, supervisor: Supervisor, where: str) -> None:
    """Print which game has begun, with its journal and page, and report it to systemd."""
    position = board.service.snapshot.position
    assert position is not None
    game = f"Game {board.service.game}, {position.rules.text}"
    click.echo(f"{game}; {where}")
    supervisor.ready(game)


def _play(
    board: BoardService, stopped: Callable[[], bool], reporter: PartsReporter, where: str
) -> None:
    """Referee until the game is over and the board empty, so that the next can begin.

    Games begun by menu or page in between are refereed too.
    """
    over_at: float | None = None
    number = board.service.game
    while not stopped():
        board.service.work(_wait_s(board))
        # Only in this loop, so that systemd notices when the referee or the disk hangs.
        reporter.supervisor.alive()
        fault = reporter.report()
        if fault is not None:
            _end_with(board, fault)
        if board.service.game != number:
            number = board.service.game
            _announce(board, reporter.supervisor, where)
        shown = board.service.snapshot
        if shown.phase is Phase.NO_GAME:
            # An exploration that was resumed without a game has ended.
            return
        if shown.phase is not Phase.OVER or shown.explore is not None:
            over_at = None
            continue
        over_at = over_at or time.monotonic()
        is_result_shown = time.monotonic() - over_at > RESULT_S
        if is_result_shown and not board.menu.is_open and board.occupancy() == 0:
            return


def _end_with(board: BoardService, fault: Fault) -> NoReturn:
    """Store everything and end the process at once: its other end waits for the part that hangs."""
    echo_error(f"{fault.text}; the program is started again.")
    board.service.close()
    sys.stdout.flush()
    os._exit(1)


def _wait_s(board: BoardService) -> float:
    due = board.service.next_due
    if due is None:
        return MAX_WAIT_S
    return min(MAX_WAIT_S, max(0.001, (due - board.service.clock()) / 1000))
