"""Evaluators to choose from, tables of exact values and networks, and requests about positions."""

import json
from typing import TYPE_CHECKING, Final

import click

from urpi.cli.output import echo_error
from urpi.core.errors import UrpiError
from urpi.rules import RuleSet

if TYPE_CHECKING:
    from urpi.engine.evaluator import Evaluator
    from urpi.engine.exact.installed import Installed

EVALUATORS: Final = ("best", "exact", "network")

evaluator_option: Final = click.option(
    "--evaluator",
    type=click.Choice(EVALUATORS),
    default="best",
    show_default=True,
    help="Where values come from: an installed table of exact values, or else the network.",
)


class Evaluators:
    """The evaluators of all rule sets by a choice of `EVALUATORS`. Each is opened once."""

    def __init__(self, installed: "Installed", choice: str) -> None:
        self._installed = installed
        self._choice = choice
        self._opened: dict[str, Evaluator] = {}

    def of(self, rules: RuleSet) -> "Evaluator":
        """The evaluator of a rule set.

        With the choice ``best`` a damaged table is reported on standard error, and the network
        takes its place.

        Raises:
            UrpiError: If it needs a table and none is installed, or a file is damaged.
        """
        found = self._opened.get(rules.text)
        if found is None:
            found = self._opened[rules.text] = self._open(rules)
        return found

    def _open(self, rules: RuleSet) -> "Evaluator":
        from urpi.engine.network_file import estimator

        if self._choice == "network":
            return estimator(rules)
        try:
            table = self._installed.open(rules)
        except UrpiError as error:
            if self._choice == "exact":
                raise
            echo_error(f"{error} The network is used instead.")
            return estimator(rules)
        if table is None and self._choice == "exact":
            message = (
                f"No table of exact values for {rules.text} is installed; build it with "
                "`urpi solve`, or install one with `urpi tables install`."
            )
            raise UrpiError(message)
        return table or estimator(rules)


MAX_LINE_BYTES: Final = 4096
"""Maximum length of a request in bytes, ten times that of the longest position."""


def parse_request(line: bytes) -> dict[str, object]:
    """The object of a line.

    Raises:
        UrpiError: If the line is too long or is not valid JSON object.
    """
    if len(line) > MAX_LINE_BYTES:
        message = f"A request must be at most {MAX_LINE_BYTES} bytes long; found a longer line."
        raise UrpiError(message)
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        message = f'A request must be a JSON object, {{"position": TEXT, "faces": TEXT}}; {error}.'
        raise UrpiError(message) from error
    if not isinstance(found, dict):
        message = f"A request must be a JSON object; found {type(found).__name__}."
        raise UrpiError(message)
    return found


def text_of(request: dict[str, object], key: str) -> str:
    """The text of a key.

    Raises:
        UrpiError: If there is none.
    """
    value = request.get(key)
    if not isinstance(value, str):
        message = f"A request must have {key!r} with a text; found {value!r:.60}."
        raise UrpiError(message)
    return value
