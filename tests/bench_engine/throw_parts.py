"""Where the time of a random throw goes: `python -m tests.bench_engine.throw_parts [RULES...]`.

For each rule set, the throws of random games are repeated part by part: the dice, `legal_moves` and
`play`. Each part's shortest processor time is printed, in microseconds for each throw: on a machine
with other work, the shortest of many short runs varies least. The last column is the number of
legal moves of a throw, on average.
"""

import time
from collections.abc import Callable
from random import Random
from statistics import mean
from typing import NamedTuple

import click

from urpi.rules import PASS, RULE_SETS, Move, Position, RuleSet, Side, Throw, parse_rules

LONGEST_GAME = 400
"""Throws after which a game is stopped, as in `tests.bench`."""


class Played(NamedTuple):
    """A throw of a random game with the move made."""

    position: Position
    throw: Throw
    move: Move


def random_throws(rules: RuleSet, random: Random, games: int) -> list[Played]:
    """Return all throws of random games."""
    found = []
    for _ in range(games):
        position = rules.start(Side.LIGHT)
        for _ in range(LONGEST_GAME):
            if position.turn is None:
                break
            throw = rules.dice.roll(random.random())
            move = random.choice(rules.legal_moves(position, throw) or (PASS,))
            found.append(Played(position, throw, move))
            position = rules.play(position, throw, move)
    return found


def shortest_us(part: Callable[[Played], object], throws: list[Played], runs: int) -> float:
    """Return the shortest time of a part of a throw, on average over all throws."""

    def run() -> int:
        began = time.thread_time_ns()
        for each in throws:
            part(each)
        return time.thread_time_ns() - began

    return min(run() for _ in range(runs)) / len(throws) / 1000


def part_times(rules: RuleSet, throws: list[Played], random: Random, runs: int) -> dict[str, float]:
    """Return the shortest time of each part of a throw in microseconds."""
    parts: dict[str, Callable[[Played], object]] = {
        "dice": lambda _each: rules.dice.roll(random.random()),
        "legal_moves": lambda each: rules.legal_moves(each.position, each.throw),
        "play": lambda each: rules.play(each.position, each.throw, each.move),
    }
    empty = shortest_us(lambda _each: None, throws, runs)
    return {name: shortest_us(part, throws, runs) - empty for name, part in parts.items()}


@click.command()
@click.argument("rules", nargs=-1)
@click.option("--runs", type=click.IntRange(1), default=100, show_default=True)
@click.option("--throws", type=click.IntRange(1), default=600, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
def main(rules: tuple[str, ...], runs: int, throws: int, seed: int) -> None:
    """Print the time of each part of a throw."""
    for word in rules or RULE_SETS:
        chosen, random = parse_rules(word), Random(seed)
        some = random.sample(random_throws(chosen, random, 10), throws)
        times = part_times(chosen, some, random, runs)
        shown = "   ".join(f"{name} {each:6.2f} µs" for name, each in times.items())
        moves = mean(len(chosen.legal_moves(each.position, each.throw)) for each in some)
        click.echo(f"{word:14} {shown}   {moves:5.2f} legal moves")


if __name__ == "__main__":
    main()
