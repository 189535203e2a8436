"""The bodies that the simulator throws: firmware/sim/body_shapes.c, from the rendered dice.

`python -m wiring.bodies.mechanics` writes the file, after `make -C wiring/bodies stl`. Mass, centre
of mass and inertia are those of the rendered halves and caps and of the parts in masses.toml, the
corners those of the OpenSCAD files. The file names the sources' checksum, so that a test without
OpenSCAD finds it stale.

A tetrahedron's axes are turned by 45 degrees about z, so that its tips have the signs (+++), (+--),
(-+-) and (--+), as the firmware assumes before calibration.
"""

import hashlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from wiring.bodies import board
from wiring.bodies.balance import (
    DICE,
    HERE,
    Die,
    Piece,
    board_boxes,
    mass_table,
    pieces,
    places,
    stated_masses,
)
from wiring.bodies.mesh import Mesh, Numbers

SHAPES: Final = HERE.parents[1] / "firmware" / "sim" / "body_shapes.c"
SOURCES: Final = (
    *("masses.toml", "parts.scad", "bought.scad", "tetrahedron.scad", "cube.scad"),
    *("mechanics.py", "board.py"),
    "../boards/die.py",
)
MM: Final = 1e-3
GRAM: Final = 1e-3

C: Final = 0.5**0.5
TURN: Final = {
    "tetrahedron": np.array([[C, -C, 0], [C, C, 0], [0, 0, 1]]),
    "cube": np.eye(3),
}
"""Rotation from a body's axes in OpenSCAD to those in the simulator."""

TIPS: Final = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]) / 3**0.5
PIPS: Final = np.array([[0, 0, 1], [0, 1, 0], [1, 0, 0], [-1, 0, 0], [0, -1, 0], [0, 0, -1]])
"""Directions that point up when a die shows 1, 2 and so on."""


def fingerprint() -> str:
    """Return the checksum of the files that define the bodies."""
    return hashlib.sha256(b"".join((HERE / name).read_bytes() for name in SOURCES)).hexdigest()[:16]


def second_moments(mesh: Mesh) -> Numbers:
    """Return the integrals of x x, x y ... over the volume as a 3 x 3 matrix, in mm^5."""
    a, b, c = (mesh.triangles[:, corner] for corner in range(3))
    signed = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6
    total = a + b + c
    moments: Numbers = sum(
        (np.einsum("i,ij,ik->jk", signed, one, one) for one in (a, b, c, total)), np.zeros((3, 3))
    )
    return moments / 20


def _inertia(moments: Numbers) -> Numbers:
    inertia: Numbers = np.trace(moments) * np.eye(3) - moments
    return inertia


@dataclass(frozen=True)
class Mechanics:
    """A die's mechanics in millimetres and grams, in OpenSCAD's axes about its middle."""

    die: Die

    @cached_property
    def _pieces(self) -> list[Piece]:
        return list(pieces(self.die, stated_masses(self.die.build)))

    @property
    def mass(self) -> float:
        """Mass in grams."""
        return sum(piece.mass for piece in self._pieces)

    @property
    def centre(self) -> Numbers:
        """Centre of mass."""
        centre: Numbers = sum((one.mass * one.at for one in self._pieces), np.zeros(3)) / self.mass
        return centre

    @property
    def inertia(self) -> Numbers:
        """Inertia about the centre of mass, a 3 x 3 matrix in g mm^2.

        A board is made of its parts, hand-wired ones and cells are even boxes; screws, inserts and
        caps are points.
        """
        density = stated_masses(self.die.build)["plastic_per_cm3"] / 1000
        moments = sum(
            (second_moments(self.die.half(which)) * density for which in "ab"), np.zeros((3, 3))
        )
        for piece in self._pieces:
            if piece.name == "board" and self.die.build != "wired":
                moments += board.second_moments(board_boxes(self.die))
                continue
            if not piece.name.startswith("half"):
                moments += piece.mass * np.outer(piece.at, piece.at)
            if piece.name in ("board", "cell"):
                moments += piece.mass * np.diag(self._box(piece.name) ** 2) / 12
        return _inertia(moments - self.mass * np.outer(self.centre, self.centre))

    def _box(self, part: str) -> Numbers:
        """Return a part's dimensions along x, y and z."""
        text = (HERE / "parts.scad").read_text("utf-8")
        line = re.search(rf"^{part} = (.+);", text, re.MULTILINE)
        assert line, part
        sizes = dict(re.findall(r'"(\w+)" \? \[(.+?)\]', line[1]))
        values = sizes.get(self.die.build) or line[1].rpartition("[")[2].rstrip("]")
        x, y, z = map(float, values.split(","))
        if self.die.build == "bought":
            return np.abs(self.die.turn) @ np.array([x, y, z])
        across = self.die.kind == "cube" and part == "board"
        return np.array([y, x, z] if across else [x, y, z])

    @property
    def round_by(self) -> float:
        """Radius of edges and corners."""
        found = re.search(
            r"^round_by = ([\d.]+);", (HERE / "parts.scad").read_text("utf-8"), re.MULTILINE
        )
        assert found
        return float(found[1])

    @property
    def corners(self) -> Numbers:
        """Centres of the rounded corners in the simulator's axes, about the body's middle."""
        if self.die.kind == "cube":
            signs = np.array([[x, y, z] for x in (1, -1) for y in (1, -1) for z in (1, -1)])
            cube: Numbers = signs * (self.die.edge / 2 - self.round_by)
            return cube
        inner = self.die.edge / (2 * 6**0.5)
        tips: Numbers = TIPS * 3 * (inner - self.round_by)
        return tips

    @property
    def sensor(self) -> tuple[Numbers, Numbers]:
        """Middle and half size of the box in which the sensor is mounted, in OpenSCAD's axes."""
        table: dict[str, Any] = mass_table()[self.die.build]
        within = np.array(table["sensor_within"], float)
        if self.die.build == "board":
            return board.sensor(), within
        place = np.array(table["sensor"], float)
        if self.die.build == "wired":
            return place, within
        turn = self.die.turn
        return turn @ place + dict(places(self.die))["board"], np.abs(turn) @ within


def _vector(numbers: Numbers) -> str:
    return "{" + ", ".join(f"{number:.7g}" for number in numbers + 0.0) + "}"


def _rows(matrix: Numbers) -> str:
    return "{" + ", ".join(_vector(row) for row in matrix) + "}"


def shape(die: Die) -> Iterator[str]:
    """Yield the lines of a die's entry in the table of shapes."""
    it, turn = Mechanics(die), TURN[die.kind]
    centre = turn @ it.centre
    inertia = turn @ it.inertia @ turn.T * GRAM * MM**2
    middle, within = it.sensor
    ups = TIPS if die.kind == "tetrahedron" else PIPS
    yield "    {"
    yield f'        .name = "{die.name}",'
    yield f"        .faces = {len(ups)},"
    yield f"        .corners = {len(it.corners)},"
    yield (
        "        .corner =\n            {"
        + ",\n             ".join(_vector((corner - centre) * MM) for corner in it.corners)
        + "},"
    )
    yield "        .up = {" + ",\n               ".join(map(_vector, ups)) + "},"
    yield f"        .corner_radius = {it.round_by * MM:.7g},"
    yield f"        .mass = {it.mass * GRAM:.7g},"
    yield f"        .inertia = {_rows(inertia)},"
    yield f"        .inverse_inertia = {_rows(np.linalg.inv(inertia))},"
    yield f"        .sensor = {_vector((turn @ middle - centre) * MM)},"
    yield f"        .sensor_axes = {_rows(turn.T * within[:, None] * MM)},"
    yield "    },"


def source() -> str:
    """Return the text of firmware/sim/body_shapes.c."""
    lines = [
        "/* The dice of wiring/bodies: `python -m wiring.bodies.mechanics` writes this file.",
        f" * Checksum of its sources: {fingerprint()} */",
        '#include "body.h"',
        "",
        "/* clang-format off */",
        "const struct body_shape body_shapes[BODY_SHAPES] = {",
        *(line for die in DICE for line in shape(die)),
        "};",
        "",
    ]
    return "\n".join(lines)


def numbers_of(text: str) -> list[float]:
    """Return the numbers of a generated file, to compare two of them up to rounding."""
    return [float(one) for one in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", text.split("*/", 1)[1])]


def main() -> None:
    """Write the file."""
    SHAPES.write_text(source(), "utf-8")
    sys.stdout.write(f"{SHAPES}\n")


if __name__ == "__main__":
    main()
