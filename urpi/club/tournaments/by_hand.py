"""A pairing that an arbiter changes by hand in the newest round of a Swiss.

Everyone who was paired still is, and nobody twice: players who have lost their opponents meet.
"""

from dataclasses import replace

from urpi.club.tournaments.swiss import BYE, unrepeatable
from urpi.club.tournaments.tournament import Pairing, Tournament, with_sides
from urpi.core.errors import UrpiError


def paired_by_hand(tournament: Tournament, light: int, dark: int | None) -> tuple[Pairing, ...]:
    """Return the newest round in which two players meet, or one has a bye with half a point.

    If both were paired with others, these meet. If one player is left over, the opponent is the one
    who had the bye, or there is none and the player has it. Other pairings keep their boards.

    Raises:
        UrpiError: If it is no Swiss or has not begun, the two are one player or are paired already,
            one has withdrawn, or a pairing that would change has a result.
    """
    if tournament.format != "swiss" or not tournament.rounds or tournament.boards:
        message = "Pairings are changed by hand only in the newest round of a Swiss without teams."
        raise UrpiError(message)
    pairings = tournament.rounds[-1]
    chosen = {light} if dark is None else {light, dark}
    requested = Pairing(light, dark, "draw" if dark is None else None)
    if light == dark or requested in pairings:
        message = "A player is given twice." if light == dark else "That is the pairing already."
        raise UrpiError(message)
    if chosen & tournament.withdrawn:
        message = "A withdrawn player is not paired; undo the withdrawal first."
        raise UrpiError(message)
    changed = [each for each in pairings if chosen & {each.light, each.dark}]
    if any(each.dark is not None and (each.games or not each.is_open) for each in changed):
        message = "A pairing that has a result is not changed; remove the result first."
        raise UrpiError(message)
    left = _left_over(tournament, changed, chosen)
    if len(left) == 1:
        byes = (one for one in pairings if one.is_full_bye and one not in changed)
        changed += [one for one in byes if one.light not in tournament.withdrawn][:1]
        left = _left_over(tournament, changed, chosen)
    before = replace(tournament, rounds=tournament.rounds[:-1])
    others = [with_sides(before, *left)] if len(left) == 2 else [Pairing(one, None) for one in left]
    new = iter(sorted((requested, *others), key=lambda each: each.dark is None))
    kept = [next(new, None) if each in changed else each for each in pairings]
    return (*(each for each in kept if each is not None), *new)


def repeats(tournament: Tournament, pairings: tuple[Pairing, ...]) -> list[Pairing]:
    """Return those of the new pairings of the newest round that no Swiss makes if it can.

    The two have met already, or the player has had a bye or a win without a game.
    """
    *earlier, last = tournament.rounds
    known = set(unrepeatable(replace(tournament, rounds=tuple(earlier))))
    old = {frozenset((each.light, each.dark)) for each in last}
    return [
        each
        for each in pairings
        if (each.is_open or each.is_full_bye)
        and frozenset((each.light, each.dark)) not in old
        and frozenset((each.light, BYE if each.dark is None else each.dark)) in known
    ]


def _left_over(tournament: Tournament, changed: list[Pairing], chosen: set[int]) -> list[int]:
    """The players of pairings that are no more, except those who have withdrawn."""
    players = {player for each in changed for player in (each.light, each.dark)}
    return sorted(
        one for one in players if one is not None and one not in chosen | tournament.withdrawn
    )
