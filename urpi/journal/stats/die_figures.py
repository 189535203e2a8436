"""Fairness of dice over many games, with the tests of `urpi.journal.fairness`.

The power of the tests is not calculated here, because that takes minutes for a hundred thousand
throws; `urpi dice test` calculates it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from urpi.journal.fairness import Interval, Tally, binomial, chi_square, holm
from urpi.journal.fairness.fairness import ALPHA


@dataclass(frozen=True, slots=True)
class DieFigures:
    """The throws of one die.

    Attributes:
        tally: number of throws for each outcome.
        marks: 95 % Clopper-Pearson interval of the share of marked tips, None for a d6.
        marks_p: p value of the exact binomial test, None for a d6.
        faces_p: p value of the chi-square test. Both p values are adjusted for the number of dice
            (Holm).
    """

    tally: Tally
    marks: Interval | None
    marks_p: float | None
    faces_p: float

    @property
    def suspicious(self) -> bool:
        """Whether a test found a sign of unfairness."""
        return min(self.faces_p, 1.0 if self.marks_p is None else self.marks_p) <= ALPHA


def dice_of(tallies: Sequence[Tally]) -> tuple[DieFigures, ...]:
    """The figures of dice, in order."""
    faces = holm([chi_square.p_value(each.counts, each.weights) for each in tallies])
    tipped = [each for each in tallies if 0.0 < each.fair_share < 1.0]
    ps = (binomial.p_value(each.marked, each.throws, each.fair_share) for each in tipped)
    marks = dict(zip(map(id, tipped), holm(list(ps)), strict=True))
    return tuple(
        DieFigures(
            each,
            binomial.interval(each.marked, each.throws) if id(each) in marks else None,
            marks.get(id(each)),
            faces_p,
        )
        for each, faces_p in zip(tallies, faces, strict=True)
    )
