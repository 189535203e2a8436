"""Chance: how far the mean of throws of fair dice strays from what is expected."""

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from typing import Final, NamedTuple, TypeAlias

from urpi.rules import DiceSet

CONFIDENCE: Final = 0.95
MOST_EXACT: Final = 300
"""Throws up to which every sum's chance is counted out; beyond, the normal distribution is
within a thousandth of it."""
_NORMAL_975: Final = 1.959964
"""The normal distribution's 97.5 % quantile."""

Chances: TypeAlias = tuple[tuple[int, Fraction], ...]
"""What one throw counts, and how likely that is."""


class Range(NamedTuple):
    """Where the mean of so many throws of fair dice lies, 95 times of 100 or oftener.

    `exact` when the chances were counted out, else the normal distribution stands in.
    """

    low: float
    high: float
    exact: bool


def chances_of(dice: DiceSet) -> Chances:
    """How likely each count is with fair dice.

    >>> from urpi.rules import rule_set
    >>> [(value, str(chance)) for value, chance in chances_of(rule_set("bell").dice)]
    [(1, '3/8'), (2, '3/8'), (3, '1/8'), (4, '1/8')]
    """
    chances: dict[int, Fraction] = {}
    for throw, chance in dice.outcomes:
        chances[throw.value] = chances.get(throw.value, Fraction(0)) + chance
    return tuple(sorted(chances.items()))


def expected(chances: Chances) -> float:
    """What one throw counts on average."""
    return float(sum(value * chance for value, chance in chances))


def _variance(chances: Chances) -> float:
    mean = sum(value * chance for value, chance in chances)
    return float(sum((value - mean) ** 2 * chance for value, chance in chances))


def expected_mean(throws: Mapping[Chances, int]) -> float:
    """What a throw counts on average, of so many throws of each kind of dice."""
    return sum(n * expected(kind) for kind, n in throws.items()) / sum(throws.values())


def fair_range(throws: Mapping[Chances, int]) -> Range:
    """Where the mean of so many throws of each kind of fair dice lies.

    It leaves out at most 2.5 % at each end: a central prediction range, not an interval for
    what the dice truly are.
    """
    total = sum(throws.values())
    if total <= MOST_EXACT:
        low, high = _central(_sums(throws))
        return Range(low / total, high / total, exact=True)
    middle = expected_mean(throws)
    spread = sqrt(sum(n * _variance(kind) for kind, n in throws.items())) / total
    return Range(middle - _NORMAL_975 * spread, middle + _NORMAL_975 * spread, exact=False)


def _sums(throws: Mapping[Chances, int]) -> Mapping[int, float]:
    sums: Mapping[int, float] = {0: 1.0}
    for kind, number in throws.items():
        floats = [(value, float(chance)) for value, chance in kind]
        for _ in range(number):
            after: dict[int, float] = {}
            for total, so_far in sums.items():
                for value, chance in floats:
                    after[total + value] = after.get(total + value, 0.0) + so_far * chance
            sums = after
    return sums


def _central(sums: Mapping[int, float]) -> tuple[int, int]:
    tail = (1.0 - CONFIDENCE) / 2.0
    ordered = sorted(sums)
    return _past(sums, ordered, tail), _past(sums, ordered[::-1], tail)


def _past(sums: Mapping[int, float], ordered: list[int], tail: float) -> int:
    """The first sum that cannot be left out."""
    left_out = 0.0
    for total in ordered:
        left_out += sums[total]
        if left_out > tail:
            return total
    return ordered[-1]
