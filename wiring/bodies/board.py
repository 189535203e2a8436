"""The die's populated board as a body: its mass, balance and inertia from the parts of its design.

Lengths are in millimetres from the middle of the die, in the axes of the OpenSCAD files; masses are
in grams.
"""

from collections.abc import Mapping
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


def points(masses: Mapping[str, Any]) -> list[tuple[float, Numbers]]:
    """Return the mass and middle of every part of the board.

    Args:
        masses: the table `board` of masses.toml.
    """
    return [_point(part, masses["parts"][part.footprint]) for part in die().parts]


def _point(part: Part, it: Mapping[str, Any]) -> tuple[float, Numbers]:
    x, y, angle = part.place
    dx, dy = it.get("middle", (0.0, 0.0))
    dx, dy = turned(dx, -dy if part.back else dy, angle)
    z = BACK - it["height"] / 2 if part.back else _FRONT + it["height"] / 2
    return it["grams"], np.array([*from_middle((x + dx, y + dy)), z])


def slab(masses: Mapping[str, Any]) -> tuple[float, Numbers, Numbers]:
    """Return the mass, middle and size of the bare board; its notch is neglected."""
    size = np.array([2 * HALF[0], 2 * HALF[1], THICKNESS])
    middle = np.array([0.0, 0.0, BACK + THICKNESS / 2])
    return float(size.prod()) / 1000 * masses["pcb_per_cm3"], middle, size


def mass(masses: Mapping[str, Any]) -> float:
    """Return the mass of the populated board."""
    return slab(masses)[0] + sum(grams for grams, _ in points(masses))


def centre(masses: Mapping[str, Any]) -> Numbers:
    """Return its centre of mass."""
    bare, middle, _ = slab(masses)
    moment: Numbers = bare * middle
    for grams, at in points(masses):
        moment = moment + grams * at
    balance: Numbers = moment / mass(masses)
    return balance


def second_moments(masses: Mapping[str, Any]) -> Numbers:
    """Return the sums of m x x, m x y ... over the board as a 3 x 3 matrix, in g mm^2."""
    bare, middle, size = slab(masses)
    moments: Numbers = bare * (np.outer(middle, middle) + np.diag(size**2) / 12)
    for grams, at in points(masses):
        moments = moments + grams * np.outer(at, at)
    return moments
