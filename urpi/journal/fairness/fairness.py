"""Tests of the fairness of dice.

There are two tests: the exact binomial test of the share of marks of a tetrahedron, which the game
counts, and Pearson's chi-square test of all faces. With several dice a false alarm is more likely;
Holm's correction keeps its probability, over all dice and for each test, below the level. No test
can prove that a die is fair, so the smallest bias that would have been detected is calculated too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from urpi.journal.fairness import binomial, chi_square
from urpi.journal.fairness.binomial import Interval
from urpi.journal.fairness.tally import Tally

ALPHA: Final = 0.05
"""Significance level: probability of a false alarm, for each of the two tests."""
POWER: Final = 0.8
"""Required probability of detecting a bias."""
BIAS: Final = 0.05
"""Bias to detect. With a fair share of one half it is that of a 55/45 die."""


@dataclass(frozen=True, slots=True)
class MarksTest:
    """Result of the binomial test of marks.

    Attributes:
        marks: number of throws that showed a mark.
        throws: number of throws.
        fair: share of marks of a fair die.
        interval: 95 % confidence interval of the true share.
        p: p value.
        holm: p value adjusted for the number of dice.
    """

    marks: int
    throws: int
    fair: float
    interval: Interval
    p: float
    holm: float


@dataclass(frozen=True, slots=True)
class FacesTest:
    """Result of the chi-square test of all outcomes.

    Attributes:
        statistic: Pearson's statistic.
        degrees: degrees of freedom.
        exact: whether the exact distribution was used instead of the chi-square distribution.
        p: p value.
        holm: p value adjusted for the number of dice.
    """

    statistic: float
    degrees: int
    exact: bool
    p: float
    holm: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """Results of all tests of one die.

    Attributes:
        tally: its throws.
        marks: test of the marks, None for a d6.
        faces: test of the faces.
        needed: number of throws that detect a bias of `BIAS` with the power `POWER`. For a d6 it is
            the bias of a single face.
        smallest_bias: smallest bias that these throws detect with that power, None if they detect
            none.
    """

    tally: Tally
    marks: MarksTest | None
    faces: FacesTest
    needed: int
    smallest_bias: float | None

    @property
    def suspicious(self) -> bool:
        """Whether a test found a sign of unfairness."""
        return min(self.faces.holm, self.marks.holm if self.marks else 1.0) <= ALPHA

    @property
    def missing(self) -> int:
        """Number of throws still needed, 0 if there are enough."""
        return max(0, self.needed - self.tally.throws)


def judge(tallies: Sequence[Tally]) -> tuple[Judgement, ...]:
    """The test results of dice, in order."""
    tests = zip(tallies, _marks_tests(tallies), _faces_tests(tallies), strict=True)
    return tuple(_judgement(tally, marks, faces, len(tallies)) for tally, marks, faces in tests)


def _judgement(tally: Tally, marks: MarksTest | None, faces: FacesTest, dice: int) -> Judgement:
    # The level of Holm's first step, at which a p value is significant whatever the others are.
    level = ALPHA / dice
    if marks:
        needed = binomial.throws_needed(marks.fair + BIAS, marks.fair, level, POWER)
        smallest = binomial.smallest_detectable(tally.throws, marks.fair, level, POWER)
    else:
        needed = faces_needed(tally.weights, level)
        smallest = smallest_face_bias(tally.throws, tally.weights, level)
    return Judgement(tally, marks, faces, needed, smallest)


def _marks_tests(tallies: Sequence[Tally]) -> list[MarksTest | None]:
    ps = [_marks_p(tally) for tally in tallies]
    # Only the tests that are made count for the correction.
    adjusted = iter(holm([p for p in ps if p is not None]))
    return [
        None if p is None else _marks_test(tally, p, next(adjusted))
        for tally, p in zip(tallies, ps, strict=True)
    ]


def _marks_p(tally: Tally) -> float | None:
    """The p value of the marks, None for a die without or with only marks."""
    if not 0.0 < tally.fair_share < 1.0:
        return None
    return binomial.p_value(tally.marked, tally.throws, tally.fair_share)


def _marks_test(tally: Tally, p: float, adjusted: float) -> MarksTest:
    found = binomial.interval(tally.marked, tally.throws)
    return MarksTest(tally.marked, tally.throws, tally.fair_share, found, p, adjusted)


def _faces_tests(tallies: Sequence[Tally]) -> list[FacesTest]:
    ps = [chi_square.p_value(t.counts, t.weights) for t in tallies]
    return [
        FacesTest(
            chi_square.statistic(t.counts, t.weights),
            len(t.counts) - 1,
            chi_square.is_exact(t.throws, t.weights),
            p,
            adjusted,
        )
        for t, p, adjusted in zip(tallies, ps, holm(ps), strict=True)
    ]


def holm(ps: Sequence[float]) -> list[float]:
    """Return p values adjusted for multiple tests by Holm's method, in the same order.

    The probability that any adjusted p value of a true hypothesis is at most `alpha` is at most
    `alpha`, even if the tests depend on each other.

    Source: Holm, "A simple sequentially rejective multiple test procedure", Scandinavian
    Journal of Statistics 6, 1979.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted, least = [1.0] * len(ps), 0.0
    for rank, place in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        # Never below the one before, so that the order of the p values is kept.
        least = max(least, min(1.0, (len(ps) - rank) * ps[place]))
        adjusted[place] = least
    return adjusted


@cache
def faces_needed(weights: tuple[int, ...], level: float) -> int:
    """The number of throws that detect a die with one outcome too frequent by `BIAS`."""
    low, high = 0, 1
    # Doubling finds an upper bound, and bisection the number below it.
    while _face_power(high, weights, BIAS, level) < POWER:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        enough = _face_power(middle, weights, BIAS, level) >= POWER
        low, high = (low, middle) if enough else (middle, high)
    return high


def smallest_face_bias(throws: int, weights: tuple[int, ...], level: float) -> float | None:
    """The smallest bias of one outcome that is detected, None if none is."""
    largest = 1.0 - max(weights) / sum(weights)

    def detected(bias: float) -> bool:
        return _face_power(throws, weights, bias, level) >= POWER

    return binomial.crossing(detected, 0.0, largest) if detected(largest) else None


def _face_power(throws: int, weights: tuple[int, ...], bias: float, level: float) -> float:
    """The power of the test if the first outcome is too frequent by `bias`."""
    whole = sum(weights)
    first, *rest = (weight / whole for weight in weights)
    # The others become rarer in proportion, so that all probabilities add up to 1.
    scale = 1.0 - bias / (1.0 - first)
    return chi_square.power(throws, (first + bias, *(scale * one for one in rest)), weights, level)
