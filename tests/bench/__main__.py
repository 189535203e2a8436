"""Speed and size of the rules: `python -m tests.bench`.

Random games of every rule set are played in turn with random games of `royalur`, the peer, in one
process on one core, several times. The medians of throws per second of processor time are printed
with their ratio to the peer's. Positions are measured in games, the import in fresh interpreters,
of which the fastest counts. The exit status is 1 if a target is missed.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from random import Random
from statistics import median

import royalur

from urpi.rules import PASS, RULE_SETS, Position, RuleSet, Side, rule_set

TARGETS = dict.fromkeys(RULE_SETS, 9.0) | {
    "skiryuk": 6.5,
    "ravensburger": 5.0,
    "freecompany": 3.0,
}
"""Required ratio of a rule set's throws per second to the peer's."""
LARGEST_POSITION_BYTES = 300
SLOWEST_IMPORT_MS = 60
LONGEST_GAME = 400
"""Throws after which a game is stopped, so that every rule set is measured in several games."""

IMPORT = "import time; t = time.perf_counter(); import urpi.rules; print(time.perf_counter() - t)"


def play(rules: RuleSet, random: Random) -> int:
    """Play a random game and return its throws."""
    chance, roll = random.random, rules.dice.roll
    position = rules.start(Side.LIGHT)
    throws = 0
    while position.turn is not None and throws < LONGEST_GAME:
        throw = roll(chance())
        moves = rules.legal_moves(position, throw)
        move = moves[int(chance() * len(moves))] if moves else PASS
        position = rules.play(position, throw, move)
        throws += 1
    return throws


def play_peer(random: Random) -> int:
    """Play a random game with the peer, by its own dice, and return its throws."""
    game = royalur.Game.create_finkel()
    chance = random.random
    throws = 0
    while not game.is_finished():
        if game.is_waiting_for_roll():
            game.roll_dice()
            throws += 1
        else:
            moves = game.find_available_moves()
            game.make_move(moves[int(chance() * len(moves))])
    return throws


def throws_per_second(game: Callable[[Random], int], random: Random, seconds: float) -> float:
    """Play games for at least some seconds of this process's CPU time, and return the speed."""
    throws = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < seconds:
        throws += game(random)
    return throws / spent


def measure_speed(runs: int, seconds: float, seed: int) -> dict[str, float]:
    """Return the median speed of every rule set, and of the peer under the name ``royalur``."""
    games: dict[str, Callable[[Random], int]] = {"royalur": play_peer}
    for name in RULE_SETS:
        games[name] = partial(play, rule_set(name))
    speeds: dict[str, list[float]] = {name: [] for name in games}
    for run in range(runs):
        for name, game in games.items():
            speeds[name].append(throws_per_second(game, Random(seed + run), seconds))
    return {name: median(found) for name, found in speeds.items()}


def size_of(position: Position) -> int:
    """Return the bytes of a position whose piles are not built; the rules are shared by all."""
    return sys.getsizeof(position) + sys.getsizeof(position.state)


def largest_position(rules: RuleSet, random: Random) -> int:
    """Return the bytes of the largest position in a random game."""
    position = rules.start(Side.LIGHT)
    largest = size_of(position)
    for _ in range(LONGEST_GAME):
        if position.turn is None:
            break
        throw = rules.dice.roll(random.random())
        moves = rules.legal_moves(position, throw)
        position = rules.play(position, throw, random.choice(moves) if moves else PASS)
        largest = max(largest, size_of(position))
    return largest


def import_ms(runs: int) -> float:
    """Return the time of `import urpi.rules` in a fresh interpreter, the shortest of several."""
    command = [sys.executable, "-c", IMPORT]
    times = [float(subprocess.check_output(command, text=True)) for _ in range(runs)]
    return 1000 * min(times)


def report(name: str, found: str, reached: bool) -> bool:
    """Print a line of the report and return whether its target was reached."""
    sys.stdout.write(f"{name:14} {found}{'' if reached else '   MISSED'}\n")
    sys.stdout.flush()
    return reached


def main() -> int:
    """Measure everything; return 1 if a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--runs", type=int, default=7, help="runs of every rule set")
    parser.add_argument("--seconds", type=float, default=0.3, help="how long each run is")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    speeds = measure_speed(arguments.runs, arguments.seconds, arguments.seed)
    peer = speeds.pop("royalur")
    report("royalur", f"{peer:10,.0f} throws/s", reached=True)
    reached = [
        report(
            name,
            f"{speed:10,.0f} throws/s   {speed / peer:5.2f} x   (target {TARGETS[name]})",
            reached=speed / peer >= TARGETS[name],
        )
        for name, speed in speeds.items()
    ]
    size = max(largest_position(rule_set(n), Random(arguments.seed)) for n in RULE_SETS)
    reached.append(report("position", f"{size:6} bytes", size < LARGEST_POSITION_BYTES))
    took = import_ms(arguments.runs)
    reached.append(report("import", f"{took:6.1f} ms", took < SLOWEST_IMPORT_MS))
    return 0 if all(reached) else 1


if __name__ == "__main__":
    sys.exit(main())
