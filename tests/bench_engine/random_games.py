"""Speed of the compiled random games: `python -m tests.bench_engine.random_games`.

The kernel, the rules in Python and `royalur`, the peer, play random games in turn in one process on
one core; the medians of throws per second of processor time are printed. The exit status is 1 if
the kernel is slower than the target in `finkel`.
"""

import time
from functools import partial
from random import Random
from statistics import median

import click

from tests.bench.__main__ import play, play_peer, throws_per_second
from tests.bench_engine.compiled_games import play_throws, setup_of
from urpi.rules import parse_rules

RULES = ("finkel", "finkel3", "coursework", "bell", "masters", "blitz")
TARGET = 48e6
THROWS = 2_000_000


def kernel_speed(rules: str, seed: int) -> float:
    """Return the kernel's throws per second of this thread's CPU time."""
    setup = setup_of(parse_rules(rules))
    play_throws(setup, seed, 1000)
    began = time.thread_time()
    play_throws(setup, seed, THROWS)
    return THROWS / (time.thread_time() - began)


@click.command()
@click.option("--runs", type=click.IntRange(1), default=9, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
def main(runs: int, seed: int) -> None:
    """Compare the kernel with the rules in Python and with the peer."""
    speeds: dict[str, list[float]] = {}
    for run in range(runs):
        random = Random(seed + run)
        speeds.setdefault("royalur", []).append(throws_per_second(play_peer, random, 0.2))
        for rules in RULES:
            speeds.setdefault(rules, []).append(kernel_speed(rules, seed + run))
            pure = throws_per_second(partial(play, parse_rules(rules)), random, 0.2)
            speeds.setdefault(f"{rules}, Python", []).append(pure)
    peer = median(speeds["royalur"])
    for name, found in speeds.items():
        middle = median(found)
        click.echo(f"{name:20} {middle:12,.0f} throws/s {middle / peer:10.1f} x royalur")
    click.get_current_context().exit(0 if median(speeds["finkel"]) >= TARGET else 1)


if __name__ == "__main__":
    main()
