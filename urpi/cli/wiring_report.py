"""`urpi check-wiring`: print the faults of the configured wiring, and its wires."""

import sys
from collections.abc import Sequence
from typing import Final

import click

from urpi.config import LoadedConfig
from urpi.hardware import default_pins
from urpi.hardware.header import CONSOLE, ONE_WIRE, SPI, OtherUse
from urpi.hardware.pins import PinMap
from urpi.hardware.wiring import as_json, conflicts, fault_lines, faults, table_lines, wires_of
from urpi.hardware.wiring.check import shared_pins, wire_list
from urpi.hardware.wiring.printing import WRONG, At, exit_status
from urpi.hardware.wiring.wires import Wire
from urpi.hardware.wiring_fault import WiringFault
from urpi.install.doctor.probes.machine import header_functions
from urpi.install.doctor.tree import Tree

MOCK: Final = "mock"
"""Pin factory of the virtual table, whose pins no function of the header can use."""


def report_wiring(settings: LoadedConfig, *, table: bool, json_output: bool) -> int:
    """Print the report that the options request, and return the exit status."""
    pins = default_pins()
    found = examine(settings, pins, enabled_functions(Tree()))
    wires = () if exit_status(found) == WRONG else wires_of(settings.config, pins)
    at = _places(settings)
    if json_output:
        click.echo(as_json(found, at, wires))
    else:
        _print(settings, pins, found, wires if table else ())
    sys.stdout.flush()
    return exit_status(found)


def examine(settings: LoadedConfig, pins: PinMap, enabled: Sequence[OtherUse]) -> list[WiringFault]:
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
    settings: LoadedConfig, pins: PinMap, found: Sequence[WiringFault], wires: Sequence[Wire]
) -> None:
    for line in table_lines(wires) if wires else ():
        click.echo(line)
    for use, names in shared_pins(settings.config, pins).items():
        click.echo(f"ok    {use.what} must be disabled on the Pi: {wire_list(names)}")
    for line in fault_lines(found, _places(settings)):
        click.echo(line)


def _places(settings: LoadedConfig) -> At:
    return lambda key: settings.origins.get(tuple(key.split(".")), "")
