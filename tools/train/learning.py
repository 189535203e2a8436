"""Samples and optimisation as compiled kernels: rows of states, values, self-play, Adam."""

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from tools.train.games import (
    EXTRA,
    MINE_IN_HAND,
    MINE_OFF,
    MOST_MOVES,
    OTHERS,
    OTHERS_IN_HAND,
    OTHERS_OFF,
    STATE,
    Game,
    expand,
    start_state,
)
from tools.train.layouts import Inputs
from urpi.solver.arrays import Arrays

MOST_ROWS: Final = 64
"""Maximum number of rows of a state; unused places of an array are -1."""
MOST_THROWS: Final = 600
"""Throws after which a game of self-play is stopped."""
Floats: TypeAlias = NDArray[np.float32]


class Weights(NamedTuple):
    """The weights of a network."""

    first: Floats
    first_bias: Floats
    second: Floats
    second_bias: Floats
    last: Floats
    last_bias: Floats


class Exact(NamedTuple):
    """A table of exact values, and the pieces of its rule set; no values if there is none."""

    values: NDArray[np.uint16]
    rules: Arrays
    lane: NDArray[np.int64]
    """The square of each digit of the lane, and of each bit of the mover's and the other's set."""
    mine: NDArray[np.int64]
    others: NDArray[np.int64]


def new_weights(rows: int, width: int, second: int, rng: np.random.Generator) -> Weights:
    """Return random weights."""

    def some(*shape: int, scale: float) -> Floats:
        return (rng.standard_normal(shape) * scale).astype(np.float32)

    return Weights(
        some(rows, width, scale=0.15),
        np.full(width, 0.1, np.float32),
        some(width, second, scale=(2 / width) ** 0.5),
        np.zeros(second, np.float32),
        some(second, scale=(1 / second) ** 0.5),
        np.zeros(1, np.float32),
    )


@njit(cache=True, fastmath=True)
def rows_of(inputs: Inputs, state: Any, rows: Any) -> int:
    """Store the rows of a state, and return their number."""
    count = 0
    for pattern in range(len(inputs.starts)):
        row = inputs.starts[pattern]
        for place in range(inputs.lengths[pattern]):
            square = inputs.squares[pattern, place]
            row += inputs.digits[pattern, place, state[square] & 7]
        rows[count] = row
        count += 1
    width = inputs.pieces + 1
    start = inputs.counts_start
    rows[count] = start + state[MINE_IN_HAND] * width + state[MINE_OFF]
    rows[count + 1] = start + width * width + state[OTHERS_IN_HAND] * width + state[OTHERS_OFF]
    rows[count + 2] = start + 2 * width * width + state[MINE_OFF] * width + state[OTHERS_OFF]
    count += 3
    if state[EXTRA]:
        rows[count] = inputs.below_start - 1
        count += 1
    if inputs.piles:
        for square in range(20):
            pile = state[square]
            top, pile, held = pile & OTHERS, pile >> 3, True
            while pile:
                held = held and pile & OTHERS != top
                letter = (pile & 7) >> 1
                rows[count] = inputs.below_start + 8 * square + letter + (0 if held else 4)
                count += 1
                pile >>= 3
    for place in range(count, len(rows)):
        rows[place] = -1
    return count


@njit(cache=True, fastmath=True)
def forward(net: Weights, rows: Any, h: Any, z: Any) -> float:
    """Return the value of a state with these rows; `h` and `z` are the layers' activations."""
    h[:] = net.first_bias
    for row in rows:
        if row < 0:
            break
        for unit in range(len(h)):
            h[unit] += net.first[row, unit]
    z[:] = net.second_bias
    for unit in range(len(h)):
        if h[unit] > 0:
            for other in range(len(z)):
                z[other] += h[unit] * net.second[unit, other]
    total = net.last_bias[0]
    for other in range(len(z)):
        if z[other] > 0:
            total += z[other] * net.last[other]
    return 1 / (1 + np.exp(-total))


@njit(cache=True, fastmath=True)
def gradients(
    net: Weights,
    sums: Weights,
    rows: Any,
    targets: Any,
    signs: Any,
    groups: Any,
    ranking: float,
) -> float:
    """Add the gradients of a batch to `sums`, and return the mean absolute error.

    Args:
        net: the weights.
        sums: where the gradients are added up.
        rows: the rows of each sample.
        targets: the value of each sample.
        signs: -1 where a sample's value is of the mover's opponent, else 1.
        groups: the number of each sample's decision; those of one decision follow each other.
        ranking: how much the differences between the moves of a decision count more.
    """
    size, width, others = len(rows), len(net.first_bias), len(net.second_bias)
    h = np.zeros((size, width), np.float32)
    z = np.zeros((size, others), np.float32)
    values = np.zeros(size, np.float32)
    errors = np.zeros(size, np.float32)
    delta_h, delta_z = np.zeros(width, np.float32), np.zeros(others, np.float32)
    total = 0.0
    for n in range(size):
        values[n] = forward(net, rows[n], h[n], z[n])
        errors[n] = (values[n] - targets[n]) * signs[n]
        total += abs(errors[n])
    first = 0
    while first < size:
        end, mean = first, np.float32(0)
        while end < size and groups[end] == groups[first]:
            mean += errors[end]
            end += 1
        mean /= end - first
        for n in range(first, end):
            spread = np.float32(0.1) + np.float32(3.6) * values[n] * (1 - values[n])
            step = (errors[n] + np.float32(ranking) * (errors[n] - mean)) * signs[n]
            step *= spread / size
            sums.last_bias[0] += step
            for other in range(others):
                delta_z[other] = 0
                if z[n, other] > 0:
                    sums.last[other] += step * z[n, other]
                    delta_z[other] = step * net.last[other]
                    sums.second_bias[other] += delta_z[other]
            for unit in range(width):
                delta = np.float32(0)
                active = h[n, unit]
                if active > 0:
                    for other in range(others):
                        delta += delta_z[other] * net.second[unit, other]
                    for other in range(others):
                        sums.second[unit, other] += active * delta_z[other]
                delta_h[unit] = delta
                sums.first_bias[unit] += delta
            for row in rows[n]:
                if row < 0:
                    break
                for unit in range(width):
                    sums.first[row, unit] += delta_h[unit]
        first = end
    return total / size


@njit(cache=True, fastmath=True)
def adam(weights: Any, sums: Any, mean: Any, square: Any, rate: float, step: int) -> None:
    """Change weights by their gradients, and clear these. All arrays are flat."""
    rate *= np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
    factor = np.float32(rate)
    for n in range(len(weights)):
        gradient = sums[n]
        sums[n] = 0
        mean[n] += np.float32(0.1) * (gradient - mean[n])
        square[n] += np.float32(0.001) * (gradient * gradient - square[n])
        weights[n] -= factor * mean[n] / (np.sqrt(square[n]) + np.float32(1e-8))


@njit(cache=True)
def exact_value(exact: Exact, game: Game, state: Any) -> float:
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
def throw_of(game: Game) -> int:
    """Return the number of a throw at random."""
    chance, throw = np.random.random(), 0
    while throw < len(game.chance) - 1 and chance >= game.chance[throw]:
        chance -= game.chance[throw]
        throw += 1
    return throw


@njit(cache=True)
def self_play(
    game: Game,
    inputs: Inputs,
    net: Weights,
    exact: Exact,
    seed: int,
    explore: float,
    follow: float,
    full: bool,
    rows: Any,
    targets: Any,
) -> int:
    """Play games and store the positions in which a side throws, with their values to learn.

    The value of a position is that of all throws' best moves, corrected by what the actual throw
    and the rest of the game showed (TD(lambda) with the expectation as control variate).

    Args:
        game: the rule set.
        inputs: the layout.
        net: the network that evaluates and chooses.
        exact: exact values, used in place of the network's where there are any.
        seed: the seed of the throws and of exploration.
        explore: the probability of a random move.
        follow: lambda, how much the rest of the game counts, 0 to 1.
        full: whether to evaluate the moves of all throws, or those of the actual throw alone.
        rows: where the rows are stored.
        targets: where the values are stored.

    Returns:
        The number of samples.
    """
    np.random.seed(seed)
    state, scratch = np.zeros(STATE, np.int64), np.zeros(STATE, np.int64)
    after = np.zeros((MOST_MOVES, STATE), np.int64)
    chosen = np.zeros(STATE, np.int64)
    again, won = np.zeros(MOST_MOVES, np.bool_), np.zeros(MOST_MOVES, np.bool_)
    found = np.zeros(rows.shape[1], rows.dtype)
    h = np.zeros(len(net.first_bias), np.float32)
    z = np.zeros(len(net.second_bias), np.float32)
    expected, best_of = np.zeros(MOST_THROWS), np.zeros(MOST_THROWS)
    same, explored = np.zeros(MOST_THROWS, np.bool_), np.zeros(MOST_THROWS, np.bool_)
    stored = 0
    while stored + MOST_THROWS <= len(targets):
        start_state(game, state)
        length, over = 0, False
        while length < MOST_THROWS and not over:
            known = exact_value(exact, game, state)
            rows_of(inputs, state, rows[stored + length])
            actual, mean = throw_of(game), 0.0
            for throw in range(len(game.chance)):
                if throw != actual and (not full or known >= 0):
                    continue
                count = expand(game, state, throw, after, again, won, scratch)
                best, choice = -1.0, 0
                for n in range(count):
                    value = 1.0
                    if not won[n]:
                        value = exact_value(exact, game, after[n])
                        if value < 0:
                            rows_of(inputs, after[n], found)
                            value = forward(net, found, h, z)
                        if not again[n]:
                            value = 1 - value
                    if value > best:
                        best, choice = value, n
                mean += game.chance[throw] * best
                if throw == actual:
                    best_of[length] = best
                    explored[length] = np.random.random() < explore
                    if explored[length]:
                        choice = np.random.randint(count)
                    over, same[length] = won[choice], again[choice]
                    chosen[:] = after[choice]
            if known >= 0:
                best_of[length] = mean = known
                explored[length] = True  # The value is final.
            elif not full:
                mean = best_of[length]
            expected[length] = mean
            state[:] = chosen
            length += 1
        value = 1.0
        for n in range(length - 1, -1, -1):
            if n < length - 1:
                value = targets[stored + n + 1]
                if not same[n]:
                    value = 1 - value
            elif not over:
                value = best_of[n]
            if explored[n]:
                targets[stored + n] = expected[n]
            else:
                rest = expected[n] + follow * (value - best_of[n])
                targets[stored + n] = min(max(rest, 0.0), 1.0)
        stored += length
    return stored


@njit(cache=True)
def exact_play(
    game: Game,
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

    Moves are chosen at random with the probability `explore`. Throws with a single legal move are
    stored every third time. Returns the number of samples; see `gradients`.
    """
    np.random.seed(seed)
    state, scratch = np.zeros(STATE, np.int64), np.zeros(STATE, np.int64)
    after = np.zeros((MOST_MOVES, STATE), np.int64)
    again, won = np.zeros(MOST_MOVES, np.bool_), np.zeros(MOST_MOVES, np.bool_)
    stored, group = 0, 0
    while True:
        start_state(game, state)
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
