"""Random positions of a race, any that the rules allow or only those of games."""

from collections.abc import Iterator
from random import Random

from urpi.engine.race_index import has_race_index
from urpi.rules import PASS, Position, Side
from urpi.rules.position import position_of
from urpi.rules.race import Race


def table_positions(rules: Race, random: Random) -> Iterator[Position]:
    """Yield random positions that a table has, without end."""
    if not has_race_index(rules):
        yield from game_positions(rules, random)
    while True:
        yield random_position(rules, random)


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
    return position_of(
        rules, tuple(board), (hand[0], hand[1]), (off[0], off[1]), random.choice(list(Side))
    )


def game_positions(rules: Race, random: Random) -> Iterator[Position]:
    """Yield the positions of random games, without end."""
    position = rules.start(Side.LIGHT)
    while True:
        yield position
        throw = rules.dice.roll(random.random())
        moves = rules.legal_moves(position, throw) or (PASS,)
        position = rules.play(position, throw, random.choice(moves))
        if position.turn is None:
            position = rules.start(Side.LIGHT)
