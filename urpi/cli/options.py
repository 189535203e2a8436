"""What several commands share: the configuration, rule sets, addresses."""

import functools
import math
import os
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import click

from urpi.core.errors import UrpiError

if TYPE_CHECKING:
    from urpi.config import Config, LoadedConfig

DEFAULT_RULES: Final = "finkel"


class NumberIn(click.FloatRange):
    """A number in a range, without nan, which is not below any minimum."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number of a word."""
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{number} is not in the range {self._describe_range()}.", param, ctx)
        return number


def settings_of(ctx: click.Context) -> "LoadedConfig":
    """The settings of this call, from `--config`, the environment or the default files.

    Raises:
        UrpiError: If they are invalid.
    """
    from urpi.config import load

    return load(ctx.find_root().obj, os.environ)


def clock_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--clock` to a command; it is called with `clock`, as in the configuration, or None."""
    return click.option(
        "--clock",
        metavar="MINUTES[+SECONDS]",
        callback=lambda _ctx, _param, word: None if word is None else _parse_clock(word),
        help="The game clock in place of the configured one: the minutes of each side, and the "
        "seconds added after each own move, such as 10+5.",
    )(command)


def _parse_clock(word: str) -> str:
    from urpi.referee.clock import parse_time_control

    return str(parse_time_control(word))


def with_clock(config: "Config", clock: str | None) -> "Config":
    """Return the configuration with another clock, unless it is None."""
    return config if clock is None else replace(config, table=replace(config.table, clock=clock))


def rules_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--rules` and `--option` to a command; it is called with `rules`, a `RuleSet`."""

    @click.option(
        "--rules",
        "rules_name",
        metavar="RULES",
        default=DEFAULT_RULES,
        show_default=True,
        help="The rule set, also as records write it: finkel[pieces=3]; `urpi rules` lists them.",
    )
    @click.option(
        "--option",
        "options",
        metavar="NAME=VALUE",
        multiple=True,
        help="A house rule of that rule set; may be repeated.",
    )
    @functools.wraps(command)
    def with_rules(*args: Any, rules_name: str, options: tuple[str, ...], **others: Any) -> Any:
        from urpi.rules import parse_rules

        return command(*args, rules=parse_rules(rules_name, parse_options(options)), **others)

    return with_rules


def parse_options(texts: tuple[str, ...]) -> dict[str, str]:
    """Parse house rules NAME=VALUE.

    Raises:
        UrpiError: If a text has another form, or a name is repeated.

    >>> parse_options(("pieces=5",))
    {'pieces': '5'}
    """
    options: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or name in options:
            message = f"A house rule must be NAME=VALUE, each given once; found {text!r:.60}."
            raise UrpiError(message)
        options[name] = value
    return options


def parse_listen(address: str | None) -> str | None:
    """An option with the address of a page, None if it is not given.

    Raises:
        click.BadParameter: If it is invalid.
    """
    if address is None:
        return None
    from urpi.config.address_kinds import Listen

    try:
        return Listen().parse(address)
    except ValueError as error:
        message = f"{address!r} is invalid; use {error}."
        raise click.BadParameter(message) from error
