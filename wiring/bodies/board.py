"""A populated board as a body: its mass, balance and inertia from the parts of its design.

Lengths are in millimetres from the middle of the die, in the axes of the OpenSCAD files; masses are
in grams.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from wiring.boards.design import Part
from wiring.boards.die import BACK, HALF, SENSOR, THICKNESS, die, from_middle
from wiring.boards.library import turned
from wiring.bodies.mesh import Numbers

_FRONT: Final = BACK + THICKNESS


def sensor() -> Numbers:
    """Return the place of the middle of the sensor."""
    part = next(part for part in die().parts if part.reference == SENSOR)
    return np.array([*from_middle(part.place[:2]), BACK - 0.5])


@dataclass(frozen=True)
class Box:
    """An even part of a board: its mass, middle and size; a small part is a point."""

    grams: float
    middle: Numbers
    size: Numbers

    def placed(self, turn: Numbers, at: Numbers) -> "Box":
        """Return the box in other axes, which are a permutation of its own, moved by a vector."""
        return Box(self.grams, turn @ self.middle + at, np.abs(turn) @ self.size)


def boxes(masses: Mapping[str, Any]) -> list[Box]:
    """Return the parts of the die's board; the notch of the bare board is neglected.

    Args:
        masses: the table `board` of masses.toml.
    """
    size = np.array([2 * HALF[0], 2 * HALF[1], THICKNESS])
    grams = float(size.prod()) / 1000 * masses["pcb_per_cm3"]
    slab = Box(grams, np.array([0.0, 0.0, BACK + THICKNESS / 2]), size)
    return [slab, *(_point(part, masses["parts"][part.footprint]) for part in die().parts)]


def bought_boxes(masses: Mapping[str, Any]) -> list[Box]:
    """Return the parts of a bought board in its axes, from the table `bought` of masses.toml."""
    return [
        Box(it["grams"], np.array(it["middle"]), np.array(it["size"])) for it in masses["boxes"]
    ]


def _point(part: Part, it: Mapping[str, Any]) -> Box:
    x, y, angle = part.place
    dx, dy = it.get("middle", (0.0, 0.0))
    dx, dy = turned(dx, -dy if part.back else dy, angle)
    z = BACK - it["height"] / 2 if part.back else _FRONT + it["height"] / 2
    return Box(it["grams"], np.array([*from_middle((x + dx, y + dy)), z]), np.zeros(3))


def mass(parts: Sequence[Box]) -> float:
    """Return the mass of the populated board."""
    return sum(it.grams for it in parts)


def centre(parts: Sequence[Box]) -> Numbers:
    """Return its centre of mass."""
    moment: Numbers = sum((it.grams * it.middle for it in parts), np.zeros(3))
    return moment / mass(parts)


def second_moments(parts: Sequence[Box]) -> Numbers:
    """Return the sums of m x x, m x y ... over the board as a 3 x 3 matrix, in g mm^2."""
    moments: Numbers = sum(
        (it.grams * (np.outer(it.middle, it.middle) + np.diag(it.size**2) / 12) for it in parts),
        np.zeros((3, 3)),
    )
    return moments
