"""What rounding costs: `python -m tests.bench_engine.rounding TABLE VALUES`.

VALUES is a file of the float64 values that TABLE was rounded from, in the same order: the file
`values` of a checkpoint whose layers are all solved. Games are played in which both sides choose by
the table. Whenever the chosen move is not the best one by the values, the difference is the
probability to win that was given away. A player who chooses by the table wins as much less often
against one who chooses by the values as it gives away in a game.
"""

import mmap
import struct
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev

import click

from urpi.engine.evaluator import move_values
from urpi.engine.exact.values import ExactValues
from urpi.engine.race_index import RaceIndex
from urpi.rules import PASS, Position, RuleSet, Side, Throw

MAX_POINTS = 0.05


class Values:
    """An evaluator of float64 values in a file."""

    kind = "exact"

    def __init__(self, path: Path, rules: RuleSet) -> None:
        self._index = RaceIndex(rules)
        with path.open("rb") as file:
            self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def value(self, position: Position) -> float:
        """Return the value of a position that is not over."""
        return float(struct.unpack_from("=d", self._bytes, 8 * self._index(position))[0])


def loss_of_game(table: ExactValues, values: Values, first: Side, random: Random) -> float:
    """Return what both sides give away in a game, on average for one side."""
    rules = table.rules
    position, lost = rules.start(first), 0.0
    while position.turn is not None:
        throw: Throw = rules.dice.roll(random.random())
        move = PASS
        if len(rules.legal_moves(position, throw)) > 0:
            move = move_values(table, position, throw)[0].move
            exact = {each.move: each.value for each in move_values(values, position, throw)}
            lost += max(exact.values()) - exact[move]
        position = rules.play(position, throw, move)
    return lost / 2


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("values", type=click.Path(path_type=Path))
@click.option("--games", type=click.IntRange(2), default=1000, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
def main(file: Path, values: Path, games: int, seed: int) -> None:
    """Measure what a player who chooses by the rounded table gives away in a game."""
    random = Random(seed)
    with ExactValues(file) as table:
        exact = Values(values, table.rules)
        losses = [
            100 * loss_of_game(table, exact, list(Side)[game % 2], random) for game in range(games)
        ]
        mean, error = fmean(losses), 1.96 * stdev(losses) / sqrt(games)
        click.echo(
            f"{table.header.rules}: {mean:.2g} +/- {error:.1g} percentage points given away in a "
            f"game, 95 % confidence; {games:,} games, seed {seed}"
        )
    click.get_current_context().exit(0 if mean + error < MAX_POINTS else 1)


if __name__ == "__main__":
    main()
