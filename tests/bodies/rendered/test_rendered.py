"""The bodies rendered by OpenSCAD, for `make test-bodies`."""

import subprocess
from itertools import product
from operator import mul
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageChops, ImageStat

from wiring.bodies.balance import ALLOWED_MM, BUILT, DICE, Die, away, pieces, stated_masses, table
from wiring.bodies.mechanics import SHAPES, numbers_of, source
from wiring.bodies.mesh import Mesh, open_edges, read_stl, thinnest
from wiring.bodies.picture import PICTURES, pictures, tetrahedron

PAGE = (Path(__file__).parents[3] / "docs" / "build" / "bodies.md").read_text("utf-8")
SCAD = Path(__file__).parents[3] / "wiring" / "bodies"
PRINTED = sorted(
    [f"{die.name}-{half}" for die in DICE for half in "ab"]
    + [f"{die.name}-cap" for die in DICE if die.kind == "tetrahedron"]
    + ["bezel-0.96", "bezel-1.3"]
)
LEAST_WALL = 1.2
DIES = pytest.mark.parametrize("die", DICE, ids=lambda die: die.name)


def openscad(body: str, out: Path, *settings: str) -> subprocess.CompletedProcess[str]:
    chosen = [word for setting in settings for word in ("-D", setting)]
    return subprocess.run(
        ["openscad", "-o", out, *chosen, SCAD / body],
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )


@pytest.mark.parametrize("name", PRINTED)
def test_printed_bodies_are_watertight_and_flat_on_the_bed(name: str) -> None:
    mesh = read_stl(BUILT / f"{name}.stl")
    assert open_edges(mesh) == 0
    assert mesh.volume > 0
    assert mesh.triangles[:, :, 2].min() == pytest.approx(0, abs=1e-4)
    on_bed = np.all(np.abs(mesh.triangles[:, :, 2]) < 1e-4, axis=1)
    assert area(Mesh(mesh.triangles[on_bed])) > 20


def area(mesh: Mesh) -> float:
    a, b, c = (mesh.triangles[:, corner] for corner in range(3))
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)


@pytest.mark.parametrize("name", PRINTED)
def test_no_wall_is_thinner_than_three_lines(name: str) -> None:
    found, where = thinnest(read_stl(BUILT / f"{name}.stl"))
    assert found >= LEAST_WALL - 0.01, where


@DIES
def test_the_centre_of_mass_is_close_to_the_middle(die: Die) -> None:
    assert away(die) < die.allowed_mm


def worst(die: Die) -> float:
    """Return the largest distance with every mass wrong by a third, in either direction."""
    masses = stated_masses(die.build)
    assert set(masses) == {"plastic_per_cm3", "board", "cell", "screw", "insert"}
    signs = product((2 / 3, 4 / 3), repeat=len(masses))
    wrong = [dict(zip(masses, map(mul, masses.values(), by), strict=True)) for by in signs]
    return max(away(die, each) for each in wrong)


@DIES
def test_the_centre_of_mass_stays_close_if_every_mass_is_wrong_by_a_third(die: Die) -> None:
    assert worst(die) < ALLOWED_MM


@DIES
def test_the_figures_in_the_documentation_are_fresh(die: Die) -> None:
    wired = ", wired" if die.build == "wired" else ""
    centre = away(die)
    row = f"| {die.kind}, {die.edge:g} mm{wired} | {centre:.2f} mm | {worst(die):.2f} mm |"
    assert row in PAGE


def test_the_balance_in_the_documentation_is_fresh() -> None:
    assert "\n".join(table(DICE[0])) in PAGE


def total(die: Die) -> float:
    return sum(piece.mass for piece in pieces(die, stated_masses(die.build)))


@DIES
def test_an_unbalanced_die_is_detected(die: Die) -> None:
    masses = stated_masses(die.build)
    masses["board"] += 0.5 * total(die)
    assert away(die, masses) > ALLOWED_MM


@pytest.mark.parametrize("edge", [57, 80])
def test_all_faces_and_tips_of_a_tetrahedron_are_equal(edge: float) -> None:
    corners = np.concatenate(
        [part.mesh.triangles.reshape(-1, 3) for part in tetrahedron(edge, apart=0)]
    )
    tips = np.array(
        [[1, 0, 0.5**0.5], [-1, 0, 0.5**0.5], [0, 1, -(0.5**0.5)], [0, -1, -(0.5**0.5)]]
    )
    tips /= np.linalg.norm(tips, axis=1)[:, None]
    inner = edge / (2 * 6**0.5)
    assert (corners @ -tips.T).max(axis=0) == pytest.approx([inner] * 4, abs=0.03)
    assert (corners @ tips.T).max(axis=0) == pytest.approx([3 * inner - 4] * 4, abs=0.05)


@pytest.mark.parametrize("die", [die for die in DICE if die.kind == "cube"])
def test_all_faces_of_a_cube_are_equally_far_out(die: Die) -> None:
    corners = np.concatenate([die.half(which).triangles.reshape(-1, 3) for which in "ab"])
    half = die.edge / 2
    assert [*corners.min(axis=0), *corners.max(axis=0)] == pytest.approx([-half] * 3 + [half] * 3)


@DIES
def test_board_cell_and_screws_do_not_touch_the_body(die: Die) -> None:
    # OpenSCAD intersected them with an empty result.
    said = (BUILT / f"{die.name}.empty").read_text("utf-8")
    assert "Current top level object is empty" in said


def test_a_board_larger_than_its_space_is_detected(tmp_path: Path) -> None:
    settings = ('part="collision"', "air=-0.3", "$fn=8")
    ended = openscad("tetrahedron.scad", tmp_path / "met.stl", *settings)
    assert ended.returncode == 0, ended.stderr
    assert read_stl(tmp_path / "met.stl").volume > 1


@pytest.mark.parametrize(
    ("body", "settings", "told"),
    [
        ("tetrahedron.scad", ("edge=56",), "The board is too long, broad or thick"),
        ("tetrahedron.scad", ('build="small"',), "No board has been designed"),
        ("tetrahedron.scad", ('build="wired"', "edge=79"), "The board is too long"),
        ("tetrahedron.scad", ("cell=[12.5,21,8]",), "The cell is too"),
        ("cube.scad", ('build="small"', "edge=24"), "too long for the cube"),
        ("bezel.scad", ('size="2.4"',), "The size is"),
    ],
)
def test_parts_that_do_not_fit_are_rejected(
    body: str, settings: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    ended = openscad(body, tmp_path / "x.echo", 'part=""', *settings)
    said = ended.stderr + (tmp_path / "x.echo").read_text("utf-8")
    assert "Assertion" in said
    assert told in said


@pytest.mark.parametrize(("cell", "edge"), [("[17,26,5.2]", 59), ("[20,20,5.2]", 65)])
def test_a_larger_cell_requires_a_larger_die(cell: str, edge: int, tmp_path: Path) -> None:
    for size, fits in ((edge - 1, False), (edge, True)):
        settings = ('part=""', f"cell={cell}", f"edge={size}")
        ended = openscad("tetrahedron.scad", tmp_path / "x.echo", *settings)
        said = ended.stderr + (tmp_path / "x.echo").read_text("utf-8")
        assert ("Assertion" not in said) == fits


def test_the_pictures_in_the_documentation_are_fresh() -> None:
    # Different rounding may change single pixels at edges.
    for name, picture in pictures():
        shown = Image.open(PICTURES / name).convert("RGB")
        different = ImageChops.difference(shown, picture.convert("RGB"))
        assert max(ImageStat.Stat(different).mean) < 2, name


def test_the_simulators_bodies_are_the_rendered_ones() -> None:
    """A renderer of another version can place its vertices elsewhere, within its rounding."""
    found, stored = numbers_of(source()), numbers_of(SHAPES.read_text("utf-8"))
    assert len(found) == len(stored)
    assert found == pytest.approx(stored, rel=1e-3, abs=1e-6)
