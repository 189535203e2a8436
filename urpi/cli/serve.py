"""`urpi serve`: referee the real board, one game after another."""

import os
import time
import traceback
from typing import TYPE_CHECKING, Final

import click

from urpi.cli.options import NumberIn, clock_option, settings_of, with_clock
from urpi.cli.output import echo_error
from urpi.config import Config
from urpi.core.errors import UrpiError
from urpi.install.failed_starts import WAIT_S, FailedStarts, count_failed_start
from urpi.install.supervisor import Supervisor
from urpi.show.words.sentences import N_

if TYPE_CHECKING:
    from urpi.hardware.outputs.output import Shown

NO_START: Final = N_("Does not start")
POLL_S: Final = 0.5


@click.command()
@click.option("--new-game", is_flag=True, help="Abandon an unfinished game and begin a new one.")
@click.option(
    "--failure-delay",
    type=NumberIn(0, 60),
    default=0,
    metavar="SECONDS",
    help="Wait after an error before the exit, so that systemd does not restart it at once.",
)
@clock_option
@click.pass_context
def serve(ctx: click.Context, *, new_game: bool, failure_delay: float, clock: str | None) -> None:
    """Referee the board that is wired to this machine, one game after another.

    The configuration specifies the rule set, the players, the pins, the hub's port, the display
    and the page. An unfinished game is continued, even after a power cut. When a game is over and
    all pieces have been removed, the next one begins. The program stops on SIGTERM or Ctrl-C, with
    everything stored.

    For example: urpi serve
    """
    from urpi.cli.serve_board import serve_board

    began, config = time.monotonic(), None
    try:
        config = with_clock(settings_of(ctx).config, clock)
        serve_board(config, new_game=new_game)
    except Exception as error:
        if not failure_delay:
            raise
        is_known = isinstance(error, UrpiError)
        if is_known:
            echo_error(error)
        else:
            click.echo(traceback.format_exc().rstrip(), err=True)
        reason = str(error) if is_known else f"{type(error).__name__}: {error}"
        failed = count_failed_start(
            os.environ.get("RUNTIME_DIRECTORY"), reason, time.monotonic() - began
        )
        if failed.must_wait:
            _wait_for_help(config, failed)
        elif is_known:
            time.sleep(failure_delay)
        ctx.exit(2)


def _wait_for_help(config: Config | None, failed: FailedStarts) -> None:
    """Show at the display and to systemd why the program does not start, for `WAIT_S`."""
    supervisor = Supervisor(os.environ, lambda: time.monotonic_ns() // 1_000_000)
    supervisor.ready(f"{failed.count} starts have failed: {failed.reason}; see urpi doctor")
    panel = _show_failure(config or Config(), failed.reason)
    until = time.monotonic() + WAIT_S
    try:
        while time.monotonic() < until:
            supervisor.alive()
            time.sleep(POLL_S)
    finally:
        if panel is not None:
            panel.close()


def _show_failure(config: Config, reason: str) -> "Shown | None":
    """Show the reason at the display; without one, or if it cannot be used, return None."""
    # Whatever keeps the program from starting may concern the display, too.
    try:
        from urpi.hardware.outputs.oled import Oled
        from urpi.service.backends import configured_backends
        from urpi.show.views.notice import draw_progress
        from urpi.show.words import words_for

        if not Oled().is_used(config):
            return None
        panel = Oled().open(config, configured_backends(config), lambda _fault: None)
        title = words_for(config.table.language).text(NO_START)
        panel.screen.show(draw_progress(title, reason))
    except Exception as error:
        echo_error(f"The display cannot be used: {error}")
        return None
    return panel
