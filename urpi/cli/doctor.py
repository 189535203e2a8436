"""`urpi doctor`: find the faults of this machine and its board."""

import sys

import click

from urpi.cli.options import settings_of
from urpi.core.errors import UrpiError


@click.command()
@click.option(
    "--squares", is_flag=True, help="Test each square in turn with a piece; calibrate Hall sensors."
)
@click.option("--lights", is_flag=True, help="Light each square in turn, and ask which stay dark.")
@click.option("--live", is_flag=True, help="Show each contact as it changes, until Ctrl-C.")
@click.option("--json", "json_output", is_flag=True, help="Print one JSON object.")
@click.pass_context
def doctor(ctx: click.Context, squares: bool, lights: bool, live: bool, json_output: bool) -> None:
    """Find what is wrong with this machine and its board, and how to correct it.

    Exit status: 0 if there is no problem; 1 if everything works, but some findings are poor;
    2 if something that the configuration requires does not work.

    For example: urpi doctor
    """
    if live and (squares or lights or json_output):
        message = "--live cannot be combined with --squares, --lights or --json: leave them out."
        raise UrpiError(message)
    from urpi.cli.doctor_report import run_doctor

    settings = settings_of(ctx)
    sys.exit(
        run_doctor(settings, squares=squares, lights=lights, live=live, json_output=json_output)
    )
