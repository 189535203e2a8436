"""`urpi referee`: referee lines of facts."""

from collections.abc import Iterable
from typing import IO

from urpi.cli.output import utf_8_output
from urpi.config import Config
from urpi.core.errors import UrpiError
from urpi.core.inputs import stdin_lines
from urpi.referee import Settings, begin, step
from urpi.referee.facts import Fact
from urpi.referee.lines import LONGEST_LINE, decision_line, parse_fact
from urpi.service.referee_settings import referee_settings


def referee_stdin(config: Config, language: str | None) -> None:
    """Referee the facts on standard input, and write the decisions to standard output.

    Raises:
        UrpiError: If the language is not available, or as `referee_lines`.
    """
    settings = referee_settings(config, language)
    # A character has up to four bytes in UTF-8.
    facts = stdin_lines(4 * LONGEST_LINE)
    referee_lines(
        (line.decode("utf-8", "surrogateescape") for line in facts), utf_8_output(), settings
    )


def referee_lines(facts: Iterable[str], decisions: IO[str], settings: Settings) -> None:
    """Write the decisions on each line of facts.

    Raises:
        UrpiError: At the first line that is not a fact, or whose time decreases; the rest is not
            read.
    """
    state = begin(settings)
    last = 0
    for number, line in enumerate(facts, 1):
        if len(line) <= LONGEST_LINE and not line.strip():
            continue
        fact = parse_fact(line, number)
        _check_time(fact, last, number)
        last = fact.t
        try:
            state, decided = step(state, fact)
        except UrpiError as error:
            message = f"Line {number}: {error}"
            raise UrpiError(message) from error
        decisions.writelines(decision_line(decision) + "\n" for decision in decided)
        decisions.flush()


def _check_time(fact: Fact, last: int, number: int) -> None:
    if fact.t < last:
        message = (
            f"Line {number}: t is {fact.t} after {last}; t must not decrease, use {last} or more."
        )
        raise UrpiError(message)
