"""Swiss system: players with equal points meet, and no two of them twice.

A round is the perfect matching of greatest weight in the graph of all possible pairings
(`networkx.max_weight_matching`, after Galil, "Efficient algorithms for finding maximum matching in
graphs", 1986). The bye is a player of its own. Nothing depends on the order of nodes or on chance.
"""

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Final

from urpi.club.tournaments.standings import points_of
from urpi.club.tournaments.tournament import Pairing, Tournament, with_sides
from urpi.core.errors import UrpiError
from urpi.core.extras import installation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

BYE: Final = -1
"""The opponent of a player with a bye."""


def swiss_round(tournament: Tournament) -> tuple[Pairing, ...]:
    """The pairings of the next round: by points, the leaders first, the byes last."""
    try:
        import networkx as nx  # noqa: PLC0415 - an extra
    except ImportError:
        message = f"A Swiss round needs networkx; run {installation('club-server')}."
        raise UrpiError(message) from None
    points = {player: points_of(tournament, player) for player in range(tournament.players)}
    playing = sorted(
        set(range(tournament.players)) - tournament.absent,
        key=lambda player: (-points[player], player),
    )
    graph = nx.Graph()
    nodes = playing + [BYE] * (len(playing) % 2)
    costs = _Costs(tournament, points, playing)
    worst = costs.worst
    for index, first in enumerate(nodes):
        for second in nodes[index + 1 :]:
            # The matching maximises its weight, so that the lowest costs must weigh most.
            graph.add_edge(first, second, weight=worst - costs.of(first, second))
    rank = {player: place for place, player in enumerate(nodes)}
    pairs = sorted(
        (sorted(pair, key=rank.__getitem__) for pair in nx.max_weight_matching(graph, True)),
        key=lambda pair: (pair[1] == BYE, rank[pair[0]]),
    )
    paired = (
        Pairing(first, None) if second == BYE else with_sides(tournament, first, second)
        for first, second in pairs
    )
    requested = (Pairing(one, None, "draw") for one in sorted(tournament.byes))
    return (*paired, *(each for each in requested if each.light not in tournament.withdrawn))


class _Costs:
    """The costs of a pairing as one whole number: each cause outweighs all later ones together.

    1. The two have played a game already, or the player with the bye has had one or has won
       without a game. After withdrawals that may be unavoidable.
    2. The points of the player who has the bye.
    3. The rounds in which the player who has the bye did not play, as before a late entry.
    4. The distance of the player who has the bye from the last one of those with the same points.
    5. One of the players would have been on a side three times in a row, or three times more often
       than on the other.
    6. The squared difference in points; for a bye, the squared points of the player.
    7. Both have been more often on the same side; then, both were on the same side last.
    8. The players who are paired with fewer points, or with more, for the second time in a row.
    9. Among players with equal points, the distance from the pairing of the upper half with the
       lower half of their group.

    Source of the first one: FIDE Handbook C.04.1, Basic rules for Swiss Systems, articles 2 and 4
    (in force from 1 July 2025). A pairing that was decided without a game may be repeated.
    """

    def __init__(
        self, tournament: Tournament, points: dict[int, float], playing: "Sequence[int]"
    ) -> None:
        self._tournament, self._points = tournament, points
        self._repeated = set(unrepeatable(tournament))
        self._missed = {player: _missed(tournament, player) for player in playing}
        self._wish = {player: tournament.wish(player) for player in playing}
        self._floated = {player: _floated(tournament, player) for player in playing}
        self._place: dict[int, int] = {}
        self._size: dict[float, int] = {}
        for player in playing:
            self._place[player] = self._size.get(points[player], 0)
            self._size[points[player]] = self._place[player] + 1
        pairs = len(playing) // 2 + 1
        # The greatest sum of each cause over all pairs, plus 1.
        self._units = [1]
        rounds, half_points = tournament.planned, 2 * tournament.planned
        for most in (len(playing), 2, 1, 1, half_points**2, 1, len(playing), rounds, half_points):
            self._units.append(self._units[-1] * (pairs * most + 1))
        self.worst = 2 * self._units[-1] * pairs

    def of(self, first: int, second: int) -> int:
        """Return the costs of a pairing; the first player has at least the points of the second."""
        causes = (
            self._fold(first, second),
            self._floats(first, second),
            self._same_side(first, second, 1),
            self._same_side(first, second, 2),
            self._distance(first, second),
            self._same_side(first, second, 3),
            self._after(first) if second == BYE else 0,
            self._missed[first] if second == BYE else 0,
            2 * self._points[first] if second == BYE else 0,
            frozenset((first, second)) in self._repeated,
        )
        return sum(unit * int(cause) for unit, cause in zip(self._units, causes, strict=True))

    def _distance(self, first: int, second: int) -> int:
        other = 0.0 if second == BYE else self._points[second]
        return int(2 * (self._points[first] - other)) ** 2

    def _same_side(self, first: int, second: int, least: int) -> bool:
        if second == BYE:
            return False
        one, two = self._wish[first], self._wish[second]
        return min(one, two) >= least or max(one, two) <= -least

    def _floats(self, first: int, second: int) -> int:
        """The number of players who float as they did in the last round."""
        if second == BYE:
            return self._floated[first] < 0
        if self._points[first] == self._points[second]:
            return 0
        return (self._floated[first] < 0) + (self._floated[second] > 0)

    def _after(self, player: int) -> int:
        """The number of players after this one in the group with its points."""
        return self._size[self._points[player]] - 1 - self._place[player]

    def _fold(self, first: int, second: int) -> int:
        if second == BYE or self._points[first] != self._points[second]:
            return 0
        half = self._size[self._points[first]] // 2
        return abs(self._place[second] - self._place[first] - half)


def unrepeatable(tournament: Tournament) -> "Iterator[frozenset[int]]":
    """Yield the pairs of players who have played, and those of the bye and who must have none."""
    for each in chain.from_iterable(tournament.rounds):
        if each.dark is not None and each.played:
            yield frozenset((each.light, each.dark))
        elif each.winner is not None:
            yield frozenset((each.winner, BYE))


def _floated(tournament: Tournament, player: int) -> float:
    """How many points more the opponent of the last round had before it; below 0 after a bye."""
    if not tournament.rounds:
        return 0.0
    *earlier, last = tournament.rounds
    before = replace(tournament, rounds=tuple(earlier))
    for pairing in last:
        if player in {pairing.light, pairing.dark}:
            opponent = pairing.opponent_of(player)
            if opponent is None:
                return -1.0
            return points_of(before, opponent) - points_of(before, player)
    return 0.0


def _missed(tournament: Tournament, player: int) -> int:
    """The number of rounds in which the player has played no game."""
    games = sum(each.is_game for each in tournament.pairings_of(player))
    return len(tournament.rounds) - games
