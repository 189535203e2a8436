"""`urpi perft`: count the possible games, the classic test of a rules core."""

import click

from urpi.cli.options import rules_option
from urpi.cli.output import AS_JSON, json_text
from urpi.rules import RuleSet, Side
from urpi.rules import perft as count_games


@click.command()
@rules_option
@click.option(
    "--depth",
    type=click.IntRange(1, 20),
    default=5,
    show_default=True,
    help="Number of throws.",
)
@AS_JSON
def perft(rules: RuleSet, depth: int, as_json: bool) -> None:
    """Count the possible games up to a depth; print each depth with its count.

    From the start, with light to throw. Each distinct throw and each legal move is a branch; a
    pass counts as one.

    For example: urpi perft --rules finkel --depth 6
    """
    start = rules.start(Side.LIGHT)
    for level in range(1, depth + 1):
        count = count_games(start, level)
        click.echo(json_text({"depth": level, "games": count}) if as_json else f"{level} {count}")
