"""Pearson's chi-square test of how often each face came up, exact where throws are few.

`weights` say how likely the outcomes of a fair die are, as whole numbers in proportion: four
ones for a tetrahedron's tips, (1, 1, 2) where its two blank tips are counted together.
"""

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from math import comb, erfc, exp, lcm, lgamma, log, sqrt
from typing import Final

from urpi.dice.binomial import crossing

_TOO_SMALL: Final = 2.0**-60
"""A term of that share changes no digit of a sum."""
EXACT_BELOW: Final = 10
"""With fewer expected of an outcome, the statistic's own distribution is counted out.

Cochran asks for five ("Some methods for strengthening the common chi-square tests", Biometrics
10, 1954); there the p value of a tetrahedron may still be off by 0.09, here by 0.05, and by less
than a tenth of itself where it decides."""


def upper_gamma(halves: int, x: float) -> float:
    """The regularized upper incomplete gamma function Q(a, x) at a = `halves` / 2.

    From Q(1/2, x) = erfc(sqrt x) or Q(1, x) = exp(-x) up by
    Q(a + 1, x) = Q(a, x) + x^a exp(-x) / Gamma(a + 1): every term is positive, and their number
    is finite. Source: NIST Digital Library of Mathematical Functions, 8.4.6, 8.4.8 and 8.8.6.

    >>> upper_gamma(2, 1.0) == exp(-1.0)
    True
    """
    if x <= 0.0:
        return 1.0
    a, total = (0.5, erfc(sqrt(x))) if halves % 2 else (1.0, exp(-x))
    while 2 * a < halves:
        term = _poisson(a, x)
        total += term
        # Beyond x every term is smaller than the one before it.
        if a > x and term <= total * _TOO_SMALL:
            break
        a += 1.0
    return min(total, 1.0)


def statistic(counts: Sequence[int], weights: Sequence[int]) -> float:
    """Pearson's: the squares of the differences from what is expected, in parts of that.

    >>> round(statistic((30, 14, 34, 45, 57, 20), (1,) * 6), 9)
    37.78
    """
    throws, whole = sum(counts), sum(weights)
    squares = sum(count * count / weight for count, weight in zip(counts, weights, strict=True))
    return squares * whole / throws - throws if throws else 0.0


def is_exact(throws: int, weights: Sequence[int]) -> bool:
    """Whether so few throws are counted out rather than compared with the distribution."""
    return throws * min(weights) < EXACT_BELOW * sum(weights)


def p_value(counts: Sequence[int], weights: Sequence[int]) -> float:
    """How often a fair die's counts are as far off as these, or further."""
    if is_exact(sum(counts), weights):
        return exact_p_value(counts, weights)
    return upper_gamma(len(weights) - 1, statistic(counts, weights) / 2.0)


def exact_p_value(counts: Sequence[int], weights: Sequence[int]) -> float:
    """The same from the statistic's own distribution, in whole numbers.

    The statistic grows with the sum of each count's square over its weight; how many of the
    whole ** throws ways to throw come to each such sum is counted outcome by outcome.
    """
    throws, scale = sum(counts), lcm(*weights)
    shares = [scale // weight for weight in weights]
    ways = {(0, 0): 1}
    for weight, share in zip(weights, shares, strict=True):
        ways = _with_another(ways, throws, weight, share)
    least = sum(share * count * count for count, share in zip(counts, shares, strict=True))
    off = sum(many for (used, total), many in ways.items() if used == throws and total >= least)
    all_ways: int = sum(weights) ** throws
    return off / all_ways


def _with_another(
    ways: dict[tuple[int, int], int], throws: int, weight: int, share: int
) -> dict[tuple[int, int], int]:
    """The ways by (throws used, sum so far) when one more outcome takes some of the rest."""
    more: defaultdict[tuple[int, int], int] = defaultdict(int)
    for (used, total), many in ways.items():
        for count in range(throws - used + 1):
            where = used + count, total + share * count * count
            more[where] += many * comb(throws - used, count) * weight**count
    return more


def power(throws: int, true: Sequence[float], weights: Sequence[int], alpha: float) -> float:
    """About how often the test sees a die whose outcomes have those `true` shares.

    By the noncentral chi-square distribution, a Poisson mixture of the central ones with more
    degrees of freedom (Johnson, Kotz and Balakrishnan, "Continuous Univariate Distributions"
    2, 29.2): good where the test itself is.
    """
    degrees, whole = len(weights) - 1, sum(weights)
    far = throws * sum(
        (share - weight / whole) ** 2 * whole / weight
        for share, weight in zip(true, weights, strict=True)
    )
    return _mixture(degrees, far / 2.0, _half_critical(degrees, alpha))


@cache
def _half_critical(degrees: int, alpha: float) -> float:
    """Half the statistic that is exceeded so often."""
    return crossing(lambda half: upper_gamma(degrees, half) <= alpha, 0.0, 500.0)


def _mixture(degrees: int, half_far: float, half_critical: float) -> float:
    """Q(degrees / 2 + j, half_critical) over a Poisson-distributed j of mean `half_far`."""
    if half_far <= 0.0:
        return upper_gamma(degrees, half_critical)
    spread = 10.0 * sqrt(half_far) + 30.0
    least, most = max(0, int(half_far - spread)), int(half_far + spread)
    above = upper_gamma(degrees + 2 * least, half_critical)
    total = 0.0
    for more in range(least, most):
        total += _poisson(more, half_far) * min(above, 1.0)
        above += _poisson(degrees / 2 + more, half_critical)
    return min(total, 1.0)


def _poisson(count: float, mean: float) -> float:
    """mean^count exp(-mean) / Gamma(count + 1)."""
    return exp(count * log(mean) - mean - lgamma(count + 1.0))
