"""Reviews with exact values: `python -m tests.bench_engine.review_balance [TABLE VALUES]`.

For every random game, result - start = luck - losses is checked, and that the value before each
throw is the solved one. The largest difference is printed, and the mean luck of a throw, which is 0
but for chance. The exit status is 1 if a difference exceeds 1e-9.

Without arguments, every race is solved with three pieces (extra ``solve``) and reviewed. VALUES is
a file of the float64 values that TABLE was rounded from, as for `rounding`; the sums are then
checked with both.
"""

from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from tempfile import TemporaryDirectory

import click

from tests.bench_engine.rounding import Values
from tests.engine.review.balance import check_reviews
from urpi.engine.evaluator import Evaluator
from urpi.engine.exact.values import ExactValues
from urpi.engine.race_index import RaceIndex
from urpi.rules import RuleSet, parse_rules

MOST = 1e-9
RACES = ("finkel", "finkel3", "coursework", "bell", "masters", "blitz")


def check(
    evaluator: Evaluator, rules: RuleSet, games: int, seed: int, *, exact: bool = True
) -> float:
    """Print the figures of an evaluator, and return the largest difference."""
    found = check_reviews(evaluator, rules, games, seed, exact=exact)
    error = 1.96 * stdev(found.luck) / sqrt(found.throws)
    click.echo(
        f"{rules.text}, {games:,} games, {found.throws:,} throws, seed {seed}: largest difference "
        f"{found.worst:.1e}, mean luck {fmean(found.luck):.1e} ± {error:.1e}"
    )
    return found.worst


def check_solved(rules: RuleSet, games: int, seed: int) -> float:
    """Solve a race, print the figures of its exact values, and return the largest difference."""
    from tests.engine.solver.test_solving import Solved  # noqa: PLC0415 - needs the extra
    from urpi.engine.solver.solving import Checkpoint, solve  # noqa: PLC0415

    index = RaceIndex(rules)
    with TemporaryDirectory() as folder:
        checkpoint = Checkpoint(Path(folder) / "work", rules.text, index.size)
        solution = solve(index, checkpoint, lambda _: None)
    return check(Solved(index, solution), rules, games, seed)


@click.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.argument("values", type=click.Path(path_type=Path), required=False)
@click.option("--games", type=click.IntRange(2), default=1000, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
def main(file: Path | None, values: Path | None, games: int, seed: int) -> None:
    """Review random games with exact values."""
    if file is None or values is None:
        races = [parse_rules(f"{each}[pieces=3]") for each in RACES]
        worst = [check_solved(rules, games, seed) for rules in races]
    else:
        with ExactValues(file) as table:
            solved = Values(values, table.rules)
            worst = [
                check(solved, table.rules, games, seed),
                check(table, table.rules, games, seed, exact=False),
            ]
    click.get_current_context().exit(0 if max(worst) <= MOST else 1)


if __name__ == "__main__":
    main()
