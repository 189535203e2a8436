"""Perft: the number of move sequences, the classic test of a rules core."""

from urpi.rules.moves import PASS
from urpi.rules.position import Position


def perft(position: Position, depth: int) -> int:
    """Return the number of ways to play the given number of throws.

    Throws branch by their meaning, and again by their legal moves; a pass counts as one move.
    A finished game has no continuations.

    >>> from urpi.rules.notation import parse_position
    >>> perft(parse_position("finkel - L7D7 L0D0 L"), 2)
    28
    """
    if depth == 0:
        return 1
    if position.turn is None:
        return 0
    rules = position.rules
    total = 0
    for throw, _chance in rules.dice.outcomes:
        moves = rules.legal_moves(position, throw) or (PASS,)
        if depth == 1:
            total += len(moves)
        else:
            total += sum(perft(rules.play(position, throw, move), depth - 1) for move in moves)
    return total
