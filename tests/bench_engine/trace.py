"""Every throw of the compiled random games."""

from typing import NamedTuple

import numpy as np
from numba import njit

from tests.bench_engine.compiled_games import HAND, OFF, Masks, Setup, _bit_count, _play, _random


class Trace(NamedTuple):
    """What happened at each throw."""

    values: Masks
    """The value of the throw."""
    origins: Masks
    """The place from which a piece moved, from 1 on the path; 0 is the hand, -1 a pass."""
    light: Masks
    """Light's pieces after it."""
    dark: Masks
    turns: Masks
    """The side to throw next: 0 light, 1 dark, 2 neither because the game is over."""


@njit
def trace_throws(setup: Setup, seed: int, throws: int) -> Trace:
    """Play one of the two sequences of games of `play_throws`, and return every throw."""
    state = np.uint64(seed)
    start = np.int64(setup.pieces << HAND)
    me, other, turn, first = start, start, 0, 0
    trace = np.zeros((5, throws), np.int64)
    for place in range(throws):
        state, number = _random(state)
        me, other, value, origin, again = _play(setup, me, other, number)
        trace[0, place] = value
        trace[1, place] = _bit_count(origin - 1) if origin else -1
        trace[2 + turn, place] = me
        trace[3 - turn, place] = other
        if me >> OFF == setup.pieces:
            trace[4, place] = 2
            first = 1 - first
            me, other, turn = start, start, first
        else:
            if not again:
                me, other, turn = other, me, 1 - turn
            trace[4, place] = turn
    return Trace(trace[0], trace[1], trace[2], trace[3], trace[4])
