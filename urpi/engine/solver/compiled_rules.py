"""The moves of races as compiled kernels; `urpi.rules` is their reference.

`urpi.engine.solver.compiled_game` describes the states that they read and store.
"""

from typing import Any

from numba import njit

from urpi.engine.solver.compiled_game import (
    MINE_IN_HAND,
    MINE_OFF,
    OTHERS,
    OTHERS_IN_HAND,
    RED,
    CompiledGame,
    flip,
)
from urpi.rules.moves import HAND, OFF
from urpi.rules.skiryuk import CAMP_HOLDS, FINISH, MIDDLE_CAMP


@njit(cache=True)
def expand_race(
    game: CompiledGame, state: Any, throw: int, after: Any, again: Any, won: Any, scratch: Any
) -> int:
    """Store what every legal move of a race leads to, or the pass, and return their number.

    Args:
        game: the rule set.
        state: the position.
        throw: the number of the throw.
        after: the new states, each seen from the side to throw next.
        again: whether that is the same side.
        won: whether the move wins; its new state has no meaning then.
        scratch: a state for intermediate results.
    """
    count = _race(game, state, throw, after, again, won, scratch)
    return pass_or(count, game, state, after, again, won)


@njit(cache=True)
def pass_or(count: int, game: CompiledGame, state: Any, after: Any, again: Any, won: Any) -> int:
    """Return the number of moves. If there are none, store the pass as the only one."""
    if count == 0:
        # A pass is stored as a move, so that callers need no special case for it.
        flip(game, state, after[0])
        again[0] = won[0] = False
        count = 1
    return count


@njit(cache=True)
def _race(
    game: CompiledGame, state: Any, throw: int, after: Any, again: Any, won: Any, scratch: Any
) -> int:
    value, count = game.value[throw], 0
    for number in range(game.step_counts[value]):
        origin, piece, target, landed = game.steps[value, number]
        if origin == HAND:
            if state[MINE_IN_HAND] == 0:
                continue
        # `skiryuk`: only the top piece of a pile moves, and each face has its own steps.
        elif state[origin] & 7 != piece:
            continue
        captures = False
        if target != OFF:
            pile = state[target]
            top = pile & 7
            if top == 0:
                pass
            elif game.camp[target]:
                # The first piece claims the middle camp for its side; common camps hold both sides'
                # pieces.
                if target == MIDDLE_CAMP and top & OTHERS:
                    continue
                # A pile is full if its fourth piece exists.
                if pile >> 3 * (CAMP_HOLDS - 1):
                    continue
            elif not top & OTHERS or game.safe[target]:
                continue
            else:
                # Only pieces with the same face capture each other, and a turned one on the finish
                # is safe. `landed` is the face after the move, because a piece turns as it starts
                # (RULES.md 6).
                if game.two_faced and ((top ^ landed) & RED or (target == FINISH and top & RED)):
                    continue
                captures = True
        scratch[:] = state
        if origin == HAND:
            scratch[MINE_IN_HAND] -= 1
        else:
            scratch[origin] >>= 3
        same = value == game.extra_value
        won[count] = False
        if target == OFF:
            scratch[MINE_OFF] += 1
            won[count] = scratch[MINE_OFF] == game.pieces
        else:
            if captures:
                scratch[target] = 0
                scratch[OTHERS_IN_HAND] += 1
                same = same or game.extra_capture
            scratch[target] = scratch[target] << 3 | landed
            same = same or (game.extra_rosette and game.rosette[target])
        _store(game, scratch, same, after[count])
        again[count] = same
        count += 1
    return count


@njit(cache=True, inline="always")
def _store(game: CompiledGame, state: Any, same: bool, after: Any) -> None:
    if same:
        after[:] = state
    else:
        flip(game, state, after)
