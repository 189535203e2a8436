"""The inner loops of value iteration, compiled by numba.

The values of a layer are unpacked into two arrays, one for each side to throw (one for both if the
sides have borne off equally many pieces). They consist of blocks: all positions with the same lane
and the same pieces behind it. In a block the positions differ by the two sides' sets of pieces
before the lane; those of the opponent are the rows and those of the side to throw the columns, so
that the values that a move leads to are next to each other for all sets of the opponent.

Blocks and, inside them, the sets are processed in an order in which every move but a capture leads
to a value of the same sweep, and only captures, which throw a piece back, need the next one.

A pass leads to the same position with the other side to throw, so the two values depend on each
other without end. With what the other throws contribute (`a`, `b`) and the probabilities to pass
(`p`, `q`) they are the solution of x = a + p (1 - y), y = b + q (1 - x).
"""

from typing import Any

import numpy as np
from numba import njit

from urpi.engine.solver.arrays import BEFORE, HIGHEST_THROW, SETS, Arrays

_THROWS = HIGHEST_THROW + 1
_BLOCK = SETS * SETS


@njit(cache=True, nogil=True)
def sweep(
    mine: Any,
    theirs: Any,
    changes: Any,
    values: Any,
    rules: Arrays,
    off: int,
    others_off: int,
    limit: float,
    write: bool,
) -> float:
    """Compute the values of a layer and its swapped one from the others.

    Args:
        mine: the unpacked values of the layer; replaced if `write` is true.
        theirs: those of the swapped layer, which is the same array if the layer is its own.
        changes: the largest change in each block when it was last processed, which is updated.
        values: all values by index; only those of the layers that bearing off leads to are read.
        rules: the rules as arrays.
        off: the pieces that the mover has borne off in the layer.
        others_off: those of the opponent.
        limit: blocks that changed less when they were last processed are left out.
        write: whether to store the new values.

    Returns:
        The largest difference between a new and an old value.
    """
    worst = 0.0
    # Allocated once and reused: `_leave` resets what a block needs.
    best, others_best = np.empty((_THROWS, _BLOCK)), np.empty((_THROWS, _BLOCK))
    legal = np.empty((_THROWS, SETS), np.bool_)
    others_legal = np.empty((_THROWS, SETS), np.bool_)
    for behind in rules.exits:
        for others_behind in rules.exits:
            for lane in rules.order:
                other_lane = rules.swapped[lane]
                if off == others_off and (
                    lane > other_lane or (lane == other_lane and behind > others_behind)
                ):
                    continue  # It is the other half of a block.
                # Pieces neither off, on the lane nor behind it: in hand or before the lane.
                room = rules.pieces - off - rules.mine[lane] - rules.bits[behind]
                others_room = (
                    rules.pieces - others_off - rules.others[lane] - rules.bits[others_behind]
                )
                if room < 0 or others_room < 0:
                    continue
                first = _block(rules, lane, behind, others_behind)
                if changes[first // _BLOCK] < limit:
                    continue
                _leave(
                    best,
                    legal,
                    mine,
                    theirs,
                    values,
                    rules,
                    off,
                    others_off,
                    lane,
                    behind,
                    others_behind,
                    room,
                    others_room,
                )
                _leave(
                    others_best,
                    others_legal,
                    theirs,
                    mine,
                    values,
                    rules,
                    others_off,
                    off,
                    other_lane,
                    others_behind,
                    behind,
                    others_room,
                    room,
                )
                other_first = _block(rules, other_lane, others_behind, behind)
                change = _solve_block(
                    mine[first : first + _BLOCK],
                    theirs[other_first : other_first + _BLOCK],
                    rules,
                    best,
                    legal,
                    others_best,
                    others_legal,
                    room,
                    others_room,
                    write,
                )
                changes[first // _BLOCK] = change
                worst = max(worst, change)
    return worst


@njit(cache=True, nogil=True)
def _solve_block(
    mine: Any,
    theirs: Any,
    rules: Arrays,
    best: Any,
    legal: Any,
    others_best: Any,
    others_legal: Any,
    room: int,
    others_room: int,
    write: bool,
) -> float:
    """Compute the values of a block, given those of the moves that leave it.

    The moves inside it are those of pieces that enter or stay before the lane.

    Returns:
        The largest difference between a new and an old value.
    """
    worst = 0.0
    rows, columns = (
        rules.sets_within[min(room, BEFORE)],
        rules.sets_within[min(others_room, BEFORE)],
    )
    # Both sides' moves within the block change only their own set, so that the value of a pair of
    # sets depends on pairs of the same row or column. What leaves the block is added only once.
    outside, passes = np.zeros(_BLOCK), np.full(SETS, rules.chance[0])
    _add_outside(outside, passes, rules, others_best, others_legal, others_room, columns, rows)
    totals = np.empty(SETS)
    # Sets by falling progress: a move inside the block leads to a row that is done in this sweep.
    for row in rules.set_order:
        if row >= rows:
            continue
        p = _add_row(totals, mine, theirs, rules, best, legal, room, row, columns)
        for column in rules.set_order:
            if column >= columns:
                continue
            b, q = outside[column * SETS + row], passes[column]
            hand = int(others_room > rules.set_bits[column])
            for throw in range(1, _THROWS):
                # Moves from the hand are the last ones of a list, so that leaving them out shortens
                # the count.
                inner = rules.inner[hand, column, throw]
                if inner == 0:
                    continue
                value = others_best[throw, column * SETS + row]
                for number in range(inner):
                    step = rules.steps[column, throw, number]
                    to = step >> 1
                    again = step & 1
                    after = theirs[row * SETS + to] if again else 1.0 - mine[to * SETS + row]
                    value = max(value, after)
                b += rules.chance[throw] * value
            # The two equations of the module's description, solved for x. p * q < 1, because
            # one of the sides can move with some throw.
            x = (totals[column] + p * (1 - b - q)) * (1 / (1 - p * q))
            y = b + q * (1 - x)
            here, there = column * SETS + row, row * SETS + column
            worst = max(worst, abs(mine[here] - x), abs(theirs[there] - y))
            if write:
                mine[here], theirs[there] = x, y
    return worst


@njit(cache=True, nogil=True, inline="always")
def _add_outside(
    totals: Any,
    passes: Any,
    rules: Arrays,
    best: Any,
    legal: Any,
    room: int,
    rows: int,
    columns: int,
) -> None:
    """Add what a side's throws without a move inside the block contribute.

    It is added to `totals`, for all sets of the side and of the other one; the probability that no
    piece can move is added to `passes`, for all sets of the side.
    """
    for row in range(rows):
        hand = int(room > rules.set_bits[row])
        for throw in range(1, _THROWS):
            chance = rules.chance[throw]
            if chance == 0 or rules.inner[hand, row, throw] > 0:
                continue
            if not legal[throw, row]:
                passes[row] += chance
                continue
            for number in range(row * SETS, row * SETS + columns):
                totals[number] += chance * best[throw, number]


@njit(cache=True, nogil=True, inline="always")
def _add_row(
    totals: Any,
    mine: Any,
    theirs: Any,
    rules: Arrays,
    best: Any,
    legal: Any,
    room: int,
    row: int,
    columns: int,
) -> float:
    """Store what the throws contribute for all sets of the opponent.

    The moves inside the block lead to rows that are done already.

    Returns:
        The probability that no piece can move.
    """
    totals[:] = 0
    passes: float = rules.chance[0]
    hand = int(room > rules.set_bits[row])
    for throw in range(1, _THROWS):
        chance = rules.chance[throw]
        inner = rules.inner[hand, row, throw]
        if chance == 0:
            continue
        if inner == 0 and not legal[throw, row]:
            passes += chance
            continue
        line = best[throw, row * SETS : row * SETS + SETS]
        for number in range(inner):
            step = rules.steps[row, throw, number]
            to = step >> 1
            if step & 1:
                for column in range(columns):
                    line[column] = max(line[column], mine[column * SETS + to])
            else:
                _raise(line, 0, theirs, to * SETS, columns)
        for column in range(SETS):
            totals[column] += chance * line[column]
    return passes


@njit(cache=True, nogil=True, inline="always")
def _block(rules: Arrays, lane: int, behind: int, others_behind: int) -> int:
    """Return the first index of a block in unpacked values."""
    sets = len(rules.exits)
    return int(((behind * sets + others_behind) * len(rules.order) + lane) * _BLOCK)


@njit(cache=True, nogil=True)
def _leave(
    best: Any,
    legal: Any,
    mine: Any,
    theirs: Any,
    values: Any,
    rules: Arrays,
    off: int,
    others_off: int,
    lane: int,
    behind: int,
    others_behind: int,
    room: int,
    others_room: int,
) -> None:
    """Store the best moves of each throw among those that leave the block.

    Their values are stored in `best`, by throw, the mover's set and the opponent's set; `legal`
    states whether there is such a move, by throw and the mover's set.
    """
    rows, columns = (
        rules.sets_within[min(room, BEFORE)],
        rules.sets_within[min(others_room, BEFORE)],
    )
    # No move has a value below 0, so 0 never wins; `legal` distinguishes it from a lost position.
    best[:, : rows * SETS] = 0.0
    legal[:] = False
    for place in range(rules.length):
        # The lane and the set behind it without the piece that moves.
        old_lane, old_behind = lane, behind
        if rules.on_lane[place]:
            if rules.digits[lane, rules.part[place]] != 1:
                continue
            old_lane -= rules.power[rules.part[place]]
        elif place >= BEFORE:
            if not behind >> (rules.part[place] - BEFORE) & 1:
                continue
            old_behind ^= 1 << (rules.part[place] - BEFORE)
        # From a place before the lane, only throws that reach the lane leave the block. Bearing off
        # takes the exact number.
        for throw in range(max(1, BEFORE - place), min(_THROWS, rules.length - place + 1)):
            if rules.chance[throw] == 0:
                continue
            target, again = place + throw, throw == rules.extra_value
            if target == rules.length:
                legal[throw, :rows] = True
                _bear_off(
                    best[throw],
                    values,
                    rules,
                    off + 1,
                    others_off,
                    old_lane,
                    old_behind,
                    others_behind,
                    rows,
                    columns,
                    again,
                )
                continue
            new_lane, new_behind = old_lane, old_behind
            if rules.on_lane[target]:
                found = rules.digits[old_lane, rules.part[target]]
                if found == 1 or (found == 2 and rules.safe[target]):
                    continue
                # A digit is 0 for an empty square, 1 for a piece of the mover, 2 for another one.
                new_lane += (1 - found) * rules.power[rules.part[target]]
                again = again or (found == 2 and rules.extra_capture)
            else:
                bit = 1 << (rules.part[target] - BEFORE)
                if old_behind & bit:
                    continue
                new_behind |= bit
            again = again or rules.extra[target]
            if again:
                source, first = mine, _block(rules, new_lane, new_behind, others_behind)
            else:
                source = theirs
                first = _block(rules, rules.swapped[new_lane], others_behind, new_behind)
            if place >= BEFORE and not again:
                # No set changes: the values of the whole block are next to each other.
                legal[throw, :rows] = True
                _raise(best[throw], 0, source, first, rows * SETS)
                continue
            for row in range(rows):
                to = row if place >= BEFORE else rules.without[row, place]
                if to < 0:
                    continue
                legal[throw, row] = True
                if not again:
                    _raise(best[throw], row * SETS, source, first + to * SETS, columns)
                    continue
                for column in range(columns):
                    after = source[first + column * SETS + to]
                    number = row * SETS + column
                    best[throw, number] = max(best[throw, number], after)


@njit(cache=True, nogil=True)
def _raise(line: Any, start: int, source: Any, first: int, count: int) -> None:
    """Raise values to those of moves after which the turn changes."""
    # Unsigned indices are not checked for being negative, which would keep LLVM from using vectors.
    begin, source_begin = np.uint64(start), np.uint64(first)
    for number in range(np.uint64(count)):
        value = 1.0 - source[source_begin + number]
        old = line[begin + number]
        line[begin + number] = value if value > old else old  # noqa: FURB136 (slower)


@njit(cache=True, nogil=True)
def _bear_off(
    line: Any,
    values: Any,
    rules: Arrays,
    off: int,
    others_off: int,
    lane: int,
    behind: int,
    others_behind: int,
    rows: int,
    columns: int,
    again: bool,
) -> None:
    """Add the move that leads to another layer."""
    if off == rules.pieces:
        # The last piece: the game is won.
        line[: rows * SETS] = 1.0
        return
    height = rules.private_counts[rules.pieces - off - rules.mine[lane]]
    width = rules.private_counts[rules.pieces - others_off - rules.others[lane]]
    if again:
        first = _first(rules, off, others_off, lane, height * width)
    else:
        first = _first(rules, others_off, off, rules.swapped[lane], height * width)
    for row in range(rows):
        rank = rules.private_rank[rules.sets[row] | behind << BEFORE]
        for column in range(columns):
            others_rank = rules.private_rank[rules.sets[column] | others_behind << BEFORE]
            number = row * SETS + column
            if again:
                value = values[first + rank * width + others_rank]
            else:
                value = 1.0 - values[first + others_rank * height + rank]
            line[number] = max(line[number], value)


@njit(cache=True, nogil=True, inline="always")
def _first(rules: Arrays, off: int, others_off: int, lane: int, size: int) -> int:
    """Return the first index of a lane's positions, given their number."""
    place = rules.offsets[off, others_off, rules.mine[lane], rules.others[lane]]
    return int(place + rules.rank[lane] * size)


@njit(cache=True, nogil=True)
def copy_layer(
    unpacked: Any, values: Any, rules: Arrays, off: int, others_off: int, back: bool
) -> None:
    """Unpack the values of a layer, or pack them if `back` is true."""
    for lane in range(len(rules.order)):
        rest = rules.pieces - off - rules.mine[lane]
        others_rest = rules.pieces - others_off - rules.others[lane]
        if rest < 0 or others_rest < 0:
            continue
        width = rules.private_counts[others_rest]
        first = _first(rules, off, others_off, lane, rules.private_counts[rest] * width)
        for behind in rules.exits:
            for others_behind in rules.exits:
                block = _block(rules, lane, behind, others_behind)
                for row in range(SETS):
                    private = rules.sets[row] | behind << BEFORE
                    if rules.bits[private] > rest:
                        continue
                    start = first + rules.private_rank[private] * width
                    for column in range(SETS):
                        others_set = rules.sets[column] | others_behind << BEFORE
                        if rules.bits[others_set] > others_rest:
                            continue
                        index = start + rules.private_rank[others_set]
                        if back:
                            values[index] = unpacked[block + column * SETS + row]
                        else:
                            unpacked[block + column * SETS + row] = values[index]
