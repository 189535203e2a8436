"""Tournaments of teams: each board of a pairing of two teams is a pairing of two players.

The boards of two teams follow each other in a round. All else follows from a tournament in which
the teams are the players, and a pairing is a match of all games of its boards.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from urpi.club.tournaments.matches import by_games, game_of, game_points
from urpi.club.tournaments.tournament import Pairing, Tournament, forfeited


@lru_cache(maxsize=256)
def team_tournament(tournament: Tournament) -> Tournament:
    """The tournament whose players are the teams."""
    teams = max(tournament.teams) + 1
    left = {tournament.teams[player] for player in _players(tournament) - tournament.withdrawn}
    present = {tournament.teams[player] for player in _players(tournament) - tournament.absent}
    empty = replace(
        tournament,
        players=teams,
        rounds=(),
        withdrawn=frozenset(range(teams)) - left,
        byes=frozenset(left - present),
        games=tournament.games * tournament.boards,
        boards=0,
        teams=(),
    )
    size = tournament.boards
    rounds = tuple(
        tuple(_match(empty, tournament, each[at : at + size]) for at in range(0, len(each), size))
        for each in tournament.rounds
    )
    return replace(empty, rounds=rounds)


def boards_of(tournament: Tournament, matches: Sequence[Pairing]) -> tuple[Pairing, ...]:
    """The boards of pairings of teams: light of the first one plays for the first team.

    The players of a team who are present play in their order. Absent ones have the last boards of a
    team with too few players, and lose without a game.
    """
    found: list[Pairing] = []
    for match in matches:
        light = lineup(tournament, match.light)
        if match.dark is None:
            found += [Pairing(player, None, match.result) for player in light]
            continue
        pairs = zip(light, lineup(tournament, match.dark), strict=True)
        boards = [Pairing(b, a) if at % 2 else Pairing(a, b) for at, (a, b) in enumerate(pairs)]
        found += forfeited(replace(tournament, withdrawn=tournament.absent), boards)
    return tuple(found)


def lineup(tournament: Tournament, team: int) -> list[int]:
    """The players who play for a team in the next round, the first board first."""
    members = [player for player, of in enumerate(tournament.teams) if of == team]
    # Sorting is stable: the order of those present remains.
    return sorted(members, key=lambda player: player in tournament.absent)[: tournament.boards]


def board_result(tournament: Tournament, player: int) -> tuple[float, int]:
    """The points of a player of a team, and the number of games in which they were won."""
    pairings = [each for each in tournament.pairings_of(player) if each.dark is not None]
    points = sum(game_points(tournament, each, player) for each in pairings)
    games = (one for each in pairings for one in _games(tournament, each))
    return points, sum(not one.is_open for one in games)


def _match(teams: Tournament, tournament: Tournament, boards: Sequence[Pairing]) -> Pairing:
    """The pairing of the teams that play at some boards."""
    first = boards[0]
    light = tournament.teams[first.light]
    if first.dark is None:
        return Pairing(light, None, first.result)
    games = []
    for one in (game for board in boards for game in _games(tournament, board)):
        assert one.dark is not None
        sides = tournament.teams[one.light], tournament.teams[one.dark]
        games.append(Pairing(*sides, one.result, one.played))
    return by_games(teams, Pairing(light, tournament.teams[first.dark], games=tuple(games)))


def _games(tournament: Tournament, board: Pairing) -> list[Pairing]:
    """The games of a board: those left count as what was entered for the whole board."""
    games = list(board.games)
    for number in range(len(games), tournament.games):
        game = game_of(replace(board, games=()), number)
        result = board.result
        if board.winner is not None:
            result = "light" if board.winner == game.light else "dark"
        games.append(replace(game, result=result, played=board.played))
    return games


def _players(tournament: Tournament) -> frozenset[int]:
    return frozenset(range(tournament.players))
