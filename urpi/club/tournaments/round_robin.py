"""Round robin by Berger's tables: every player meets every other one once."""

from urpi.club.tournaments.tournament import Pairing, Tournament, forfeited


def round_robin_round(tournament: Tournament) -> tuple[Pairing, ...]:
    """Return the pairings of the next round, the bye last.

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
    """Return a pairing in which the sides of each player's games alternate along the circle."""
    return Pairing(a, b) if (a + b) % 2 else Pairing(b, a)
