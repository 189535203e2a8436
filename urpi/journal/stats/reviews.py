"""Reviewed games: what each player's decisions give away, how lucky they are, and their mistakes.

Losses and luck are probabilities to win, as in `urpi.engine.review`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, Final

from urpi.engine.review import MISTAKES, Mistake, Review, ReviewedThrow, Source
from urpi.journal.fairness import Interval
from urpi.journal.stats.game import GameFigures
from urpi.journal.stats.published import NOTHING, Recomputed, recompute
from urpi.rules import Side

MAX_PERIODS: Final = 12
"""Maximum number of periods in which a player's games are shown."""
_NORMAL_975: Final = 1.959964


@dataclass(slots=True)
class SideReview:
    """The sums of the reviewed throws and decisions of one side, or of a player.

    Attributes:
        games: Number of games.
        throws: Number of throws.
        luck: Sum of the luck of all throws.
        luck_squares: Sum of its squares.
        decisions: Number of throws with several legal moves.
        loss: Sum of the losses of the decisions.
        loss_squares: Sum of their squares.
        mistakes: Number of the marked moves by the kind of mistake.
        mistake_losses: Sum of their losses.
    """

    games: int = 0
    throws: int = 0
    luck: float = 0.0
    luck_squares: float = 0.0
    decisions: int = 0
    loss: float = 0.0
    loss_squares: float = 0.0
    mistakes: Counter[Mistake] = field(default_factory=Counter)
    mistake_losses: dict[Mistake, float] = field(default_factory=dict)

    def add(self, other: "SideReview") -> None:
        """Add the sums of other games."""
        self.games += other.games
        self.throws += other.throws
        self.luck += other.luck
        self.luck_squares += other.luck_squares
        self.decisions += other.decisions
        self.loss += other.loss
        self.loss_squares += other.loss_squares
        self.mistakes.update(other.mistakes)
        for kind, loss in other.mistake_losses.items():
            self.mistake_losses[kind] = self.mistake_losses.get(kind, 0.0) + loss

    @property
    def loss_per_decision(self) -> float | None:
        """The mean loss of a decision, None without any."""
        return self.loss / self.decisions if self.decisions else None

    @property
    def loss_interval(self) -> Interval | None:
        """95 % interval of the mean loss (normal distribution), None below two decisions."""
        if self.decisions < 2:
            return None
        mean = self.loss / self.decisions
        variance = max(0.0, self.loss_squares - self.loss * mean) / (self.decisions - 1)
        error = _NORMAL_975 * sqrt(variance / self.decisions)
        return Interval(max(0.0, mean - error), mean + error)

    @property
    def errors_per_100(self) -> float | None:
        """The number of marked moves per 100 decisions, None without any decision."""
        return 100 * self.mistakes.total() / self.decisions if self.decisions else None

    @property
    def luck_per_game(self) -> float | None:
        """The mean luck of a game, None without games."""
        return self.luck / self.games if self.games else None

    @property
    def fair_luck(self) -> float | None:
        """The mean luck of a game is between plus and minus this in 95 of 100 cases; see above.

        The expected luck of a throw is 0 whatever was thrown before, so the sum of the squares is
        an estimate of the variance of the sum.
        """
        return _NORMAL_975 * sqrt(self.luck_squares) / self.games if self.games else None


@dataclass(frozen=True, slots=True)
class GameReview:
    """The sums of a reviewed game, of light and of dark."""

    source: Source
    sides: tuple[SideReview, SideReview]


def review_values(review: GameReview) -> list[Any]:
    """The sums of a reviewed game as values for JSON."""
    # Not `asdict`, which cannot copy a Counter before Python 3.12.
    sides = [{name: getattr(side, name) for name in SideReview.__slots__} for side in review.sides]
    return [review.source, sides]


def parse_review(values: Sequence[Any]) -> GameReview:
    """The sums of a reviewed game from the values of `review_values`."""
    source, (light, dark) = values
    return GameReview(source, (_parse_side(light), _parse_side(dark)))


def _parse_side(values: Mapping[str, Any]) -> SideReview:
    side = SideReview(**values)
    side.mistakes = Counter(side.mistakes)
    return side


@dataclass(frozen=True, slots=True)
class Period:
    """A player's decisions in a period: a day, a month or a year, as ``2026-11-22`` or shorter."""

    name: str
    sums: SideReview


@dataclass(frozen=True, slots=True)
class PlayerReview:
    """The reviewed games of a player, all together and by period, the oldest first."""

    name: str
    sums: SideReview
    periods: tuple[Period, ...]


@dataclass(frozen=True, slots=True)
class ReviewFigures:
    """Figures over reviewed games.

    Attributes:
        games: Number of reviewed games.
        exact: Number of those with exact values.
        missing: Number of ended games that are not reviewed yet.
        players: The players, those with most decisions first.
        all: The sums over all sides.
        published: What is published about the game, recomputed from these games; nothing by
            default.
    """

    games: int
    exact: int
    missing: int
    players: tuple[PlayerReview, ...]
    all: SideReview
    published: Recomputed = NOTHING


def game_review(review: Review) -> GameReview:
    """The sums of a reviewed game."""
    light, dark = (
        _side_review([each for each in review.throws if each.side is side]) for side in Side
    )
    return GameReview(review.source, (light, dark))


def _side_review(throws: Sequence[ReviewedThrow]) -> SideReview:
    decided = [each.loss for each in throws if each.unforced]
    sums = SideReview(
        games=1,
        throws=len(throws),
        luck=sum(each.luck for each in throws),
        luck_squares=sum(each.luck**2 for each in throws),
        decisions=len(decided),
        loss=sum(decided),
        loss_squares=sum(loss**2 for loss in decided),
    )
    for each in throws:
        if each.mistake is not None:
            sums.mistakes[each.mistake] += 1
            lost = sums.mistake_losses.get(each.mistake, 0.0)
            sums.mistake_losses[each.mistake] = lost + each.loss
    return sums


def summarize_reviews(
    games: Iterable[tuple[GameFigures, str]], reviews: Mapping[int, GameReview]
) -> ReviewFigures:
    """The figures over the reviewed ones of some games.

    Args:
        games: The games with the days on which they began, as ``2026-11-22``.
        reviews: The reviews by the number of the game.
    """
    games = tuple(games)
    everything, exact, missing, reviewed = SideReview(), 0, 0, 0
    days: dict[str, dict[str, SideReview]] = {}
    for game, day in games:
        review = reviews.get(game.game)
        if review is None:
            missing += game.result in {"light", "dark", "draw"}
            continue
        reviewed += 1
        exact += review.source == "exact"
        for name, side in zip((game.light, game.dark), review.sides, strict=True):
            days.setdefault(name, {}).setdefault(day, SideReview()).add(side)
            everything.add(side)
    players = [_player(name, by_day) for name, by_day in days.items()]
    players.sort(key=lambda one: (-one.sums.decisions, one.name))
    published = recompute((game for game, _ in games), reviews)
    return ReviewFigures(reviewed, exact, missing, tuple(players), everything, published)


def _player(name: str, by_day: Mapping[str, SideReview]) -> PlayerReview:
    """A player's figures in the shortest periods that are not too many."""
    for letters in (len("2026-11-22"), len("2026-11"), len("2026")):
        periods: dict[str, SideReview] = {}
        for day in sorted(by_day):
            periods.setdefault(day[:letters], SideReview()).add(by_day[day])
        if len(periods) <= MAX_PERIODS:
            break
    sums = SideReview()
    for each in by_day.values():
        sums.add(each)
    return PlayerReview(name, sums, tuple(Period(*each) for each in periods.items()))


def costs_of(sums: SideReview) -> list[tuple[Mistake, int, float]]:
    """The kinds of mistakes with their numbers and losses, the most expensive first."""
    found = [
        (kind, sums.mistakes[kind], sums.mistake_losses.get(kind, 0.0))
        for kind in MISTAKES
        if sums.mistakes[kind]
    ]
    return sorted(found, key=lambda each: -each[2])
