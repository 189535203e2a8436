"""`python -m tools.train.captures RULES`: captures on each square when the engine plays itself.

Both sides play by a table of exact values, or without one by the package's network. The mean of
many games is printed with half of its 95 % interval; also that of the throws, and the share that
the side wins that begins. Their exact values are in docs/how-it-works/engine-figures.md.
"""

import argparse
import json
import sys
from math import sqrt
from pathlib import Path
from typing import Any, Final

import numpy as np
from numba import njit

from tools.train.compiled_rules import expand
from tools.train.exact import Exact, no_table, start_with, table_of
from tools.train.layouts import Inputs, inputs_of, layout_of
from tools.train.learning import arrays_of
from tools.train.matches import (
    DEEP,
    NETWORK,
    TABLE,
    Player,
    choose,
    new_moves,
    own_network,
    player_of,
)
from tools.train.players import throw_of
from urpi.engine.network_file import read
from urpi.engine.race_index import indexed_rules
from urpi.engine.solver.compiled_game import (
    MINE_IN_HAND,
    OTHERS,
    OTHERS_IN_HAND,
    STATE,
    CompiledGame,
    game_of,
)
from urpi.rules import rule_set
from urpi.rules.board import SQUARE_NAMES

NORMAL_975: Final = 1.959964
THROWS: Final = len(SQUARE_NAMES)
FIRST: Final = THROWS + 1


@njit(cache=True)
def captured_on(game: CompiledGame, state: Any, after: Any, same: bool) -> int:
    """Return the square of the mover on which a move captures, -1 if on none.

    A capture is the only move that returns one of the opponent's pieces to its hand.
    """
    in_hand = after[OTHERS_IN_HAND] if same else after[MINE_IN_HAND]
    if in_hand == state[OTHERS_IN_HAND]:
        return -1
    for square in range(20):
        seen = after[square if same else game.mirror[square]]
        if state[square] & OTHERS and seen and ((seen & OTHERS) == 0) == same:
            return square
    return -1


@njit(cache=True)
def play_games(
    game: CompiledGame, inputs: Inputs, exact: Exact, player: Player, counts: Any
) -> None:
    """Play games of a player against itself, and count what happens in each.

    A row of `counts` is a game: the captures on each square, the throws, and 1 if the side that
    began has won. Both sides see the same squares where captures happen, as both paths lead there.
    """
    state, moves, more = np.zeros(STATE, np.int64), new_moves(), new_moves()
    for number in range(len(counts)):
        start_with(game, exact, state)
        over, first = False, True
        while not over:
            counts[number, THROWS] += 1
            count = expand(
                *(game, state, throw_of(game), moves.after, moves.again, moves.won, moves.scratch)
            )
            choice = 0
            if count > 1:
                choice = choose(game, inputs, exact, player, state, moves, count, more)
            over = moves.won[choice]
            if over:
                counts[number, FIRST] = first
                continue
            square = captured_on(game, state, moves.after[choice], moves.again[choice])
            if square >= 0:
                counts[number, square] += 1
            first = first == moves.again[choice]
            state[:] = moves.after[choice]


@njit(cache=True)
def _seed(seed: int) -> None:
    np.random.seed(seed)


def figures(rules: str, kind: int, exact: Exact, games: int, seed: int) -> dict[str, Any]:
    """Return the means of a number of games, with half of their 95 % intervals."""
    counts, found = np.zeros((games, FIRST + 1), np.int64), rule_set(rules)
    player = player_of(kind, arrays_of(read(own_network(rules))[1]))
    _seed(seed)
    play_games(game_of(found), inputs_of(layout_of(found)), exact, player, counts)
    names = [*SQUARE_NAMES, "throws", "first"]
    errors = NORMAL_975 * counts.std(axis=0, ddof=1) / sqrt(games)
    return {"rules": rules, "games": games, "seed": seed} | {
        name: [round(float(mean), 5), round(float(error), 5)]
        for name, mean, error in zip(names, counts.mean(axis=0), errors, strict=True)
        if mean
    }


def main() -> None:
    """Print the means and their intervals as JSON."""
    parser = argparse.ArgumentParser(prog="python -m tools.train.captures", description=__doc__)
    parser.add_argument("rules", choices=indexed_rules())
    parser.add_argument("--table", type=Path, help="exact values; may be of fewer pieces")
    parser.add_argument("--plies", type=int, choices=(1, 2), default=1, help="of the network")
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    kind = TABLE if args.table else NETWORK if args.plies == 1 else DEEP
    exact = table_of(args.table) if args.table else no_table()
    found = figures(args.rules, kind, exact, args.games, args.seed)
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
