"""The distribution of the mean of throws with fair dice."""

from collections.abc import Mapping
from fractions import Fraction
from math import lcm, sqrt
from typing import Final, NamedTuple, TypeAlias

from urpi.rules import DiceSet

CONFIDENCE: Final = 0.95
MAX_EXACT: Final = 300
"""Maximum number of throws whose distribution is calculated exactly. For more, the normal
distribution differs by less than a thousandth."""
_NORMAL_975: Final = 1.959964
"""The 97.5 % quantile of the normal distribution."""

Chances: TypeAlias = tuple[tuple[int, Fraction], ...]
"""Values of a throw with their probabilities."""


class Range(NamedTuple):
    """Range that contains the mean of throws with fair dice with a probability of at least 95 %.

    `exact` is False if it was calculated with the normal distribution.
    """

    low: float
    high: float
    exact: bool


def chances_of(dice: DiceSet) -> Chances:
    """The probability of each value of a throw with fair dice.

    >>> from urpi.rules import rule_set
    >>> [(value, str(chance)) for value, chance in chances_of(rule_set("bell").dice)]
    [(1, '3/8'), (2, '3/8'), (3, '1/8'), (4, '1/8')]
    """
    chances: dict[int, Fraction] = {}
    for throw, chance in dice.outcomes:
        chances[throw.value] = chances.get(throw.value, Fraction(0)) + chance
    return tuple(sorted(chances.items()))


def expected(chances: Chances) -> float:
    """The expected value of a throw."""
    return float(sum(value * chance for value, chance in chances))


def _variance(chances: Chances) -> float:
    mean = sum(value * chance for value, chance in chances)
    return float(sum((value - mean) ** 2 * chance for value, chance in chances))


def expected_mean(throws: Mapping[Chances, int]) -> float:
    """The expected mean of throws.

    Args:
        throws: number of throws with each kind of dice.
    """
    return sum(n * expected(kind) for kind, n in throws.items()) / sum(throws.values())


def fair_range(throws: Mapping[Chances, int]) -> Range:
    """The central 95 % range of the mean of throws with fair dice.

    At most 2.5 % of the distribution lie outside at each end. It is a prediction for fair dice,
    not a confidence interval for the dice that were thrown.

    Args:
        throws: number of throws with each kind of dice.
    """
    total = sum(throws.values())
    if total <= MAX_EXACT:
        low, high = _central(_sums(throws))
        return Range(low / total, high / total, exact=True)
    middle = expected_mean(throws)
    spread = sqrt(sum(n * _variance(kind) for kind, n in throws.items())) / total
    return Range(middle - _NORMAL_975 * spread, middle + _NORMAL_975 * spread, exact=False)


def _sums(throws: Mapping[Chances, int]) -> Mapping[int, float]:
    # Convolution kind by kind; floats suffice for a range.
    sums: Mapping[int, float] = {0: 1.0}
    for kind, number in throws.items():
        after: dict[int, float] = {}
        for value, chance in _sums_of_kind(kind, number).items():
            for total, probability in sums.items():
                after[total + value] = after.get(total + value, 0.0) + probability * chance
        sums = after
    return sums


def _sums_of_kind(kind: Chances, number: int) -> dict[int, float]:
    """The distribution of the sum of throws with the same dice.

    They are the coefficients of a power of a polynomial, computed with J. C. P. Miller's recurrence
    (Knuth, The Art of Computer Programming, vol. 2, 4.7) in integers, because its terms cancel.
    Convolving throw by throw took a hundred times as long.
    """
    common = lcm(*(chance.denominator for _, chance in kind))
    smallest = kind[0][0]
    weights = [(value - smallest, int(chance * common)) for value, chance in kind]
    first, others = weights[0][1], weights[1:]
    powers = [first**number]
    for place in range(1, weights[-1][0] * number + 1):
        power = sum(
            (value * (number + 1) - place) * weight * powers[place - value]
            for value, weight in others
            if value <= place
        )
        powers.append(power // (place * first))
    whole = common**number
    return {smallest * number + place: power / whole for place, power in enumerate(powers)}


def _central(sums: Mapping[int, float]) -> tuple[int, int]:
    tail = (1.0 - CONFIDENCE) / 2.0
    ordered = sorted(sums)
    return _after_tail(sums, ordered, tail), _after_tail(sums, ordered[::-1], tail)


def _after_tail(sums: Mapping[int, float], ordered: list[int], tail: float) -> int:
    """The first sum that does not belong to the tail."""
    probability = 0.0
    for total in ordered:
        probability += sums[total]
        if probability > tail:
            return total
    return ordered[-1]
