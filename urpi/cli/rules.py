"""`urpi rules`: list the rule sets, or explain one with a drawing of its path."""

import click

from urpi.cli.options import parse_options
from urpi.rules import RULE_SETS, RuleSet, Side, parse_rules, rule_set
from urpi.show.words import words_for
from urpi.show.words.rules_text import rules_page


@click.command()
@click.argument("name", metavar="[RULES]", required=False)
@click.option(
    "--option",
    "options",
    metavar="NAME=VALUE",
    multiple=True,
    help="A house rule of that rule set; may be repeated.",
)
@click.option(
    "--side",
    type=click.Choice([side.value for side in Side]),
    default="light",
    show_default=True,
    help="The side whose path is drawn.",
)
def rules(name: str | None, options: tuple[str, ...], side: str) -> None:
    """List the rule sets, or explain one with a drawing of its path."""
    if name is None:
        for line in _list():
            click.echo(line)
        return
    click.echo(rules_page(parse_rules(name, parse_options(options)), Side(side)))


def _list() -> list[str]:
    rows = [("ID", "PIECES", "DICE", "THE RULES OF")]
    rows += [_row(rule_set(name)) for name in RULE_SETS]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return [
        "  ".join([*(row[n].ljust(widths[n]) for n in range(3)), row[3]]).rstrip() for row in rows
    ]


def _row(rules: RuleSet) -> tuple[str, str, str, str]:
    bodies = {"d4": "tetrahedra", "d6": "d6"}
    dice = f"{rules.dice.count} {bodies[rules.dice.body]}"
    return rules.id, str(rules.pieces), dice, words_for("en").rules(rules.id)
