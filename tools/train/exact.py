"""Tables of exact values in compiled code, and games that are played by them."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from tools.train.compiled_rules import expand
from tools.train.layouts import Inputs, rows_of
from tools.train.players import throw_of
from urpi.engine.exact.values import HEADER_BYTES, read_header
from urpi.engine.race_index import RaceIndex
from urpi.engine.solver.arrays import Arrays, arrays_of
from urpi.engine.solver.compiled_game import (
    MAX_MOVES,
    MINE_IN_HAND,
    MINE_OFF,
    OTHERS,
    OTHERS_IN_HAND,
    OTHERS_OFF,
    STATE,
    CompiledGame,
    start_state,
)
from urpi.rules import Side, rule_set


class Exact(NamedTuple):
    """A table of exact values, and the pieces of its rule set; no values if there is none."""

    values: NDArray[np.uint16]
    rules: Arrays
    lane: NDArray[np.int64]
    """The square of each digit of the lane, and of each bit of the mover's and the other's set."""
    mine: NDArray[np.int64]
    others: NDArray[np.int64]


def no_table() -> Exact:
    """Return an empty table."""
    squares = np.zeros(0, np.int64)
    arrays = arrays_of(RaceIndex(rule_set("finkel", {"pieces": "3"})))
    return Exact(np.zeros(0, np.uint16), arrays, squares, squares, squares)


def table_of(path: Path) -> Exact:
    """Return a table; its values stay in the file."""
    header = read_header(path)
    index = RaceIndex(header.rule_set())
    arrays: Arrays = arrays_of(index)
    values = np.memmap(path, np.uint16, "c", HEADER_BYTES, (header.positions,))
    light, dark = Side.LIGHT.number, Side.DARK.number
    return Exact(
        np.asarray(values),
        arrays,
        np.array(index.lane_squares[light]),
        np.array(index.private_squares[light]),
        np.array(index.private_squares[dark]),
    )


@njit(cache=True)
def exact_value(exact: Exact, game: CompiledGame, state: Any) -> float:
    """Return the value of a state from a table, which may be of a game with fewer pieces.

    Returns -1 if the table does not contain it.
    """
    rules = exact.rules
    missing = game.pieces - rules.pieces
    off, others_off = state[MINE_OFF] - missing, state[OTHERS_OFF] - missing
    if off < 0 or others_off < 0 or len(exact.values) == 0:
        return -1.0
    lane, private, others_private = 0, 0, 0
    for digit in range(len(exact.lane)):
        pile = state[exact.lane[digit]]
        if pile:
            lane += rules.power[digit] * (2 if pile & OTHERS else 1)
    for bit in range(len(exact.mine)):
        private |= (state[exact.mine[bit]] != 0) << bit
        others_private |= (state[exact.others[bit]] != 0) << bit
    mine, others = rules.mine[lane], rules.others[lane]
    rows = rules.private_counts[rules.pieces - off - mine]
    columns = rules.private_counts[rules.pieces - others_off - others]
    index = (
        rules.offsets[off, others_off, mine, others]
        + rules.rank[lane] * rows * columns
        + rules.private_rank[private] * columns
        + rules.private_rank[others_private]
    )
    return exact.values[index] / 65535.0


@njit(cache=True)
def start_with(game: CompiledGame, exact: Exact, state: Any) -> None:
    """Store the state at the start of a game that a table contains, which may have fewer pieces."""
    start_state(game, state)
    if len(exact.values):
        pieces = exact.rules.pieces
        state[MINE_OFF] = state[OTHERS_OFF] = game.pieces - pieces
        state[MINE_IN_HAND] = state[OTHERS_IN_HAND] = pieces


@njit(cache=True)
def exact_play(
    game: CompiledGame,
    inputs: Inputs,
    exact: Exact,
    seed: int,
    explore: float,
    rows: Any,
    targets: Any,
    signs: Any,
    groups: Any,
) -> int:
    """Play games by a table, and store what every legal move leads to, with exact values.

    With a table of fewer pieces, the games have as few.
    Moves are chosen at random with the probability `explore`. Throws with a single legal move are
    stored every third time. Returns the number of samples; see `gradients`.
    """
    np.random.seed(seed)
    state, scratch = np.zeros(STATE, np.int64), np.zeros(STATE, np.int64)
    after = np.zeros((MAX_MOVES, STATE), np.int64)
    again, won = np.zeros(MAX_MOVES, np.bool_), np.zeros(MAX_MOVES, np.bool_)
    stored, group = 0, 0
    while True:
        start_with(game, exact, state)
        over, noise = False, explore * 2 * np.random.random()
        while not over:
            if stored + 16 > len(targets):
                return stored
            count = expand(game, state, throw_of(game), after, again, won, scratch)
            best, choice = -1.0, 0
            keep = count > 1 or np.random.random() < 0.33
            group += 1
            for n in range(count):
                value = 1.0
                if not won[n]:
                    found = exact_value(exact, game, after[n])
                    value = found if again[n] else 1 - found
                    if keep:
                        rows_of(inputs, after[n], rows[stored])
                        targets[stored] = found
                        signs[stored] = 1 if again[n] else -1
                        groups[stored] = group
                        stored += 1
                if value > best:
                    best, choice = value, n
            if np.random.random() < noise:
                choice = np.random.randint(count)
            over = won[choice]
            state[:] = after[choice]
