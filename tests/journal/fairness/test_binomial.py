"""Exact binomial statistics, compared with SciPy and tested for their properties."""

from math import comb, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urpi.journal.fairness.binomial import (
    interval,
    lower_tail,
    p_value,
    power,
    smallest_detectable,
    throws_needed,
    upper_tail,
)

SHARES = st.floats(0.01, 0.99)


@st.composite
def outcomes(draw, most=400):
    throws = draw(st.integers(0, most))
    return draw(st.integers(0, throws)), throws


@pytest.mark.parametrize(
    ("count", "throws", "share", "p"),
    [
        (0, 0, 0.5, 1.0),
        (0, 5, 0.5, 0.0625),
        (3, 10, 0.5, 0.34375),
        (5, 10, 0.5, 1.0),
        (158, 300, 0.5, 0.38650982711273907),
        (190, 300, 0.5, 4.50072375684006e-06),
        (430, 820, 0.5, 0.17317980466617813),
        (1030, 2000, 0.5, 0.18706188977129473),
        (5, 40, 0.25, 0.08654796514403124),
    ],
)
def test_the_p_value_is_twice_scipy_s_smaller_tail(count, throws, share, p):
    # scipy.stats.binom 1.17.1: 2 * min(cdf(count), sf(count - 1)); at 0.5 also binomtest.
    assert p_value(count, throws, share) == pytest.approx(p, rel=1e-10)


@pytest.mark.parametrize(
    ("count", "throws", "low", "high"),
    [
        (0, 5, 0.0, 0.5218237501049814),
        (3, 10, 0.06673951117773447, 0.652452850060008),
        (4, 20, 0.05733399705002387, 0.4366140029966687),
        (10, 20, 0.27195784956079133, 0.7280421504392086),
        (158, 300, 0.4684783642783637, 0.5843232112397733),
        (1030, 2000, 0.4928383867748924, 0.5371175768397272),
    ],
)
def test_the_interval_agrees_with_scipy(count, throws, low, high):
    # scipy.stats.binomtest 1.17.1, proportion_ci(0.95, "exact"): Clopper-Pearson.
    assert interval(count, throws) == pytest.approx((low, high), rel=1e-10, abs=1e-12)


@pytest.mark.parametrize(
    ("throws", "true", "alpha", "expected"),
    [
        (100, 0.55, 0.05, 0.13519227295357147),
        (300, 0.60, 0.05, 0.9290974303017191),
        (819, 0.55, 0.05, 0.7994517460290618),
        (820, 0.55, 0.05, 0.8099435633110712),
        (1143, 0.55, 0.0125, 0.7999835675727311),
        (1144, 0.55, 0.0125, 0.8088942355089157),
    ],
)
def test_the_power_agrees_with_scipy(throws, true, alpha, expected):
    # scipy.stats.binom 1.17.1: cdf and sf at the largest k with 2 * cdf(k, throws, 0.5) <= alpha.
    assert power(throws, true, 0.5, alpha) == pytest.approx(expected, rel=1e-10)


def test_the_tails_agree_with_integer_arithmetic():
    for count in range(31):
        whole = sum(comb(30, each) for each in range(count + 1)) / 2**30
        assert lower_tail(count, 30, 0.5) == pytest.approx(whole, rel=1e-12)


@given(outcomes(), SHARES)
def test_the_tails_below_and_above_add_up_to_one(outcome, share):
    count, throws = outcome
    both = lower_tail(count, throws, share) + upper_tail(count + 1, throws, share)
    assert both == pytest.approx(1.0, abs=1e-9)


@given(outcomes(), SHARES)
def test_a_p_value_is_a_probability_and_symmetric(outcome, share):
    count, throws = outcome
    p = p_value(count, throws, share)
    assert 0.0 <= p <= 1.0
    assert p == pytest.approx(p_value(throws - count, throws, 1.0 - share), rel=1e-6, abs=1e-12)


@given(outcomes())
def test_the_interval_excludes_a_share_exactly_if_the_test_rejects_it(outcome):
    count, throws = outcome
    low, high = interval(count, throws)
    assert low <= (count / throws if throws else 0.5) <= high
    p = p_value(count, throws, 0.5)
    if not isclose(p, 0.05, rel_tol=1e-9):
        assert (low <= 0.5 <= high) == (p > 0.05)


@given(outcomes())
def test_the_interval_narrows_with_more_throws(outcome):
    count, throws = outcome
    once, thrice = interval(count, throws), interval(3 * count, 3 * throws)
    assert thrice.high - thrice.low <= once.high - once.low + 1e-9


@pytest.mark.parametrize("share", [0.5, 0.45, 0.35])
def test_the_coverage_of_the_interval_is_at_least_its_confidence(share):
    throws = 60
    coverage = 0.0
    for count in range(throws + 1):
        low, high = interval(count, throws)
        if low <= share <= high:
            coverage += comb(throws, count) * share**count * (1.0 - share) ** (throws - count)
    assert coverage >= 0.95


@pytest.mark.parametrize(("true", "alpha"), [(0.55, 0.05), (0.6, 0.05), (0.6, 0.0125), (0.9, 0.05)])
def test_the_power_stays_sufficient_from_the_needed_throws_on(true, alpha):
    needed = throws_needed(true, 0.5, alpha)
    assert power(needed - 1, true, 0.5, alpha) < 0.8
    for throws in range(needed, 3 * needed, max(1, needed // 200)):
        assert power(throws, true, 0.5, alpha) >= 0.8


def test_a_55_45_die_needs_820_throws():
    # 786 are the first number with a power of 80 %; 819 are the last without.
    assert throws_needed(0.55, 0.5, 0.05) == 820
    assert power(786, 0.55, 0.5, 0.05) >= 0.8 > power(785, 0.55, 0.5, 0.05)


@pytest.mark.parametrize("fair", [0.5, 0.25, 0.75])
@pytest.mark.parametrize("throws", [30, 300])
def test_the_smallest_bias_is_detected_in_both_directions_and_less_is_not(throws, fair):
    off = smallest_detectable(throws, fair, 0.05)
    assert off is not None
    sides = [true for true in (fair - off, fair + off) if 0.0 <= true <= 1.0]
    assert min(power(throws, true, fair, 0.05) for true in sides) >= 0.8 - 1e-9
    less = [abs(true - fair) * 0.99 for true in sides]
    assert min(power(throws, fair + s * d, fair, 0.05) for d in less for s in (-1, 1)) < 0.8


def test_a_few_throws_detect_nothing():
    assert smallest_detectable(0, 0.5, 0.05) is None
    assert smallest_detectable(5, 0.5, 0.05) is None
    assert smallest_detectable(6, 0.5, 0.05) is not None
