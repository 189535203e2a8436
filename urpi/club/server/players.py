"""The players of a club: everyone with a published name, with their games, ratings and reviews.

Nothing about players is stored besides the names of games. So a withdrawn name disappears from the
list and from the ratings of all opponents with the next request. Ratings are kept in memory and
follow the games that the database notes as changed (`changed_games`).
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from urpi.club.ratings import (
    POINTS,
    RatedGame,
    RatedResult,
    Rating,
    RatingHistory,
    Ratings,
)
from urpi.journal.stats import PlayerReview, ReviewFigures, SideReview, parse_review

if TYPE_CHECKING:
    from psycopg import Connection

PROVISIONAL: Final = 110.0
"""A rating with a greater deviation is marked as provisional, as on lichess.org."""
MAX_CHANGES: Final = 100_000
"""Number of changes of games that are kept; who has not read for longer reads all games again."""
_FIRST_WEEK: Final = date(1970, 1, 5)
"""A Monday."""


class PlayedGame(NamedTuple):
    """A verified game of at least one player with a published name.

    Attributes:
        started: When it began.
        number: Its number at the club.
        rules: The id of its rule set.
        light: The name of light's player, empty if it is not published.
        dark: The name of dark's player.
        result: How it ended, None for a game that was abandoned.
        rated: Whether it counts for ratings: both names are published, and entered at their tables.
    """

    started: datetime
    number: int
    rules: str
    light: str
    dark: str
    result: RatedResult | None
    rated: bool

    @property
    def names(self) -> tuple[str, str]:
        """What identifies light and dark, empty for one without a published name."""
        return identity(self.light), identity(self.dark)

    @property
    def counted(self) -> "RatedGame | None":
        """What counts for the ratings, None if it does not count."""
        if not self.rated or self.result is None:
            return None
        light, dark = self.names
        if not light or not dark or light == dark:
            return None
        return RatedGame(week_of(self.started), light, dark, self.result)


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


class Players:
    """The players of games that may change. Pure.

    Attributes:
        players: The players by `identity`, with their ratings.
    """

    def __init__(self) -> None:
        self.players: dict[str, Player] = {}
        self._games: dict[int, PlayedGame] = {}
        self._numbers: defaultdict[str, set[int]] = defaultdict(set)
        """The numbers of each player's games."""
        self._ratings = Ratings()

    def of(self, rules: str) -> list[PlayedGame]:
        """The games of a rule set."""
        return [game for game in self._games.values() if game.rules == rules]

    def games_of(self, player: str) -> list[PlayedGame]:
        """The games of a player, by `identity`."""
        return [self._games[number] for number in self._numbers.get(player, ())]

    def change(
        self, now: datetime, removed: Iterable[int] = (), added: Iterable[PlayedGame] = ()
    ) -> None:
        """Remove games by their numbers, as far as they are there, and then add others."""
        before = [game for number in removed if (game := self._games.pop(number, None))]
        after = list(added)
        self._games.update((game.number, game) for game in after)
        for game in before:
            for name in filter(None, game.names):
                self._numbers[name].discard(game.number)
        for game in after:
            for name in filter(None, game.names):
                self._numbers[name].add(game.number)
        for name in {name for game in before + after for name in game.names if name}:
            # A game comes after those before it, so that the last one decides about the spelling.
            if played := sorted(self._games[number] for number in self._numbers[name]):
                self.players[name] = _player(name, played)
            else:
                del self._numbers[name], self.players[name]
        lost, won = ([one for game in some if (one := game.counted)] for some in (before, after))
        self._ratings.change(week_of(now), won, lost)
        for name, player in self.players.items():
            player.history = self._ratings.histories.get(name)


class PlayerList:
    """The players of a club, of all games and of those of each rule set.

    Use it in one thread.
    """

    def __init__(self) -> None:
        self._all = Players()
        self._of_rules: dict[str, Players] = {}
        """The players of each rule set that was asked for: with all of them from the start, the
        first list of a large club would take twice as long."""
        self._now: datetime | None = None
        self._snapshot = ""
        """What the database had committed when it was read."""

    def read(
        self, connection: "Connection", now: datetime, rules: str = ""
    ) -> Mapping[str, Player]:
        """Return the players by `identity`, with their ratings at a time.

        Args:
            connection: The database.
            now: The time.
            rules: The id of a rule set; empty for all games.
        """
        # Before the games: what is committed in between is then read twice, and never missed.
        row = connection.execute("SELECT pg_current_snapshot()::text").fetchone()
        assert row is not None
        if not self._snapshot or _has_too_many(connection, self._snapshot):
            self._all, self._of_rules, self._now = Players(), {}, None
            removed, added = list[int](), _games(connection)
        elif removed := _changed(connection, self._snapshot):
            added = _games(connection, removed)
        else:
            added = []
        self._snapshot = row[0]
        self._change(now, removed, added)
        return self._players_of(rules, now) if rules else self._all.players

    def _change(self, now: datetime, removed: Sequence[int], added: Sequence[PlayedGame]) -> None:
        last, self._now = self._now, now
        if not removed and not added and last and week_of(last) == week_of(now):
            return
        self._all.change(now, removed, added)
        for rules, found in self._of_rules.items():
            found.change(now, removed, [game for game in added if game.rules == rules])

    def _players_of(self, rules: str, now: datetime) -> Mapping[str, Player]:
        if rules not in self._of_rules:
            if not (games := self._all.of(rules)):
                return {}
            self._of_rules[rules] = Players()
            self._of_rules[rules].change(now, (), games)
        return self._of_rules[rules].players

    def by_rules(self, player: str) -> Mapping[str, Player]:
        """A player's figures in each rule set, by its id, as they were read."""
        assert self._now is not None
        played = sorted({game.rules for game in self._all.games_of(player)})
        return {rules: self._players_of(rules, self._now)[player] for rules in played}


_GAMES: Final = (
    "SELECT started, id, split_part(head->>'rules', '[', 1), coalesce(light, ''),"
    " coalesce(dark, ''), nullif(result, 'abandoned'), rated AND entered IS TRUE"
    " FROM counted_games WHERE (light IS NOT NULL OR dark IS NOT NULL)"
)
_SINCE: Final = """FROM changed_games
WHERE change >= pg_snapshot_xmin(%(known)s::pg_snapshot)
    -- A restored backup has numbers of transactions that are still to come.
    AND change < pg_snapshot_xmax(pg_current_snapshot())
    AND NOT pg_visible_in_snapshot(change, %(known)s::pg_snapshot)"""
_COUNT: Final = "SELECT count(*) FROM (SELECT 1 {since} LIMIT %(limit)s) AS since"
_CHANGED: Final = """
WITH changed AS (
    SELECT DISTINCT table_id, key, shared_id {since}
), own AS (
    SELECT h.id, h.shared_id FROM histories h JOIN changed USING (table_id, key)
)
SELECT id FROM own
UNION
SELECT h.id FROM histories h
JOIN (SELECT shared_id FROM own UNION SELECT shared_id FROM changed) AS shared USING (shared_id)
UNION
SELECT h.id FROM histories h
JOIN changed ON (h.shared_table, h.claim_key) = (changed.table_id, changed.key)
"""


def _games(connection: "Connection", numbers: Sequence[int] | None = None) -> list[PlayedGame]:
    """The verified games with a published name: all, or those with some numbers."""
    rows = (
        connection.execute(_GAMES)
        if numbers is None
        else connection.execute(f"{_GAMES} AND id = ANY(%s)", (list(numbers),))
    )
    return [PlayedGame(*row) for row in rows]


def prune_changes(connection: "Connection") -> None:
    """Remove the oldest changes of games, so that at least `MAX_CHANGES` are left.

    A change that is committed only after so many later ones is lost for those who read meanwhile.
    """
    connection.execute(
        # Of a restored backup, numbers of transactions that are still to come concern nobody.
        "DELETE FROM changed_games WHERE change >= pg_snapshot_xmax(pg_current_snapshot())"
        " OR change < (SELECT change FROM changed_games"
        " WHERE change < pg_snapshot_xmax(pg_current_snapshot())"
        " ORDER BY change DESC OFFSET %s LIMIT 1)",
        (MAX_CHANGES,),
    )


def _has_too_many(connection: "Connection", known: str) -> bool:
    """Whether changes since a snapshot may have been removed, because so many followed."""
    row = connection.execute(
        _COUNT.format(since=_SINCE).encode(), {"known": known, "limit": MAX_CHANGES}
    ).fetchone()
    assert row is not None
    return bool(row[0] >= MAX_CHANGES)


def _changed(connection: "Connection", known: str) -> list[int]:
    """The numbers of the games that may have changed since a snapshot, with their other copies."""
    rows = connection.execute(_CHANGED.format(since=_SINCE).encode(), {"known": known})
    return [number for (number,) in rows]


def _player(name: str, games: Sequence[PlayedGame]) -> Player:
    """The player of some games, the oldest first."""
    player = Player("", games[-1].started)
    for game in games:
        light, dark = game.names
        points = (None, None) if game.result is None else POINTS[game.result]
        won, opponent = (points[0], dark) if light == name else (points[1], light)
        player.name = game.light if light == name else game.dark
        player.spellings.add(player.name)
        player.games += 1
        player.rated += bool(game.rated and won is not None and opponent and light != dark)
        # A game against the same name has no winner that could be named.
        if won is not None and light != dark:
            player.tally.add(won)
            if opponent:
                player.opponents.setdefault(opponent, Tally()).add(won)
    return player


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
        " LEFT JOIN shown_names light"
        " ON (light.table_id, light.key, light.side) = (h.table_id, h.key, 'light')"
        " LEFT JOIN shown_names dark"
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
