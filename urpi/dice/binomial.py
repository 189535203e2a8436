"""Exact binomial statistics: tails, the two-sided test, its interval, and what it can see.

One test throughout: the two-sided one that doubles the smaller tail. At a share of one half,
whose distribution is symmetric, every exact two-sided test is this one; elsewhere it is the one
that agrees with the interval below (Fay, "Two-sided exact tests and matching confidence
intervals for discrete data", The R Journal 2/1, 2010). `share` is a probability from 0 to 1.
"""

from collections.abc import Callable
from functools import cache
from math import exp, lgamma, log
from typing import Final, NamedTuple

_HALVINGS: Final = 60
"""Halving so often leaves nothing of an interval that a float could tell."""
_CERTAIN: Final = 5 / 4
"""Power goes up and down by steps that shrink: so far behind the last dip there is none."""

_TOO_SMALL: Final = 2.0**-60
"""A term of that share changes no digit of a sum, and those behind it are smaller still."""


def lower_tail(count: int, throws: int, share: float) -> float:
    """The probability of `count` or fewer in so many throws.

    >>> round(lower_tail(1, 3, 0.5), 12)
    0.5
    """
    if count < 0 or count >= throws:
        return float(count >= throws)
    if share <= 0.0 or share >= 1.0:
        return float(share <= 0.0)
    if count > throws * share:
        return 1.0 - _tail(throws - count - 1, throws, 1.0 - share)
    return _tail(count, throws, share)


def upper_tail(count: int, throws: int, share: float) -> float:
    """The probability of `count` or more in so many throws."""
    return lower_tail(throws - count, throws, 1.0 - share)


def _tail(count: int, throws: int, share: float) -> float:
    """The lower tail up to a count below the mean: from there down every term is smaller."""
    term = total = exp(
        lgamma(throws + 1)
        - lgamma(count + 1)
        - lgamma(throws - count + 1)
        + count * log(share)
        + (throws - count) * log(1.0 - share)
    )
    odds = (1.0 - share) / share
    for smaller in range(count, 0, -1):
        term *= smaller / (throws - smaller + 1) * odds
        total += term
        # Where all of them are too small for a float, term and total are 0.
        if term <= total * _TOO_SMALL:
            break
    return min(total, 1.0)


def p_value(count: int, throws: int, share: float) -> float:
    """How often a thing of that share comes out as far off as `count`, or further.

    >>> p_value(0, 5, 0.5)
    0.0625
    """
    tails = lower_tail(count, throws, share), upper_tail(count, throws, share)
    return min(1.0, 2.0 * min(tails))


class Interval(NamedTuple):
    """Shares between which the true one lies, as often as the confidence says."""

    low: float
    high: float


def interval(count: int, throws: int, confidence: float = 0.95) -> Interval:
    """The shares that `p_value` would not refuse: the Clopper-Pearson interval.

    It holds the true share at least as often as it says, for every share and every number of
    throws. Wilson's is narrower, but holds it less often than it says for some shares, and can
    contradict the exact test.

    Source: Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the
    case of the binomial", Biometrika 26, 1934.
    """
    each = (1.0 - confidence) / 2.0
    low = crossing(lambda share: upper_tail(count, throws, share) > each) if count else 0.0
    high = 1.0
    if count < throws:
        high = crossing(lambda share: lower_tail(count, throws, share) <= each)
    return Interval(low, high)


def crossing(beyond: Callable[[float], bool], low: float = 0.0, high: float = 1.0) -> float:
    """Where `beyond` turns from false to true."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        low, high = (low, middle) if beyond(middle) else (middle, high)
    return high


def power(throws: int, true: float, fair: float, alpha: float) -> float:
    """How often the test at the level `alpha` sees that a share is `true` and not `fair`."""
    return _power(throws, true, *_refused(throws, fair, alpha))


def _refused(throws: int, fair: float, alpha: float) -> tuple[int, int]:
    """The largest count that the test refuses as too few, and the smallest as too many."""
    many = throws - _most_too_few(throws, 1.0 - fair, alpha)
    return _most_too_few(throws, fair, alpha), many


def _power(throws: int, true: float, few: int, many: int) -> float:
    return lower_tail(few, throws, true) + upper_tail(many, throws, true)


def _most_too_few(throws: int, fair: float, alpha: float) -> int:
    """The largest count that the test refuses as too few; -1 when it refuses none."""
    low, high = -1, throws
    while high - low > 1:
        middle = (low + high) // 2
        if 2.0 * lower_tail(middle, throws, fair) <= alpha:
            low = middle
        else:
            high = middle
    return low


@cache
def throws_needed(true: float, fair: float, alpha: float, wanted: float = 0.8) -> int:
    """From how many throws on the test's power is `wanted`, and never less again.

    Power does not simply grow: a count is whole, so the test's real level jumps, and one more
    throw can see a little less. Every number of throws is computed.

    >>> throws_needed(0.9, 0.5, 0.05)
    12
    """
    throws = last_short = 0
    few = below = -1
    while throws <= last_short * _CERTAIN + 10:
        throws += 1
        # One more throw refuses at most one count more.
        few += 2.0 * lower_tail(few + 1, throws, fair) <= alpha
        below += 2.0 * lower_tail(below + 1, throws, 1.0 - fair) <= alpha
        if _power(throws, true, few, throws - below) < wanted:
            last_short = throws
    return last_short + 1


def smallest_seen(throws: int, fair: float, alpha: float, wanted: float = 0.8) -> float | None:
    """How far off a share must be, either way, to be seen with that power; None: not at all.

    >>> round(smallest_seen(300, 0.5, 0.05), 3)
    0.082
    """
    few, many = _refused(throws, fair, alpha)

    def seen(off: float) -> bool:
        sides = (true for true in (fair - off, fair + off) if 0.0 <= true <= 1.0)
        return all(_power(throws, true, few, many) >= wanted for true in sides)

    furthest = max(fair, 1.0 - fair)
    return crossing(seen, 0.0, furthest) if seen(furthest) else None
