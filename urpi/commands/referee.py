"""`urpi referee`: the referee between two pipes, facts in and decisions out, a line each."""

from collections.abc import Iterable
from typing import IO

import click

from urpi.commands.choosing import settings_of
from urpi.commands.output import utf_8_output
from urpi.errors import UrpiError
from urpi.inputs import stdin_lines
from urpi.referee import Settings, begin, step
from urpi.referee.facts import Fact
from urpi.referee.lines import LONGEST_LINE, decision_line, parse_fact
from urpi.service.referee_settings import referee_settings


@click.command()
@click.option("--language", help="The language of the sentences in it.")
@click.pass_context
def referee(ctx: click.Context, language: str | None) -> None:
    """Read facts as JSON lines on standard input, write decisions on standard output.

    All decisions that a line causes are written and flushed before the next line is read.
    Nothing fires after the last line: end with a `time` line to let the timers run out.
    """
    settings = referee_settings(settings_of(ctx).config, language)
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
