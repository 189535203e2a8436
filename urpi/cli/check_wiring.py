"""`urpi check-wiring`: the configuration against the pin map, before anything is soldered."""

import sys

import click

from urpi.cli.options import settings_of


@click.command("check-wiring")
@click.option("--table", is_flag=True, help="Print every wire with its pins.")
@click.option("--json", "json_output", is_flag=True, help="Print one JSON object.")
@click.pass_context
def check_wiring(ctx: click.Context, table: bool, json_output: bool) -> None:
    """Check the configured wiring, and list its wires.

    No pin and no bus is opened, and no board is needed. On a Pi, functions of the header (SPI,
    1-Wire, the serial console) that are enabled on the pins of wires are reported too.

    Exit status: 0 if there is no fault; 1 if the board works, but some of its wiring is poor; 2 if
    the board does not work with this wiring.

    For example: urpi check-wiring
    """
    from urpi.cli.wiring_report import report_wiring

    sys.exit(report_wiring(settings_of(ctx), table=table, json_output=json_output))
