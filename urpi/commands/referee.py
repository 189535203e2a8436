"""`urpi referee`: the referee between two pipes, facts in and decisions out, a line each."""

import sys
from io import TextIOWrapper
from typing import TextIO

import click

from urpi.commands.choosing import settings_of
from urpi.errors import UrpiError
from urpi.referee import Settings, begin, step
from urpi.referee.facts import Fact
from urpi.referee.lines import LONGEST_LINE, decision_line, parse_fact
from urpi.service.service import referee_settings


@click.command()
@click.option("--language", help="The language of the sentences in it.")
@click.pass_context
def referee(ctx: click.Context, language: str | None) -> None:
    """Read facts as JSON lines on standard input, write decisions on standard output.

    All decisions that a line causes are written and flushed before the next line is read.
    Nothing fires after the last line: end with a `time` line to let the timers run out.
    """
    settings = referee_settings(settings_of(ctx).config, language)
    judge(_utf_8(sys.stdin), _utf_8(sys.stdout), settings)


def _utf_8(pipe: TextIO) -> TextIO:
    """The lines are UTF-8 whatever the locale; a byte that is none is the parser's to refuse."""
    assert isinstance(pipe, TextIOWrapper)
    pipe.reconfigure(encoding="utf-8", errors="surrogateescape")
    return pipe


def judge(facts: TextIO, decisions: TextIO, settings: Settings) -> None:
    """Answer every line of facts with its lines of decisions.

    Raises:
        UrpiError: at the first line that is no fact, or goes back in time; none after it is
            taken.
    """
    state = begin(settings)
    number, last = 0, 0
    # One character more than a line may have: the parser sees that it is too long.
    while line := facts.readline(LONGEST_LINE + 1):
        number += 1
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
