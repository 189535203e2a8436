"""`python -m tools.train.matches RULES`: fast matches of a network, in compiled games.

Both games of a pair have the same throws, with the sides swapped. `urpi bench engine` plays such
matches with the program's own players; these are faster, to judge a training.
"""

import argparse
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numba import njit

from tools.train.games import (
    MINE_IN_HAND,
    MINE_OFF,
    MOST_MOVES,
    OTHERS,
    OTHERS_IN_HAND,
    OTHERS_OFF,
    STATE,
    Game,
    expand,
    game_of,
    start_state,
)
from tools.train.layouts import Inputs, inputs_of
from tools.train.learning import (
    MOST_ROWS,
    Exact,
    Weights,
    exact_value,
    forward,
    rows_of,
    throw_of,
)
from tools.train.levels import arrays_of
from tools.train.training import no_table, table_of
from urpi.networks.file import FOLDER, SUFFIX, read
from urpi.rules import RULE_SETS, rule_set

RANDOM, GREEDY, NETWORK, TABLE = range(4)
KINDS: Final = {"random": RANDOM, "greedy": GREEDY, "exact": TABLE}
MOST_THROWS: Final = 2000
"""Throws after which a game counts as a draw."""


class Score(NamedTuple):
    """The result of a match.

    Attributes:
        mean: The points of a game, 0 to 1.
        margin: Half of the 95 % interval.
        stopped: The share of games that were stopped.
        throws: The mean number of throws in a game.
        loss: What all moves of a game lost against the exact values, on average.
        loss_margin: Half of the 95 % interval of the loss.
        decision_loss: What a decision between at least two moves lost.
    """

    mean: float
    margin: float
    stopped: float
    throws: float
    loss: float
    loss_margin: float
    decision_loss: float


@njit(cache=True)
def _others_topped(state: Any, same: bool) -> int:
    found = 0
    for square in range(20):
        if state[square]:
            found += ((state[square] & OTHERS) != 0) == same
    return found


@njit(cache=True)
def greedy_worth(state: Any, after: Any, same: bool, won: bool) -> int:
    """Return the worth of a move; `urpi.simulation.players.greedy` orders moves like that."""
    if won:
        return 1_000_000
    off: int = (after[MINE_OFF] if same else after[OTHERS_OFF]) - state[MINE_OFF]
    captured: int = _others_topped(state, True) - _others_topped(after, same)
    return 1000 * off + 2 * captured + (1 if same else 0)


@njit(cache=True)
def play_pairs(
    game: Game,
    inputs: Inputs,
    exact: Exact,
    one: int,
    other: int,
    net: Weights,
    other_net: Weights,
    points: Any,
    losses: Any,
    seed: int,
) -> tuple[int, int, int]:
    """Play pairs of games between two kinds of players, and store each game's points and losses.

    Losses are those of the first player, by the table. Returns the number of games stopped, of all
    throws, and of the first player's decisions between at least two moves.
    """
    np.random.seed(seed)
    state, scratch = np.zeros(STATE, np.int64), np.zeros(STATE, np.int64)
    after = np.zeros((MOST_MOVES, STATE), np.int64)
    again, won = np.zeros(MOST_MOVES, np.bool_), np.zeros(MOST_MOVES, np.bool_)
    values = np.zeros(MOST_MOVES)
    rows = np.zeros(MOST_ROWS, np.int16)
    throws = np.zeros(MOST_THROWS, np.int64)
    stopped = made = decisions = 0
    missing = game.pieces - exact.rules.pieces if len(exact.values) else 0
    for number in range(len(points)):
        if number % 2 == 0:
            for n in range(MOST_THROWS):
                throws[n] = throw_of(game)
        start_state(game, state)
        state[MINE_OFF] = state[OTHERS_OFF] = missing
        state[MINE_IN_HAND] = state[OTHERS_IN_HAND] = game.pieces - missing
        first, over = number % 2 == 0, False
        points[number], losses[number] = 0.5, 0.0
        for n in range(MOST_THROWS):
            count = expand(game, state, throws[n], after, again, won, scratch)
            made += 1
            kind = one if first else other
            choice = 0
            if count > 1:
                chosen_net = net if first else other_net
                h = np.zeros(len(chosen_net.first_bias), np.float32)
                z = np.zeros(len(chosen_net.second_bias), np.float32)
                best = -1e9
                for move in range(count):
                    if kind == RANDOM:
                        worth = np.random.random()
                    elif kind == GREEDY:
                        worth = greedy_worth(state, after[move], again[move], won[move])
                        worth += np.random.random() / 2
                    elif won[move]:
                        worth = 1.0
                    elif kind == TABLE:
                        worth = exact_value(exact, game, after[move])
                        worth = worth if again[move] else 1 - worth
                    else:
                        rows_of(inputs, after[move], rows)
                        worth = forward(chosen_net, rows, h, z)
                        worth = worth if again[move] else 1 - worth
                    if worth > best:
                        best, choice = worth, move
                if first and len(exact.values):
                    decisions += 1
                    top = -1.0
                    for move in range(count):
                        value = 1.0
                        if not won[move]:
                            value = exact_value(exact, game, after[move])
                            value = value if again[move] else 1 - value
                        values[move] = value
                        top = max(top, value)
                    losses[number] += top - values[choice]
            if won[choice]:
                points[number] = 1.0 if first else 0.0
                over = True
                break
            if not again[choice]:
                first = not first
            state[:] = after[choice]
        stopped += not over
    return stopped, made, decisions


def match(
    rules: str, one: str, other: str, pairs: int, seed: int = 1, table: Path | None = None
) -> Score:
    """Play a match.

    Args:
        rules: the id of the rule set.
        one: `random`, `greedy`, `exact`, or the path of a network's file.
        other: the same; of two networks both need the same layout.
        pairs: the number of pairs of games, at least 2.
        seed: the seed of throws and random moves.
        table: a table of exact values; with one of fewer pieces, the games have as few.
    """
    exact = table_of(table) if table else no_table()
    own = FOLDER / f"{rules}{SUFFIX}"
    first, second = (read(own if player in KINDS else Path(player))[1] for player in (one, other))
    kinds = [KINDS.get(player, NETWORK) for player in (one, other)]
    points, losses = np.zeros(2 * pairs), np.zeros(2 * pairs)
    stopped, made, decisions = play_pairs(
        game_of(rule_set(rules)),
        inputs_of(first.features.layout),
        exact,
        kinds[0],
        kinds[1],
        arrays_of(first),
        arrays_of(second),
        points,
        losses,
        seed,
    )

    def margin(each: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
        means = each.reshape(-1, 2).mean(axis=1)
        return float(1.96 * means.std(ddof=1) / len(means) ** 0.5)

    return Score(
        *(float(points.mean()), margin(points), stopped / len(points), made / len(points)),
        *(float(losses.mean()), margin(losses), float(losses.sum()) / max(decisions, 1)),
    )


def main() -> None:
    """Print the result of a match."""
    parser = argparse.ArgumentParser(prog="python -m tools.train.matches", description=__doc__)
    parser.add_argument("rules", choices=list(RULE_SETS))
    parser.add_argument("--network", help="its file (default: the one of the package)")
    parser.add_argument("--against", default="greedy", help="random, greedy, exact or a file")
    parser.add_argument("--table", type=Path, help="exact values; may be of fewer pieces")
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.against == "exact" and not args.table:
        parser.error("--against exact needs the --table of exact values")
    one = args.network or str(FOLDER / f"{args.rules}{SUFFIX}")
    score = match(args.rules, one, args.against, args.pairs, args.seed, args.table)
    text = (
        f"{args.rules} against {args.against}: {100 * score.mean:.2f} ± {100 * score.margin:.2f} % "
        f"in {args.pairs} pairs of games of {score.throws:.0f} throws, "
        f"{100 * score.stopped:.1f} % stopped"
    )
    if args.table:
        text += (
            f"; by the losses of its moves against exact play {100 * (0.5 - score.loss):.2f} ± "
            f"{100 * score.loss_margin:.2f} %, {100 * score.decision_loss:.4f} percentage points "
            "in each decision"
        )
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
