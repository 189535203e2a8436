"""Samples and optimisation as compiled kernels: values, self-play, Adam."""

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from tools.train.compiled_rules import expand
from tools.train.exact import Exact, exact_value
from tools.train.layouts import Inputs, rows_of
from tools.train.players import greedy_choice, throw_of
from urpi.engine.network import Network
from urpi.engine.solver.compiled_game import MAX_MOVES, STATE, CompiledGame, start_state

MAX_THROWS: Final = 600
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


def new_weights(rows: int, width: int, second: int, rng: np.random.Generator) -> Weights:
    """Return random weights."""

    def some(*shape: int, scale: float) -> Floats:
        return (rng.standard_normal(shape) * scale).astype(np.float32)

    return Weights(
        some(rows, width, scale=0.15),
        # Above 0, so that rectified units begin active: an inactive one has no gradient.
        np.full(width, 0.1, np.float32),
        # He's initialisation for rectified units (He et al., "Delving Deep into Rectifiers", 2015).
        some(width, second, scale=(2 / width) ** 0.5),
        np.zeros(second, np.float32),
        some(second, scale=(1 / second) ** 0.5),
        np.zeros(1, np.float32),
    )


def arrays_of(net: Network) -> Weights:
    """Return the weights of a network as arrays."""
    weights = net.weights

    def array(values: Any) -> Any:
        return np.array(values, np.float32)

    return Weights(
        array(weights.rows),
        array(weights.bias),
        # `Network` lists the weights by output unit, the kernels by input unit.
        np.ascontiguousarray(array(weights.second).T),
        array(weights.second_bias),
        array(weights.last),
        array([weights.last_bias]),
    )


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
            # Choosing a move depends only on differences within its decision; `ranking` weighs them
            # more.
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
    # Adam's bias correction (Kingma and Ba, 2015), for both moments at once.
    rate *= np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
    factor = np.float32(rate)
    for n in range(len(weights)):
        gradient = sums[n]
        sums[n] = 0
        mean[n] += np.float32(0.1) * (gradient - mean[n])
        square[n] += np.float32(0.001) * (gradient * gradient - square[n])
        weights[n] -= factor * mean[n] / (np.sqrt(square[n]) + np.float32(1e-8))


@njit(cache=True)
def self_play(
    game: CompiledGame,
    inputs: Inputs,
    net: Weights,
    exact: Exact,
    seed: int,
    explore: float,
    greedy: float,
    follow: float,
    patience: float,
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
        greedy: the probability that one side of a game plays greedy moves.
        follow: lambda, how much the rest of the game counts, 0 to 1.
        patience: what is left of an advantage after a throw, 0 to 1.
        full: whether to evaluate the moves of all throws, or those of the actual throw alone.
        rows: where the rows are stored.
        targets: where the values are stored.

    Returns:
        The number of samples.
    """
    # numba's generator, which is separate from NumPy's and would otherwise start at random.
    np.random.seed(seed)
    state, scratch = np.zeros(STATE, np.int64), np.zeros(STATE, np.int64)
    after = np.zeros((MAX_MOVES, STATE), np.int64)
    chosen = np.zeros(STATE, np.int64)
    again, won = np.zeros(MAX_MOVES, np.bool_), np.zeros(MAX_MOVES, np.bool_)
    found = np.zeros(rows.shape[1], rows.dtype)
    h = np.zeros(len(net.first_bias), np.float32)
    z = np.zeros(len(net.second_bias), np.float32)
    expected, best_of = np.zeros(MAX_THROWS), np.zeros(MAX_THROWS)
    same, explored = np.zeros(MAX_THROWS, np.bool_), np.zeros(MAX_THROWS, np.bool_)
    stored = 0
    # A game may need as many samples; one that would not fit is not begun.
    while stored + MAX_THROWS <= len(targets):
        start_state(game, state)
        length, over = 0, False
        greedy_now = np.random.random() < greedy
        greedy_next = greedy_now
        if greedy_now:
            greedy_now = np.random.random() < 0.5
            greedy_next = not greedy_now
        while length < MAX_THROWS and not over:
            known = exact_value(exact, game, state)
            rows_of(inputs, state, rows[stored + length])
            actual, mean = throw_of(game), 0.0
            for throw in range(len(game.chance)):
                # The other throws only serve to compute the expectation, which an exact value
                # replaces.
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
                    explored[length] = False
                    if np.random.random() < explore:
                        choice, explored[length] = np.random.randint(count), True
                    elif greedy_now:
                        other = greedy_choice(state, after, again, won, count)
                        explored[length], choice = other != choice, other
                    over, same[length] = won[choice], again[choice]
                    chosen[:] = after[choice]
            if known >= 0:
                best_of[length] = mean = known
                explored[length] = True  # The value is final.
            elif not full:
                mean = best_of[length]
            expected[length] = mean
            if not same[length]:
                greedy_now, greedy_next = greedy_next, greedy_now
            state[:] = chosen
            length += 1
        value = 1.0
        # Backwards, since each value contains the one after it.
        for n in range(length - 1, -1, -1):
            if n < length - 1:
                value = targets[stored + n + 1]
                if not same[n]:
                    value = 1 - value
            elif not over:
                value = best_of[n]
            rest = expected[n]
            if not explored[n]:
                rest = min(max(rest + follow * (value - best_of[n]), 0.0), 1.0)
            targets[stored + n] = 0.5 + patience * (rest - 0.5)
        stored += length
    return stored
