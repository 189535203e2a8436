"""The standings of a tournament, with tie-breaks.

Definitions follow the FIDE Handbook, C.07, Tie-Break Regulations (in force from 1 August 2024):
direct encounter (article 6), wins (7), Buchholz (8), Sonneborn-Berger (9), and unplayed rounds
(16.4). Without the handbook's further rules about unplayed rounds of opponents: one who withdraws
without points for the rounds that are left has the own points in them, not half points.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, groupby
from typing import Final

from urpi.club.tournaments.knockout import bracket, is_for_third_place
from urpi.club.tournaments.matches import game_points
from urpi.club.tournaments.teams import team_tournament
from urpi.club.tournaments.tournament import TieBreak, Tournament


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's line in the standings.

    Attributes:
        place: The place, from 1; equal for players who are tied in everything.
        player: The player's number, or the team's.
        points: The points.
        tie_breaks: The values of the tournament's tie-breaks.
    """

    place: int
    player: int
    points: float
    tie_breaks: tuple[float, ...] = ()


def points_of(tournament: Tournament, player: int) -> float:
    """Return the points of a player: 1 for a win, 0.5 for a draw, and those for byes."""
    return sum(tournament.points_in(each, player) for each in tournament.pairings_of(player))


def standings(tournament: Tournament) -> tuple[Standing, ...]:
    """The standings, the first place first, of teams if it is a tournament of teams.

    A team has 2 match points for a win and 1 for a draw, as in FIDE's Olympiad.
    """
    if tournament.boards:
        return tuple(
            replace(
                each,
                points=2 * each.points,
                tie_breaks=tuple(
                    value if name in _UNITS else 2 * value
                    for name, value in zip(tournament.tie_breaks, each.tie_breaks, strict=True)
                ),
            )
            for each in standings(team_tournament(tournament))
        )
    if tournament.format == "knockout":
        return _knockout_standings(tournament)
    points = {player: points_of(tournament, player) for player in range(tournament.players)}
    values: dict[int, tuple[float, ...]] = {player: (points[player],) for player in points}
    for tie_break in tournament.tie_breaks:
        if tie_break == "direct-encounter":
            found = _direct_encounter(tournament, values)
        else:
            found = {player: _VALUES[tie_break](tournament, points, player) for player in points}
        values = {player: (*values[player], found[player]) for player in points}
    return _ranked(values)


@lru_cache(maxsize=256)
def winners(tournament: Tournament) -> tuple[int, ...]:
    """The players who share the first place, none before the tournament is over.

    A knockout has no winner if both players of the final have lost it.
    """
    if not tournament.is_over:
        return ()
    if tournament.format == "knockout":
        return tuple(
            player for player in bracket(tournament, tournament.planned) if player is not None
        )
    return tuple(each.player for each in standings(tournament) if each.place == 1)


def _ranked(values: Mapping[int, tuple[float, ...]]) -> tuple[Standing, ...]:
    # By the number at last, so that the order of tied players never changes.
    order = sorted(values, key=lambda player: ([-value for value in values[player]], player))
    found: list[Standing] = []
    for index, player in enumerate(order):
        tied = index > 0 and values[order[index - 1]] == values[player]
        place = found[-1].place if tied else index + 1
        points, *tie_breaks = values[player]
        found.append(Standing(place, player, points, tuple(tie_breaks)))
    return tuple(found)


def _knockout_standings(tournament: Tournament) -> tuple[Standing, ...]:
    """Return places by the rounds in which players are; those who lost in one round share one."""
    reached = dict.fromkeys(range(tournament.players), 0.0)
    for number in range(len(tournament.rounds) + 1):
        slots: Sequence[int | None] = bracket(tournament, number)
        for player in slots:
            if player is not None:
                reached[player] = number
    for number, pairings in enumerate(tournament.rounds):
        for each in pairings:
            if each.winner is not None and is_for_third_place(tournament, number, each):
                reached[each.winner] += 0.5
    places = _ranked({player: (rounds,) for player, rounds in reached.items()})
    return tuple(
        Standing(each.place, each.player, points_of(tournament, each.player)) for each in places
    )


def _buchholz(tournament: Tournament, points: dict[int, float], player: int) -> float:
    """The sum of the opponents' points.

    A round that the player did not play counts as one against an opponent with the player's points.
    """
    played = [each for each in tournament.pairings_of(player) if each.is_game]
    met = sum(points[_opponent(each.opponent_of(player))] for each in played)
    return met + points[player] * (len(tournament.rounds) - len(played))


def _sonneborn_berger(tournament: Tournament, points: dict[int, float], player: int) -> float:
    """The sum of the points of beaten opponents and half of those of drawn ones."""
    total = 0.0
    for each in tournament.pairings_of(player):
        if each.is_game:
            total += each.points_of(player) * points[_opponent(each.opponent_of(player))]
        else:
            total += tournament.points_in(each, player) * points[player]
    return total


def _wins(tournament: Tournament, _points: dict[int, float], player: int) -> float:
    """The number of won games, byes not included."""
    won = (
        each.dark is not None and each.winner == player for each in tournament.pairings_of(player)
    )
    return float(sum(won))


def _game_points(tournament: Tournament, _points: dict[int, float], player: int) -> float:
    return sum(game_points(tournament, each, player) for each in tournament.pairings_of(player))


def _direct_encounter(
    tournament: Tournament, values: dict[int, tuple[float, ...]]
) -> dict[int, float]:
    """The points among players who are tied so far, 0 unless all of them have met."""
    found = dict.fromkeys(values, 0.0)
    order = sorted(values, key=values.__getitem__)
    for _, tied in groupby(order, key=values.__getitem__):
        group = set(tied)
        games = [
            each
            for pairings in tournament.rounds
            for each in pairings
            if each.dark is not None and not each.is_open and {each.light, each.dark} <= group
        ]
        met = {frozenset((each.light, each.dark)) for each in games}
        # Otherwise a player could be ahead only for having met more of the others (article 6).
        if all(frozenset(pair) in met for pair in combinations(group, 2)):
            for player in group:
                own = (each for each in games if player in {each.light, each.dark})
                found[player] = sum(each.points_of(player) for each in own)
    return found


def _opponent(player: int | None) -> int:
    assert player is not None
    return player


_VALUES: Final[dict[TieBreak, Callable[[Tournament, dict[int, float], int], float]]] = {
    "buchholz": _buchholz,
    "sonneborn-berger": _sonneborn_berger,
    "wins": _wins,
    "game-points": _game_points,
}
_UNITS: Final[tuple[TieBreak, ...]] = ("wins", "game-points")
"""Tie-breaks that are no sums of match points."""
