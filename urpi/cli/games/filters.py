"""Options that select games of the journal."""

from collections.abc import Callable
from datetime import date
from functools import wraps
from typing import Any, Final

import click

from urpi.cli.games.group import open_journal
from urpi.core.errors import UrpiError

_OPTIONS: Final = (
    click.option("--player", metavar="NAME", help="Only games of this player."),
    click.option("--rules", metavar="ID", help="Only games of this rule set, with any options."),
    click.option(
        "--since", metavar="DAY", help="Only games begun on this day or later, local time."
    ),
    click.option("--until", metavar="DAY", help="Only games begun on this day or earlier."),
)


def filter_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the four options to a command; it is called with their `choice`."""

    @wraps(command)
    def with_choice(
        player: str | None, rules: str | None, since: str | None, until: str | None, **others: Any
    ) -> None:
        from urpi.journal import Choice

        if rules is not None:
            _check_rules(rules)
        first, last = _day("--since", since), _day("--until", until)
        if first and last and first > last:
            message = f"--since {first} is after --until {last}; exchange the two."
            raise UrpiError(message)
        command(choice=Choice(player, rules, first, last), **others)

    for option in reversed(_OPTIONS):
        with_choice = option(with_choice)
    return with_choice


def _check_rules(rules: str) -> None:
    """Check that the program or the journal has a rule set, given by its id or its whole text.

    Raises:
        UrpiError: If neither has it.
    """
    from urpi.rules import RULE_SETS, rule_set

    name = rules.partition("[")[0]
    if name not in RULE_SETS:
        # A game may have been stored by another version of the program.
        stored = open_journal(click.get_current_context()).rows("SELECT DISTINCT rules FROM games")
        if name not in {each.partition("[")[0] for (each,) in stored}:
            rule_set(name)


def _day(option: str, text: str | None) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError as error:
        message = f"{option} must be a day such as 2026-11-20; found {text!r}."
        raise UrpiError(message) from error
