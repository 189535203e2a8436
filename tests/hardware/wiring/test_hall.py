"""The exact field of a disc and what Hall sensors tell, against other sources and the tables."""

import math
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urpi.referee.fields import OF_SHARE, SHARES
from wiring.cylinder import elliptic, exact_field_mt, pile_force_n
from wiring.hall import (
    ADS7828,
    ADS7830,
    MOST,
    SENSORS,
    Design,
    fitting,
    grows_to,
    lifts,
    pile_mt,
    pole_aside_mm,
    strength_aside_mm,
)
from wiring.magnets import Disc, field_mt, on_axis_mt
from wiring.pages.hall import GAPS_MM, MIXED, PIECES, SINGLE

BY_MAGPYLIB = [
    (8, 3, 1.28, 5, 0, 123.618374, 0.000000),
    (8, 3, 1.28, 5, 3, 84.337718, 56.292425),
    (8, 3, 1.28, 7.5, 10, 1.454807, 11.560124),
    (8, 3, 1.28, 13.5, 4, 9.015415, 3.902838),
    (8, 3, 1.28, 13.5, 10, 3.127740, 4.442303),
    (8, 3, 1.28, 20, 40, -0.068016, 0.207417),
    (8, 3, 1.28, 0.5, 7, -58.490737, 15.192485),
    (8, 3, 1.28, -9, 2, 30.135707, -8.768486),
    (6, 3, 1.17, 5, 0, 86.991128, 0.000000),
    (6, 3, 1.17, 5, 3, 47.562654, 40.215855),
    (6, 3, 1.17, 3, 5.5, -6.110724, 46.151326),
    (10, 5, 1.43, 5, 3, 226.273336, 116.872521),
    (10, 5, 1.43, 7.5, 10, 4.903682, 33.967383),
    (10, 5, 1.43, 3, 5.5, 28.890983, 375.772282),
    (3, 1, 1.28, 5, 3, 4.376747, 4.448580),
    (3, 1, 1.28, 20, 40, -0.003215, 0.009669),
    (3, 1, 1.28, 0.5, 7, -2.140708, 0.477595),
]
"""Diameter, height, remanence, depth and distance from the axis; the field down and outwards.

Calculated with `Cylinder(...).getB` of magpylib 6.3.0 (BSD), in millitesla.
"""


@pytest.mark.parametrize(
    ("diameter", "height", "remanence", "depth", "aside", "down", "out"), BY_MAGPYLIB
)
def test_the_field_is_that_of_magpylib(diameter, height, remanence, depth, aside, down, out):
    found = exact_field_mt(Disc(diameter, height, remanence), depth, aside)
    assert found == pytest.approx((down, out), rel=1e-5, abs=2e-6)


@pytest.mark.parametrize("disc", [Disc(10, 3), Disc(8, 3, 1.17), Disc(6, 6, 0.4)])
@pytest.mark.parametrize("depth_mm", [5.0, 11.5, 21.5])
def test_on_the_axis_the_field_is_the_elementary_one(disc, depth_mm):
    assert exact_field_mt(disc, depth_mm)[0] == pytest.approx(on_axis_mt(disc, depth_mm), rel=1e-9)


@given(st.floats(0.1, 2), st.floats(0.1, 2), st.floats(-2, 2), st.floats(-2, 2))
def test_the_elliptic_integral_is_the_sum_of_its_slices(kc, p, c, s):
    steps = 200
    total = 0.0
    for step in range(steps):
        angle = (step + 0.5) * math.pi / 2 / steps
        cos2, sin2 = math.cos(angle) ** 2, math.sin(angle) ** 2
        total += (c * cos2 + s * sin2) / ((cos2 + p * sin2) * math.sqrt(cos2 + kc**2 * sin2))
    assert elliptic(kc, p, c, s) == pytest.approx(total * math.pi / 2 / steps, abs=1e-6)


def by_coulomb_mt(disc, depth_mm, aside_mm, steps=60):
    """Return the field of many small poles on both faces of a disc, by Coulomb's law."""
    down = out = 0.0
    for ring in range(steps):
        radius = disc.diameter_mm / 2 * (ring + 0.5) / steps
        area = radius * (disc.diameter_mm / 2 / steps) * (2 * math.pi / steps)
        for step in range(steps):
            angle = 2 * math.pi * step / steps
            x, y = aside_mm - radius * math.cos(angle), radius * math.sin(angle)
            for face, sign in ((disc.height_mm / 2, 1), (-disc.height_mm / 2, -1)):
                z = depth_mm - face
                part = sign * area / (x * x + y * y + z * z) ** 1.5
                down, out = down + part * z, out + part * x
    scale = 1000 * disc.remanence_t / (4 * math.pi)
    return scale * down, scale * out


@settings(max_examples=8)
@given(
    st.builds(Disc, st.floats(3, 12), st.floats(1, 5), st.floats(0.3, 1.4)),
    st.floats(3, 20),
    st.floats(0, 40),
)
def test_the_field_is_that_of_poles_on_both_faces(disc, gap, aside):
    depth = disc.height_mm / 2 + gap
    expected = by_coulomb_mt(disc, depth, aside)
    assert exact_field_mt(disc, depth, aside) == pytest.approx(expected, rel=0.01, abs=0.01)


@given(st.floats(3, 12), st.floats(1, 5), st.floats(40, 80), st.floats(0, 80))
def test_far_away_the_field_is_the_dipole_s(diameter, height, depth, aside):
    disc = Disc(diameter, height)
    away = math.hypot(depth, aside)
    found, expected = exact_field_mt(disc, depth, aside), field_mt(disc, depth, aside)
    error = math.dist(found, expected)
    assert error < 3 * (diameter / away) ** 2 * math.hypot(*expected) + 1e-6


@pytest.mark.parametrize("radius", [1.5, 4.0])
def test_the_field_below_the_edge_lies_between_those_beside_it(radius):
    disc = Disc(2 * radius, 3)
    below, *beside = (exact_field_mt(disc, 6, radius + by)[0] for by in (0, -1e-3, 1e-3))
    assert min(beside) <= below <= max(beside)


@pytest.mark.parametrize("disc", [Disc(8, 3), Disc(3, 1), Disc(5, 2)])
def test_the_force_far_away_is_that_of_two_dipoles(disc):
    pitch = 12 * disc.diameter_mm
    moment = 1e-9 * disc.remanence_t * disc.volume_mm3 / (4e-7 * math.pi)
    dipoles = 3 * 4e-7 * moment**2 / 2 / (pitch / 1000) ** 4
    assert pile_force_n(disc, pitch) == pytest.approx(dipoles, rel=0.05)


@cache
def designs():
    return [fitting(disc, gap, tall) for disc, tall in PIECES for gap in GAPS_MM]


def test_strength_alone_never_counts_pieces():
    for design in designs():
        for weaker, stronger in (("L", "LL"), ("LL", "LLL"), ("LD", "L")):
            assert strength_aside_mm(design, weaker, stronger) is None


def test_perfect_pieces_in_the_middle_would_be_counted():
    low, high = (pile_mt(Design(Disc(6, 3), 8), pile, 0.0) for pile in ("L", "LL"))
    assert sum(low) / 2 < sum(high) / 2 - 3


def test_a_turned_piece_reads_as_the_other_side_s():
    for design in designs():
        for aside in (0.0, 3.5):
            low, high = pile_mt(design, "L", aside)
            assert pile_mt(design, "D", aside) == (-high, -low)


def test_a_piece_within_the_stated_offset_is_never_taken_for_nothing_or_the_other_side():
    for design in designs():
        nothing = design.error_mt + design.around_mt
        for fifth in range(6) if (most := pole_aside_mm(design)) is not None else ():
            low, _ = pile_mt(design, "L", most * fifth / 5)
            assert low - nothing > nothing


def test_far_off_the_middle_the_field_of_a_near_piece_changes_its_sign():
    assert exact_field_mt(Disc(6, 3), 6.5, 10)[0] < 0
    assert pole_aside_mm(Design(Disc(6, 3), 5)) < 10


def test_only_weak_magnets_leave_a_mixed_pile_standing():
    assert lifts(Design(Disc(8, 3), 8)) > 50
    assert lifts(Design(*MIXED)) < 0.6


def test_the_recommended_designs_tell_the_sides_apart():
    for magnet in (SINGLE, MIXED):
        assert pole_aside_mm(fitting(*magnet)) >= 4
        assert grows_to(fitting(*magnet), 0.0) >= 3


@pytest.mark.parametrize("sensor", SENSORS, ids=lambda sensor: sensor.name)
def test_more_bits_never_see_less(sensor):
    for disc, gap in (SINGLE, MIXED):
        fine, coarse = (Design(disc, gap, sensor, each) for each in (ADS7828, ADS7830))
        assert grows_to(fine, 0.0) >= grows_to(coarse, 0.0)
        assert (pole_aside_mm(fine) or 0) >= (pole_aside_mm(coarse) or 0)
        assert grows_to(fine, 0.0) <= MOST


@pytest.mark.parametrize("converter", [ADS7830, ADS7828], ids=lambda each: each.name)
def test_fifty_scans_a_second_leave_the_bus_free(converter):
    assert converter.scan_us(20) * 50 / 1e6 < 0.4


def test_the_referee_takes_the_shares_of_a_pile_from_the_field() -> None:
    disc, gap_mm, tall_mm = Disc(3, 1), 5, 5.6
    middle_mm = gap_mm + disc.height_mm / 2
    fields = [exact_field_mt(disc, middle_mm + place * tall_mm)[0] for place in range(MOST)]
    # A piece 4 mm off the middle changes its share by 3 % at least, in any place of a pile.
    assert [1000 * each / fields[0] for each in fields] == pytest.approx(SHARES, abs=1.5)


def test_the_referee_allows_what_the_unfavourable_ends_of_a_piece_make_of_its_share() -> None:
    design = Design(Disc(3, 1), 5.0)
    weakest, strongest = (pile_mt(design, "L", 0.0)[end] for end in (0, 1))
    aside = pile_mt(design, "L", 4.0)[0]
    assert OF_SHARE[0] <= aside / strongest < 1.1 * OF_SHARE[0]
    assert OF_SHARE[1] >= strongest / weakest > 0.9 * OF_SHARE[1]
