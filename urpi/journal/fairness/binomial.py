"""Exact binomial statistics: tails, the two-sided test, its confidence interval and its power.

The two-sided test doubles the smaller tail. For a share of one half, whose distribution is
symmetric, all exact two-sided tests are equal; for others this one agrees with the interval (Fay,
"Two-sided exact tests and matching confidence intervals for discrete data", The R Journal 2/1,
2010). `share` is a probability from 0 to 1.
"""

from collections.abc import Callable
from functools import cache
from math import exp, lgamma, log
from typing import Final, NamedTuple

_HALVINGS: Final = 60
"""Number of halvings after which an interval is smaller than the precision of a float."""
_SEARCH_FACTOR: Final = 5 / 4
"""Power oscillates with a decreasing amplitude. No dip follows this far after the last one."""

_TOO_SMALL: Final = 2.0**-60
"""Relative size from which a term no longer changes a sum. The terms after it are smaller."""


def lower_tail(count: int, throws: int, share: float) -> float:
    """The probability of at most `count` successes.

    >>> round(lower_tail(1, 3, 0.5), 12)
    0.5
    """
    if count < 0 or count >= throws:
        return float(count >= throws)
    if share <= 0.0 or share >= 1.0:
        return float(share <= 0.0)
    # Above the mean the terms would grow; the other tail is summed from its largest term.
    if count > throws * share:
        return 1.0 - _tail(throws - count - 1, throws, 1.0 - share)
    return _tail(count, throws, share)


def upper_tail(count: int, throws: int, share: float) -> float:
    """The probability of at least `count` successes."""
    return lower_tail(throws - count, throws, 1.0 - share)


def _tail(count: int, throws: int, share: float) -> float:
    """The lower tail for a count below the mean, where the terms decrease."""
    term = total = exp(
        lgamma(throws + 1)
        - lgamma(count + 1)
        - lgamma(throws - count + 1)
        + count * log(share)
        + (throws - count) * log(1.0 - share)
    )
    odds = (1.0 - share) / share
    for smaller in range(count, 0, -1):
        # Ratio of consecutive binomial terms.
        term *= smaller / (throws - smaller + 1) * odds
        total += term
        # If all terms underflow, term and total are 0.
        if term <= total * _TOO_SMALL:
            break
    return min(total, 1.0)


def p_value(count: int, throws: int, share: float) -> float:
    """The probability of a result at least as far from the expected one as `count`.

    >>> p_value(0, 5, 0.5)
    0.0625
    """
    tails = lower_tail(count, throws, share), upper_tail(count, throws, share)
    return min(1.0, 2.0 * min(tails))


class Interval(NamedTuple):
    """A confidence interval of a share."""

    low: float
    high: float


def interval(count: int, throws: int, confidence: float = 0.95) -> Interval:
    """The Clopper-Pearson interval: the shares that `p_value` does not reject.

    Its coverage is at least `confidence` for every share and every number of throws. Wilson's
    interval is narrower, but its coverage is lower for some shares, and it can contradict the exact
    test.

    Source: Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the
    case of the binomial", Biometrika 26, 1934.
    """
    each = (1.0 - confidence) / 2.0
    # Without a success the interval begins at 0.
    low = crossing(lambda share: upper_tail(count, throws, share) > each) if count else 0.0
    high = 1.0
    if count < throws:
        high = crossing(lambda share: lower_tail(count, throws, share) <= each)
    return Interval(low, high)


def crossing(reached: Callable[[float], bool], low: float = 0.0, high: float = 1.0) -> float:
    """The argument at which `reached` changes from False to True, by bisection.

    The limits default to those of a probability.
    """
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high


def power(throws: int, true: float, fair: float, alpha: float) -> float:
    """The power of the test.

    Args:
        throws: number of throws.
        true: the true share.
        fair: the share under the null hypothesis.
        alpha: significance level.
    """
    return _power(throws, true, *_rejected(throws, fair, alpha))


def _rejected(throws: int, fair: float, alpha: float) -> tuple[int, int]:
    """Return the largest count that is rejected as too low, and the smallest as too high."""
    high = throws - _max_rejected(throws, 1.0 - fair, alpha)
    return _max_rejected(throws, fair, alpha), high


def _power(throws: int, true: float, low: int, high: int) -> float:
    return lower_tail(low, throws, true) + upper_tail(high, throws, true)


def _max_rejected(throws: int, fair: float, alpha: float) -> int:
    """The largest count that is rejected as too low, -1 if none is."""
    low, high = -1, throws
    while high - low > 1:
        middle = (low + high) // 2
        if 2.0 * lower_tail(middle, throws, fair) <= alpha:
            low = middle
        else:
            high = middle
    return low


@cache
def throws_needed(true: float, fair: float, alpha: float, required: float = 0.8) -> int:
    """The number of throws from which the power never falls below `required`.

    The default of 80 % is the usual convention (Cohen, "Statistical Power Analysis for the
    Behavioral Sciences", 1988).

    Power is not monotonic: counts are integers, so the actual level of the test jumps, and one more
    throw may reduce the power. Therefore every number of throws is calculated.

    >>> throws_needed(0.9, 0.5, 0.05)
    12
    """
    throws = last_short = 0
    low = high = -1
    # Beyond this bound no further dip below the required power occurs.
    while throws <= last_short * _SEARCH_FACTOR + 10:
        throws += 1
        # One more throw rejects at most one more count at each end.
        low += 2.0 * lower_tail(low + 1, throws, fair) <= alpha
        high += 2.0 * lower_tail(high + 1, throws, 1.0 - fair) <= alpha
        if _power(throws, true, low, throws - high) < required:
            last_short = throws
    return last_short + 1


def smallest_detectable(
    throws: int, fair: float, alpha: float, required: float = 0.8
) -> float | None:
    """The smallest bias, in both directions, that the test detects.

    It is detected with a power of at least `required`, which defaults to that of `throws_needed`.

    None if it detects none.

    >>> round(smallest_detectable(300, 0.5, 0.05), 3)
    0.082
    """
    low, high = _rejected(throws, fair, alpha)

    def detected(bias: float) -> bool:
        # A bias in a direction that is not possible need not be detected.
        sides = (true for true in (fair - bias, fair + bias) if 0.0 <= true <= 1.0)
        return all(_power(throws, true, low, high) >= required for true in sides)

    largest = max(fair, 1.0 - fair)
    return crossing(detected, 0.0, largest) if detected(largest) else None
