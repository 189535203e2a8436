"""How compiled players throw, and choose among moves."""

from typing import Any

import numpy as np
from numba import njit

from urpi.engine.levels import LARGEST_LOSS
from urpi.engine.solver.compiled_game import MINE_OFF, OTHERS, OTHERS_OFF, CompiledGame


@njit(cache=True)
def throw_of(game: CompiledGame) -> int:
    """Return the number of a throw at random."""
    chance, throw = np.random.random(), 0
    while throw < len(game.chance) - 1 and chance >= game.chance[throw]:
        chance -= game.chance[throw]
        throw += 1
    return throw


@njit(cache=True)
def _others_topped(state: Any, same: bool) -> int:
    found = 0
    for square in range(20):
        if state[square]:
            found += ((state[square] & OTHERS) != 0) == same
    return found


@njit(cache=True)
def greedy_worth(state: Any, after: Any, same: bool, won: bool) -> int:
    """Return the worth of a move; `urpi.simulation.behaviour.greedy` orders moves like that."""
    if won:
        return 1_000_000
    off: int = (after[MINE_OFF] if same else after[OTHERS_OFF]) - state[MINE_OFF]
    captured: int = _others_topped(state, True) - _others_topped(after, same)
    return 1000 * off + 2 * captured + (1 if same else 0)


@njit(cache=True)
def greedy_choice(state: Any, after: Any, again: Any, won: Any, count: int) -> int:
    """Return the number of a greedy move, any of the best ones; see `expand`."""
    best, choice = -1e9, 0
    for n in range(count):
        worth = greedy_worth(state, after[n], again[n], won[n]) + np.random.random() / 2
        if worth > best:
            best, choice = worth, n
    return choice


@njit(cache=True)
def drawn(values: Any, temperature: float) -> int:
    """Return the number of a move that a level chooses; see `urpi.engine.levels.drawn`."""
    best, total, last = values.max(), 0.0, 0
    for value in values:
        if best - value <= LARGEST_LOSS:
            total += np.exp((value - best) / temperature)
    remaining = np.random.random() * total
    for n in range(len(values)):
        if best - values[n] <= LARGEST_LOSS:
            last = n
            remaining -= np.exp((values[n] - best) / temperature)
            if remaining < 0:
                return n
    return last
