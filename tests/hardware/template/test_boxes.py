"""Boxes and discs: their distances, and the union of boxes, compared with shapely."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Point, Polygon, box, unary_union

from urpi.hardware.template.boxes import Area, Box, Disc, gap, union

steps = st.integers(0, 8)


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    left, top = draw(steps), draw(steps)
    return Box(left, top, left + draw(st.integers(1, 6)), top + draw(st.integers(1, 6)))


discs = st.builds(Disc, steps, steps, st.integers(1, 4))


def shape(area: Area) -> Polygon:
    if isinstance(area, Box):
        return box(area.left, area.top, area.right, area.bottom)
    return Point(area.x, area.y).buffer(area.r, quad_segs=128)


@given(boxes() | discs, boxes() | discs)
def test_the_gap_is_the_distance_of_two_areas(one: Area, other: Area) -> None:
    apart = shape(one).distance(shape(other))
    assert max(gap(one, other), 0) == pytest.approx(apart, abs=0.01)


@given(boxes() | discs, boxes() | discs)
def test_overlapping_areas_have_a_negative_gap(one: Area, other: Area) -> None:
    if shape(one).intersection(shape(other)).area > 0.1:
        assert gap(one, other) < 0


@given(st.lists(boxes(), min_size=1, max_size=6))
def test_a_union_covers_the_area_of_its_boxes(parts: list[Box]) -> None:
    covered = unary_union([shape(part) for part in parts])
    # Outer outlines are clockwise (y points downwards), those of holes counterclockwise.
    area = sum(-signed(points) for points in union(parts))
    assert area == pytest.approx(covered.area)


def signed(points: tuple[tuple[float, float], ...]) -> float:
    following = (*points[1:], points[0])
    pairs = zip(points, following, strict=True)
    return -sum(x * down - right * y for (x, y), (right, down) in pairs) / 2
