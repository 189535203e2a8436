"""The pairings of the next round."""

from urpi.club.tournaments.knockout import knockout_round
from urpi.club.tournaments.round_robin import round_robin_round
from urpi.club.tournaments.swiss import swiss_round
from urpi.club.tournaments.tournament import Pairing, Tournament
from urpi.core.errors import UrpiError


def next_round(tournament: Tournament) -> tuple[Pairing, ...]:
    """Return the pairings of the next round.

    In a round robin, earlier results may be open: its pairings do not depend on them.

    Raises:
        UrpiError: If all rounds have begun, results are missing, or fewer than two players remain.
    """
    if len(tournament.rounds) >= tournament.planned:
        message = f"All {tournament.planned} rounds have begun."
        raise UrpiError(message)
    if tournament.players - len(tournament.withdrawn) < 2:
        message = "Fewer than two players have not withdrawn."
        raise UrpiError(message)
    if tournament.format == "round-robin":
        return round_robin_round(tournament)
    if tournament.open_pairings:
        message = f"{tournament.open_pairings} results of this round are missing."
        raise UrpiError(message)
    if tournament.format == "knockout":
        return knockout_round(tournament)
    return swiss_round(tournament)
