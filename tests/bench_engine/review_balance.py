"""Reviews with exact values: `python -m tests.bench_engine.review_balance TABLE VALUES`.

VALUES is a file of the float64 values that TABLE was rounded from, as for `rounding`. For every
random game, result - start = luck - losses is checked with both. The largest difference is printed,
and the mean luck of a throw, which is 0 for exact values but for chance. The exit status is 1
if a difference exceeds 1e-9.
"""

from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev

import click

from tests.bench_engine.rounding import Values
from tests.review.games import random_game
from tests.review.test_review import balance
from urpi.engine.evaluator import Evaluator
from urpi.review import review_record
from urpi.rules import RuleSet
from urpi.tables.table import Table

MOST = 1e-9


def check(evaluator: Evaluator, rules: RuleSet, games: int, seed: int) -> float:
    """Print the figures of an evaluator, and return the largest difference."""
    random, worst, luck = Random(seed), 0.0, []
    for _ in range(games):
        review = review_record(random_game(rules, random, 10_000), evaluator)
        worst = max(worst, abs(balance(review)))
        luck += [each.luck for each in review.throws]
    click.echo(
        f"{rules.text}, {games:,} games, {len(luck):,} throws, seed {seed}: largest difference "
        f"{worst:.1e}, mean luck {fmean(luck):.1e} ± {1.96 * stdev(luck) / sqrt(len(luck)):.1e}"
    )
    return worst


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("values", type=click.Path(path_type=Path))
@click.option("--games", type=click.IntRange(2), default=3000, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
def main(file: Path, values: Path, games: int, seed: int) -> None:
    """Review random games with exact and with rounded values."""
    with Table(file) as table:
        worst = [
            check(Values(values, table.rules), table.rules, games, seed),
            check(table, table.rules, games, seed),
        ]
    click.get_current_context().exit(0 if max(worst) <= MOST else 1)


if __name__ == "__main__":
    main()
