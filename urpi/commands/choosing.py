"""What several commands let their user choose: the configuration, a rule set, house rules."""

import functools
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import click

from urpi.errors import UrpiError

if TYPE_CHECKING:
    from urpi.config import Settings

DEFAULT_RULES: Final = "finkel"


def settings_of(ctx: click.Context) -> "Settings":
    """The settings in force for this call: `--config`, the environment, the usual files.

    Raises:
        UrpiError: when they are wrong.
    """
    from urpi.config import load

    return load(ctx.find_root().obj, os.environ)


def rules_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--rules` and `--option`; it is called with `rules`, a `RuleSet`."""

    @click.option(
        "--rules",
        "rules_name",
        metavar="ID",
        default=DEFAULT_RULES,
        show_default=True,
        help="The rule set; `urpi rules` lists them.",
    )
    @click.option(
        "--option",
        "options",
        metavar="NAME=VALUE",
        multiple=True,
        help="A house rule of that rule set; may be given several times.",
    )
    @functools.wraps(command)
    def chosen(*args: Any, rules_name: str, options: tuple[str, ...], **others: Any) -> Any:
        from urpi.rules import rule_set

        return command(*args, rules=rule_set(rules_name, parse_options(options)), **others)

    return chosen


def parse_options(texts: tuple[str, ...]) -> dict[str, str]:
    """House rules by name from texts NAME=VALUE.

    Raises:
        UrpiError: when one is not of that form, or a name stands twice.

    >>> parse_options(("pieces=5",))
    {'pieces': '5'}
    """
    options: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or name in options:
            message = f"A house rule is NAME=VALUE, each given once; found {text!r}."
            raise UrpiError(message)
        options[name] = value
    return options
