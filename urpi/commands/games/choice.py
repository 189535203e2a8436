"""Which games: the options that choose some of the journal's."""

from collections.abc import Callable
from datetime import date
from functools import wraps
from typing import Any, Final

import click

from urpi.journal import Choice

_DAY: Final = click.DateTime(["%Y-%m-%d"])
_OPTIONS: Final = (
    click.option("--player", metavar="NAME", help="Games in which NAME played."),
    click.option("--rules", metavar="ID", help="Games of that rule set, whatever its options."),
    click.option(
        "--since", metavar="DAY", type=_DAY, help="Games begun on that day or later, local time."
    ),
    click.option("--until", metavar="DAY", type=_DAY, help="Games begun on that day or before."),
)


def choosing_games(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the four options; it is called with their `choice`."""

    @wraps(command)
    def chosen(
        player: str | None, rules: str | None, since: Any, until: Any, **others: Any
    ) -> None:
        command(choice=Choice(player, rules, _day(since), _day(until)), **others)

    for option in reversed(_OPTIONS):
        chosen = option(chosen)
    return chosen


def _day(moment: Any) -> date | None:
    return None if moment is None else moment.date()
