"""`urpi check-wiring`: the faults of the configured wiring and its wires, as text or JSON."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import Final

import click

from urpi.config import LoadedConfig
from urpi.hardware import default_pins
from urpi.hardware.expander_map import CHIP_NAMES
from urpi.hardware.header import CONSOLE, ONE_WIRE, SPI, OtherUse
from urpi.hardware.pins import PinMap, WiringFault
from urpi.hardware.wiring import Wire, conflicts, faults, shared_pins, wire_list, wires_of
from urpi.install.doctor.probes.machine import header_functions
from urpi.install.doctor.tree import Tree

MOCK: Final = "mock"
"""Pin factory of the virtual table, whose pins no function of the header can use."""
FINE, POOR, WRONG = range(3)
"""Exit status: no fault; the board works, but a fault is poor; the board does not work."""
_SUMMARIES: Final = (
    "The wiring has no faults.",
    "The board works, but some of its wiring is poor.",
    "The board does not work with this wiring.",
)
"""Last line of the output, by exit status."""
_HEADINGS: Final = ("WIRE", "GPIO", "HEADER PIN", "EXPANDER", "DIP PIN", "TO")

At = Callable[[str], str]
"""Returns the place where a key is set, as ``FILE:LINE``; empty for a default."""


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
    return exit_status(found)


def examine(settings: LoadedConfig, pins: PinMap, enabled: Sequence[OtherUse]) -> list[WiringFault]:
    """All faults, given the enabled functions of the header."""
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


def exit_status(found: Sequence[WiringFault]) -> int:
    """The exit status for the worst fault."""
    if any(fault.wrong for fault in found):
        return WRONG
    return POOR if found else FINE


def fault_lines(found: Sequence[WiringFault], at: At) -> Iterator[str]:
    """Yield a line for each fault, the worst first, and a summary."""
    for fault in sorted(found, key=lambda fault: not fault.wrong):
        place = f"{at(fault.key)}: " if at(fault.key) else ""
        yield f"{'BAD ' if fault.wrong else 'poor'}  {place}{fault.sentence}"
    yield _SUMMARIES[exit_status(found)]


def table_lines(wires: Sequence[Wire]) -> Iterator[str]:
    rows = [_HEADINGS, *(_row(wire) for wire in wires)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()


def as_json(found: Sequence[WiringFault], at: At, wires: Sequence[Wire]) -> str:
    """A JSON object of the exit `status`, the `faults` and the `wires`.

    `at` of a fault is the place where its key is set.
    """
    return json.dumps(
        {
            "status": exit_status(found),
            "faults": [
                {**asdict(fault), "at": at(fault.key), "sentence": fault.sentence}
                for fault in found
            ],
            "wires": [asdict(wire) for wire in wires],
        },
        ensure_ascii=False,
        indent=2,
    )


def _row(wire: Wire) -> tuple[str, ...]:
    numbers = (wire.gpio, wire.pin)
    chip = wire.chip_pin or ("" if wire.chip is None else CHIP_NAMES[wire.chip])
    foot = "" if wire.foot is None else str(wire.foot)
    return (wire.name, *("" if n is None else str(n) for n in numbers), chip, foot, wire.to)
