"""Play random games with both implementations of the rules, side by side.

`python -m tests.rules.compare --games 2000` plays that many games of every rule set, half of
them with its default options, on all cores. `--perft` counts every line of tests/perft/.
Each game has its own seed, which is named when the two differ.
"""

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product
from random import Random

from tests import second
from tests.output import print_line
from tests.rules.perft_lines import perft_lines
from urpi.rules import RULE_SETS, RuleSet, Side, parse_move, parse_position, perft, rule_set

LONGEST_GAME = 500
"""Throws after which a game is left; random games of some sets go on for thousands."""


@dataclass(frozen=True)
class Result:
    """What a game came to: its rules and seed, its throws, whether it ended, the difference."""

    rules: str
    seed: int
    throws: int
    ended: bool
    difference: str = ""


def every_rule_set(name: str) -> list[RuleSet]:
    """A rule set with every combination of its options, the default first."""
    # Who begins and whether a throw may be declined change no move.
    known = RULE_SETS[name].known_options
    options = [option for option in known if option.name not in {"start", "decline"}]
    chosen = product(*(option.values for option in options))
    names = [option.name for option in options]
    return [rule_set(name, dict(zip(names, values, strict=True))) for values in chosen]


def rules_of_game(name: str, number: int) -> RuleSet:
    """The default rules in every second game, in the others the next combination of options."""
    sets = every_rule_set(name)
    return sets[0] if number % 2 == 0 else sets[(number // 2 + 1) % len(sets)]


def play_side_by_side(rules: RuleSet, seed: int, longest: int = LONGEST_GAME) -> Result:
    """A random game by both implementations, up to its end or the first difference."""
    random = Random(seed)
    first = random.choice(list(Side))
    position = rules.start(first)
    text = second.start(rules.text, first.letter)
    for throws in range(longest):
        difference = _difference(str(position), text)
        if difference:
            return Result(rules.text, seed, throws, ended=False, difference=difference)
        winner = rules.winner(position)
        if second.winner(text) != (winner and winner.letter):
            return Result(
                rules.text, seed, throws, ended=False, difference=f"{text}: another winner"
            )
        if position.turn is None:
            return Result(rules.text, seed, throws, ended=True)
        throw = rules.dice.roll(random.random())
        moves = [move.text for move in rules.legal_moves(position, throw)]
        difference = _difference(moves, second.legal(text, throw.faces))
        if difference:
            where = f"{text} with {throw.faces}: {difference}"
            return Result(rules.text, seed, throws, ended=False, difference=where)
        move = random.choice(moves) if moves else "pass"
        position = rules.play(position, throw, parse_move(move))
        text = second.play(text, throw.faces, move)
    return Result(rules.text, seed, longest, ended=False)


def _difference(ours: object, theirs: object) -> str:
    return "" if ours == theirs else f"urpi {ours}, second {theirs}"


def _game(job: tuple[str, int, int]) -> Result:
    name, number, seed = job
    return play_side_by_side(rules_of_game(name, number), seed + number)


def _count(line: tuple[str, int, int]) -> str:
    position, depth, leaves = line
    found = perft(parse_position(position), depth)
    return "" if found == leaves else f"{position} depth {depth}: {found}, not {leaves}"


def compare_games(pool: ProcessPoolExecutor, names: list[str], games: int, seed: int) -> bool:
    """Play and print a line a rule set; whether the two were equal throughout."""
    equal = True
    for name in names:
        began = time.perf_counter()
        jobs = [(name, number, seed) for number in range(games)]
        results = list(pool.map(_game, jobs, chunksize=10))
        wrong = [result for result in results if result.difference]
        print_line(
            f"{name:12} {len(results)} games ({sum(r.ended for r in results)} to their end), "
            f"{len({r.rules for r in results})} sets of options, "
            f"{sum(r.throws for r in results)} throws, {len(wrong)} games differ, "
            f"{time.perf_counter() - began:.0f} s"
        )
        for result in wrong[:10]:
            print_line(f"  seed {result.seed}: {result.rules}: {result.difference}")
        equal = equal and not wrong
    return equal


def compare_perft(pool: ProcessPoolExecutor) -> bool:
    """Count every depth of every line of tests/perft/; whether all numbers are right."""
    lines = [
        (position, depth, leaves) for position, depths in perft_lines() for depth, leaves in depths
    ]
    wrong = [answer for answer in pool.map(_count, lines) if answer]
    print_line("\n  ".join([f"perft        {len(lines)} numbers, {len(wrong)} differ", *wrong]))
    return not wrong


def main() -> int:
    """Run what the arguments ask for; the exit status is 1 when anything differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.rules.compare", description=__doc__)
    parser.add_argument("--games", type=int, default=0, help="games of every rule set")
    parser.add_argument("--rules", nargs="*", default=list(RULE_SETS), choices=list(RULE_SETS))
    parser.add_argument("--seed", type=int, default=1, help="the first game's seed")
    parser.add_argument("--perft", action="store_true", help="count all of tests/perft/")
    arguments = parser.parse_args()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        equal = compare_games(pool, arguments.rules, arguments.games, arguments.seed)
        if arguments.perft:
            equal = compare_perft(pool) and equal
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
