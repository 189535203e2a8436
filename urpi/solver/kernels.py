"""The inner loops of value iteration, compiled by numba.

A *unit* is a lane, the two sides' sets of pieces behind it, and the same with the sides swapped.
Units and, inside them, the sets of pieces before the lane are processed in an order in which every
move but a capture leads to a value of the same sweep, and only captures, which throw a piece back,
need the next one.

A pass leads to the same position with the other side to throw, so the two values depend on each
other without end. With what the other throws contribute (`a`, `b`) and the probabilities to pass
(`p`, `q`) they are the solution of x = a + p (1 - y), y = b + q (1 - x).
"""

from typing import Any

import numpy as np
from numba import njit

from urpi.solver.arrays import HIGHEST_THROW, Arrays

MOST_MOVES = 8
"""At most one move for each piece, and one into the game."""
_THROWS = HIGHEST_THROW + 1
# The columns of a candidate: the index of its value without the opponent's private rank, what that
# rank is multiplied by, and whether the turn changes. -1 is a win.
_INDEX, _FACTOR, _CHANGES = range(3)


@njit(cache=True, nogil=True)
def sweep(values: Any, rules: Arrays, off: int, others_off: int, write: bool) -> float:
    """Compute every value of a layer and its swapped one from the others.

    Args:
        values: all values by index; those of the two layers are replaced if `write` is true.
        rules: the rules as arrays.
        off: the pieces that the mover has borne off in the layer.
        others_off: those of the opponent, at least as many.
        write: whether to store the new values.

    Returns:
        The largest difference between a new and an old value.
    """
    worst = 0.0
    left, others_left = rules.pieces - off, rules.pieces - others_off
    sets = len(rules.entries)
    counts = np.zeros((sets, _THROWS), np.int64)
    found = np.zeros((sets, _THROWS, MOST_MOVES, 3), np.int64)
    count = np.zeros(_THROWS, np.int64)
    moves = np.zeros((_THROWS, MOST_MOVES, 3), np.int64)
    for behind in rules.exits:
        for others_behind in rules.exits:
            for lane in rules.order:
                other_lane = rules.swapped[lane]
                if off == others_off and (
                    lane > other_lane or (lane == other_lane and behind > others_behind)
                ):
                    continue  # It is the other half of a unit.
                rest = left - rules.mine[lane]
                others_rest = others_left - rules.others[lane]
                if rest < rules.bits[behind] or others_rest < rules.bits[others_behind]:
                    continue
                rows, columns = rules.private_counts[rest], rules.private_counts[others_rest]
                first = _block(rules, off, others_off, lane, rows * columns)
                other_first = _block(rules, others_off, off, other_lane, rows * columns)
                for column in range(sets):
                    others_set = rules.entries[column] | others_behind
                    if rules.bits[others_set] <= others_rest:
                        candidates(
                            rules,
                            others_off,
                            off,
                            other_lane,
                            others_set,
                            counts[column],
                            found[column],
                        )
                for row in range(sets):
                    private = rules.entries[row] | behind
                    if rules.bits[private] > rest:
                        continue
                    candidates(rules, off, others_off, lane, private, count, moves)
                    rank = rules.private_rank[private]
                    for column in range(sets):
                        others_set = rules.entries[column] | others_behind
                        if rules.bits[others_set] > others_rest:
                            continue
                        others_rank = rules.private_rank[others_set]
                        a, p = throws(values, rules.chance, count, moves, others_rank)
                        b, q = throws(values, rules.chance, counts[column], found[column], rank)
                        mine = (a + p * (1 - b - q)) / (1 - p * q)
                        others = b + q * (1 - mine)
                        here = first + rank * columns + others_rank
                        there = other_first + others_rank * rows + rank
                        worst = max(worst, abs(values[here] - mine), abs(values[there] - others))
                        if write:
                            values[here] = mine
                            values[there] = others
    return worst


@njit(cache=True, nogil=True, inline="always")
def _block(rules: Arrays, off: int, others_off: int, lane: int, size: int) -> int:
    """Return the first index of a lane's positions."""
    place = rules.offsets[off, others_off, rules.mine[lane], rules.others[lane]]
    return int(place + rules.rank[lane] * size)


@njit(cache=True, nogil=True, inline="always")
def throws(values: Any, chance: Any, count: Any, moves: Any, others_rank: int) -> Any:
    """Return what the throws with a legal move contribute, and the probability to pass."""
    total, passes = 0.0, chance[0]
    for throw in range(1, _THROWS):
        if chance[throw] == 0:
            continue
        if count[throw] == 0:
            passes += chance[throw]
            continue
        best = 0.0
        for number in range(count[throw]):
            value = 1.0
            index = moves[throw, number, _INDEX]
            if index >= 0:
                value = values[index + moves[throw, number, _FACTOR] * others_rank]
                if moves[throw, number, _CHANGES]:
                    value = 1.0 - value
            best = max(best, value)
        total += chance[throw] * best
    return total, passes


@njit(cache=True, nogil=True, inline="always")
def candidates(
    rules: Arrays, off: int, others_off: int, lane: int, private: int, count: Any, moves: Any
) -> None:
    """Store where the legal moves of each throw lead, for all private sets of the opponent."""
    count[:] = 0
    on_lane = rules.mine[lane]
    if rules.pieces - off - on_lane > rules.bits[private]:
        _steps_of(rules, off, others_off, lane, private, -1, count, moves)
    for bit in range(len(rules.place_of_bit)):
        if private >> bit & 1:
            place = rules.place_of_bit[bit]
            _steps_of(rules, off, others_off, lane, private ^ (1 << bit), place, count, moves)
    for digit in range(len(rules.place_of_digit)):
        if rules.digits[lane, digit] == 1:
            place, left = rules.place_of_digit[digit], lane - rules.power[digit]
            _steps_of(rules, off, others_off, left, private, place, count, moves)


@njit(cache=True, nogil=True, inline="always")
def _steps_of(
    rules: Arrays,
    off: int,
    others_off: int,
    lane: int,
    private: int,
    place: int,
    count: Any,
    moves: Any,
) -> None:
    """Store the steps of one piece, which is taken off the lane and the private set already."""
    for throw in range(1, min(_THROWS, rules.length - place + 1)):
        if rules.chance[throw] == 0:
            continue
        target = place + throw
        new_lane, new_private, new_off, captures = lane, private, off, False
        number = count[throw]
        if target == rules.length:
            new_off += 1
            if new_off == rules.pieces:
                moves[throw, number, _INDEX] = -1
                count[throw] += 1
                continue
        elif rules.on_lane[target]:
            digit = rules.part[target]
            found = rules.digits[lane, digit]
            if found == 1 or (found == 2 and rules.safe[target]):
                continue
            captures = found == 2
            new_lane += (1 - found) * rules.power[digit]
        else:
            bit = 1 << rules.part[target]
            if private & bit:
                continue
            new_private |= bit
        rest = rules.pieces - new_off - rules.mine[new_lane]
        rows = rules.private_counts[rest]
        columns = rules.private_counts[rules.pieces - others_off - rules.others[new_lane]]
        rank = rules.private_rank[new_private]
        again = (
            rules.extra[target] or throw == rules.extra_value or (captures and rules.extra_capture)
        )
        if again:
            first = _block(rules, new_off, others_off, new_lane, rows * columns)
            moves[throw, number, _INDEX] = first + rank * columns
            moves[throw, number, _FACTOR] = 1
        else:
            other_lane = rules.swapped[new_lane]
            first = _block(rules, others_off, new_off, other_lane, rows * columns)
            moves[throw, number, _INDEX] = first + rank
            moves[throw, number, _FACTOR] = rows
        moves[throw, number, _CHANGES] = not again
        count[throw] += 1
