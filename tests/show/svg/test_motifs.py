"""The motifs of the board, and the conditions for engraving their shapes."""

from itertools import combinations, pairwise
from math import hypot

import numpy as np
import pytest
from numpy.typing import NDArray

from urpi.rules import ALL_SQUARES
from urpi.rules.board import ROSETTES, mirror, parse_square
from urpi.show.svg.motifs import (
    MOTIFS,
    Inlay,
    Motif,
    MotifCircle,
    MotifPolygon,
    motif_of,
    shapes_of,
)


def test_every_square_has_a_motif() -> None:
    assert set(MOTIFS) == set(ALL_SQUARES)
    counts = {motif: list(MOTIFS.values()).count(motif) for motif in Motif}
    assert counts == {
        Motif.ROSETTE: 5,
        Motif.EYES: 5,
        Motif.DOTS: 5,
        Motif.FIVES: 2,
        Motif.ZIGGURAT: 2,
        Motif.GRID: 1,
    }


def test_rosettes_are_the_squares_of_the_rules() -> None:
    assert {square for square in ALL_SQUARES if motif_of(square) is Motif.ROSETTE} == ROSETTES


def test_the_outer_rows_have_the_same_motifs() -> None:
    assert all(motif_of(square) is motif_of(mirror(square)) for square in ALL_SQUARES)


@pytest.mark.parametrize(
    ("square", "motif"),
    [("A2", "eyes"), ("B1", "grid"), ("B3", "fives"), ("B7", "eyes"), ("C8", "ziggurat")],
)
def test_motifs_agree_with_the_museum_s_board(square: str, motif: str) -> None:
    assert motif_of(parse_square(square)).value == motif


def bounds(shape: MotifPolygon | MotifCircle) -> tuple[float, float, float, float]:
    if isinstance(shape, MotifCircle):
        return shape.x - shape.r, shape.y - shape.r, shape.x + shape.r, shape.y + shape.r
    across, down = zip(*shape.points, strict=True)
    return min(across), min(down), max(across), max(down)


@pytest.mark.parametrize("motif", Motif)
def test_a_motif_stays_within_its_frame(motif: Motif) -> None:
    for shape in shapes_of(motif):
        left, top, right, bottom = bounds(shape)
        assert min(left, top) >= 0.07 - 1e-9
        assert max(right, bottom) <= 0.93 + 1e-9


@pytest.mark.parametrize("motif", Motif)
def test_a_closed_line_does_not_repeat_a_point(motif: Motif) -> None:
    for shape in shapes_of(motif):
        if isinstance(shape, MotifPolygon):
            around = [*shape.points, shape.points[0]]
            assert all(hypot(x - u, y - v) > 1e-6 for (x, y), (u, v) in pairwise(around))


def edges(shape: MotifPolygon | MotifCircle) -> NDArray[np.complex128]:
    """Return points x + iy along the edge of a shape, dense enough to find intersections."""
    if isinstance(shape, MotifCircle):
        ring = [(complex(0, 1) ** (n / 8)) * shape.r for n in range(32)]
        return np.array([complex(shape.x, shape.y) + each for each in ring])
    around = [complex(*point) for point in (*shape.points, shape.points[0])]
    return np.concatenate([np.linspace(*ends, 12, endpoint=False) for ends in pairwise(around)])


@pytest.mark.parametrize("motif", Motif)
def test_filled_shapes_keep_a_distance_from_every_other_edge(motif: Motif) -> None:
    # A hundredth of a square is 0.4 mm on a board with squares of 40 mm.
    for one, other in combinations(shapes_of(motif), 2):
        if one.filled or other.filled:
            near = abs(edges(one)[:, None] - edges(other)).min()
            assert near > 0.009, (one, other)


@pytest.mark.parametrize("motif", Motif)
def test_a_motif_uses_both_stones(motif: Motif) -> None:
    assert {shape.inlay for shape in shapes_of(motif)} == set(Inlay)
