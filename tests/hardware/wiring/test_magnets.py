"""The estimated range of a magnet, against the exact field and for consistency."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wiring.magnets import (
    MT_PER_AT_LEAST,
    MT_PER_AT_MOST,
    Disc,
    Reed,
    along_pile_mt,
    along_standing_mt,
    aside_mm,
    clear_mm,
    field_mt,
    on_axis_mt,
    reach_mm,
    suits,
)

discs = st.builds(Disc, st.floats(4, 15), st.floats(1, 8), st.floats(0.3, 1.45))
reeds = st.builds(Reed, st.floats(7, 20), st.floats(5, 40))
gaps = st.floats(2, 30)


def by_rings_mt(disc, depth_mm, rings=2000):
    """Return the field on the axis, integrated over rings of both faces by Coulomb's law."""
    width = disc.diameter_mm / 2 / rings
    radii = [(ring + 0.5) * width for ring in range(rings)]
    near, far = (
        sum(height * radius * width / (radius**2 + height**2) ** 1.5 for radius in radii)
        for height in (depth_mm - disc.height_mm / 2, depth_mm + disc.height_mm / 2)
    )
    return 1000 * disc.remanence_t / 2 * (near - far)


@pytest.mark.parametrize("disc", [Disc(10, 3), Disc(8, 3, 1.17), Disc(6, 6, 0.4)])
@pytest.mark.parametrize("depth_mm", [5.0, 11.5, 21.5])
def test_the_field_on_the_axis_agrees_with_coulomb_s_law(disc, depth_mm):
    assert on_axis_mt(disc, depth_mm) == pytest.approx(by_rings_mt(disc, depth_mm), rel=0.001)


@pytest.mark.parametrize(("diameters", "error"), [(1.5, 0.2), (2, 0.12), (4, 0.04)])
@pytest.mark.parametrize("disc", [Disc(6, 3), Disc(8, 3), Disc(10, 3), Disc(12, 2)])
def test_the_dipole_approaches_the_exact_field_with_distance(disc, diameters, error):
    depth = diameters * disc.diameter_mm
    assert field_mt(disc, depth, 0)[0] == pytest.approx(on_axis_mt(disc, depth), rel=error)


def test_a_horizontal_switch_has_no_field_along_it_on_the_axis():
    assert field_mt(Disc(8, 3), 10, 0)[1] == 0
    assert field_mt(Disc(8, 3), 10, 7)[1] > field_mt(Disc(8, 3), 10, 7)[0] / 2


@given(discs, reeds, gaps, st.floats(0, 40))
def test_the_average_along_a_switch_is_that_of_many_points(disc, reed, gap, aside):
    steps = 400
    depths = [
        gap + disc.height_mm / 2 + reed.length_mm * (step + 0.5) / steps for step in range(steps)
    ]
    average = sum(field_mt(disc, depth, aside)[0] for depth in depths) / steps
    close = pytest.approx(average, rel=0.01, abs=0.01)
    assert along_standing_mt(disc, reed, gap, aside) == close


@given(discs, reeds)
def test_a_switch_just_closes_at_its_reach(disc, reed):
    reach = reach_mm(disc, reed)
    if reach:
        assert along_standing_mt(disc, reed, reach) == pytest.approx(reed.needs_mt(), rel=0.001)
    else:
        assert along_standing_mt(disc, reed, 0) < reed.needs_mt()


@given(discs, reeds)
def test_a_factor_of_two_in_the_field_is_at_most_its_square_root_in_the_distance(disc, reed):
    # Between the cube root, for a short switch far away, and the square root, for a long one.
    least, usual, most = (
        reach_mm(disc, reed, mt_per_at) for mt_per_at in (MT_PER_AT_MOST, 0.1, MT_PER_AT_LEAST)
    )
    assert least <= usual <= most
    if least:
        to_centre = disc.height_mm / 2
        assert most + to_centre <= 2.001 * (least + to_centre)


@given(discs, reeds, gaps)
def test_reach_increases_with_the_magnet_and_decreases_with_the_ampere_turns(disc, reed, gap):
    stronger = Disc(disc.diameter_mm, disc.height_mm, disc.remanence_t * 1.1)
    less_sensitive = Reed(reed.length_mm, reed.pull_in_at * 1.1)
    assert reach_mm(stronger, reed) >= reach_mm(disc, reed) >= reach_mm(disc, less_sensitive)
    assert aside_mm(stronger, reed, gap) >= aside_mm(disc, reed, gap)
    assert clear_mm(stronger, gap, 15) >= clear_mm(disc, gap, 15)


def test_the_recommended_magnet_suits_squares_of_50_mm():
    # A piece of 30 mm stands at most 10 mm off the middle; the next one is 40 mm away.
    for gap in (5, 8, 12):
        assert aside_mm(Disc(8, 3), Reed(14, 20), gap) >= 9.5
        assert clear_mm(Disc(8, 3), gap, lowest_at=15) <= 40


@given(discs, reeds, gaps, st.floats(0, 60), st.integers(1, 7))
def test_the_field_of_a_pile_is_that_of_its_magnets(disc, reed, gap, aside, pile):
    """Against the field at many points of the glass, of dipoles one above the other."""
    steps = 400
    average = 0.0
    for piece in range(pile):
        top = gap + disc.height_mm / 2 + piece * (disc.height_mm + 2.6)
        depths = [top + reed.length_mm * (step + 0.5) / steps for step in range(steps)]
        average += sum(field_mt(disc, depth, aside)[0] for depth in depths) / steps
    close = pytest.approx(average, rel=0.01, abs=0.02)
    assert along_pile_mt(disc, reed, gap, aside, pile) == close


@given(st.sampled_from([Disc(6, 3), Disc(8, 3), Disc(10, 3), Disc(10, 5)]), st.floats(10, 30),
       st.floats(1, 2), gaps, st.integers(1, 7))  # fmt: skip
def test_a_gap_that_suits_a_lot_suits_every_switch_and_pile_in_it(disc, lowest, ratio, gap, piles):
    highest = lowest * ratio
    if suits(disc, (lowest, highest), gap, piles):
        assert aside_mm(disc, Reed(pull_in_at=highest), gap) >= 10
        # The nearest pieces of the next square, and those farther away.
        hold = Reed(pull_in_at=lowest).needs_mt(MT_PER_AT_LEAST) * 0.4
        for pile in range(1, piles + 1):
            for aside in (40.0, 50.0, 60.0):
                assert abs(along_pile_mt(disc, Reed(), gap, aside, pile)) <= hold


def test_the_recommended_magnets_suit_their_lots():
    for gap in (4, 7.5, 11):
        assert suits(Disc(8, 3), (15, 20), gap, 7)
    for gap in (5, 9, 14):
        assert suits(Disc(10, 3), (20, 25), gap, 7)
    # At 8 mm a switch of 25 AT does not close for a piece of this magnet 10 mm off the middle.
    assert not suits(Disc(8, 3), (20, 25), 8)
    assert not suits(Disc(10, 3), (15, 20), 5, 3)
