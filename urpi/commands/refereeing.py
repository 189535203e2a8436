"""Refereeing lines of facts, for `urpi referee`."""

from collections.abc import Iterable
from typing import IO

from urpi.commands.output import utf_8_output
from urpi.config import Config
from urpi.errors import UrpiError
from urpi.inputs import stdin_lines
from urpi.referee import Settings, begin, step
from urpi.referee.facts import Fact
from urpi.referee.lines import LONGEST_LINE, decision_line, parse_fact
from urpi.service.referee_settings import referee_settings


def referee_stdin(config: Config, language: str | None) -> None:
    """Referee the facts on standard input, and write the decisions to standard output.

    Raises:
        UrpiError: If the language is not available, or as `judge`.
    """
    settings = referee_settings(config, language)
    facts = stdin_lines(4 * LONGEST_LINE)
    judge((line.decode("utf-8", "surrogateescape") for line in facts), utf_8_output(), settings)


def judge(facts: Iterable[str], decisions: IO[str], settings: Settings) -> None:
    """Answer every line of facts with its lines of decisions.

    Raises:
        UrpiError: at the first line that is no fact, or goes back in time; none after it is
            taken.
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
        message = f"Line {number}: t is {fact.t} after {last}; t never decreases, give a later one."
        raise UrpiError(message)
