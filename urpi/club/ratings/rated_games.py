"""The ratings of all players of a list of games, one period after the other."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from urpi.club.ratings.glicko2 import Rating, Score, after_pause, after_period

RatedResult: TypeAlias = Literal["light", "dark", "draw"]
POINTS: Final[Mapping[RatedResult, tuple[float, float]]] = {
    "light": (1.0, 0.0),
    "dark": (0.0, 1.0),
    "draw": (0.5, 0.5),
}
"""The points of light and of dark."""


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game that counts for the ratings.

    Attributes:
        period: The number of the rating period in which it was played.
        light: Identifies light's player.
        dark: Identifies dark's player.
        result: How it ended.
    """

    period: int
    light: str
    dark: str
    result: RatedResult


@dataclass(slots=True)
class RatingHistory:
    """A player's rating.

    Attributes:
        rating: The rating at the end of the current period.
        period: The period in which the player played last.
        points: The rating after each period with games, by the number of the period.
    """

    rating: Rating = field(default_factory=Rating)
    period: int = 0
    points: dict[int, Rating] = field(default_factory=dict)


def rate_players(games: Iterable[RatedGame], now: int) -> dict[str, RatingHistory]:
    """Return the ratings of all players with games.

    The games of a period count as if they were played at once, as the paper describes: each is
    rated against the opponent's rating before the period. The current period counts as if it ended
    now. A period later than the current one, as from a table with a wrong clock, is the current
    one; games of a player against the same name are left out.

    Args:
        games: The games, in any order.
        now: The number of the current period.
    """
    periods: defaultdict[int, list[RatedGame]] = defaultdict(list)
    for game in games:
        if game.light != game.dark:
            periods[min(game.period, now)].append(game)
    found: dict[str, RatingHistory] = {}
    for period in sorted(periods):
        _rate_period(found, period, periods[period])
    for history in found.values():
        history.rating = after_pause(history.rating, now - history.period)
    return found


def _rate_period(
    histories: dict[str, RatingHistory], period: int, games: Iterable[RatedGame]
) -> None:
    played = list(games)
    before: dict[str, Rating] = {}
    for player in {name for game in played for name in (game.light, game.dark)}:
        history = histories.get(player)
        # A player begins with the first game; then every week without one counts.
        pause = 0 if history is None else period - history.period - 1
        before[player] = Rating() if history is None else after_pause(history.rating, pause)
    scores: defaultdict[str, list[Score]] = defaultdict(list)
    for game in played:
        light, dark = POINTS[game.result]
        scores[game.light].append(Score(before[game.dark], light))
        scores[game.dark].append(Score(before[game.light], dark))
    for player, rating in before.items():
        history = histories.setdefault(player, RatingHistory())
        history.rating = history.points[period] = after_period(rating, scores[player])
        history.period = period
