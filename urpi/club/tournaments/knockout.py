"""Knockout: the winner of each pairing plays on."""

from urpi.club.tournaments.tournament import Pairing, Tournament, forfeited, with_sides


def knockout_round(tournament: Tournament) -> tuple[Pairing, ...]:
    """The pairings of the next round in the order of the bracket, byes included.

    A withdrawn player whose opponent's place is empty leaves the place in the next round empty. The
    game for the third place follows the final.
    """
    number = len(tournament.rounds)
    slots = bracket(tournament, number)
    pairings = []
    for first, second in zip(slots[::2], slots[1::2], strict=True):
        if first is not None and second is not None:
            pairings.append(with_sides(tournament, first, second))
        elif (
            player := second if first is None else first
        ) is not None and player not in tournament.withdrawn:
            pairings.append(Pairing(player, None))
    if tournament.third_place and number == tournament.planned - 1:
        before = tournament.rounds[-1] if tournament.rounds else ()
        losers = [each.loser for each in before if each.loser is not None]
        # With one alone, this player has the place without a game.
        if len(losers) == 2:
            pairings.append(with_sides(tournament, *losers))
    return forfeited(tournament, pairings)


def is_for_third_place(tournament: Tournament, number: int, pairing: Pairing) -> bool:
    """Whether a pairing of a round, from 0, is a knockout's game for the third place."""
    is_last = tournament.third_place and number == tournament.planned - 1
    return is_last and pairing.light not in bracket(tournament, number)


def bracket(tournament: Tournament, number: int) -> tuple[int | None, ...]:
    """Return the players of a round in the order of the bracket; None is an empty place.

    Args:
        tournament: The tournament, with the results of the rounds before.
        number: The round, from 0. The number of rounds returns the winner alone.
    """
    size = 1 << tournament.planned
    slots: tuple[int | None, ...] = tuple(
        player if player < tournament.players else None for player in seeding(size)
    )
    for pairings in tournament.rounds[:number]:
        # Under both players, because the first one of a bracket's place may be on either side.
        winners: dict[int | None, int | None] = {each.light: each.winner for each in pairings}
        winners |= {each.dark: each.winner for each in pairings if each.dark is not None}
        pairs = zip(slots[::2], slots[1::2], strict=True)
        slots = tuple(winners.get(b if a is None else a) for a, b in pairs)
    return slots


def seeding(size: int) -> tuple[int, ...]:
    """The order in which seeded players enter a bracket, so that the best meet last.

    >>> seeding(8)
    (0, 7, 3, 4, 1, 6, 2, 5)
    """
    order: tuple[int, ...] = (0,)
    while len(order) < size:
        # Each seed meets the one that makes the sum of both the same: the best the worst.
        last = 2 * len(order) - 1
        order = tuple(player for seed in order for player in (seed, last - seed))
    return order
