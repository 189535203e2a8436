"""The centre of mass of a die, from its rendered halves and the masses of its parts.

`python -m wiring.bodies.balance` prints it for the dice that `make -C wiring/bodies` rendered.
Lengths are in millimetres, masses in grams.
"""

import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from wiring.bodies import board
from wiring.bodies.mesh import Mesh, Numbers, read_stl

HERE: Final = Path(__file__).parent
BUILT: Final = HERE.parents[1] / "build" / "bodies"
ALLOWED_MM: Final = 1.0
"""Maximum distance of the centre of mass from the middle."""
ALLOWED_WITH_BOARD_MM: Final = 0.5
"""The same for a die that is not wired by hand."""

X_UP: Final = ((1, 0, 0), (0, 0, 1), (0, -1, 0))
X_DOWN: Final = ((1, 0, 0), (0, 0, -1), (0, 1, 0))
"""Rotations of half a tetrahedron from the orientation for printing to that in the die."""
OVER: Final = ((1, 0, 0), (0, -1, 0), (0, 0, -1))
SAME: Final = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
STANDING: Final = ((0, 0, 1), (1, 0, 0), (0, 1, 0))
"""Rotation of a bought board and its cell to their orientation in a cube."""


@dataclass(frozen=True)
class Die:
    """A rendered die. `build` selects its parts in parts.scad."""

    kind: str
    edge: float
    build: str = "board"

    @property
    def allowed_mm(self) -> float:
        """Maximum distance of its centre of mass from the middle."""
        return ALLOWED_MM if self.build == "wired" else ALLOWED_WITH_BOARD_MM

    @property
    def name(self) -> str:
        """Base name of its files."""
        return f"{self.kind}-{self.edge:g}"

    @property
    def turn(self) -> Numbers:
        """Rotation of a bought board and its cell to the axes of the die."""
        return np.array(STANDING if self.kind == "cube" else SAME, dtype=float)

    def half(self, which: str) -> Mesh:
        """Return its half `a` or `b` in the orientation of the die."""
        lying = read_stl(BUILT / f"{self.name}-{which}.stl")
        if self.kind == "cube":
            return lying.moved((0, 0, -self.edge / 2)).turned(OVER if which == "a" else SAME)
        return lying.turned(X_UP if which == "a" else X_DOWN)


DICE: Final = (
    Die("tetrahedron", 57),
    Die("tetrahedron", 52, "bought"),
    Die("tetrahedron", 80, "wired"),
    Die("cube", 30, "bought"),
    Die("cube", 42, "wired"),
)


@dataclass(frozen=True)
class Piece:
    """A component of a die: its name, mass and centre of mass."""

    name: str
    mass: float
    at: Numbers


def pieces(die: Die, masses: Mapping[str, float]) -> Iterator[Piece]:
    """Yield the components of a die."""
    density = masses["plastic_per_cm3"] / 1000
    for which in ("a", "b"):
        half = die.half(which)
        yield Piece(f"half {which}", half.volume * density, half.centroid)
    if die.build != "wired":
        yield Piece("board", masses["board"], board.centre(board_boxes(die)))
    for name, place in places(die):
        if die.build == "bought" and name == "board":
            continue
        if name == "tip":
            cap = read_stl(BUILT / f"{die.name}-cap.stl")
            outwards = place / np.linalg.norm(place)
            yield Piece("cap", cap.volume * density, place + outwards * cap.centroid[2])
        else:
            yield Piece(name, masses[name], place)


def places(die: Die) -> Iterator[tuple[str, Numbers]]:
    """Yield name and position of the contents, as the body's OpenSCAD file prints them."""
    output = (BUILT / f"{die.name}.echo").read_text("utf-8")
    found = re.findall(r'ECHO: at = "(\w+)", place = \[([^]]+)\]', output)
    assert found, output
    for name, vector in found:
        yield name, np.array([float(number) for number in vector.split(",")])


def board_boxes(die: Die) -> list[board.Box]:
    """Return the parts of the board of a die that is not wired by hand, in the die's axes."""
    masses = mass_table()[die.build]
    if die.build == "board":
        return board.boxes(masses)
    return [box.placed(die.turn, dict(places(die))["board"]) for box in board.bought_boxes(masses)]


def centre_of_mass(components: list[Piece]) -> Numbers:
    """Return the centre of mass of components, relative to the middle of the die."""
    total = sum(piece.mass for piece in components)
    centre: Numbers = sum((piece.mass * piece.at for piece in components), np.zeros(3)) / total
    return centre


def away(die: Die, masses: Mapping[str, float] | None = None) -> float:
    """Return the distance of a die's centre of mass from its middle, by default as stated."""
    known = stated_masses(die.build) if masses is None else masses
    return float(np.linalg.norm(centre_of_mass(list(pieces(die, known)))))


def mass_table() -> dict[str, Any]:
    """Return the contents of masses.toml."""
    return tomllib.loads((HERE / "masses.toml").read_text("utf-8"))


def stated_masses(build: str) -> dict[str, float]:
    """Return the masses of the parts of a build and of the parts common to all dice."""
    masses = mass_table()
    if build == "board":
        masses["board"]["board"] = board.mass(board.boxes(masses["board"]))
    elif build == "bought":
        masses["bought"]["board"] = board.mass(board.bought_boxes(masses["bought"]))
    named = masses | masses[build]
    wanted = ("plastic_per_cm3", "screw", "insert", "board", "cell")
    return {name: named[name] for name in wanted}


def table(die: Die) -> Iterator[str]:
    """Yield the lines of a die's table of components with its centre of mass."""
    components = list(pieces(die, stated_masses(die.build)))
    yield f"{die.kind}, {die.build}, edge {die.edge:g} mm"
    for name in dict.fromkeys(piece.name for piece in components):
        same = [piece for piece in components if piece.name == name]
        mass = sum(piece.mass for piece in same)
        yield f"  {len(same)} x {name:<8} {mass:6.2f} g  at {_vector(centre_of_mass(same))}"
    centre = centre_of_mass(components)
    total = sum(piece.mass for piece in components)
    yield f"  together    {total:6.2f} g  at {_vector(centre)}: {away(die):.2f} mm from the middle"


def _vector(numbers: Numbers) -> str:
    return " ".join(f"{number + 0.0:7.2f}" for number in numbers)


def main() -> None:
    """Print the table of every die; exit with status 1 if one is out of balance."""
    for die in DICE:
        print("\n".join(table(die)))  # noqa: T201
    sys.exit(1 if any(away(die) > die.allowed_mm for die in DICE) else 0)


if __name__ == "__main__":
    main()
