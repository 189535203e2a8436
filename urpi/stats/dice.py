"""Dice over many games: what their throws say of them, without what they could have said.

The tests are `urpi.dice`'s. What a number of throws could have shown is left to `urpi dice
test`: to compute it of a hundred thousand throws takes minutes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from urpi.dice import Interval, Tally, binomial, chi_square, holm
from urpi.dice.fairness import ALPHA


@dataclass(frozen=True, slots=True)
class Die:
    """One die's throws.

    `marks` is the 95 % Clopper-Pearson interval of the share of marked tips, `marks_p` the
    exact binomial test's p value; both None for a d6. `faces_p` is the chi-square test's. The p
    values have the other dice in mind (Holm).
    """

    tally: Tally
    marks: Interval | None
    marks_p: float | None
    faces_p: float

    @property
    def signs(self) -> bool:
        """Whether there is a sign of unfairness."""
        return min(self.faces_p, 1.0 if self.marks_p is None else self.marks_p) <= ALPHA


def dice_of(tallies: Sequence[Tally]) -> tuple[Die, ...]:
    """What those dice's throws say, in their order."""
    faces = holm([chi_square.p_value(each.counts, each.weights) for each in tallies])
    tipped = [each for each in tallies if 0.0 < each.fair_share < 1.0]
    ps = (binomial.p_value(each.marked, each.throws, each.fair_share) for each in tipped)
    marks = dict(zip(map(id, tipped), holm(list(ps)), strict=True))
    return tuple(
        Die(
            each,
            binomial.interval(each.marked, each.throws) if id(each) in marks else None,
            marks.get(id(each)),
            faces_p,
        )
        for each, faces_p in zip(tallies, faces, strict=True)
    )
