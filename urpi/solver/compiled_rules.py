"""The rules of all games as compiled kernels; `urpi.rules` is their reference.

A state is an array of 25 integers, seen from the side to throw: the piles on the twenty squares,
the pieces in hand and off of that side and of its opponent, and whether the extra throw is used.
A pile has three bits for each piece, the top lowest: 1, plus 2 if turned, plus 4 if the opponent's.
"""

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from urpi.rules import ALL_SQUARES, HAND, Position, RuleSet, Side
from urpi.rules.board import ROSETTES, mirror, turned
from urpi.rules.freecompany import FreeCompany
from urpi.rules.layout import EARTH, ENTRANCE, FORTS, HEAVEN, ISHTAR, MARDUK, ROYAL_REALM
from urpi.rules.race import Race
from urpi.rules.skiryuk import CAMP_HOLDS, FINISH, MIDDLE_CAMP, Skiryuk

Ints: TypeAlias = NDArray[np.int64]
MINE_IN_HAND, OTHERS_IN_HAND, MINE_OFF, OTHERS_OFF, EXTRA = range(20, 25)
STATE: Final = 25
MOST_MOVES: Final = 1024
RACE, TOWERS, FORTS_GAME = range(3)
MINE, RED, OTHERS = 1, 2, 4
OFF: Final = 20
_ONES: Final = sum(1 << 3 * n for n in range(21))
_REFUGE, _GOAL, _FIRST_COMMON, _HOME_HOLDS = 12, 13, 4, 5
_BLANKS, _ONE, _BOTH, _GOLD, _SILVER = range(5)
_MEANINGS: Final = {"0": _BLANKS, "1": _ONE, "gs": _BOTH, "gg": _GOLD, "ss": _SILVER}
_FORTS: Final = np.array(FORTS)
_EARTH: Final = np.array(EARTH)
_HEAVEN: Final = np.array(HEAVEN)
_REALM: Final = np.array(ROYAL_REALM)
_ISHTAR, _MARDUK, _ENTRANCE = ISHTAR, MARDUK, ENTRANCE
_FINISH, _MIDDLE_CAMP, _CAMP_HOLDS = FINISH, MIDDLE_CAMP, CAMP_HOLDS


class CompiledGame(NamedTuple):
    """A rule set as arrays; those of squares have one item for each square in bit order."""

    kind: int
    pieces: int
    chance: NDArray[np.float64]
    """The probability of each throw of `RuleSet.dice.outcomes`; `value` and `meaning` likewise."""
    value: Ints
    meaning: Ints
    mirror: Ints
    rosette: NDArray[np.bool_]
    safe: NDArray[np.bool_]
    camp: NDArray[np.bool_]
    two_faced: bool
    extra_value: int
    extra_rosette: bool
    extra_capture: bool
    step_counts: Ints
    steps: Ints
    """By the value of a throw: origin, piece, target and landed piece of each possible step."""
    path: Ints
    beside_counts: Ints
    beside: Ints


def game_of(rules: RuleSet) -> CompiledGame:
    """Return a rule set as arrays."""
    outcomes = rules.dice.outcomes
    every = np.array(ALL_SQUARES)
    kind, steps, counts = RACE, np.zeros((5, 64, 4), np.int64), np.zeros(5, np.int64)
    beside, beside_counts = np.zeros((20, 4), np.int64), np.zeros(20, np.int64)
    safe = camp = np.zeros(20, np.bool_)
    extra_value, extra_rosette, extra_capture = -1, False, False
    if isinstance(rules, Race):
        rosette = np.isin(every, list(ROSETTES))
        safe = rosette & rules.safe_rosettes
        camp = np.isin(every, list(rules.camps))
        if rules.throws_again_with is not None:
            extra_value = rules.throws_again_with
        extra_rosette = rules.throws_again_on_rosettes
        extra_capture = rules.throws_again_on_captures
        for value, found in enumerate(rules._tracks[0].steps):  # noqa: SLF001 - the same steps
            counts[value] = len(found)
            for number, (origin, piece, step) in enumerate(found):
                landed = _code(step.landed) if step.landed else 0
                steps[value, number] = origin, _code(piece), step.target, landed
    elif isinstance(rules, FreeCompany):
        kind = FORTS_GAME
        for square, squares in enumerate(rules._graph.beside):  # noqa: SLF001 - the same graph
            beside_counts[square] = len(squares)
            beside[square, : len(squares)] = squares
    else:
        kind = TOWERS
    return CompiledGame(
        kind=kind,
        pieces=rules.pieces,
        chance=np.array([float(chance) for _, chance in outcomes]),
        value=np.array([throw.value for throw, _ in outcomes]),
        meaning=np.array([_MEANINGS.get(throw.meaning, 0) for throw, _ in outcomes]),
        mirror=np.array([mirror(square) for square in ALL_SQUARES]),
        rosette=np.isin(every, list(ROSETTES)),
        safe=safe,
        camp=camp,
        two_faced=isinstance(rules, Skiryuk),
        extra_value=extra_value,
        extra_rosette=extra_rosette,
        extra_capture=extra_capture,
        step_counts=counts,
        steps=steps,
        path=np.array(rules.path(Side.LIGHT)),
        beside_counts=beside_counts,
        beside=beside,
    )


def _code(piece: str, mover: Side = Side.LIGHT) -> int:
    others = Side.of_letter(piece) is not mover
    return MINE + RED * turned(piece) + OTHERS * others


def state_of(position: Position) -> Ints:
    """Return the state of a position that is not over."""
    mover = position.turn
    assert mover is not None
    state = np.zeros(STATE, np.int64)
    for square, pile in enumerate(position.board):
        place = square if mover is Side.LIGHT else mirror(square)
        for piece in pile:
            state[place] = state[place] << 3 | _code(piece, mover)
    me, other = mover.number, mover.other.number
    state[MINE_IN_HAND:EXTRA] = (
        *(position.hand[me], position.hand[other]),
        *(position.off[me], position.off[other]),
    )
    state[EXTRA] = position.extra_used
    return state


@njit(cache=True)
def start_state(game: CompiledGame, state: Any) -> None:
    """Store the state at the start."""
    state[:] = 0
    state[MINE_IN_HAND] = state[OTHERS_IN_HAND] = game.pieces


@njit(cache=True)
def flip(game: CompiledGame, state: Any, other: Any) -> None:
    """Store a state as the other side sees it, which throws next."""
    for square in range(20):
        pile = state[square]
        other[game.mirror[square]] = pile ^ ((pile & _ONES) << 2)
    other[MINE_IN_HAND], other[OTHERS_IN_HAND] = state[OTHERS_IN_HAND], state[MINE_IN_HAND]
    other[MINE_OFF], other[OTHERS_OFF] = state[OTHERS_OFF], state[MINE_OFF]
    other[EXTRA] = 0


@njit(cache=True)
def expand(
    game: CompiledGame, state: Any, throw: int, after: Any, again: Any, won: Any, scratch: Any
) -> int:
    """Store what every legal move leads to, or the pass, and return their number.

    Args:
        game: the rule set.
        state: the position.
        throw: the number of the throw.
        after: the new states, each seen from the side to throw next.
        again: whether that is the same side.
        won: whether the move wins; its new state has no meaning then.
        scratch: a state for intermediate results.
    """
    if game.kind == RACE:
        count = _race(game, state, throw, after, again, won, scratch)
    elif game.kind == TOWERS:
        count = _towers(game, state, throw, after, again, won, scratch)
    else:
        count = _forts(game, state, throw, after, again, won, scratch)
    if count == 0:
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
        elif state[origin] & 7 != piece:
            continue
        captures = False
        if target != OFF:
            pile = state[target]
            top = pile & 7
            if top == 0:
                pass
            elif game.camp[target]:
                if target == _MIDDLE_CAMP and top & OTHERS:
                    continue
                if pile >> 3 * (_CAMP_HOLDS - 1):
                    continue
            elif not top & OTHERS or game.safe[target]:
                continue
            else:
                if game.two_faced and ((top ^ landed) & RED or (target == _FINISH and top & RED)):
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


@njit(cache=True)
def _has_room(game: CompiledGame, state: Any, place: int) -> bool:
    if place < _REFUGE:
        return True
    pile, own = state[game.path[place]], 0
    while pile:
        own += not pile & OTHERS
        pile >>= 3
    return own < _HOME_HOLDS


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
    for place in range(_GOAL + 1):
        pile = state[game.path[place]]
        if pile == 0 or pile & OTHERS:
            continue
        held, below = 0, pile >> 3
        while below & OTHERS:
            held += 1
            below >>= 3
        may_leave = held == 0 or place != _REFUGE
        ahead, behind = place + value, place - value
        if ahead <= _GOAL and _has_room(game, state, ahead):
            if held:
                _carry(game, state, place, ahead, 1 + held, scratch)
                count = _landed(game, scratch, count, after, again, won)
            if may_leave:
                _carry(game, state, place, ahead, 1, scratch)
                count = _landed(game, scratch, count, after, again, won)
        if pile & RED and may_leave and behind >= _FIRST_COMMON and _has_room(game, state, behind):
            _carry(game, state, place, behind, 1, scratch)
            count = _landed(game, scratch, count, after, again, won)
    return count


@njit(cache=True)
def _carry(game: CompiledGame, state: Any, place: int, to: int, size: int, scratch: Any) -> None:
    scratch[:] = state
    origin, target = game.path[place], game.path[to]
    group = scratch[origin] & ((1 << 3 * size) - 1)
    scratch[origin] >>= 3 * size
    if to == _GOAL:
        scratch[OTHERS_OFF] += size - 1
        group, size = MINE + RED, 1
    scratch[target] = scratch[target] << 3 * size | group


@njit(cache=True)
def _landed(game: CompiledGame, scratch: Any, count: int, after: Any, again: Any, won: Any) -> int:
    beaten = scratch[OTHERS_IN_HAND] == 0
    for square in range(20):
        beaten = beaten and not scratch[square] & OTHERS
    flip(game, scratch, after[count])
    again[count], won[count] = False, beaten
    return count + 1


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
    return fort and state[_ISHTAR] == MINE + OTHERS


@njit(cache=True)
def _acted(
    game: CompiledGame, scratch: Any, on_fort: bool, count: int, after: Any, again: Any, won: Any
) -> int:
    """Store a state after an action; `on_fort` is whether a moved piece ends on a fort."""
    if count == MOST_MOVES:
        return count
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
def _forts(
    game: CompiledGame, state: Any, throw: int, after: Any, again: Any, won: Any, scratch: Any
) -> int:
    meaning, value, count = game.meaning[throw], game.value[throw], 0
    enemy = MINE + OTHERS
    if state[MINE_IN_HAND]:
        enemies, open_to = 0, 0
        for square in range(20):
            enemies += state[square] == enemy
        if state[_ENTRANCE] == 0 or (state[_ENTRANCE] == enemy and enemies > 1):
            count = _place(game, state, _ENTRANCE, count, after, again, won, scratch)
        if meaning == _BOTH:
            for square in _REALM:
                open_to |= 1 << square
        elif meaning == _SILVER:
            open_to |= 1 << _ISHTAR
        elif meaning == _GOLD:
            open_to |= 1 << _MARDUK
        elif meaning == _BLANKS:
            for square in range(20):
                if state[square] == MINE:
                    for number in range(game.beside_counts[square]):
                        open_to |= 1 << game.beside[square, number]
        for square in range(20):
            if open_to >> square & 1 and state[square] == 0 and square != _ENTRANCE:
                count = _place(game, state, square, count, after, again, won, scratch)
    if value == 0:
        return count
    reach = value
    if meaning in (_GOLD, _SILVER) and _holds(state, _HEAVEN):
        reach = 3
    count = _walks(game, state, reach, count, after, again, won, scratch)
    if value == 2:
        count = _pairs(game, state, count, after, again, won, scratch)
    return count


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
            visited = False
            for each in squares[: depth + 1]:
                visited = visited or each == target
            if visited:
                continue
            there, stops = state[target], False
            squares[depth + 1] = target
            taken[depth + 1], passed[depth + 1] = taken[depth], passed[depth]
            if there == MINE:
                passed[depth + 1] = True
            elif there == 0:
                count = _walk(
                    *(game, state, squares[: depth + 2], taken[depth], count),
                    *(after, again, won, scratch),
                )
            else:
                shielded = _shielded(state, target) and not taken[depth] >> _ISHTAR & 1
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
            if origin != steps[other, 0] and target != steps[other, 1]:
                count = _pair(
                    *(game, state, origin, target, steps[other, 0], steps[other, 1], count),
                    *(after, again, won, scratch),
                )
        for each in range(game.beside_counts[origin]):
            follower = game.beside[origin, each]
            if state[follower] == MINE:
                count = _pair(
                    *(game, state, origin, target, follower, origin, count),
                    *(after, again, won, scratch),
                )
        if target == _ISHTAR and state[target] != 0:
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
