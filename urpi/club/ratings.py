"""The ratings of all players of games, by the Glicko-2 system. Pure.

Source: Mark E. Glickman, "Example of the Glicko-2 system",
http://www.glicko.net/glicko/glicko2.pdf, whose steps are named in the comments. Ratings and
deviations have the scale of chess ratings; the paper's own scale is used only inside this module.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeAlias

# 400 / ln 10: from the paper's scale to that of chess ratings.
SCALE: Final = 173.7178
TAU: Final = 0.5
"""The system constant, which limits how fast a volatility changes. The paper recommends 0.3 to 1.2
and calculates its example with 0.5."""
CONVERGENCE: Final = 0.000001
"""The paper's convergence tolerance for the logarithm of the variance."""
# Those of the paper for a player without a rating (step 1).
NEW_RATING: Final = 1500.0
NEW_DEVIATION: Final = 350.0
NEW_VOLATILITY: Final = 0.06
MAX_VOLATILITY: Final = 0.2
"""The paper's examples have 0.03 to 0.06. Without a limit one week in which two players' names were
exchanged makes it so large that the ratings never settle again."""
RatedResult: TypeAlias = Literal["light", "dark", "draw"]
POINTS: Final[Mapping[RatedResult, tuple[float, float]]] = {
    "light": (1.0, 0.0),
    "dark": (0.0, 1.0),
    "draw": (0.5, 0.5),
}
"""The points of light and of dark."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What is known of a player's strength; by default that of a player without a game.

    Attributes:
        value: The rating.
        deviation: The standard deviation of the rating. With a probability of 95 %, the strength is
            within two deviations of the rating.
        volatility: How much the strength is expected to change from period to period, in the
            paper's scale.
    """

    value: float = NEW_RATING
    deviation: float = NEW_DEVIATION
    volatility: float = NEW_VOLATILITY


class Score(NamedTuple):
    """The score of one game.

    Attributes:
        opponent: The opponent's rating before the period.
        points: 1 for a win, 0.5 for a draw, 0 for a loss.
    """

    opponent: Rating
    points: float


def after_period(rating: Rating, scores: Sequence[Score]) -> Rating:
    """A player's rating after a period.

    Args:
        rating: The rating before it.
        scores: The games of the period; without one, only the deviation grows.

    The paper's step 7 is the first step of a search for the most likely rating. After very many
    games, or very unlikely ones, it leads thousands of points beyond. Here the rating is at most
    one deviation from the most likely one.
    """
    if not scores:
        return after_pause(rating, 1)
    mu, phi = (rating.value - NEW_RATING) / SCALE, rating.deviation / SCALE
    information = improvement = 0.0
    played = [
        (_weight(opponent.deviation / SCALE), (opponent.value - NEW_RATING) / SCALE, points)
        for opponent, points in scores
    ]
    for weight, opponent, points in played:
        expected = _expected(mu, opponent, weight)
        information += weight * weight * expected * (1 - expected)
        improvement += weight * (points - expected)
    variance = 1 / information  # Step 3
    volatility = _volatility(rating.volatility, phi, variance, variance * improvement)
    volatility = min(volatility, MAX_VOLATILITY)
    before = phi * phi + volatility * volatility  # Step 6
    after = 1 / (1 / before + 1 / variance)  # Step 7
    value = _near_the_mode(mu + after * improvement, math.sqrt(after), mu, before, played)
    return Rating(
        NEW_RATING + SCALE * value,
        min(SCALE * math.sqrt(after), NEW_DEVIATION),
        volatility,
    )


def _near_the_mode(
    value: float,
    deviation: float,
    mu: float,
    before: float,
    played: Sequence[tuple[float, float, float]],
) -> float:
    """A value, or the closest one that is at most a deviation from the most likely value.

    `played` has each opponent's weight and rating, and the points.
    """

    def slope(x: float) -> float:
        """How the logarithm of the probability of `x` rises: less and less, and then falls."""
        found = (mu - x) / before
        for weight, opponent, points in played:
            found += weight * (points - _expected(x, opponent, weight))
        return found

    if slope(value - deviation) >= 0 >= slope(value + deviation):
        return value
    low, high = min(mu, value), max(mu, value)
    while high - low > CONVERGENCE:
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    return min(max(value, low - deviation), low + deviation)


def after_pause(rating: Rating, periods: int) -> Rating:
    """A player's rating after periods without a game.

    The deviation grows up to that of a new player, the limit of Glickman's Glicko system, because
    nothing is less certain than the strength of a player without games.
    """
    deviation = math.hypot(rating.deviation, SCALE * rating.volatility * math.sqrt(periods))
    return Rating(rating.value, min(deviation, NEW_DEVIATION), rating.volatility)


def _weight(phi: float) -> float:
    return 1 / math.sqrt(1 + 3 * phi * phi / math.pi**2)


def _expected(mu: float, opponent: float, weight: float) -> float:
    # The limit, a chance of 2e-9, keeps the variance of step 3 finite.
    return 1 / (1 + math.exp(min(max(weight * (opponent - mu), -20.0), 20.0)))


def _volatility(sigma: float, phi: float, variance: float, improvement: float) -> float:
    """The new volatility (step 5), by the Illinois algorithm."""
    a = math.log(sigma * sigma)

    def f(x: float) -> float:
        power = math.exp(x)
        total = phi * phi + variance + power
        gain = power * (improvement * improvement - total) / (2 * total * total)
        return gain - (x - a) / (TAU * TAU)

    excess = improvement * improvement - phi * phi - variance
    # The paper searches for the first k with f(a - k TAU) >= 0. That is 1, because f(a - TAU) is
    # at least 1 / TAU - 1 / 2.
    low, high = a, math.log(excess) if excess > 0 else a - TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > CONVERGENCE:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            # The Illinois step: otherwise one end could stay for ever, and the interval would not
            # get small.
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)


class RatedGame(NamedTuple):
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
        points: The rating after each period with games, by the number of the period, in its order.
    """

    rating: Rating = field(default_factory=Rating)
    points: dict[int, Rating] = field(default_factory=dict)

    def at(self, period: int) -> Rating:
        """The rating at the end of a period after which no game is rated yet."""
        if not self.points:
            return Rating()
        last = next(reversed(self.points))
        # A player begins with the first game; then every week without one counts.
        return after_pause(self.points[last], period - last)


class Ratings:
    """The ratings of all players with games, which follow when games are added or removed.

    The games of a period count as if they were played at once, as the paper describes: each is
    rated against the opponent's rating before the period. The current period counts as if it ended
    now. A period later than the current one, as from a table with a wrong clock, is the current
    one; games of a player against the same name are left out.

    The ratings after each period are kept, so that a change rates the games of its period and of
    later ones again, and no others.

    Attributes:
        histories: The ratings, by player.
    """

    def __init__(self) -> None:
        self.histories: dict[str, RatingHistory] = {}
        self._games: dict[int, Counter[RatedGame]] = {}
        self._now: int | None = None

    def change(
        self, now: int, added: Iterable[RatedGame] = (), removed: Iterable[RatedGame] = ()
    ) -> None:
        """Rate what has changed.

        Args:
            now: The number of the current period.
            added: New games, in any order.
            removed: Games that were added before, and no longer count.
        """
        changed = set[int]()
        for games, number in ((added, 1), (removed, -1)):
            for game in games:
                if game.light != game.dark:
                    self._games.setdefault(game.period, Counter())[game] += number
                    changed.add(game.period)
        if self._now is not None and self._now != now:
            # What was played later than one of them belongs to another period now.
            changed.add(self._now)
        if changed:
            self._rate_from(min(now, *changed), now)
        self._now = now
        for history in self.histories.values():
            history.rating = history.at(now)

    def _rate_from(self, first: int, now: int) -> None:
        for player, history in list(self.histories.items()):
            while history.points and next(reversed(history.points)) >= first:
                history.points.popitem()
            if not history.points:
                del self.histories[player]
        periods: defaultdict[int, list[RatedGame]] = defaultdict(list)
        # In an order of their own: a sum of numbers depends on it in its last digit.
        for period in sorted(period for period in self._games if period >= first):
            periods[min(period, now)] += sorted(self._games[period].elements())
        for period, games in periods.items():
            _rate_period(self.histories, period, games)


def rate_players(games: Iterable[RatedGame], now: int) -> dict[str, RatingHistory]:
    """The ratings of all players with games, as `Ratings` has them."""
    ratings = Ratings()
    ratings.change(now, games)
    return ratings.histories


def _rate_period(
    histories: dict[str, RatingHistory], period: int, games: Sequence[RatedGame]
) -> None:
    names = sorted({name for game in games for name in (game.light, game.dark)})
    before = {name: histories.get(name, RatingHistory()).at(period - 1) for name in names}
    scores: defaultdict[str, list[Score]] = defaultdict(list)
    for game in games:
        light, dark = POINTS[game.result]
        scores[game.light].append(Score(before[game.dark], light))
        scores[game.dark].append(Score(before[game.light], dark))
    for name, rating in before.items():
        history = histories.setdefault(name, RatingHistory())
        history.points[period] = after_period(rating, scores[name])
