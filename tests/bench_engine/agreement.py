"""Agreement of a table with the rules: `python -m tests.bench_engine.agreement TABLE`.

For each of many random positions every throw and every legal move of `urpi.rules` is played, and
the value of the position is computed from the values after the best moves. It is compared with
the table's value. All values are rounded to 1/65,535, so they may differ by as much. The exit
status is 1 if one differs by more. Where a table has only the positions that can be reached, those
of random games are compared.
"""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import click

from tests.bench_engine.positions import table_positions
from urpi.engine.evaluator import expected_value
from urpi.engine.exact.values import HIGHEST, ExactValues
from urpi.rules import Position
from urpi.rules.race import Race


def differences(table: ExactValues, seed: int) -> Iterator[tuple[float, Position]]:
    """Yield random positions without end, each with the difference of its values."""
    rules, random = table.rules, Random(seed)
    assert isinstance(rules, Race)
    for position in table_positions(rules, random):
        yield abs(table.value(position) - expected_value(table, position)), position


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--positions", type=click.IntRange(1), default=1_000_000, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
def main(file: Path, positions: int, seed: int) -> None:
    """Compare the values of a table with the rules, move by move."""
    with ExactValues(file) as table:
        worst, where = max(islice(differences(table, seed), positions), key=lambda each: each[0])
        click.echo(
            f"{table.header.rules}: {positions:,} positions, seed {seed}, "
            f"largest difference {worst:.2e} at {where}"
        )
    click.get_current_context().exit(0 if worst < 1.001 / HIGHEST else 1)


if __name__ == "__main__":
    main()
