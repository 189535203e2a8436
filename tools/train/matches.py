"""`python -m tools.train.matches RULES`: fast matches of a network, in compiled games.

Both games of a pair have the same throws, with the sides swapped. `python -m tools.bench engine`
plays such matches with the program's own players; these are faster, to judge a training.
"""

import argparse
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numba import njit

from tools.train.compiled_rules import expand
from tools.train.exact import Exact, exact_value, no_table, start_with, table_of
from tools.train.layouts import MAX_ROWS, Inputs, inputs_of, layout_of, rows_of
from tools.train.learning import Floats, Weights, arrays_of, forward
from tools.train.players import drawn, greedy_worth, throw_of
from urpi.engine.evaluator import CANDIDATES
from urpi.engine.network_file import FOLDER, SUFFIX, read
from urpi.engine.solver.compiled_game import FORTS_GAME, MAX_MOVES, STATE, CompiledGame, game_of
from urpi.rules import RULE_SETS, rule_set

RANDOM, GREEDY, NETWORK, DEEP, TABLE = range(5)
KINDS: Final = {"random": RANDOM, "greedy": GREEDY, "exact": TABLE}
MAX_THROWS: Final = 2000
"""Throws after which a game counts as a draw."""
_CANDIDATES: Final = CANDIDATES


class Player(NamedTuple):
    """How a player chooses: by one ply of its network, two (`DEEP`), a table, or without either.

    Its temperature is that of a level (`urpi.engine.levels`); with 0 it plays the best move.
    """

    kind: int
    temperature: float
    net: Weights
    h: Floats
    z: Floats


class Moves(NamedTuple):
    """What the moves of a throw lead to, as `expand` stores it, and their values for the mover."""

    after: Any
    again: Any
    won: Any
    scratch: Any
    rows: Any
    values: Any
    repeated: Any
    """Whether a move leads back to a position of the game, which counts as a draw."""


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
def new_moves() -> Moves:
    """Return space for the moves of a throw."""
    return Moves(
        np.zeros((MAX_MOVES, STATE), np.int64),
        np.zeros(MAX_MOVES, np.bool_),
        np.zeros(MAX_MOVES, np.bool_),
        np.zeros(STATE, np.int64),
        np.zeros(MAX_ROWS, np.int16),
        np.zeros(MAX_MOVES),
        np.zeros(MAX_MOVES, np.bool_),
    )


@njit(cache=True)
def _place_of(seen: Any, state: Any, light: bool) -> tuple[int, int]:
    """Return a state's key, and its place in a hash table."""
    # FNV-1a (64 bits) over the numbers of the state; dark's keys begin elsewhere.
    key = np.uint64(14695981039346656037 if light else 1)
    for number in state:
        key = (key ^ np.uint64(number)) * np.uint64(1099511628211)
    # Never 0, which marks a free place, and never negative.
    found = np.int64(key >> np.uint64(2)) + 1
    place = found % len(seen)
    while seen[place] != 0 and seen[place] != found:
        place = (place + 1) % len(seen)
    return int(found), int(place)


@njit(cache=True)
def _evaluate(
    inputs: Inputs,
    game: CompiledGame,
    exact: Exact,
    by_table: bool,
    player: Player,
    moves: Moves,
    n: int,
) -> float:
    """Return the value of a move for its mover."""
    if moves.won[n]:
        return 1.0
    if by_table:
        value = exact_value(exact, game, moves.after[n])
    else:
        rows_of(inputs, moves.after[n], moves.rows)
        value = forward(player.net, moves.rows, player.h, player.z)
    return value if moves.again[n] else 1 - value


@njit(cache=True)
def _look_deeper(
    game: CompiledGame,
    inputs: Inputs,
    exact: Exact,
    player: Player,
    moves: Moves,
    count: int,
    more: Moves,
) -> None:
    """Replace values by those of two plies, as `urpi.engine.evaluator.deep_move_values` does."""
    # Stable, so that equal values keep the order of the rules, as in the program's own evaluator.
    order = np.argsort(-moves.values[:count], kind="mergesort")
    last = 1.0
    for each in order[:_CANDIDATES]:
        if not moves.won[each] and not moves.repeated[each]:
            total = 0.0
            for throw in range(len(game.chance)):
                found = expand(
                    *(game, moves.after[each], throw, more.after, more.again, more.won),
                    more.scratch,
                )
                best = 0.0
                for n in range(found):
                    best = max(best, _evaluate(inputs, game, exact, False, player, more, n))
                total += game.chance[throw] * best
            moves.values[each] = total if moves.again[each] else 1 - total
        last = min(last, moves.values[each])
    for each in order[_CANDIDATES:]:
        moves.values[each] = min(moves.values[each], last)


@njit(cache=True)
def choose(
    game: CompiledGame,
    inputs: Inputs,
    exact: Exact,
    player: Player,
    state: Any,
    moves: Moves,
    count: int,
    more: Moves,
) -> int:
    """Return the number of the move that a player chooses."""
    for n in range(count):
        if player.kind == RANDOM:
            moves.values[n] = np.random.random()
        elif player.kind == GREEDY:
            worth = greedy_worth(state, moves.after[n], moves.again[n], moves.won[n])
            moves.values[n] = worth + np.random.random() / 2
        else:
            by_table = player.kind == TABLE
            moves.values[n] = _evaluate(inputs, game, exact, by_table, player, moves, n)
            if moves.repeated[n]:
                moves.values[n] = 0.5
    if player.kind == DEEP:
        _look_deeper(game, inputs, exact, player, moves, count, more)
    if player.temperature != 0:
        return int(drawn(moves.values[:count], player.temperature))
    return int(np.argmax(moves.values[:count]))


@njit(cache=True)
def play_pairs(
    game: CompiledGame,
    inputs: Inputs,
    exact: Exact,
    one: Player,
    other: Player,
    points: Any,
    losses: Any,
    seed: int,
) -> tuple[int, int, int]:
    """Play pairs of games between two players, and store each game's points and losses.

    Losses are those of the first player, by the table. Returns the number of games stopped, of all
    throws, and of the first player's decisions between at least two moves.
    """
    np.random.seed(seed)
    state = np.zeros(STATE, np.int64)
    moves, more = new_moves(), new_moves()
    throws = np.zeros(MAX_THROWS, np.int64)
    # Where a repetition leads to a draw: the keys of the game's positions.
    seen = np.zeros(4 * MAX_THROWS if game.kind == FORTS_GAME else 0, np.int64)
    stopped = made = decisions = 0
    for number in range(len(points)):
        # Both games of a pair use the same throws, which removes most of their luck from the
        # result.
        if number % 2 == 0:
            for n in range(MAX_THROWS):
                throws[n] = throw_of(game)
        start_with(game, exact, state)
        first, over = number % 2 == 0, False
        points[number], losses[number] = 0.5, 0.0
        seen[:] = 0
        for n in range(MAX_THROWS):
            count = expand(
                *(game, state, throws[n], moves.after, moves.again, moves.won, moves.scratch)
            )
            made += 1
            choice = 0
            if len(seen):
                key, place = _place_of(seen, state, first)
                seen[place] = key
                for move in range(count):
                    light = first if moves.again[move] else not first
                    _key, place = _place_of(seen, moves.after[move], light)
                    moves.repeated[move] = not moves.won[move] and seen[place] != 0
            if count > 1:
                player = one if first else other
                choice = choose(game, inputs, exact, player, state, moves, count, more)
                if first and len(exact.values):
                    decisions += 1
                    top = chosen = -1.0
                    for move in range(count):
                        value = _evaluate(inputs, game, exact, True, one, moves, move)
                        top = max(top, value)
                        if move == choice:
                            chosen = value
                    losses[number] += top - chosen
            if moves.won[choice]:
                points[number] = 1.0 if first else 0.0
                over = True
                break
            if not moves.again[choice]:
                first = not first
            state[:] = moves.after[choice]
        stopped += not over
    return stopped, made, decisions


def player_of(kind: int, net: Weights, temperature: float = 0.0) -> Player:
    """Return a player; only `NETWORK` and `DEEP` use the network."""
    h, z = np.zeros(len(net.first_bias), np.float32), np.zeros(len(net.second_bias), np.float32)
    return Player(kind, temperature, net, h, z)


def own_network(rules: str) -> Path:
    """Return the file of the package's network for a rule set."""
    return FOLDER / f"{rules}{SUFFIX}"


def match(
    rules: str,
    one: Player,
    other: Player,
    pairs: int,
    seed: int = 1,
    exact: Exact | None = None,
) -> Score:
    """Play a match.

    Args:
        rules: the id of the rule set.
        one: a player; networks are those of the rule set's present layout.
        other: the same.
        pairs: the number of pairs of games, at least 2.
        seed: the seed of throws and random moves.
        exact: exact values; with those of fewer pieces, the games have as few.
    """
    points, losses = np.zeros(2 * pairs), np.zeros(2 * pairs)
    found = rule_set(rules)
    stopped, made, decisions = play_pairs(
        *(game_of(found), inputs_of(layout_of(found)), exact or no_table(), one, other),
        *(points, losses, seed),
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
    parser.add_argument("--network", type=Path, help="its file (default: the one of the package)")
    parser.add_argument("--plies", type=int, choices=(1, 2), default=1, help="of the network")
    parser.add_argument("--against", default="greedy", help="random, greedy, exact or a file")
    parser.add_argument("--table", type=Path, help="exact values; may be of fewer pieces")
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.against == "exact" and not args.table:
        parser.error("--against exact needs the --table of exact values")
    net = arrays_of(read(args.network or own_network(args.rules))[1])
    one = player_of(NETWORK if args.plies == 1 else DEEP, net)
    if args.against in KINDS:
        other = player_of(KINDS[args.against], net)
    else:
        other = player_of(NETWORK, arrays_of(read(Path(args.against))[1]))
    exact = table_of(args.table) if args.table else None
    score = match(args.rules, one, other, args.pairs, args.seed, exact)
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
    # numba finds compiled functions again only if their types belong to an imported module.
    from tools.train import matches  # noqa: PLW0406

    matches.main()
