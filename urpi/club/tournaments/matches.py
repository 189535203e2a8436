"""Matches of several games: what follows from their games, and their game points.

The sides alternate: in the first game, light is the player whom the pairing names first.
"""

from dataclasses import replace

from urpi.club.tournaments.tournament import Pairing, Tournament


def next_game(pairing: Pairing) -> int:
    """The index of the first game of a match that has no result."""
    opened = (number for number, one in enumerate(pairing.games) if one.is_open)
    return next(opened, len(pairing.games))


def game_of(pairing: Pairing, number: int) -> Pairing:
    """A game of a match by its index, with the sides to be played if it has no result."""
    if number < len(pairing.games):
        return pairing.games[number]
    assert pairing.dark is not None
    one, other = pairing.light, pairing.dark
    return Pairing(other, one) if number % 2 else Pairing(one, other)


def with_game(tournament: Tournament, pairing: Pairing, number: int, game: Pairing) -> Pairing:
    """Return a match in which a game is replaced, or open again, with the result that follows.

    Args:
        tournament: The tournament.
        pairing: The match.
        number: The index of the game.
        game: The game; the sides of an open one are those to be played.
    """
    games = [game_of(pairing, each) for each in range(max(len(pairing.games), number + 1))]
    planned = game_of(replace(pairing, games=()), number)
    games[number] = planned if game.is_open else game
    while games and games[-1].is_open:
        games.pop()
    return by_games(tournament, replace(pairing, games=tuple(games)))


def by_games(tournament: Tournament, pairing: Pairing) -> Pairing:
    """Return a match with the result that follows from its games, open while none does.

    In a knockout that is the win of a player whom the games left cannot bring level; a match that
    is level after all of them goes on. Elsewhere all games are played, since game points count.
    """
    known = [one for one in pairing.games if not one.is_open]
    left = max(tournament.games - len(known), 0)
    points = points_of_games(pairing)
    ahead = points[0] - points[1]
    open_ = abs(ahead) <= left if tournament.format == "knockout" else left > 0
    if open_:
        return replace(pairing, result=None, played=True)
    played = any(one.played for one in known)
    if ahead:
        return replace(pairing, result="light" if ahead > 0 else "dark", played=played)
    return replace(pairing, result="draw" if points[0] else "none", played=played)


def points_of_games(pairing: Pairing) -> tuple[float, float]:
    """The points of both players in the games of a match that have a result."""
    light, dark = (
        sum(one.points_of(player) for one in pairing.games) for player in _players(pairing)
    )
    return light, dark


def is_by_hand(tournament: Tournament, pairing: Pairing) -> bool:
    """Whether the result of a match does not follow from its games: an arbiter has entered it."""
    return pairing.result is not None and by_games(tournament, pairing) != pairing


def game_points(tournament: Tournament, pairing: Pairing, player: int) -> float:
    """Return the points of a player in the games of a pairing.

    A bye, or a result that was entered for the whole match, counts for each game that has none.
    """
    known = [one for one in pairing.games if not one.is_open]
    points = sum(one.points_of(player) for one in known)
    if pairing.is_open or not (pairing.dark is None or is_by_hand(tournament, pairing)):
        return points
    left = max(tournament.games - len(known), 0)
    return points + left * tournament.points_in(pairing, player)


def score(tournament: Tournament, pairing: Pairing) -> tuple[float, float] | None:
    """The game points of both players of a match; None for a bye, or if each match is one game."""
    if tournament.games == 1 or pairing.dark is None:
        return None
    light, dark = (game_points(tournament, pairing, player) for player in _players(pairing))
    return light, dark


def _players(pairing: Pairing) -> tuple[int, int]:
    assert pairing.dark is not None
    return pairing.light, pairing.dark
