"""The moves of `freecompany` as compiled kernels; `urpi.rules.freecompany` is their reference."""

from typing import Any, Final

import numpy as np
from numba import njit

from urpi.engine.solver.compiled_game import (
    BLANKS,
    BOTH,
    EXTRA,
    GOLD,
    MAX_MOVES,
    MINE,
    MINE_IN_HAND,
    OTHERS,
    OTHERS_IN_HAND,
    SILVER,
    CompiledGame,
    flip,
)
from urpi.rules.layout import EARTH, ENTRANCE, FORTS, HEAVEN, ISHTAR, MARDUK, ROYAL_REALM

_FORTS: Final = np.array(FORTS)
_EARTH: Final = np.array(EARTH)
_HEAVEN: Final = np.array(HEAVEN)
_REALM: Final = np.array(ROYAL_REALM)


@njit(cache=True)
def store_moves(
    game: CompiledGame, state: Any, throw: int, after: Any, again: Any, won: Any, scratch: Any
) -> int:
    """Store what every legal move leads to, and return their number, as `expand` does."""
    meaning, value, count = game.meaning[throw], game.value[throw], 0
    enemy = MINE + OTHERS
    if state[MINE_IN_HAND]:
        # `open_to` is a set of squares, one bit each: several rules may open the same square.
        enemies, open_to = 0, 0
        for square in range(20):
            enemies += state[square] == enemy
        # A side's last piece on the board cannot be captured by placing.
        if state[ENTRANCE] == 0 or (state[ENTRANCE] == enemy and enemies > 1):
            count = _place(game, state, ENTRANCE, count, after, again, won, scratch)
        if meaning == BOTH:
            for square in _REALM:
                open_to |= 1 << square
        elif meaning == SILVER:
            open_to |= 1 << ISHTAR
        elif meaning == GOLD:
            open_to |= 1 << MARDUK
        elif meaning == BLANKS:
            for square in range(20):
                if state[square] == MINE:
                    for number in range(game.beside_counts[square]):
                        open_to |= 1 << game.beside[square, number]
        for square in range(20):
            # The Entrance is open with every throw and has been stored above.
            if open_to >> square & 1 and state[square] == 0 and square != ENTRANCE:
                count = _place(game, state, square, count, after, again, won, scratch)
    if value == 0:
        return count
    reach = value
    if meaning in (GOLD, SILVER) and _holds(state, _HEAVEN):
        # Heaven mastered: a double gold or double silver may move one piece up to 3.
        reach = 3
    count = _walks(game, state, reach, count, after, again, won, scratch)
    if value == 2:
        count = _pairs(game, state, count, after, again, won, scratch)
    return count


@njit(cache=True, inline="always")
def _holds(state: Any, squares: Any) -> bool:
    for square in squares:
        if state[square] != MINE:
            return False
    return True


@njit(cache=True, inline="always")
def _shielded(state: Any, square: int) -> bool:
    fort = False
    for each in _FORTS:
        fort = fort or each == square
    return fort and state[ISHTAR] == MINE + OTHERS


@njit(cache=True)
def _acted(
    game: CompiledGame, scratch: Any, on_fort: bool, count: int, after: Any, again: Any, won: Any
) -> int:
    """Store a state after an action; `on_fort` is whether a moved piece ends on a fort."""
    # Compiled code does not check indices: one out of range would overwrite memory.
    if count == MAX_MOVES:
        return count
    # One extra throw a turn, however many forts the turn reaches.
    same = on_fort and scratch[EXTRA] == 0
    won[count] = _holds(scratch, _FORTS)
    again[count] = same
    if same:
        after[count] = scratch
        after[count, EXTRA] = 1
    else:
        flip(game, scratch, after[count])
    return count + 1


@njit(cache=True)
def _place(
    game: CompiledGame,
    state: Any,
    target: int,
    count: int,
    after: Any,
    again: Any,
    won: Any,
    scratch: Any,
) -> int:
    scratch[:] = state
    scratch[MINE_IN_HAND] -= 1
    # Placing captures only on the Entrance; elsewhere the square is empty.
    scratch[OTHERS_IN_HAND] += state[target] != 0
    scratch[target] = MINE
    return _acted(game, scratch, False, count, after, again, won)


@njit(cache=True)
def _is_fort(square: int) -> bool:
    for each in _FORTS:
        if each == square:
            return True
    return False


@njit(cache=True)
def _walk(
    game: CompiledGame,
    state: Any,
    squares: Any,
    taken: int,
    count: int,
    after: Any,
    again: Any,
    won: Any,
    scratch: Any,
) -> int:
    """Store the state after a walk; the bits of `taken` are the squares of its captures."""
    scratch[:] = state
    scratch[squares[0]] = 0
    for square in range(20):
        if taken >> square & 1:
            scratch[square] = 0
            scratch[OTHERS_IN_HAND] += 1
    target = squares[len(squares) - 1]
    scratch[target] = MINE
    return _acted(game, scratch, _is_fort(target), count, after, again, won)


@njit(cache=True)
def _walks(
    game: CompiledGame,
    state: Any,
    reach: int,
    count: int,
    after: Any,
    again: Any,
    won: Any,
    scratch: Any,
) -> int:
    """Store the moves of one piece by one to `reach` steps, depth first."""
    goes_on = _holds(state, _EARTH)
    # The origin and at most three steps: a stack in arrays instead of recursion.
    squares = np.zeros(4, np.int64)
    number = np.zeros(4, np.int64)
    taken = np.zeros(4, np.int64)
    passed = np.zeros(4, np.bool_)
    for origin in range(20):
        if state[origin] != MINE:
            continue
        depth = 0
        squares[0], number[0], taken[0], passed[0] = origin, 0, 0, False
        while depth >= 0:
            here = squares[depth]
            if number[depth] == game.beside_counts[here]:
                depth -= 1
                continue
            target = game.beside[here, number[depth]]
            number[depth] += 1
            # No square is visited twice (RULES.md 8: no stepping back).
            visited = False
            for each in squares[: depth + 1]:
                visited = visited or each == target
            if visited:
                continue
            there, stops = state[target], False
            squares[depth + 1] = target
            taken[depth + 1], passed[depth + 1] = taken[depth], passed[depth]
            if there == MINE:
                # An own piece may be passed, but not landed on, and nothing may be captured after
                # it.
                passed[depth + 1] = True
            elif there == 0:
                count = _walk(
                    *(game, state, squares[: depth + 2], taken[depth], count),
                    *(after, again, won, scratch),
                )
            else:
                # A walk that has captured the piece on Ishtar has also ended its protection.
                shielded = _shielded(state, target) and not taken[depth] >> ISHTAR & 1
                if passed[depth] or shielded:
                    continue
                taken[depth + 1] |= 1 << target
                stops = not goes_on
                count = _walk(
                    *(game, state, squares[: depth + 2], taken[depth + 1], count),
                    *(after, again, won, scratch),
                )
            if reach > depth + 1 and not stops:
                depth += 1
                number[depth] = 0
    return count


@njit(cache=True)
def _pairs(
    game: CompiledGame, state: Any, count: int, after: Any, again: Any, won: Any, scratch: Any
) -> int:
    """Store the turns in which two pieces move one step each."""
    # Seven pieces with at most four neighbours have at most 28 steps.
    steps = np.zeros((64, 2), np.int64)
    found = 0
    for origin in range(20):
        if state[origin] == MINE:
            for number in range(game.beside_counts[origin]):
                target = game.beside[origin, number]
                if state[target] == 0 or (state[target] != MINE and not _shielded(state, target)):
                    steps[found, 0], steps[found, 1] = origin, target
                    found += 1
    for number in range(found):
        origin, target = steps[number]
        for other in range(number + 1, found):
            # Each unordered pair once: the order of two independent steps does not matter.
            if origin != steps[other, 0] and target != steps[other, 1]:
                count = _pair(
                    *(game, state, origin, target, steps[other, 0], steps[other, 1], count),
                    *(after, again, won, scratch),
                )
        for each in range(game.beside_counts[origin]):
            # The first step makes room for the second one.
            follower = game.beside[origin, each]
            if state[follower] == MINE:
                count = _pair(
                    *(game, state, origin, target, follower, origin, count),
                    *(after, again, won, scratch),
                )
        # The first step captures on Ishtar, which exposes the opponent's forts to the second one.
        if target == ISHTAR and state[target] != 0:
            for fort in _FORTS:
                if state[fort] != MINE + OTHERS:
                    continue
                for each in range(game.beside_counts[fort]):
                    follower = game.beside[fort, each]
                    if state[follower] == MINE and follower != origin:
                        count = _pair(
                            *(game, state, origin, target, follower, fort, count),
                            *(after, again, won, scratch),
                        )
    return count


@njit(cache=True)
def _pair(
    game: CompiledGame,
    state: Any,
    origin: int,
    target: int,
    other: int,
    others_target: int,
    count: int,
    after: Any,
    again: Any,
    won: Any,
    scratch: Any,
) -> int:
    scratch[:] = state
    scratch[origin] = scratch[other] = 0
    if state[target] == MINE + OTHERS:
        scratch[OTHERS_IN_HAND] += 1
    if state[others_target] == MINE + OTHERS:
        scratch[OTHERS_IN_HAND] += 1
    scratch[target] = scratch[others_target] = MINE
    on_fort = _is_fort(target) or _is_fort(others_target)
    return _acted(game, scratch, on_fort, count, after, again, won)
