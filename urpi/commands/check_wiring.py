"""`urpi check-wiring`: the configuration against the pin map, before anything is soldered."""

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
from urpi.wiring import as_json, fault_lines, faults, switched_on, table_lines, wires_of
from urpi.wiring.check import named, shared_pins
from urpi.wiring.telling import WRONG, At, status
from urpi.wiring.wires import Wire

NOT_REAL: Final = "mock"
"""The pins of the virtual table, which nothing else can have."""


@click.command("check-wiring")
@click.option("--table", is_flag=True, help="Print every wire with its pins.")
@click.option("--json", "json_wanted", is_flag=True, help="Print one JSON object.")
@click.pass_context
def check_wiring(ctx: click.Context, table: bool, json_wanted: bool) -> None:
    """Say whether the configured wiring can be, and which wire goes where.

    It opens no pin and no bus, and runs without a board. On a Pi it also looks whether SPI, 1-Wire
    or the serial console is switched on where a wire is.

    Exit status: 0 the wiring is right; 1 the board works, but something is poor; 2 the board does
    not work like this.
    """
    settings = settings_of(ctx)
    pins = default_pins()
    found = examine(settings, pins, others_on(Tree()))
    wires = () if status(found) == WRONG else wires_of(settings.config, pins)
    at = _places(settings)
    if json_wanted:
        click.echo(as_json(found, at, wires))
    else:
        _print(settings, pins, found, wires if table else ())
    sys.stdout.flush()
    sys.exit(status(found))


def examine(settings: Settings, pins: PinMap, on: Sequence[OtherUse]) -> list[WiringFault]:
    """All that is wrong; `on` is what else of the header is switched on."""
    config = settings.config
    real = () if config.gpio.factory == NOT_REAL else on
    return [*faults(config, pins), *switched_on(config, pins, real)]


def others_on(tree: Tree) -> tuple[OtherUse, ...]:
    """What else of the header is switched on; none on a machine that is no Pi."""
    if not tree.text("/proc/device-tree/model").startswith("Raspberry Pi"):
        return ()
    here = header_functions(tree)
    cases = ((here.spi, SPI), (here.one_wire, ONE_WIRE), (here.serial_console, CONSOLE))
    return tuple(use for on, use in cases if on)


def _print(
    settings: Settings, pins: PinMap, found: Sequence[WiringFault], wires: Sequence[Wire]
) -> None:
    for line in table_lines(wires) if wires else ():
        click.echo(line)
    for use, names in shared_pins(settings.config, pins).items():
        click.echo(f"ok    {use.what} must be off on the Pi: {named(names)}")
    for line in fault_lines(found, _places(settings)):
        click.echo(line)


def _places(settings: Settings) -> At:
    return lambda key: settings.origins.get(tuple(key.split(".")), "")
