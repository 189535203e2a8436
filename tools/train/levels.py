"""`python -m tools.train.levels`: find the temperatures of the levels (`urpi.engine.levels`).

From `hard` downwards, the temperature of each level is found by bisection, so that the next higher
level wins a share of a match. The share itself is found by bisection, so that the lowest level wins
`BEGINNER` of the games against random moves. Then each level plays a longer match against the next
lower one, with other throws. `best` looks two plies deep as it does at the table.
"""

import argparse
import sys
from math import sqrt
from pathlib import Path
from typing import Final

from tools.train.learning import Weights, arrays_of
from tools.train.matches import (
    DEEP,
    NETWORK,
    RANDOM,
    Player,
    Score,
    match,
    own_network,
    player_of,
)
from urpi.engine.levels import LEVELS, Level
from urpi.engine.network_file import read
from urpi.rules import RULE_SETS

BEGINNER: Final = 0.84
LEAST, MOST = 0.635, 0.785
"""What the lowest level wins against random moves, and the shares of the other matches."""
LOWEST, HIGHEST = 0.0005, 3.0
"""The temperatures that are tried, as a probability to win."""
STEPS: Final = 8
SHARES: Final = 5
"""How often a temperature and the share are bisected."""


def temperatures_of(
    rules: str, net: Weights, share: float, pairs: int, seed: int
) -> dict[Level, float]:
    """Return the levels' temperatures, but that of `best`, if each level wins a share."""
    found: dict[Level, float] = {}
    upper, lowest = player_of(DEEP, net), LOWEST
    for level in reversed(LEVELS[:-1]):
        low, high = lowest, HIGHEST
        for _ in range(STEPS):
            middle = sqrt(low * high)
            score = match(rules, upper, player_of(NETWORK, net, middle), pairs, seed)
            if score.mean < share:
                low = middle
            else:
                high = middle
        found[level] = lowest = round(sqrt(low * high), 4)
        upper = player_of(NETWORK, net, lowest)
    return {level: found[level] for level in LEVELS[:-1]}


def balanced(rules: str, net: Weights, pairs: int, seed: int) -> dict[Level, float]:
    """Return the temperatures with which the lowest level wins about `BEGINNER`."""
    low, high = LEAST, MOST
    results: list[tuple[float, dict[Level, float]]] = []
    for _ in range(SHARES):
        share = (low + high) / 2
        found = temperatures_of(rules, net, share, pairs, seed)
        beginner = player_of(NETWORK, net, found["beginner"])
        won = match(rules, beginner, player_of(RANDOM, net), pairs, seed).mean
        results.append((abs(won - BEGINNER), found))
        # Wider steps leave less to the lowest level.
        low, high = (share, high) if won > BEGINNER else (low, share)
    return min(results, key=lambda each: each[0])[1]


def scores_of(
    rules: str, net: Weights, temperatures: dict[Level, float], pairs: int, seed: int
) -> dict[Level, Score]:
    """Return each level's score against the next lower one; below the lowest: random moves."""
    players: list[Player] = [player_of(RANDOM, net)]
    players += [player_of(NETWORK, net, each) for each in temperatures.values()]
    players.append(player_of(DEEP, net))
    return {
        level: match(rules, players[n + 1], players[n], pairs, seed)
        for n, level in enumerate(LEVELS)
    }


def main() -> None:
    """Print the temperatures of rule sets, as `urpi.engine.levels` has them."""
    parser = argparse.ArgumentParser(prog="python -m tools.train.levels", description=__doc__)
    parser.add_argument("rules", nargs="*", default=list(RULE_SETS), metavar="RULES")
    parser.add_argument("--network", type=Path, help="its file (default: the one of the package)")
    parser.add_argument("--pairs", type=int, default=200, help="of the matches that are printed")
    parser.add_argument("--search-pairs", type=int, default=250, help="of each match before")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for rules in args.rules:
        net = arrays_of(read(args.network or own_network(rules))[1])
        result = balanced(rules, net, args.search_pairs, args.seed)
        scores = scores_of(rules, net, result, args.pairs, args.seed + 1)
        shown = ", ".join(
            f"{level} {100 * score.mean:.1f} ± {100 * score.margin:.1f} %"
            for level, score in scores.items()
        )
        sys.stdout.write(f'    "{rules}": {result},  # {shown}\n')
        sys.stdout.flush()


if __name__ == "__main__":
    main()
