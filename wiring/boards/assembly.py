"""Files for assemblers, in the formats that JLCPCB and PCBWay document, and a list for the hand.

Both assemblers want a list of parts (BOM), whose designators are separated by commas, and a list of
positions (CPL or centroid file) of the same parts. Positions are millimetres from the origin of the
Gerber files, with y up; angles are degrees counterclockwise. JLCPCB looks at the back from below,
PCBWay through the board, as KiCad does.

JLCPCB: jlcpcb.com/help/article, "Bill of Materials for PCB Assembly" and "Pick & Place File for PCB
Assembly". PCBWay: pcbway.com/helpcenter, "What files are requested for assembly production?".
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from wiring.boards import library
from wiring.boards.design import Board, Part
from wiring.boards.supply import Order, is_placed, key_of, order_of

Row = Sequence[object]


def jlcpcb_parts(board: Board) -> Iterator[Row]:
    """Yield the rows of JLCPCB's list of parts.

    Where LCSC's number is not known, JLCPCB finds the part by the manufacturer's number.
    """
    yield ("Comment", "Designator", "Footprint", "JLCPCB Part #", "Manufacturer", "Value")
    for parts, order in groups(board):
        part = parts[0]
        yield (
            order.number, _names(parts), part.footprint, order.lcsc, order.maker, part.value
        )  # fmt: skip


def jlcpcb_positions(board: Board) -> Iterator[Row]:
    """Yield the rows of JLCPCB's list of positions."""
    yield ("Designator", "Mid X", "Mid Y", "Layer", "Rotation")
    for part, order in _placed(board):
        x, y, angle = part.place
        seen = 180 - angle if part.back else angle
        side = "Bottom" if part.back else "Top"
        yield (part.reference, f"{x:.3f}mm", f"{-y:.3f}mm", side, f"{(seen + order.turn) % 360:g}")


def pcbway_parts(board: Board) -> Iterator[Row]:
    """Yield the rows of PCBWay's list of parts."""
    yield (
        "Item #", "Designator", "Qty", "Manufacturer", "Mfg Part #", "Description / Value",
        "Package/Footprint", "Type", "Your Instructions / Notes",
    )  # fmt: skip
    for item, (parts, order) in enumerate(groups(board), 1):
        part = parts[0]
        holes = any(pad.through for pad in library.pads(part.footprint))
        yield (
            item, _names(parts), len(parts), order.maker, order.number, part.value,
            part.footprint, "thru-hole" if holes else "SMD", order.also,
        )  # fmt: skip


def pcbway_positions(board: Board) -> Iterator[Row]:
    """Yield the rows of PCBWay's list of positions."""
    yield ("Designator", "Mid X", "Mid Y", "Layer", "Rotation")
    for part, _ in _placed(board):
        x, y, angle = part.place
        side = "B" if part.back else "T"
        yield (part.reference, f"{x:.3f}", f"{-y:.3f}", side, f"{angle % 360:g}")


def by_hand(board: Board) -> Iterator[Row]:
    """Yield the rows of the list of what is bought and soldered besides."""
    yield (
        "Designator",
        "Qty",
        "Value",
        "Manufacturer",
        "Order number",
        "Or",
        "Plugged together with",
    )
    for parts, order in groups(board, by_hand=True):
        values = ", ".join(dict.fromkeys(part.value for part in parts))
        number = (order.maker, order.number, order.also, order.mate)
        yield (_names(parts), len(parts), values, *number)


FILES: Final[Mapping[str, Callable[[Board], Iterator[Row]]]] = {
    "jlcpcb-bom": jlcpcb_parts,
    "jlcpcb-cpl": jlcpcb_positions,
    "pcbway-bom": pcbway_parts,
    "pcbway-centroid": pcbway_positions,
    "by-hand": by_hand,
}
"""What writes each file, by the end of its name."""


def text(rows: Iterable[Row]) -> str:
    """Return rows as the text of a CSV file."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _placed(board: Board) -> Iterator[tuple[Part, Order]]:
    for part in sorted(board.parts, key=_natural):
        order = order_of(part)
        if order is not None and is_placed(part):
            yield part, order


def groups(board: Board, *, by_hand: bool = False) -> Iterator[tuple[list[Part], Order]]:
    """Yield the parts that an assembler solders, or a hand, those with the same number together."""
    found: dict[str, list[Part]] = {}
    for part in sorted(board.parts, key=_natural):
        key = key_of(part)
        if key is not None and is_placed(part) != by_hand:
            found.setdefault(key, []).append(part)
    for parts in found.values():
        order = order_of(parts[0])
        assert order is not None
        yield parts, order


def _names(parts: Iterable[Part]) -> str:
    return ",".join(part.reference for part in parts)


def _natural(part: Part) -> tuple[str, int]:
    """Return a key that sorts C10 after C9."""
    letters = part.reference.rstrip("0123456789")
    return letters, int(re.sub(r"\D", "", part.reference))
