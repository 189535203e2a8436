"""`urpi check-wiring`: check the configured wiring against the pin map, without opening a pin."""

import sys
from collections.abc import Sequence
from typing import Final

import click

from urpi.commands.choosing import settings_of
from urpi.config import Settings
from urpi.devices import default_pins
from urpi.devices.header import CONSOLE, ONE_WIRE, SPI, OtherUse
from urpi.devices.pins import PinMap
from urpi.devices.wiring_fault import WiringFault
from urpi.doctor.probes.machine import header_functions
from urpi.doctor.tree import Tree
from urpi.wiring import as_json, conflicts, fault_lines, faults, table_lines, wires_of
from urpi.wiring.check import shared_pins, wire_list
from urpi.wiring.printing import WRONG, At, exit_status
from urpi.wiring.wires import Wire

MOCK: Final = "mock"
"""Pin factory of the virtual table, whose pins no function of the header can use."""


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
    """
    settings = settings_of(ctx)
    pins = default_pins()
    found = examine(settings, pins, enabled_functions(Tree()))
    wires = () if exit_status(found) == WRONG else wires_of(settings.config, pins)
    at = _places(settings)
    if json_output:
        click.echo(as_json(found, at, wires))
    else:
        _print(settings, pins, found, wires if table else ())
    sys.stdout.flush()
    sys.exit(exit_status(found))


def examine(settings: Settings, pins: PinMap, enabled: Sequence[OtherUse]) -> list[WiringFault]:
    """Return all faults, given the enabled functions of the header."""
    config = settings.config
    used = () if config.gpio.factory == MOCK else enabled
    return [*faults(config, pins), *conflicts(config, pins, used)]


def enabled_functions(tree: Tree) -> tuple[OtherUse, ...]:
    """Return the enabled functions of the header; none on a machine that is not a Pi."""
    if not tree.text("/proc/device-tree/model").startswith("Raspberry Pi"):
        return ()
    found = header_functions(tree)
    cases = ((found.spi, SPI), (found.one_wire, ONE_WIRE), (found.serial_console, CONSOLE))
    return tuple(use for enabled, use in cases if enabled)


def _print(
    settings: Settings, pins: PinMap, found: Sequence[WiringFault], wires: Sequence[Wire]
) -> None:
    for line in table_lines(wires) if wires else ():
        click.echo(line)
    for use, names in shared_pins(settings.config, pins).items():
        click.echo(f"ok    {use.what} must be disabled on the Pi: {wire_list(names)}")
    for line in fault_lines(found, _places(settings)):
        click.echo(line)


def _places(settings: Settings) -> At:
    return lambda key: settings.origins.get(tuple(key.split(".")), "")
