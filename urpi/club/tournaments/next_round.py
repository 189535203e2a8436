"""The pairings of the next round, which for a round robin are those of Berger's tables."""

from urpi.club.tournaments.knockout import knockout_round
from urpi.club.tournaments.swiss import swiss_round
from urpi.club.tournaments.teams import boards_of, team_tournament
from urpi.club.tournaments.tournament import Pairing, Tournament, forfeited
from urpi.core.errors import UrpiError


def next_round(tournament: Tournament) -> tuple[Pairing, ...]:
    """Return the pairings of the next round.

    In a round robin, earlier results may be open: its pairings do not depend on them.

    Raises:
        UrpiError: If all rounds have begun, results are missing, or fewer than two players remain.
    """
    if tournament.boards:
        return boards_of(tournament, next_round(team_tournament(tournament)))
    if len(tournament.rounds) >= tournament.planned:
        message = f"All {tournament.planned} rounds have begun."
        raise UrpiError(message)
    if tournament.players - len(tournament.absent) < 2:
        message = "Fewer than two players are left: the others have withdrawn or have a bye."
        raise UrpiError(message)
    if tournament.format == "round-robin":
        return round_robin_round(tournament)
    if tournament.open_pairings:
        message = f"{tournament.open_pairings} results of this round are missing."
        raise UrpiError(message)
    if tournament.format == "knockout":
        return knockout_round(tournament)
    return swiss_round(tournament)


def round_robin_round(tournament: Tournament) -> tuple[Pairing, ...]:
    """The pairings of the next round of a round robin, the bye last.

    Source: FIDE Handbook C.05, Annex 1, Details of Berger table. The tables are made by the circle
    method: the last player stays, and all others move on by half a circle each round. With an odd
    number of players, the one who would meet the last one has the bye.
    """
    count = tournament.players + tournament.players % 2
    number = len(tournament.rounds)
    circle = count - 1
    # The player who meets the last one in this round; the others sum up to the same number.
    total = 2 * (number * (count // 2) % circle)
    alone = total // 2 % circle
    pairs = {
        tuple(sorted((player, (total - player) % circle)))
        for player in range(circle)
        if player != alone
    }
    found = [_with_sides(a, b) for a, b in sorted(pairs)]
    last = count - 1
    if last >= tournament.players:
        bye = Pairing(alone, None)
        return (*forfeited(tournament, found), bye)
    # The last player is light in the second half of the circle, as often as the others on average.
    found.append(Pairing(alone, last) if alone < count // 2 else Pairing(last, alone))
    return forfeited(tournament, found)


def _with_sides(a: int, b: int) -> Pairing:
    """A pairing in which the sides of each player's games alternate along the circle."""
    return Pairing(a, b) if (a + b) % 2 else Pairing(b, a)
