"""Whether dice look fair, said no more surely than the throws allow.

Two questions, each with tests of its own: whether a tetrahedron shows its marks as often as it
should, which is what the game counts, by the exact binomial test; and whether every face comes
up as often as it should, by Pearson's chi-square test. Where several dice are judged, one of
them looks bad by chance sooner: Holm's correction keeps the chance of a false alarm, over all
dice and for each question, under the level. No test can say that a die is fair; what can be
said is how far off it would have to be to be seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from urpi.dice import binomial, chi_square
from urpi.dice.binomial import Interval
from urpi.dice.tally import Tally

ALPHA: Final = 0.05
"""The chance of a false alarm that is put up with, for each question."""
POWER: Final = 0.8
"""What is to be seen is seen so often at least."""
OFF: Final = 0.05
"""So far off a share of one half makes a 55/45 die."""


@dataclass(frozen=True, slots=True)
class MarksTest:
    """Whether marks come as often as they should.

    `marks` of `throws`, a `fair` share of which is expected; the true share is in `interval`
    with 95 % confidence. `p` is how often a fair die is as far off; `holm` the same with the
    other dice in mind.
    """

    marks: int
    throws: int
    fair: float
    interval: Interval
    p: float
    holm: float


@dataclass(frozen=True, slots=True)
class FacesTest:
    """Whether each outcome comes as often as it should: Pearson's `statistic`.

    `exact` when its own distribution was counted out; else the chi-square distribution with so
    many `degrees` of freedom stands in for it.
    """

    statistic: float
    degrees: int
    exact: bool
    p: float
    holm: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one die's throws say.

    `marks` is None for a d6. `needed` throws see a die that is `OFF` off (one half: 55/45; a
    d6: one face that often too many) with the power `POWER`; a die that is less than `smallest`
    off would mostly not have been seen, None: nor any other.
    """

    tally: Tally
    marks: MarksTest | None
    faces: FacesTest
    needed: int
    smallest: float | None

    @property
    def signs(self) -> bool:
        """Whether there is a sign of unfairness."""
        return min(self.faces.holm, self.marks.holm if self.marks else 1.0) <= ALPHA

    @property
    def missing(self) -> int:
        """How many throws are still needed, 0 when there are enough."""
        return max(0, self.needed - self.tally.throws)


def judge(tallies: Sequence[Tally]) -> tuple[Judgement, ...]:
    """What the throws of those dice say, in their order."""
    tests = zip(tallies, _marks_tests(tallies), _faces_tests(tallies), strict=True)
    return tuple(_judgement(tally, marks, faces, len(tallies)) for tally, marks, faces in tests)


def _judgement(tally: Tally, marks: MarksTest | None, faces: FacesTest, dice: int) -> Judgement:
    # Holm's first step: who is seen there is seen whatever the other dice are like.
    level = ALPHA / dice
    if marks:
        needed = binomial.throws_needed(marks.fair + OFF, marks.fair, level, POWER)
        smallest = binomial.smallest_seen(tally.throws, marks.fair, level, POWER)
    else:
        needed = faces_needed(tally.weights, level)
        smallest = smallest_face_seen(tally.throws, tally.weights, level)
    return Judgement(tally, marks, faces, needed, smallest)


def _marks_tests(tallies: Sequence[Tally]) -> list[MarksTest | None]:
    ps = [_marks_p(tally) for tally in tallies]
    adjusted = iter(holm([p for p in ps if p is not None]))
    return [
        None if p is None else _marks_test(tally, p, next(adjusted))
        for tally, p in zip(tallies, ps, strict=True)
    ]


def _marks_p(tally: Tally) -> float | None:
    """None for a d6, and for a die that always shows alike."""
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
    """The p values with each other in mind, in the same order.

    Whatever is `alpha` or less then is a false alarm no oftener than `alpha`, over all of them
    together and however they depend on each other.

    Source: Holm, "A simple sequentially rejective multiple test procedure", Scandinavian
    Journal of Statistics 6, 1979.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted, least = [1.0] * len(ps), 0.0
    for rank, place in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        least = max(least, min(1.0, (len(ps) - rank) * ps[place]))
        adjusted[place] = least
    return adjusted


@cache
def faces_needed(weights: tuple[int, ...], level: float) -> int:
    """The throws that see a die with one outcome `OFF` too often, at the others' expense."""
    low, high = 0, 1
    while _face_power(high, weights, OFF, level) < POWER:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        enough = _face_power(middle, weights, OFF, level) >= POWER
        low, high = (low, middle) if enough else (middle, high)
    return high


def smallest_face_seen(throws: int, weights: tuple[int, ...], level: float) -> float | None:
    """How much too often one outcome must come to be seen, None when it never would be."""
    most = 1.0 - max(weights) / sum(weights)

    def seen(off: float) -> bool:
        return _face_power(throws, weights, off, level) >= POWER

    return binomial.crossing(seen, 0.0, most) if seen(most) else None


def _face_power(throws: int, weights: tuple[int, ...], off: float, level: float) -> float:
    """The power to see the first outcome so much too often."""
    whole = sum(weights)
    first, *rest = (weight / whole for weight in weights)
    left = 1.0 - off / (1.0 - first)
    return chi_square.power(throws, (first + off, *(left * one for one in rest)), weights, level)
