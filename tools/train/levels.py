"""`python -m tools.train.levels`: find the temperatures of the levels (`urpi.engine.levels`).

A level of a temperature plays some games against the best moves of the same network, for each of
`GRID`; in logits its results fall nearly linearly with the logarithm of the temperature. The
levels get equal steps of `STEP` logits between them, or smaller ones if even random moves are not
that weak. Then each plays against the next higher one, and the results are printed.
"""

import argparse
import sys
from math import log
from typing import Any, Final

import numpy as np
from numba import njit

from tools.train.games import MOST_MOVES, STATE, Game, expand, game_of, start_state
from tools.train.layouts import Inputs, inputs_of
from tools.train.learning import MOST_ROWS, Weights, forward, rows_of, throw_of
from urpi.engine.levels import LEVELS, Level
from urpi.engine.network import Network
from urpi.networks.file import network
from urpi.rules import RULE_SETS, rule_set

GRID: Final = (0.01, 0.02, 0.04, 0.08, 0.3)
STEP: Final = log(0.72 / 0.28)
MOST_THROWS: Final = 2000


@njit(cache=True)
def duel(
    game: Game, inputs: Inputs, net: Weights, one: float, other: float, games: int, seed: int
) -> float:
    """Return the score of one temperature against another one, 0 to 1; 0 is the best move."""
    np.random.seed(seed)
    state, scratch = np.zeros(STATE, np.int64), np.zeros(STATE, np.int64)
    after = np.zeros((MOST_MOVES, STATE), np.int64)
    again, won = np.zeros(MOST_MOVES, np.bool_), np.zeros(MOST_MOVES, np.bool_)
    values = np.zeros(MOST_MOVES)
    rows = np.zeros(MOST_ROWS, np.int16)
    h = np.zeros(len(net.first_bias), np.float32)
    z = np.zeros(len(net.second_bias), np.float32)
    points = 0.0
    for number in range(games):
        start_state(game, state)
        mover, over = number % 2, False
        for _ in range(MOST_THROWS):
            count = expand(game, state, throw_of(game), after, again, won, scratch)
            best, choice = -1.0, 0
            for n in range(count):
                values[n] = 1.0
                if count > 1 and not won[n]:
                    rows_of(inputs, after[n], rows)
                    value = forward(net, rows, h, z)
                    values[n] = value if again[n] else 1 - value
                if values[n] > best:
                    best, choice = values[n], n
            temperature = one if mover == 0 else other
            if temperature > 0 and count > 1:
                total = 0.0
                for n in range(count):
                    values[n] = np.exp((values[n] - best) / temperature)
                    total += values[n]
                wanted, choice = np.random.random() * total, 0
                while choice < count - 1 and wanted >= values[choice]:
                    wanted -= values[choice]
                    choice += 1
            if won[choice]:
                points += mover == 0
                over = True
                break
            if not again[choice]:
                mover = 1 - mover
            state[:] = after[choice]
        if not over:
            points += 0.5
    return points / games


def arrays_of(net: Network) -> Weights:
    """Return the weights of a network as arrays."""
    weights = net.weights

    def array(values: Any) -> Any:
        return np.array(values, np.float32)

    return Weights(
        array(weights.rows),
        array(weights.bias),
        np.ascontiguousarray(array(weights.second).T),
        array(weights.second_bias),
        array(weights.last),
        array([weights.last_bias]),
    )


def temperatures_of(
    rules: str, games: int, seed: int
) -> tuple[dict[Level, float], dict[Level, float]]:
    """Return the levels' temperatures, and each level's score against the next lower one."""
    found = network(rule_set(rules))
    kernels = game_of(rule_set(rules)), inputs_of(found.features.layout), arrays_of(found)

    def logit(one: float, other: float) -> float:
        score = duel(*kernels, one, other, games, seed)
        return log((score + 0.5 / games) / (1 - score + 0.5 / games))

    found_logits = np.minimum.accumulate([logit(temperature, 0.0) for temperature in GRID])
    step = min(STEP, -found_logits[-1] / (len(LEVELS) - 1))
    wanted = [-step * (len(LEVELS) - 1 - n) for n in range(len(LEVELS) - 1)]
    # The logits fall while the temperatures rise.
    logs = np.interp(wanted, found_logits[::-1], np.log(GRID)[::-1])
    result = {
        level: round(float(np.exp(each)), 4) for level, each in zip(LEVELS, logs, strict=False)
    }
    every = [*result.values(), 0.0]
    scores = {
        level: duel(*kernels, every[n + 1], every[n], games, seed + 1)
        for n, level in enumerate(LEVELS[1:])
    }
    return result, scores


def main() -> None:
    """Print the temperatures of rule sets, as `urpi.engine.levels` has them."""
    parser = argparse.ArgumentParser(prog="python -m tools.train.levels", description=__doc__)
    parser.add_argument("rules", nargs="*", default=list(RULE_SETS))
    parser.add_argument("--games", type=int, default=800)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for rules in args.rules:
        result, scores = temperatures_of(rules, args.games, args.seed)
        shown = ", ".join(f"{level} {100 * score:.1f} %" for level, score in scores.items())
        sys.stdout.write(f'    "{rules}": {result},  # {shown}\n')
        sys.stdout.flush()


if __name__ == "__main__":
    main()
