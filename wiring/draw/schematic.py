"""Schematics as SVG, with schemdraw.

The values are those of wiring/dice.toml, wiring/pins.toml and the data sheets that the schematics
name.
"""

from collections.abc import Sequence
from typing import Any, Final

import schemdraw
import schemdraw.elements as elm

from wiring.draw.svg import plain

SIZE: Final = 12
Feet = Sequence[tuple[int | str, str, str]]
"""Pins of a chip's side from top to bottom: number, name inside the chip, and net."""

schemdraw.use("svg")


def drawing() -> Any:
    """Return an empty sheet."""
    sheet = schemdraw.Drawing(show=False, canvas="svg")
    sheet.config(fontsize=SIZE, font="Arial", unit=2.0, lw=1.4, bgcolor="white", margin=0.3)
    return sheet


def svg(sheet: Any, title: str) -> str:
    """Return a sheet as SVG."""
    return plain(sheet.get_imagedata("svg").decode("utf-8"), title)


def chip(sheet: Any, title: str, left: Feet, right: Feet, at: tuple[float, float]) -> Any:
    """Draw a chip at its lower left corner, with the net of every pin at the end of its lead."""
    rows = max(len(left), len(right))
    pins = [
        elm.IcPin(
            name=label,
            pin=str(number),
            side=side,
            slot=f"{rows - row}/{rows}",
            anchorname=f"{side}{row}",
        )
        for side, feet in (("left", left), ("right", right))
        for row, (number, label, _net) in enumerate(feet)
    ]
    box = elm.Ic(pins=pins, size=(3.4, 0.75 * rows), pinspacing=0.72, lsize=11, plblsize=9)
    placed = sheet.add(box.theta(0).at(at).label(title, "top", fontsize=SIZE + 1, ofst=0.2))
    for side, feet in (("left", left), ("right", right)):
        for row, (_number, _label, net) in enumerate(feet):
            if net:
                flag(sheet, placed.absanchors[f"{side}{row}"], net, side)
    return placed


_OFFSETS: Final = {
    "left": (-0.3, -0.08),
    "right": (0.15, -0.08),
    "top": (0.0, 0.15),
    "bottom": (0.0, -0.5),
}


def flag(sheet: Any, at: Any, net: str, side: str) -> None:
    """Draw the name of a net at the end of a lead. Leads with the same name are connected."""
    line = elm.Line().at(at).length(0.35)
    sheet.add(line.left() if side == "left" else line.right())
    placed = sheet.add(elm.Dot(open=True))
    name(sheet, placed.center, net, side)


def name(sheet: Any, at: Any, text: str, side: str) -> None:
    """Draw a text beside a point: at its left, right, top or bottom."""
    ofst = _OFFSETS[side]
    sheet.add(elm.Label().theta(0).at(at).label(text, side, fontsize=SIZE - 1, ofst=ofst))


def frame(sheet: Any, low: tuple[float, float], high: tuple[float, float], about: str) -> None:
    """Draw a dashed box between two corners, with a title above it."""
    sheet.add(
        elm.Rect(corner1=low, corner2=high).theta(0).at((0, 0)).linestyle("--").color("#777777")
    )
    middle = ((low[0] + high[0]) / 2, high[1] + 0.1)
    sheet.add(elm.Label().theta(0).at(middle).label(about, "top", color="#555555"))
