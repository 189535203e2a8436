"""Positions and rule sets as arrays, for the compiled rules (`urpi.engine.solver.compiled_rules`).

A state is an array of 25 integers, seen from the side to throw: the piles on the twenty squares,
the pieces in hand and off of that side and of its opponent, and whether the extra throw is used.
A pile has three bits for each piece, the top lowest: 1, plus 2 if turned, plus 4 if the opponent's.
"""

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from urpi.rules import ALL_SQUARES, Position, RuleSet, Side
from urpi.rules.board import ROSETTES, mirror, turned
from urpi.rules.freecompany import FreeCompany
from urpi.rules.race import Race
from urpi.rules.skiryuk import Skiryuk

Ints: TypeAlias = NDArray[np.int64]
MINE_IN_HAND, OTHERS_IN_HAND, MINE_OFF, OTHERS_OFF, EXTRA = range(20, 25)
STATE: Final = 25
# Room for the moves of one throw. Only `freecompany` could exceed it; its kernels stop there.
MAX_MOVES: Final = 1024
RACE, TOWERS, FORTS_GAME = range(3)
MINE, RED, OTHERS = 1, 2, 4
BLANKS, ONE, BOTH, GOLD, SILVER = range(5)
_MEANINGS: Final = {"0": BLANKS, "1": ONE, "gs": BOTH, "gg": GOLD, "ss": SILVER}
# The lowest bit of each piece of a pile: 21 pieces fit into 63 bits, and no game has more than 20.
_ONES: Final = sum(1 << 3 * n for n in range(21))


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
        # Light's steps serve both sides, since a state is always seen from the side to throw.
        for value, found in enumerate(rules._tracks[0].steps):  # noqa: SLF001 - the same steps
            counts[value] = len(found)
            for number, step in enumerate(found):
                landed = _code(step.landed) if step.landed else 0
                steps[value, number] = step.origin, _code(step.piece), step.target, landed
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
        # `Position` lists a pile from the bottom, so that the last piece ends in the lowest bits.
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
        # Every piece of the pile changes sides at once. An empty place above the pile must stay 0,
        # so only pieces (their lowest bit is set) are changed.
        other[game.mirror[square]] = pile ^ ((pile & _ONES) << 2)
    other[MINE_IN_HAND], other[OTHERS_IN_HAND] = state[OTHERS_IN_HAND], state[MINE_IN_HAND]
    other[MINE_OFF], other[OTHERS_OFF] = state[OTHERS_OFF], state[MINE_OFF]
    other[EXTRA] = 0
