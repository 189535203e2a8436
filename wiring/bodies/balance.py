"""Where a die's centre of mass is, from its rendered halves and the masses of what goes in.

`python -m wiring.bodies.balance` prints it for the dice that `make -C wiring/bodies` rendered.
Lengths are millimetres, masses grams.
"""

import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from wiring.bodies.mesh import Mesh, Numbers, read_stl

HERE: Final = Path(__file__).parent
BUILT: Final = HERE.parents[1] / "build" / "bodies"
ALLOWED_MM: Final = 1.0
"""How far the centre of mass may be from the middle."""

X_UP: Final = ((1, 0, 0), (0, 0, 1), (0, -1, 0))
X_DOWN: Final = ((1, 0, 0), (0, 0, -1), (0, 1, 0))
"""From how a tetrahedron's half lies for printing back to how it stands in the die."""
OVER: Final = ((1, 0, 0), (0, -1, 0), (0, 0, -1))
SAME: Final = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


@dataclass(frozen=True)
class Die:
    """A die that was rendered: its kind, its edge, and which parts it has (parts.scad)."""

    kind: str
    edge: float
    build: str = "small"

    @property
    def name(self) -> str:
        """How its files are called."""
        return f"{self.kind}-{self.edge:g}"

    def half(self, which: str) -> Mesh:
        """Its half `a` or `b`, where it is in the die."""
        lying = read_stl(BUILT / f"{self.name}-{which}.stl")
        if self.kind == "cube":
            return lying.moved((0, 0, -self.edge / 2)).turned(OVER if which == "a" else SAME)
        return lying.turned(X_UP if which == "a" else X_DOWN)


DICE: Final = (
    Die("tetrahedron", 50),
    Die("tetrahedron", 55),
    Die("tetrahedron", 60),
    Die("tetrahedron", 80, "wired"),
    Die("cube", 30),
    Die("cube", 42, "wired"),
)


@dataclass(frozen=True)
class Piece:
    """Something in a die: its name, its mass, and its own centre of mass."""

    name: str
    mass: float
    at: Numbers


def pieces(die: Die, masses: Mapping[str, float]) -> Iterator[Piece]:
    """Everything that a die is made of."""
    density = masses["plastic_per_cm3"] / 1000
    for which in ("a", "b"):
        half = die.half(which)
        yield Piece(f"half {which}", half.volume * density, half.centroid)
    for name, place in places(die):
        if name == "tip":
            cap = read_stl(BUILT / f"{die.name}-cap.stl")
            outwards = place / np.linalg.norm(place)
            yield Piece("cap", cap.volume * density, place + outwards * cap.centroid[2])
        else:
            yield Piece(name, masses[name], place)


def places(die: Die) -> Iterator[tuple[str, Numbers]]:
    """Where the body's file says that its contents are."""
    told = (BUILT / f"{die.name}.echo").read_text("utf-8")
    found = re.findall(r'ECHO: at = "(\w+)", place = \[([^]]+)\]', told)
    assert found, told
    for name, vector in found:
        yield name, np.array([float(number) for number in vector.split(",")])


def centre_of_mass(made_of: list[Piece]) -> Numbers:
    """Of all of it together; the middle of the die is the origin."""
    total = sum(piece.mass for piece in made_of)
    centre: Numbers = sum((piece.mass * piece.at for piece in made_of), np.zeros(3)) / total
    return centre


def stated_masses(build: str) -> dict[str, float]:
    """What masses.toml says of the parts of that build, and of what every die has."""
    told: dict[str, Any] = tomllib.loads((HERE / "masses.toml").read_text("utf-8"))
    return {name: mass for name, mass in (told | told[build]).items() if isinstance(mass, float)}


def table(die: Die) -> Iterator[str]:
    """The lines that tell how a die comes out."""
    made_of = list(pieces(die, stated_masses(die.build)))
    yield f"{die.kind}, {die.build}, edge {die.edge:g} mm"
    for name in dict.fromkeys(piece.name for piece in made_of):
        same = [piece for piece in made_of if piece.name == name]
        mass = sum(piece.mass for piece in same)
        yield f"  {len(same)} x {name:<8} {mass:6.2f} g  at {_vector(centre_of_mass(same))}"
    centre = centre_of_mass(made_of)
    total = sum(piece.mass for piece in made_of)
    away = float(np.linalg.norm(centre))
    yield f"  together    {total:6.2f} g  at {_vector(centre)}: {away:.2f} mm from the middle"


def _vector(numbers: Numbers) -> str:
    return " ".join(f"{number + 0.0:7.2f}" for number in numbers)


def main() -> None:
    """Print every die's table; fail when one is out of balance."""
    for die in DICE:
        print("\n".join(table(die)))  # noqa: T201
    away = [
        np.linalg.norm(centre_of_mass(list(pieces(die, stated_masses(die.build))))) for die in DICE
    ]
    sys.exit(1 if max(away) > ALLOWED_MM else 0)


if __name__ == "__main__":
    main()
