"""The rules of all games as compiled kernels; `urpi.rules` is their reference.

`urpi.engine.solver.compiled_game` describes the states that they read and store.
"""

from typing import Any

from numba import njit

from tools.train.compiled_forts import store_moves as forts_moves
from urpi.engine.solver.compiled_game import (
    MINE,
    MINE_IN_HAND,
    OTHERS,
    OTHERS_IN_HAND,
    OTHERS_OFF,
    RACE,
    RED,
    TOWERS,
    CompiledGame,
    flip,
)
from urpi.engine.solver.compiled_rules import expand_race, pass_or
from urpi.rules.ravensburger import FIRST_COMMON, GOAL, HOME_HOLDS, REFUGE


@njit(cache=True)
def expand(
    game: CompiledGame, state: Any, throw: int, after: Any, again: Any, won: Any, scratch: Any
) -> int:
    """Store what every legal move leads to, or the pass, and return their number.

    The arguments are those of `expand_race`.
    """
    if game.kind == RACE:
        return expand_race(game, state, throw, after, again, won, scratch)
    if game.kind == TOWERS:
        count = _towers(game, state, throw, after, again, won, scratch)
    else:
        count = forts_moves(game, state, throw, after, again, won, scratch)
    return pass_or(count, game, state, after, again, won)


@njit(cache=True)
def _has_room(game: CompiledGame, state: Any, place: int) -> bool:
    if place < REFUGE:
        return True
    pile, own = state[game.path[place]], 0
    while pile:
        own += not pile & OTHERS
        pile >>= 3
    return own < HOME_HOLDS


@njit(cache=True)
def _towers(
    game: CompiledGame, state: Any, throw: int, after: Any, again: Any, won: Any, scratch: Any
) -> int:
    value, count = game.value[throw], 0
    if value == 0:
        return 0
    if state[MINE_IN_HAND]:
        scratch[:] = state
        scratch[MINE_IN_HAND] -= 1
        target = game.path[value - 1]
        scratch[target] = scratch[target] << 3 | MINE
        count = _landed(game, scratch, count, after, again, won)
    for place in range(GOAL + 1):
        pile = state[game.path[place]]
        if pile == 0 or pile & OTHERS:
            continue
        held, below = 0, pile >> 3
        while below & OTHERS:
            held += 1
            below >>= 3
        # A prisoner left on the refuge would stand free on a square that is barred to it.
        may_leave = held == 0 or place != REFUGE
        ahead, behind = place + value, place - value
        if ahead <= GOAL and _has_room(game, state, ahead):
            if held:
                _carry(game, state, place, ahead, 1 + held, scratch)
                count = _landed(game, scratch, count, after, again, won)
            if may_leave:
                _carry(game, state, place, ahead, 1, scratch)
                count = _landed(game, scratch, count, after, again, won)
        if pile & RED and may_leave and behind >= FIRST_COMMON and _has_room(game, state, behind):
            _carry(game, state, place, behind, 1, scratch)
            count = _landed(game, scratch, count, after, again, won)
    return count


@njit(cache=True)
def _carry(game: CompiledGame, state: Any, place: int, to: int, size: int, scratch: Any) -> None:
    scratch[:] = state
    origin, target = game.path[place], game.path[to]
    group = scratch[origin] & ((1 << 3 * size) - 1)
    scratch[origin] >>= 3 * size
    if to == GOAL:
        scratch[OTHERS_OFF] += size - 1
        # On the goal the prisoners leave the game, and the own piece turns.
        group, size = MINE + RED, 1
    scratch[target] = scratch[target] << 3 * size | group


@njit(cache=True)
def _landed(game: CompiledGame, scratch: Any, count: int, after: Any, again: Any, won: Any) -> int:
    # Only top pieces can move: a side that tops no pile and has none in hand is beaten.
    beaten = scratch[OTHERS_IN_HAND] == 0
    for square in range(20):
        beaten = beaten and not scratch[square] & OTHERS
    flip(game, scratch, after[count])
    again[count], won[count] = False, beaten
    return count + 1
