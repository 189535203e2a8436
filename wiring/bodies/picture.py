"""Pictures of the bodies, rendered from their STL files and identical on every machine.

`python -m wiring.bodies.picture` writes them to docs/pictures/.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from PIL import Image

from wiring.bodies.balance import BUILT, HERE, Die, places
from wiring.bodies.mesh import Mesh, Numbers, read_stl

PICTURES: Final = HERE.parents[1] / "docs" / "pictures"
CLOSED: Final = (300, 420)
OPEN: Final = (560, 420)
"""Width and height in pixels of the closed die, and of the die taken apart beside it."""
FINER: Final = 3
"""Factor of supersampling, for smooth edges."""
BACKGROUND: Final = (255, 255, 255)
LIGHT: Final = np.array([-0.35, 0.55, 0.76])
"""Direction of the light, from the viewer's left, above and behind; length about 1."""

Colour: TypeAlias = tuple[int, int, int]
SHELL: Final[Colour] = (226, 206, 170)
BOARD: Final[Colour] = (60, 130, 80)
CELL: Final[Colour] = (120, 130, 150)
STEEL: Final[Colour] = (170, 170, 178)
GOLD: Final[Colour] = (220, 170, 40)
SILVER: Final[Colour] = (200, 204, 212)

OVER: Final = np.array([[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]])
"""Rotation by 180 degrees about x."""


@dataclass(frozen=True)
class Painted:
    """A body and its colour."""

    mesh: Mesh
    colour: Colour


def view(azimuth_deg: float, elevation_deg: float) -> Numbers:
    """Return the rotation from the body's x, y, z to the viewer's right, up and towards.

    Azimuth 0 is the view from -y; it increases counterclockwise seen from above.
    """
    a, e = np.radians(azimuth_deg), np.radians(elevation_deg)
    right = np.array([np.cos(a), np.sin(a), 0.0])
    towards = np.array([np.sin(a) * np.cos(e), -np.cos(a) * np.cos(e), np.sin(e)])
    return np.array([right, np.cross(towards, right), towards])


def drawn(bodies: Sequence[Painted], turn: Numbers, pixels: tuple[int, int]) -> Image.Image:
    """Return bodies in a parallel projection that fills the picture."""
    meshes = [body.mesh.turned(turn) for body in bodies]
    corners = np.concatenate([mesh.triangles.reshape(-1, 3) for mesh in meshes])
    low, high = corners.min(axis=0), corners.max(axis=0)
    size = np.array(pixels) * FINER
    scale = float((size * 0.92 / (high - low)[:2]).min())
    middle = (low + high) / 2
    image = np.full((size[1], size[0], 3), BACKGROUND, dtype=float)
    depth = np.full((size[1], size[0]), -np.inf)
    for body, mesh in zip(bodies, meshes, strict=True):
        placed = (mesh.triangles - middle) * scale
        placed[:, :, 1] *= -1
        placed[:, :, :2] += size / 2
        for triangle, normal in zip(placed, mesh.normals, strict=True):
            if normal[2] > 0:
                _fill(image, depth, triangle, _shaded(body.colour, normal))
    return Image.fromarray(image.round().astype(np.uint8)).resize(pixels, Image.Resampling.BOX)


def _shaded(colour: Colour, normal: Numbers) -> Numbers:
    return np.array(colour) * (0.42 + 0.58 * max(0.0, float(normal @ LIGHT)))


def _fill(image: Numbers, depth: Numbers, triangle: Numbers, colour: Numbers) -> None:
    """Fill a triangle where it is closer than the depth buffer."""
    left, top = np.maximum(np.floor(triangle[:, :2].min(axis=0)).astype(int), 0)
    right, bottom = np.ceil(triangle[:, :2].max(axis=0)).astype(int) + 1
    xs, ys = np.meshgrid(np.arange(left, right) + 0.5, np.arange(top, bottom) + 0.5)
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = triangle
    area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    if abs(area) < 1e-9:
        return
    u = ((xs - ax) * (cy - ay) - (cx - ax) * (ys - ay)) / area
    v = ((bx - ax) * (ys - ay) - (xs - ax) * (by - ay)) / area
    z = az + u * (bz - az) + v * (cz - az)
    there = depth[top:bottom, left:right]
    nearer = (u >= 0) & (v >= 0) & (u + v <= 1) & (z > there)
    there[nearer] = z[nearer]
    image[top:bottom, left:right][nearer] = colour


def tetrahedron(edge: float, apart: float) -> Iterator[Painted]:
    """Yield both halves and the caps, `apart` millimetres from their places."""
    die = Die("tetrahedron", edge)
    aside = np.array([0.0, -apart, 0.0])
    yield Painted(die.half("a"), SHELL)
    yield Painted(die.half("b").moved(aside), SHELL)
    tips = [place for name, place in places(die) if name == "tip"]
    cap = read_stl(BUILT / f"{die.name}-cap.stl")
    for place, colour in zip(tips, (GOLD, SHELL, SILVER, SHELL), strict=True):
        way = place / np.linalg.norm(place)
        moved = cap.turned(_towards(way)).moved(place + apart / 6 * way)
        yield Painted(moved.moved(aside) if way[1] < -0.1 else moved, colour)
    if apart:
        yield from _contents(die, screws_by=aside * 1.5)


def cube(edge: float, apart: float) -> Iterator[Painted]:
    """Yield both halves, `apart` millimetres from each other."""
    die = Die("cube", edge, "wired")
    yield Painted(die.half("b"), SHELL)
    yield Painted(die.half("a").moved((0, 0, apart)), SHELL)
    if apart:
        yield from _contents(die, screws_by=np.array([0.0, 0.0, -0.8 * apart]))


def bezels() -> Iterator[Painted]:
    """Yield both sizes of the bezel, from the front and from the collar's side."""
    for across, size in ((0.0, "0.96"), (52.0, "1.3")):
        bezel = read_stl(BUILT / f"bezel-{size}.stl")
        yield Painted(bezel.turned(OVER).moved((across, 0, 0)), SHELL)
        yield Painted(bezel.moved((across, -36, 0)), SHELL)


def piece() -> Iterator[Painted]:
    """Yield a piece with its plug and magnet taken out, and one with its blank face up."""
    body, plug = read_stl(BUILT / "piece-body.stl"), read_stl(BUILT / "piece-plug.stl")
    yield Painted(body, SHELL)
    yield Painted(plug.moved((0, 0, 14)), GOLD)
    yield Painted(body.turned(OVER).moved((36, 0, 5.6)), SHELL)


def enclosure() -> Iterator[Painted]:
    """Yield the enclosure of a Pi with USB ports, and its lid above."""
    base, lid = (read_stl(BUILT / f"enclosure-full-{part}.stl") for part in ("base", "lid"))
    yield Painted(base, SHELL)
    yield Painted(lid.turned(OVER).moved((0, 0, 90)), SHELL)


def _contents(die: Die, screws_by: Numbers) -> Iterator[Painted]:
    for name, colour, by in (
        ("board", BOARD, np.zeros(3)),
        ("cell", CELL, np.zeros(3)),
        ("screws", STEEL, screws_by),
    ):
        yield Painted(read_stl(BUILT / f"{die.name}-{name}.stl").moved(by), colour)


def _towards(way: Numbers) -> Numbers:
    """Return the rotation of `towards` in tetrahedron.scad: +z to a direction, about y, then z.

    A lower tip is first rotated about its own axis.
    """
    down, around = np.arccos(way[2]), np.arctan2(way[1], way[0])
    about_y = np.array(
        [[np.cos(down), 0, np.sin(down)], [0, 1, 0], [-np.sin(down), 0, np.cos(down)]]
    )
    about_z = np.array(
        [[np.cos(around), -np.sin(around), 0], [np.sin(around), np.cos(around), 0], [0, 0, 1]]
    )
    own = np.diag([1.0, 1.0, 1.0]) if way[2] > 0 else np.diag([-1.0, -1.0, 1.0])
    turn: Numbers = about_z @ about_y @ own
    return turn


def beside(left: Image.Image, right: Image.Image) -> Image.Image:
    """Return two pictures side by side."""
    both = Image.new("RGB", (left.width + right.width, left.height), BACKGROUND)
    both.paste(left, (0, 0))
    both.paste(right, (left.width, 0))
    return both


def pictures() -> Iterator[tuple[str, Image.Image]]:
    """Yield every picture with its file name."""
    for name, body, edge, apart, turn in (
        ("tetrahedron", tetrahedron, 57, 48, view(62, 24)),
        ("tetrahedron-bought", tetrahedron, 52, 44, view(62, 24)),
        ("cube", cube, 42, 34, view(35, 28)),
        ("cube-bought", cube, 30, 30, view(150, 28)),
    ):
        closed = drawn([*body(edge, 0)], turn, CLOSED)
        yield f"body-{name}.png", beside(closed, drawn([*body(edge, apart)], turn, OPEN))
    yield "body-bezel.png", drawn([*bezels()], view(20, 40), OPEN)
    yield "body-piece.png", drawn([*piece()], view(10, 40), (560, 300))
    yield "body-enclosure.png", drawn([*enclosure()], view(-35, 30), OPEN)


def write(to: Path = PICTURES) -> None:
    """Write all pictures, with few colours to keep them small."""
    for name, picture in pictures():
        picture.quantize(64, dither=Image.Dither.NONE).save(to / name, optimize=True)


if __name__ == "__main__":
    write()
