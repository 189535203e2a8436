"""`urpi perft`: how many ways a game can go, the classic check of a rules core."""

import click

from urpi.commands.choosing import rules_option
from urpi.rules import RuleSet, Side
from urpi.rules import perft as count_ways


@click.command()
@rules_option
@click.option(
    "--depth",
    type=click.IntRange(1, 20),
    default=5,
    show_default=True,
    help="How many throws deep.",
)
def perft(rules: RuleSet, depth: int) -> None:
    """Count the ways to play, a line a depth: the depth and the count.

    From the start, light to throw. Every different throw branches once, every legal move
    once, a pass counts one.
    """
    start = rules.start(Side.LIGHT)
    for level in range(1, depth + 1):
        click.echo(f"{level} {count_ways(start, level)}")
