"""Random positions of a race, any that the rules allow and not only those of games."""

from random import Random

from urpi.rules import Position, Side
from urpi.rules.race import Race


def random_position(rules: Race, random: Random) -> Position:
    """Return a position that is not over.

    Each side has borne off any number of its pieces but the last; each other piece is in hand or
    on any square of its path that is free.
    """
    board, hand, off = [""] * 20, [0, 0], [0, 0]
    for side in random.sample(list(Side), 2):
        path = rules.path(side)
        off[side.number] = random.randrange(rules.pieces)
        for _ in range(rules.pieces - off[side.number]):
            place = random.randrange(-1, len(path))
            if place < 0 or board[path[place]]:
                hand[side.number] += 1
            else:
                board[path[place]] = side.letter
    return Position(
        rules, tuple(board), (hand[0], hand[1]), (off[0], off[1]), random.choice(list(Side))
    )
