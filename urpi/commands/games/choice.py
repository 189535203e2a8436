"""Which games: the options that choose some of the journal's."""

from collections.abc import Callable
from datetime import date
from functools import wraps
from typing import Any, Final

import click

from urpi.errors import UrpiError

_OPTIONS: Final = (
    click.option("--player", metavar="NAME", help="Games in which NAME played."),
    click.option("--rules", metavar="ID", help="Games of that rule set, whatever its options."),
    click.option("--since", metavar="DAY", help="Games begun on that day or later, local time."),
    click.option("--until", metavar="DAY", help="Games begun on that day or before."),
)


def choosing_games(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the four options; it is called with their `choice`."""

    @wraps(command)
    def chosen(
        player: str | None, rules: str | None, since: str | None, until: str | None, **others: Any
    ) -> None:
        from urpi.journal import Choice

        if rules is not None:
            from urpi.rules import rule_set

            rule_set(rules.partition("[")[0])
        first, last = _day("--since", since), _day("--until", until)
        if first and last and first > last:
            message = f"--since {first} is behind --until {last}; exchange the two."
            raise UrpiError(message)
        command(choice=Choice(player, rules, first, last), **others)

    for option in reversed(_OPTIONS):
        chosen = option(chosen)
    return chosen


def _day(option: str, text: str | None) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError as error:
        message = f"{option} is a day such as 2026-11-20; found {text!r}."
        raise UrpiError(message) from error
