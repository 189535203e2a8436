"""`urpi rules`: list the rule sets, or explain one with a drawing of its path."""

from collections.abc import Iterable

import click

from urpi.cli.options import parse_options
from urpi.cli.output import ListOutput, list_options, table
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
@list_options
def rules(name: str | None, options: tuple[str, ...], side: str, to: ListOutput) -> None:
    """List the rule sets, or explain one with a drawing of its path.

    For example: urpi rules murray --side dark
    """
    if name is None:
        to.write(map(rule_set, RULE_SETS), _values, _list)
        return
    found = parse_rules(name, parse_options(options))
    to.write([found], _values, lambda _: [rules_page(found, Side(side))])


def _list(found: Iterable[RuleSet]) -> Iterable[str]:
    return table(("ID", "PIECES", "DICE", "THE RULES OF"), [_row(each) for each in found])


def _values(rules: RuleSet) -> dict[str, object]:
    # Only for JSON: reading a list needs nothing of the page.
    from urpi.page.documents.positions import rules_document

    return rules_document(rules, words_for("en"))


def _row(rules: RuleSet) -> tuple[str, str, str, str]:
    bodies = {"d4": "tetrahedra", "d6": "d6"}
    dice = f"{rules.dice.count} {bodies[rules.dice.body]}"
    return rules.id, str(rules.pieces), dice, words_for("en").rules(rules.id)
