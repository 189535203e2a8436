"""Measures of meshes, for bodies with known values."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wiring.bodies.mesh import Mesh, open_edges, read_stl, sharp_edges, thinnest

lengths = st.floats(0.5, 40)
places = st.tuples(*[st.floats(-50, 50)] * 3)


def box(width: float, depth: float, height: float) -> Mesh:
    """Return a box with a corner at the origin."""
    corners = np.array(list(product((0, width), (0, depth), (0, height))), dtype=float)
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    halves = [(a, b, c) for a, b, c, _ in sides] + [(a, c, d) for a, _, c, d in sides]
    return Mesh(corners[np.array(halves)])


def joined(*parts: Mesh) -> Mesh:
    return Mesh(np.concatenate([part.triangles for part in parts]))


def inside_out(mesh: Mesh) -> Mesh:
    return Mesh(mesh.triangles[:, ::-1])


@given(lengths, lengths, lengths, places)
def test_volume_and_centroid_of_a_box(
    width: float, depth: float, height: float, at: tuple[float, float, float]
) -> None:
    mesh = box(width, depth, height).moved(at)
    assert mesh.volume == pytest.approx(width * depth * height, rel=1e-6)
    middle = np.array(at) + np.array([width, depth, height]) / 2
    assert mesh.centroid == pytest.approx(middle, abs=1e-5)


def test_the_centroid_of_a_tetrahedron_is_the_mean_of_its_corners() -> None:
    a, b, c, d = np.array([[0, 0, 0], [6, 0, 0], [0, 3, 0], [0, 0, 12]], dtype=float)
    mesh = Mesh(np.array([(a, c, b), (a, b, d), (b, c, d), (a, d, c)]))
    assert mesh.volume == pytest.approx(36)
    assert mesh.centroid == pytest.approx([1.5, 0.75, 3])


def test_a_cavity_moves_the_centroid_away_from_it() -> None:
    mesh = joined(box(10, 10, 10), inside_out(box(4, 4, 4).moved((5, 3, 3))))
    assert mesh.volume == pytest.approx(1000 - 64)
    assert mesh.centroid == pytest.approx([(5000 - 64 * 7) / 936, 5, 5])


def test_a_missing_triangle_leaves_open_edges() -> None:
    mesh = box(1, 2, 3)
    assert open_edges(mesh) == 0
    assert open_edges(Mesh(mesh.triangles[1:])) == 3


def test_an_inverted_body_is_rejected() -> None:
    with pytest.raises(ValueError, match="inside out"):
        _ = inside_out(box(1, 1, 1)).centroid


@pytest.mark.parametrize("wall", [0.4, 1.2, 3.0])
def test_the_thinnest_wall_around_a_cavity_is_found(wall: float) -> None:
    room = inside_out(box(20 - 8 - wall, 12, 12).moved((8, 4, 4)))
    found, where = thinnest(joined(box(20, 20, 20), room))
    assert found == pytest.approx(wall)
    assert where[0] >= 20 - wall - 1e-9


def test_the_edges_of_a_plate_are_sharp_and_not_walls() -> None:
    plate = box(30, 20, 2)
    assert len(sharp_edges(plate)) == 12
    assert thinnest(plate)[0] == pytest.approx(2)


def test_an_stl_file_round_trips(tmp_path: Path) -> None:
    mesh = box(1.5, 2, 3)
    facets = [
        "facet normal 0 0 0\nouter loop\n"
        + "".join(f"vertex {x} {y} {z}\n" for x, y, z in triangle)
        + "endloop\nendfacet\n"
        for triangle in mesh.triangles.tolist()
    ]
    file = tmp_path / "box.stl"
    file.write_text(f"solid box\n{''.join(facets)}endsolid box\n")
    assert read_stl(file).triangles.tolist() == mesh.triangles.tolist()
