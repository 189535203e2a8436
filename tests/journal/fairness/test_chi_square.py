"""Pearson's test, compared with NIST's table, SciPy and an enumeration of all throws."""

from itertools import product
from math import factorial, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urpi.journal.fairness.chi_square import (
    exact_p_value,
    is_exact,
    p_value,
    power,
    statistic,
    upper_gamma,
)

TETRAHEDRON = (1, 1, 1, 1)
CUBE = (1, 1, 1, 1, 1, 1)


@pytest.mark.parametrize(
    ("degrees", "critical", "exceeded"),
    [
        # NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4, three decimals.
        (1, 3.841, 0.05),
        (2, 5.991, 0.05),
        (3, 7.815, 0.05),
        (3, 11.345, 0.01),
        (3, 16.266, 0.001),
        (4, 9.488, 0.05),
        (5, 11.070, 0.05),
        (5, 15.086, 0.01),
        (5, 20.515, 0.001),
        (10, 18.307, 0.05),
        (3, 0.352, 0.95),
        (5, 1.145, 0.95),
        (10, 2.558, 0.99),
    ],
)
def test_the_critical_values_agree_with_nist(degrees, critical, exceeded):
    assert upper_gamma(degrees, critical / 2) == pytest.approx(exceeded, rel=2e-3)


@pytest.mark.parametrize(
    ("counts", "weights", "chi_square", "p"),
    [
        # scipy.stats.chisquare 1.17.1
        ((80, 78, 70, 72), TETRAHEDRON, 0.9066666666666666, 0.8238186980800427),
        ((95, 95, 55, 55), TETRAHEDRON, 21.333333333333332, 8.975996922967888e-05),
        ((30, 25, 65), (1, 1, 2), 1.25, 0.5352614285189903),
        ((70, 75, 85, 70, 110, 90), CUBE, 14.2, 0.01438767817692129),
        ((30, 14, 34, 45, 57, 20), CUBE, 37.78, 4.177325475265169e-07),
    ],
)
def test_the_test_of_many_throws_agrees_with_scipy(counts, weights, chi_square, p):
    assert not is_exact(sum(counts), weights)
    assert statistic(counts, weights) == pytest.approx(chi_square)
    assert p_value(counts, weights) == pytest.approx(p, rel=1e-9)


def every_series(throws, outcomes):
    return (n for n in product(range(throws + 1), repeat=outcomes) if sum(n) == throws)


def chance(counts, weights):
    ways = factorial(sum(counts)) // prod(map(factorial, counts))
    return (
        ways
        * prod(w**n for n, w in zip(counts, weights, strict=True))
        / sum(weights) ** sum(counts)
    )


@pytest.mark.parametrize(
    ("counts", "weights"),
    [
        ((3, 1, 1, 2), TETRAHEDRON),
        ((0, 0, 6, 0), TETRAHEDRON),
        ((5, 0, 2), (1, 1, 2)),
        ((1, 2, 0, 0, 3, 0), CUBE),
    ],
)
def test_the_test_of_few_throws_agrees_with_enumeration(counts, weights):
    off = statistic(counts, weights) - 1e-9
    chances = [
        chance(series, weights)
        for series in every_series(sum(counts), len(counts))
        if statistic(series, weights) >= off
    ]
    assert is_exact(sum(counts), weights)
    assert p_value(counts, weights) == pytest.approx(sum(chances), rel=1e-9)


@settings(max_examples=25)  # each example enumerates some ten thousand sequences
@given(st.tuples(*[st.integers(0, 13)] * 3))
def test_the_chi_square_distribution_is_nearly_exact_at_its_limit(most):
    counts = (*most, 40 - sum(most))
    near = upper_gamma(3, statistic(counts, TETRAHEDRON) / 2)
    assert exact_p_value(counts, TETRAHEDRON) == pytest.approx(near, abs=0.06)


@given(st.lists(st.integers(0, 300), min_size=4, max_size=4), st.randoms())
def test_the_order_of_equal_faces_does_not_matter(counts, rng):
    mixed = list(counts)
    rng.shuffle(mixed)
    assert p_value(mixed, TETRAHEDRON) == pytest.approx(p_value(counts, TETRAHEDRON), rel=1e-6)


@given(st.integers(1, 12), st.floats(0, 300), st.floats(0, 50))
def test_a_larger_statistic_is_less_likely(degrees, x, more):
    less, likely = upper_gamma(degrees, x + more), upper_gamma(degrees, x)
    assert 0.0 <= less <= likely + 1e-12
    assert likely <= 1.0


@pytest.mark.parametrize(
    ("throws", "expected"),
    [(100, 0.1446650678689221), (712, 0.7995841044653966), (713, 0.8002288019478464)],
)
def test_the_power_agrees_with_scipy(throws, expected):
    # scipy.stats 1.17.1: ncx2.sf(chi2.isf(0.05, 5), 5, noncentrality).
    true = (1 / 6 + 0.05, *[1 / 6 - 0.01] * 5)
    assert power(throws, true, CUBE, 0.05) == pytest.approx(expected, rel=1e-9)


def test_the_power_of_very_many_throws_is_one():
    assert power(10**5, (1 / 6 + 0.05, *[1 / 6 - 0.01] * 5), CUBE, 0.05) == pytest.approx(1.0)


def test_the_power_for_a_fair_die_is_the_level():
    assert power(300, [0.25] * 4, TETRAHEDRON, 0.05) == pytest.approx(0.05)
