"""Published figures of a game, and the same from the games of a table, with 95 % intervals.

All figures are of `finkel` with seven pieces, for which they are published. A throw is what
J. Heled calls a turn: one roll of the dice with its move, if there is one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, get_args

from urpi.journal.fairness.binomial import interval
from urpi.journal.stats.game import GameFigures
from urpi.rules import Side

if TYPE_CHECKING:
    from urpi.journal.stats.reviews import GameReview

RULES: Final = "finkel"
"""The RULES word of the games that are compared."""
_NORMAL_975: Final = 1.959964

Measure: TypeAlias = Literal["throws", "first", "luck"]
MEASURES: Final[tuple[Measure, ...]] = get_args(Measure)
"""What is published: the mean number of throws of a game, the share of games that the side wins
that begins, and the standard deviation of the luck of a throw, as a probability to win."""


class Estimate(NamedTuple):
    """A value with its 95 % interval, whose ends are the value itself if it is exact."""

    value: float
    low: float
    high: float

    def agrees(self, other: "Estimate") -> bool:
        """Whether both intervals have a value in common."""
        return self.low <= other.high and other.low <= self.high


def exact(value: float) -> Estimate:
    """A value without any error."""
    return Estimate(value, value, value)


# Heled gives the luck in whole and half percentage points; the interval of the share is that of
# 20,000 games (Clopper-Pearson).
PUBLISHED: Final[Mapping[Measure, Estimate]] = {
    "throws": exact(209.810273),
    "first": Estimate(0.584, *interval(11_680, 20_000)),
    "luck": Estimate(0.035, 0.03475, 0.03525),
}
"""The published values: `throws` and `luck` by J. Heled (github.com/jheled/royalur, doc/world.rst
and doc/luck.rst), between perfect players; `first` of a program that plays against itself five
moves deep (github.com/RoyalUr/RoyalUr-Analysis, docs/Insights.md)."""
PERFECT: Final[Mapping[Measure, Estimate]] = {
    "throws": exact(209.810273),
    "first": exact(0.515404732509),
}
"""The exact values of perfect play: `throws` again by Heled, `first` by `urpi solve` as the value
of the start position (docs/how-it-works/engine-figures.md)."""
PERFECT_CAPTURES: Final[Mapping[str, Estimate]] = {
    "B1": Estimate(7.708, 7.675, 7.742),
    "B2": Estimate(12.555, 12.518, 12.593),
    "B3": Estimate(6.170, 6.148, 6.191),
    "B5": Estimate(2.153, 2.142, 2.163),
    "B6": Estimate(1.685, 1.676, 1.694),
    "B7": Estimate(1.063, 1.056, 1.070),
    "B8": Estimate(0.613, 0.608, 0.618),
}
"""The mean number of captures on each square with perfect play, in 100,000 games simulated by
`python -m tools.train.captures finkel --table finkel-7.table`
(docs/how-it-works/engine-figures.md).
"""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """What one game that was played to its end contributes.

    Attributes:
        throws: The number of throws of both sides.
        first_won: Whether the side won that began.
        captures: The number of captures on each square.
        luck_squares: The sum of the squares of the luck of all throws, None without a review.
    """

    throws: int
    first_won: bool
    captures: Mapping[str, int]
    luck_squares: float | None


@dataclass(frozen=True, slots=True)
class Recomputed:
    """The published figures, recomputed from games.

    Attributes:
        games: The number of games.
        reviewed: The number of those with a review.
        values: The value of each measure, None with fewer than two games.
        captures: The mean number of captures in a game by square, only of those with any.
    """

    games: int
    reviewed: int
    values: Mapping[Measure, Estimate | None]
    captures: Mapping[str, Estimate]


def recompute(
    games: Iterable[GameFigures], reviews: Mapping[int, "GameReview"] | None = None
) -> Recomputed:
    """Recompute the published figures from the games by the same rules that have a winner.

    Args:
        games: The games.
        reviews: The reviews by the number of the game; none by default.
    """
    found = [
        one
        for each in games
        if each.rules == RULES
        and (one := _played(each, (reviews or {}).get(each.game))) is not None
    ]
    return recompute_played(found)


def recompute_played(found: Sequence[PlayedGame]) -> Recomputed:
    """Recompute the published figures from games."""
    squares = sorted({square for one in found for square in one.captures})
    lucks = [(one.luck_squares, one.throws) for one in found if one.luck_squares is not None]
    many = len(found) > 1
    won = sum(one.first_won for one in found)
    share = Estimate(won / len(found), *interval(won, len(found))) if many else None
    spread = ratio_of(lucks) if len(lucks) > 1 else None
    values: dict[Measure, Estimate | None] = {
        "throws": mean_of([one.throws for one in found]) if many else None,
        "first": share,
        "luck": None if spread is None else Estimate(*(sqrt(max(0.0, one)) for one in spread)),
    }
    captures = {
        square: mean_of([one.captures.get(square, 0) for one in found])
        for square in squares
        if many
    }
    return Recomputed(len(found), len(lucks), values, captures)


def _played(game: GameFigures, review: "GameReview | None") -> PlayedGame | None:
    if game.first is None or game.result not in {side.value for side in Side} or game.resigned:
        return None
    squares = None if review is None else sum(side.luck_squares for side in review.sides)
    return PlayedGame(game.throws, game.result == game.first.value, game.captured, squares)


def mean_of(values: Sequence[float]) -> Estimate:
    """The mean of values of several games, with its interval (normal distribution)."""
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    error = _NORMAL_975 * sqrt(variance / len(values))
    return Estimate(mean, mean - error, mean + error)


def ratio_of(pairs: Sequence[tuple[float, float]]) -> Estimate:
    """The ratio of two sums over games, with its interval.

    The interval is that of the linearised ratio (W. G. Cochran, Sampling Techniques, 3rd edition,
    2.11): throws of one game are not independent, games are.
    """
    above, below = (sum(pair[place] for pair in pairs) for place in (0, 1))
    ratio, number = above / below, len(pairs)
    residuals = sum((one - ratio * other) ** 2 for one, other in pairs) / (number - 1)
    error = _NORMAL_975 * sqrt(number * residuals) / below
    return Estimate(ratio, ratio - error, ratio + error)


NOTHING: Final = recompute(())
"""What no game at all shows."""
