"""Faults and wires as text lines or as one JSON object."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import Final

from urpi.hardware.expander_map import CHIP_NAMES
from urpi.hardware.wiring.wires import Wire
from urpi.hardware.wiring_fault import WiringFault

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


def exit_status(found: Sequence[WiringFault]) -> int:
    """Return the exit status for the worst fault."""
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
    """Yield the lines of a table of wires."""
    rows = [_HEADINGS, *(_row(wire) for wire in wires)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()


def as_json(found: Sequence[WiringFault], at: At, wires: Sequence[Wire]) -> str:
    """Return a JSON object of the exit `status`, the `faults` and the `wires`.

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
