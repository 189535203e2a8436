"""Symbols and footprints of wiring/boards/library/, with the pins and pads that they have."""

from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from math import cos, radians, sin
from pathlib import Path
from typing import Final

from wiring.boards.sexpr import Node, child, children, parse

LIBRARY: Final = Path(__file__).parent / "library"
NICKNAME: Final = "urpi"


@dataclass(frozen=True)
class Pin:
    """A pin of a symbol. x points right and y up, in millimetres; the angle is that of its line."""

    number: str
    name: str
    kind: str
    x: float
    y: float
    angle: int


@dataclass(frozen=True)
class Pad:
    """A pad of a footprint, in millimetres; x points right and y down. `corner` is a radius."""

    number: str
    x: float
    y: float
    width: float
    height: float
    angle: float
    through: bool
    front: bool
    back: bool
    corner: float = 0.0


@cache
def _symbols() -> dict[str, Node]:
    file = parse((LIBRARY / f"{NICKNAME}.kicad_sym").read_text("utf-8"))
    return {one[1]: one for one in children(file, "symbol")}


def symbol(name: str) -> Node:
    """Return a copy of the definition of the symbol `name`.

    Raises:
        KeyError: if the library has no such symbol.
    """
    return deepcopy(_symbols()[name])


@cache
def _footprint(name: str) -> Node:
    return parse((LIBRARY / f"{NICKNAME}.pretty" / f"{name}.kicad_mod").read_text("utf-8"))


def footprint(name: str) -> Node:
    """Return a copy of the definition of the footprint `name`.

    Raises:
        FileNotFoundError: if the library has no such footprint.
    """
    return deepcopy(_footprint(name))


@cache
def pins(name: str) -> tuple[Pin, ...]:
    """Return the pins of the symbol `name` in the order of the file."""
    found = []
    for unit in children(_symbols()[name], "symbol"):
        for pin in children(unit, "pin"):
            x, y, angle = (float(one) for one in child(pin, "at")[1:4])
            title, digits = child(pin, "name")[1], child(pin, "number")[1]
            found.append(Pin(digits, title, pin[1], x, y, int(angle)))
    return tuple(found)


@cache
def pads(name: str) -> tuple[Pad, ...]:
    """Return the pads of the footprint `name`, also those without a number."""
    found = []
    for pad in children(_footprint(name), "pad"):
        at = [float(one) for one in child(pad, "at")[1:]]
        width, height = (float(one) for one in child(pad, "size")[1:3])
        layers = set(child(pad, "layers")[1:])
        found.append(
            Pad(
                pad[1],
                at[0],
                at[1],
                width,
                height,
                at[2] if len(at) > 2 else 0.0,
                pad[2] in {"thru_hole", "np_thru_hole"},
                bool(layers & {"F.Cu", "*.Cu", "F&B.Cu"}),
                bool(layers & {"B.Cu", "*.Cu", "F&B.Cu"}),
                _corner(pad, min(width, height)),
            )
        )
    return tuple(found)


def _corner(pad: Node, width: float) -> float:
    """Return the radius of the corners of a pad."""
    if pad[3] == "roundrect":
        return width * float(child(pad, "roundrect_rratio")[1])
    return width / 2 if pad[3] in {"circle", "oval"} else 0.0


def turned(x: float, y: float, angle: float) -> tuple[float, float]:
    """Return a point turned by `angle` degrees, counterclockwise with y pointing down."""
    turn = radians(angle)
    return x * cos(turn) + y * sin(turn), y * cos(turn) - x * sin(turn)
