"""`python -m tools.train.reachable ID FILE`: exact values for games that have no tables.

`urpi solve` needs an index of all positions, which a path that visits squares twice or piles do not
have yet. With few pieces all positions that can be reached fit into memory: they are found from
the start, move by move, and solved by value iteration. `--network` measures what the moves of the
network lose in games with as many pieces.
"""

import argparse
import json
import sys
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, Final, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from urpi.engine.evaluator import EvaluatorKind, move_values
from urpi.networks.file import network
from urpi.rules import Position, RuleSet, Side
from urpi.rules.notation import rule_set
from urpi.solver.compiled_rules import (
    EXTRA,
    MINE_IN_HAND,
    MINE_OFF,
    OTHERS,
    OTHERS_IN_HAND,
    OTHERS_OFF,
    RED,
    STATE,
    Game,
    expand,
    game_of,
    start_state,
    state_of,
)

RESIDUAL: Final = 1e-12
RULES: Final = ("murray", "skiryuk")
_MOST_MOVES: Final = 16
_WON: Final = -1
_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_BLOCK: Final = 1024
"""Positions that are left out of a sweep together, once they are solved."""


class Solved(NamedTuple):
    """All positions that can be reached by their keys, in rising order, and their values."""

    keys: NDArray[np.int64]
    values: NDArray[np.float64]
    residual: float

    def value(self, key: int) -> float:
        """Return the value of a position for the side to throw."""
        place = int(np.searchsorted(self.keys, key))
        assert self.keys[place] == key, key
        return float(self.values[place])


class Exact:
    """An evaluator of solved values."""

    kind: EvaluatorKind = "exact"

    def __init__(self, solved: Solved) -> None:
        self._solved = solved

    def value(self, position: Position) -> float:
        """Return the value of a position that can be reached and is not over."""
        return self._solved.value(key_of(state_of(position)))


@njit(cache=True)
def key_of(state: Any) -> int:
    """Return a number that only this state has (`urpi.solver.compiled_rules`), of at most 42 bits.

    The hands are followed by the squares, each by its pieces from the top, a 1 and two bits each,
    and a 0. What is missing is off the board. There are at most three pieces on each side.
    """
    key = state[MINE_IN_HAND] | state[OTHERS_IN_HAND] << 2
    bit = 4
    for square in range(20):
        pile = state[square]
        while pile:
            key |= (1 | (pile & (RED | OTHERS))) << bit
            bit += 3
            pile >>= 3
        bit += 1
    return int(key)


@njit(cache=True)
def state_with(key: int, pieces: int, state: Any) -> None:
    """Store the state that has a key."""
    state[:] = 0
    state[MINE_IN_HAND], state[OTHERS_IN_HAND] = key & 3, key >> 2 & 3
    state[MINE_OFF] = pieces - state[MINE_IN_HAND]
    state[OTHERS_OFF] = pieces - state[OTHERS_IN_HAND]
    key >>= 4
    for square in range(20):
        shift = 0
        while key & 1:
            piece = key & 7
            state[square] |= piece << shift
            state[OTHERS_OFF if piece & OTHERS else MINE_OFF] -= 1
            shift += 3
            key >>= 3
        key >>= 1
    state[EXTRA] = 0


@njit(cache=True)
def _number(key: int, keys: Any, count: int, slots: Any) -> int:
    """Return the number of a key; that of a new one is `count`."""
    mask = len(slots) - 1
    slot = np.int64((np.uint64(key) * _GOLDEN) >> np.uint64(20)) & mask
    while slots[slot] >= 0:
        if keys[slots[slot]] == key:
            return int(slots[slot])
        slot = (slot + 1) & mask
    slots[slot] = count
    keys[count] = key
    return count


@njit(cache=True)
def _reach(
    game: Game, begin: Any, keys: Any, slots: Any, starts: Any, counts: Any, targets: Any
) -> int:
    """Find all positions, and return their number.

    Args:
        game: the rule set.
        begin: the states from which to begin.
        keys: the keys by number, which are filled.
        slots: a hash table of numbers, -1 where it is free.
        starts: the place of each position's first target.
        counts: the number of moves, by position and throw.
        targets: where the moves lead to: 2 x the number of the position + 1 if the same side throws
            again, or a win.
    """
    after = np.zeros((_MOST_MOVES, STATE), np.int64)
    again, won = np.zeros(_MOST_MOVES, np.bool_), np.zeros(_MOST_MOVES, np.bool_)
    state, scratch = np.zeros(STATE, np.int64), np.zeros(STATE, np.int64)
    found, done, place = 0, 0, 0
    for number in range(len(begin)):
        found = max(found, _number(key_of(begin[number]), keys, found, slots) + 1)
    while done < found:
        state_with(keys[done], game.pieces, state)
        starts[done] = place
        for throw in range(len(game.chance)):
            moves = expand(game, state, throw, after, again, won, scratch)
            counts[done, throw] = moves
            for move in range(moves):
                targets[place] = _WON
                if not won[move]:
                    number = _number(key_of(after[move]), keys, found, slots)
                    found = max(found, number + 1)
                    targets[place] = 2 * number + again[move]
                place += 1
        done += 1
        if found > len(keys) - 256 or place > len(targets) - 256:
            return -1
    return found


@njit(cache=True)
def _progress(game: Game, keys: Any) -> Any:
    """Return how far all pieces of each position have come."""
    first, last = np.full(20, -1), np.zeros(20, np.int64)
    for place in range(len(game.path)):
        if first[game.path[place]] < 0:
            first[game.path[place]] = place
        last[game.path[place]] = place
    progress = np.zeros(len(keys), np.int32)
    state = np.zeros(STATE, np.int64)
    for number in range(len(keys)):
        state_with(keys[number], game.pieces, state)
        total = (state[MINE_OFF] + state[OTHERS_OFF]) * len(game.path)
        for square in range(20):
            pile = state[square]
            while pile:
                own = game.mirror[square] if pile & OTHERS else square
                total += last[own] if pile & RED else first[own]
                pile >>= 3
        progress[number] = total
    return progress


@njit(cache=True)
def _sweep(
    chance: Any,
    values: Any,
    order: Any,
    starts: Any,
    counts: Any,
    targets: Any,
    changes: Any,
    limit: float,
) -> float:
    """Compute the values again, but for blocks that changed less; return the largest change."""
    worst = 0.0
    for block in range(len(changes)):
        if changes[block] < limit:
            continue
        most = 0.0
        for number in order[block * _BLOCK : (block + 1) * _BLOCK]:
            total, place = 0.0, starts[number]
            for throw in range(len(chance)):
                best = 0.0
                for _ in range(counts[number, throw]):
                    target = targets[place]
                    place += 1
                    value = 1.0
                    if target != _WON:
                        value = values[target >> 1]
                        if not target & 1:
                            value = 1.0 - value
                    best = max(best, value)
                total += chance[throw] * best
            most = max(most, abs(values[number] - total))
            values[number] = total
        changes[block] = most
        worst = max(worst, most)
    return worst


def solve(game: Game, most: int = 1 << 25) -> Solved:
    """Return the values of all positions that can be reached.

    Args:
        game: The rule set, with at most three pieces.
        most: The number of positions for which memory is reserved.
    """
    begin = np.zeros((1, STATE), np.int64)
    start_state(game, begin[0])
    keys, slots = np.zeros(most, np.int64), np.full(2 * most, -1, np.int32)
    starts, counts = np.zeros(most, np.int64), np.zeros((most, len(game.chance)), np.uint8)
    targets = np.zeros(16 * most, np.int32)
    size = _reach(game, begin, keys, slots, starts, counts, targets)
    assert size >= 0, "There are more positions than memory was reserved for."
    del slots
    keys = keys[:size]
    order = np.argsort(-_progress(game, keys), kind="stable").astype(np.int32)
    values, changes = np.full(size, 0.5), np.full(-(-size // _BLOCK), np.inf)
    limit = 0.0
    while True:
        change = _sweep(game.chance, values, order, starts, counts, targets, changes, limit)
        if change > RESIDUAL:
            limit = RESIDUAL / 10
        elif limit > 0:
            limit = 0.0  # Every position once more.
        else:
            break
    by_key = np.argsort(keys)
    return Solved(keys[by_key], values[by_key], change)


def losses(rules: RuleSet, solved: Solved, decisions: int, seed: int) -> list[float]:
    """Return what the network's moves lose in games against itself, with one ply.

    A decision is a throw with at least two legal moves.
    """
    random = Random(seed)  # noqa: S311 - games, no secrets
    estimate, exact = network(rules), Exact(solved)
    found: list[float] = []
    position = rules.start(Side.LIGHT)
    while len(found) < decisions:
        throw = rules.dice.roll(random.random())
        chosen = move_values(estimate, position, throw)[0].move
        known = {each.move: each.value for each in move_values(exact, position, throw)}
        if len(known) > 1:
            found.append(max(known.values()) - known[chosen])
        position = rules.play(position, throw, chosen)
        if position.turn is None:
            position = rules.start(Side.LIGHT)
    return found


def main() -> None:
    """Solve a game, or read its values, and print figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m tools.train.reachable", description=__doc__)
    parser.add_argument("rules", choices=RULES)
    parser.add_argument("file", type=Path, help="the values, of numpy; solved if it does not exist")
    parser.add_argument("--network", type=int, metavar="DECISIONS", default=0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rules = rule_set(args.rules, {"pieces": "3"})
    if not args.file.exists():
        found = solve(game_of(rules))
        part = args.file.with_name(f"{args.file.name}.part")
        with part.open("wb") as file:
            np.savez(file, **found._asdict())
        part.replace(args.file)
    with np.load(args.file) as stored:
        solved = Solved(stored["keys"], stored["values"], float(stored["residual"]))
    result: dict[str, Any] = {
        "rules": rules.text,
        "positions": len(solved.keys),
        "start": round(Exact(solved).value(rules.start(Side.LIGHT)), 12),
        "residual": solved.residual,
        "seconds": round(process_time(), 1),
    }
    if args.network:
        lost = np.array(losses(rules, solved, args.network, args.seed))
        result |= {
            "decisions": len(lost),
            "mean_loss": round(float(lost.mean()), 7),
            "interval": round(1.96 * float(lost.std()) / len(lost) ** 0.5, 7),
            "best_move_chosen": round(float((lost < 1e-9).mean()), 4),
        }
    sys.stdout.write(json.dumps(result) + "\n")


if __name__ == "__main__":
    main()
