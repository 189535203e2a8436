"""A wiring's faults and its wires on paper: lines for people, or one JSON object."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import Final

from urpi.devices.expander_map import CHIP_NAMES
from urpi.devices.wiring_fault import WiringFault
from urpi.wiring.wires import Wire

FINE, POOR, WRONG = range(3)
"""The exit status: fine; it works, but; the board does not work like this."""
_ENDINGS: Final = (
    "The wiring is right.",
    "The board works, but something is poor.",
    "The board does not work like this.",
)
_HEADINGS: Final = ("WIRE", "GPIO", "HEADER PIN", "EXPANDER", "DIP PIN", "TO")

At = Callable[[str], str]
"""Where a key's value stands, as ``FILE:LINE``; empty for a default."""


def status(found: Sequence[WiringFault]) -> int:
    """The exit status: that of the worst."""
    if any(fault.wrong for fault in found):
        return WRONG
    return POOR if found else FINE


def fault_lines(found: Sequence[WiringFault], at: At) -> Iterator[str]:
    """A line each, the worst first, and one that sums up."""
    for fault in sorted(found, key=lambda fault: not fault.wrong):
        place = f"{at(fault.key)}: " if at(fault.key) else ""
        yield f"{'BAD ' if fault.wrong else 'poor'}  {place}{fault.sentence}"
    yield _ENDINGS[status(found)]


def table_lines(wires: Sequence[Wire]) -> Iterator[str]:
    """The wires as a table."""
    rows = [_HEADINGS, *(_row(wire) for wire in wires)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()


def as_json(found: Sequence[WiringFault], at: At, wires: Sequence[Wire]) -> str:
    """`status`, `faults` with where each key stands, and the `wires`, none where it is wrong."""
    return json.dumps(
        {
            "status": status(found),
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
