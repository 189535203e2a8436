"""What the moves of a network give away: `python -m tests.bench_engine.losses TABLE`.

The network of the table's rule set plays against itself, with one ply. The loss of a move is the
value of the best move minus its own, by the table. A decision is a throw with at least two legal
moves.
"""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from statistics import fmean, stdev

import click

from urpi.engine.evaluator import move_values
from urpi.engine.exact.values import ExactValues
from urpi.engine.network_file import network
from urpi.rules import Side


def losses(table: ExactValues, seed: int) -> Iterator[float]:
    """Yield the losses of a network's decisions without end, in percentage points."""
    rules, random = table.rules, Random(seed)
    estimate, position = network(rules), rules.start(Side.LIGHT)
    while True:
        throw = rules.dice.roll(random.random())
        chosen = move_values(estimate, position, throw)[0].move
        exact = {each.move: each.value for each in move_values(table, position, throw)}
        if len(exact) > 1:
            yield 100 * (max(exact.values()) - exact[chosen])
        position = rules.play(position, throw, chosen)
        if position.turn is None:
            position = rules.start(Side.LIGHT)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--decisions", type=click.IntRange(2), default=20_000, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
def main(file: Path, decisions: int, seed: int) -> None:
    """Measure how much the moves of a network lose by the exact values of a table."""
    with ExactValues(file) as table:
        found = list(islice(losses(table, seed), decisions))
    margin = 1.96 * stdev(found) / decisions**0.5
    click.echo(
        f"{table.header.rules}: {decisions:,} decisions, seed {seed}, mean loss "
        f"{fmean(found):.3f} +- {margin:.3f} percentage points; the best move in "
        f"{sum(each < 1e-9 for each in found) / decisions:.1%}"
    )


if __name__ == "__main__":
    main()
