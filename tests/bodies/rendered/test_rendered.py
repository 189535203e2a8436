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
from wiring.bodies.picture import OVER, PICTURES, pictures, tetrahedron

PAGES = Path(__file__).parents[3] / "docs" / "build"
PAGE = (PAGES / "bodies.md").read_text("utf-8")
SCAD = Path(__file__).parents[3] / "wiring" / "bodies"
PRINTED = sorted(
    [f"{die.name}-{half}" for die in DICE for half in "ab"]
    + [f"{die.name}-cap" for die in DICE if die.kind == "tetrahedron"]
    + ["bezel-0.96", "bezel-1.3", "piece-body", "piece-plug"]
    + [f"enclosure-{pi}-{part}" for pi in ("full", "zero") for part in ("base", "lid")]
)
LEAST_WALL = 1.2
BOUGHT = 'build="bought"'
DIES = pytest.mark.parametrize("die", DICE, ids=lambda die: die.name)


def openscad(body: str, out: Path, *settings: str) -> subprocess.CompletedProcess[str]:
    chosen = [word for setting in settings for word in ("-D", setting)]
    return subprocess.run(
        ["openscad", "-o", out, *chosen, SCAD / body],
        capture_output=True,
        text=True,
        check=False,
        timeout=500,
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
    build = "" if die.build == "board" else f", {die.build}"
    centre = away(die)
    row = f"| {die.kind}, {die.edge:g} mm{build} | {centre:.2f} mm | {worst(die):.2f} mm |"
    assert row in PAGE


def test_the_balance_in_the_documentation_is_fresh() -> None:
    assert "\n".join(table(DICE[0])) in PAGE


def total(die: Die) -> float:
    return sum(piece.mass for piece in pieces(die, stated_masses(die.build)))


def test_the_masses_of_a_set_with_bought_boards_in_the_documentation_are_fresh() -> None:
    page = (PAGES / "one-board.md").read_text("utf-8")
    dice = [die for die in DICE if die.build == "bought"]
    plastic = [
        4
        * sum(
            piece.mass
            for piece in pieces(die, stated_masses(die.build))
            if piece.name in ("half a", "half b", "cap")
        )
        for die in dice
    ]
    assert f"| one die weighs | {' | '.join(f'{total(die):.1f} g' for die in dice)} |" in page
    assert f"| plastic for four | {' | '.join(f'{grams:.0f} g' for grams in plastic)} |" in page


@DIES
def test_an_unbalanced_die_is_detected(die: Die) -> None:
    masses = stated_masses(die.build)
    masses["board"] += 0.5 * total(die)
    assert away(die, masses) > die.allowed_mm


@pytest.mark.parametrize("edge", [52, 57, 80])
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


@pytest.mark.parametrize("body", [*(die.name for die in DICE), "enclosure-full", "enclosure-zero"])
def test_contents_do_not_touch_the_body(body: str) -> None:
    # OpenSCAD intersected them with an empty result.
    said = (BUILT / f"{body}.empty").read_text("utf-8")
    assert "Current top level object is empty" in said


@pytest.mark.parametrize(
    "setting", ["usb_side=[3,54]", "power_side=[6,60]", "card_side=[24,37]", "air=-0.5"]
)
def test_a_port_or_board_that_touches_the_enclosure_is_detected(
    setting: str, tmp_path: Path
) -> None:
    ended = openscad("enclosure.scad", tmp_path / "met.stl", 'part="collision"', "$fn=8", setting)
    assert ended.returncode == 0, ended.stderr
    assert read_stl(tmp_path / "met.stl").volume > 0.1


def test_the_size_of_the_enclosure_in_the_documentation_is_fresh() -> None:
    corners = read_stl(BUILT / "enclosure-full-base.stl").triangles.reshape(-1, 3)
    x, y, z = np.ptp(corners, axis=0)
    assert f"{x:g} x {y:g} x {z:.1f} mm" in PAGE


@pytest.mark.parametrize("pi", ["full", "zero"])
def test_the_lid_turned_over_lies_on_the_enclosure(pi: str) -> None:
    base = read_stl(BUILT / f"enclosure-{pi}-base.stl").triangles.reshape(-1, 3)
    lid = read_stl(BUILT / f"enclosure-{pi}-lid.stl").turned(OVER).triangles.reshape(-1, 3)
    for corner in (np.min, np.max):
        assert corner(lid, axis=0)[:2] == pytest.approx(corner(base, axis=0)[:2], abs=1e-3)


def test_a_piece_has_as_much_plastic_below_the_magnet_as_above_it() -> None:
    body = read_stl(BUILT / "piece-body.stl").triangles.reshape(-1, 3)
    plug = read_stl(BUILT / "piece-plug.stl").triangles.reshape(-1, 3)
    in_pocket = body[np.hypot(body[:, 0], body[:, 1]) < 4.5, 2]
    floor, top = in_pocket[in_pocket > 0.1].min(), body[:, 2].max()
    assert plug[:, 2].max() == pytest.approx(floor)
    assert 3 <= top - 2 * floor <= 3.3


@pytest.mark.parametrize(
    ("body", "build"), [("tetrahedron", "board"), ("tetrahedron", "bought"), ("cube", "bought")]
)
def test_a_board_larger_than_its_space_is_detected(body: str, build: str, tmp_path: Path) -> None:
    settings = ('part="collision"', "air=-0.3", "$fn=8", f'build="{build}"')
    ended = openscad(f"{body}.scad", tmp_path / "met.stl", *settings)
    assert ended.returncode == 0, ended.stderr
    assert read_stl(tmp_path / "met.stl").volume > 1


@pytest.mark.parametrize(
    ("body", "settings", "error"),
    [
        ("tetrahedron.scad", ("edge=56",), "The board is too long, broad or thick"),
        ("tetrahedron.scad", (BOUGHT, "edge=51"), "is too long, broad or thick"),
        ("tetrahedron.scad", (BOUGHT, "usb_plug=[13,7.2]"), "The plug is too broad or thick"),
        ("tetrahedron.scad", (BOUGHT, "cell_x=-3"), "The cell is too long, broad or thick"),
        ("tetrahedron.scad", (BOUGHT, "edge=65", "cell_x=-3"), "The cell is too near"),
        ("tetrahedron.scad", ('build="wired"', "edge=79"), "The board is too long"),
        ("tetrahedron.scad", ("cell=[12.5,21,8]",), "The cell is too"),
        ("cube.scad", ("edge=38",), "too long for the cube"),
        ("cube.scad", (BOUGHT, "edge=29"), "comes too near to the screws"),
        ("cube.scad", (BOUGHT, "usb_plug=[21,8]"), "The plug is too broad or thick"),
        ("cube.scad", (BOUGHT, "cell_x=-3"), "The cell is too near to the antenna"),
        ("cube.scad", (BOUGHT, "cell=[12.5,26,5.2]"), "too long for the cube"),
        ("cube.scad", ('build="board"',), 'The build is "bought" or "wired"'),
        ("bezel.scad", ('size="2.4"',), "The size is"),
        ("piece.scad", ("magnet=[16,3]",), "The magnet is too wide"),
        ("enclosure.scad", ('pi="5"',), "The Pi is"),
    ],
)
def test_parts_that_do_not_fit_are_rejected(
    body: str, settings: tuple[str, ...], error: str, tmp_path: Path
) -> None:
    ended = openscad(body, tmp_path / "x.echo", 'part=""', *settings)
    printed = ended.stderr + (tmp_path / "x.echo").read_text("utf-8")
    assert "Assertion" in printed
    assert error in printed


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
