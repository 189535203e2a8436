"""Options that select games of the journal."""

from collections.abc import Callable
from datetime import date
from functools import wraps
from typing import Any, Final

import click

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
            from urpi.rules import rule_set

            rule_set(rules.partition("[")[0])
        first, last = _day("--since", since), _day("--until", until)
        if first and last and first > last:
            message = f"--since {first} is after --until {last}; exchange the two."
            raise UrpiError(message)
        command(choice=Choice(player, rules, first, last), **others)

    for option in reversed(_OPTIONS):
        with_choice = option(with_choice)
    return with_choice


def _day(option: str, text: str | None) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError as error:
        message = f"{option} must be a day such as 2026-11-20; found {text!r}."
        raise UrpiError(message) from error
