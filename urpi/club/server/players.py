"""The players of a club: everyone with a published name, with their games, ratings and reviews.

Nothing about players is stored besides the names of games. So a withdrawn name disappears from the
list and from the ratings of all opponents with the next request.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from urpi.club.ratings import (
    POINTS,
    RatedGame,
    RatedResult,
    Rating,
    RatingHistory,
    rate_players,
)
from urpi.journal.stats import PlayerReview, ReviewFigures, SideReview, parse_review

if TYPE_CHECKING:
    from psycopg import Connection

PROVISIONAL: Final = 110.0
"""A rating with a greater deviation is marked as provisional, as on lichess.org."""
_FIRST_WEEK: Final = date(1970, 1, 5)
"""A Monday."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A verified game of at least one player with a published name.

    Attributes:
        started: When it began.
        light: The name of light's player, empty if it is not published.
        dark: The name of dark's player.
        result: How it ended, None for a game that was abandoned.
        rated: Whether it counts for ratings if both names are published.
    """

    started: datetime
    light: str
    dark: str
    result: RatedResult | None
    rated: bool


@dataclass(slots=True)
class Tally:
    """Counted games.

    Attributes:
        won: Won games.
        drawn: Drawn games.
        lost: Lost games.
    """

    won: int = 0
    drawn: int = 0
    lost: int = 0

    def add(self, points: float) -> None:
        """Count a game by its points."""
        self.won += points == 1
        self.drawn += points == 0.5
        self.lost += points == 0


@dataclass(slots=True)
class Player:
    """A player.

    Attributes:
        name: The name, as it is written in the newest game.
        games: Number of verified games.
        tally: Those with a result.
        rated: Number of rated games.
        last: When the newest game began.
        history: The rating, None without a rated game.
        opponents: The results against opponents with a published name, by `identity`.
        spellings: The name as it is written in each game.
    """

    name: str
    last: datetime
    games: int = 0
    rated: int = 0
    tally: Tally = field(default_factory=Tally)
    history: RatingHistory | None = None
    opponents: dict[str, Tally] = field(default_factory=dict)
    spellings: set[str] = field(default_factory=set)

    @property
    def rating(self) -> Rating | None:
        """The current rating, None without a rated game."""
        return None if self.history is None else self.history.rating


def identity(name: str) -> str:
    """What identifies a player: names that differ in upper and lower case are the same."""
    return name.casefold()


def week_of(day: datetime) -> int:
    """The number of the week, in UTC, which is the rating period."""
    return (day.astimezone(UTC).date() - _FIRST_WEEK).days // 7


def monday_of(week: int) -> date:
    """The first day of a week."""
    return _FIRST_WEEK + timedelta(weeks=week)


class PlayerList:
    """The players of a club, calculated again only when a game or a name has changed."""

    def __init__(self) -> None:
        self._known: tuple[list[tuple[Any, ...]], int, dict[str, Player]] | None = None

    def read(self, connection: "Connection", now: datetime) -> Mapping[str, Player]:
        """Return the players by `identity`, with their ratings at a time."""
        # Comparing the games takes a fraction of the time of the ratings, and notices every change.
        rows, week, known = _rows(connection), week_of(now), self._known
        if known is None or known[:2] != (rows, week):
            known = rows, week, list_players((PlayedGame(*row) for row in rows), now)
            self._known = known
        return known[2]


def _rows(connection: "Connection") -> list[tuple[Any, ...]]:
    """The verified games with a published name as `PlayedGame`, the oldest first."""
    return connection.execute(
        "SELECT started, coalesce(light, ''), coalesce(dark, ''),"
        " nullif(result, 'abandoned'), rated"
        " FROM counted_games WHERE light IS NOT NULL OR dark IS NOT NULL ORDER BY started, id"
    ).fetchall()


def list_players(games: Iterable[PlayedGame], now: datetime) -> dict[str, Player]:
    """The players of games by `identity`, with their ratings.

    Args:
        games: The games, the oldest first.
        now: The time.
    """
    players: dict[str, Player] = {}
    rated: list[RatedGame] = []
    for game in games:
        light, dark = identity(game.light), identity(game.dark)
        counts = game.rated and bool(light and dark) and light != dark
        points = (None, None) if game.result is None else POINTS[game.result]
        _count(players, game, light, dark, points[0], counts=counts)
        if light != dark:
            _count(players, game, dark, light, points[1], counts=counts)
        if counts and game.result is not None:
            rated.append(RatedGame(week_of(game.started), light, dark, game.result))
    for name, history in rate_players(rated, week_of(now)).items():
        players[name].history = history
    return players


def _count(  # noqa: PLR0913 - what is known of one side
    players: dict[str, Player],
    game: PlayedGame,
    name: str,
    opponent: str,
    points: float | None,
    *,
    counts: bool,
) -> None:
    """Count a game for the player of a side, if the name is published."""
    if not name:
        return
    written = game.light if identity(game.light) == name else game.dark
    player = players.setdefault(name, Player(written, game.started))
    # Games come in their order, so that the last one decides how the name is written.
    player.name, player.last = written, game.started
    player.spellings.add(written)
    player.games += 1
    player.rated += counts
    # A game against the same name has no winner that could be named.
    if points is not None and name != opponent:
        player.tally.add(points)
        if opponent:
            player.opponents.setdefault(opponent, Tally()).add(points)


def by_rating(players: Iterable[Player]) -> Sequence[Player]:
    """Return players in the order of the list: by rating, then those without one by name."""

    def rank(player: Player) -> tuple[bool, float, str]:
        rating = player.rating
        return rating is None, 0 if rating is None else -rating.value, identity(player.name)

    return sorted(players, key=rank)


def reviews_of(connection: "Connection", spellings: Collection[str]) -> ReviewFigures:
    """The figures of a player's games that were won or drawn.

    Like all data about players, they are computed for each request, so that games whose names
    were withdrawn no longer count.

    Args:
        connection: The database.
        spellings: The player's name as it is written in each game.
    """
    rows = connection.execute(
        "SELECT light.name, dark.name, h.review IS NULL, h.review"
        " FROM histories h"
        " LEFT JOIN names light"
        " ON (light.table_id, light.key, light.side) = (h.table_id, h.key, 'light')"
        " LEFT JOIN names dark"
        " ON (dark.table_id, dark.key, dark.side) = (h.table_id, h.key, 'dark')"
        " WHERE h.current AND h.verdict = 'verified' AND h.result != 'abandoned'"
        " AND (light.name = ANY(%(names)s) OR dark.name = ANY(%(names)s))",
        {"names": list(spellings)},
    )
    sums, exact, missing = SideReview(), 0, 0
    for light, dark, waits, values in rows:
        missing += waits
        if values is None:
            continue
        review = parse_review(values)
        for name, side in zip((light, dark), review.sides, strict=True):
            if name in spellings:
                sums.add(side)
                exact += side.games if review.source == "exact" else 0
    return ReviewFigures(sums.games, exact, missing, (PlayerReview("", sums, ()),), sums)
