"""What `urpi bench referee` does: games refereed and measured at the virtual table."""

import json
from collections.abc import Iterator
from typing import Final

import click

from urpi.bench import (
    CASES,
    Figures,
    Outcome,
    Task,
    case,
    format_table,
    run,
    run_all,
)
from urpi.errors import UrpiError
from urpi.referee.decisions import Decision
from urpi.referee.facts import Fact
from urpi.referee.lines import decision_line, fact_line
from urpi.rules import RULE_SETS, rule_set

ALL: Final = "all"
"""Every rule set, or every behaviour."""
MOST_TOLD: Final = 12
"""What goes wrong in a game after so much is the consequence of what was told."""


def measure(tasks: list[list[Task]], jobs: int, *, as_json: bool, incidents: bool) -> bool:
    """Referee the games of `tasks` in `jobs` processes, print the figures, and return whether all
    went right.
    """
    told, right = [], True
    for figures in _measure(tasks, jobs):
        row = figures.to_dict()
        right = right and figures.right
        told.append(row)
        if as_json:
            click.echo(json.dumps(row))
        if incidents:
            _tell_incidents(figures)
    if not as_json:
        for line in format_table(told):
            click.echo(line)
    return right


def rule_sets_of(names: tuple[str, ...], options: dict[str, str]) -> list[str]:
    """The named rule sets with those house rules; `all` stands for every one."""
    wanted = RULE_SETS if ALL in names else names
    return [rule_set(name, options).text for name in wanted]


def behaviours_of(names: tuple[str, ...]) -> list[str]:
    """The named behaviours; `all` stands for every one."""
    wanted = list(CASES) if ALL in names else list(names)
    for name in wanted:
        case(name)
    return wanted


def _measure(tasks: list[list[Task]], jobs: int) -> Iterator[Figures]:
    outcomes = run_all((task for group in tasks for task in group), jobs)
    for group in tasks:
        figures = Figures(group[0].rules, group[0].case)
        figures.outcomes = [next(outcomes) for _ in group]
        yield figures


def _tell_incidents(figures: Figures) -> None:
    for outcome in figures.outcomes:
        _tell_of(figures, outcome)


def _tell_of(figures: Figures, outcome: Outcome) -> None:
    where = f"{figures.rules} {figures.case} --seed {outcome.seed}"
    for each in outcome.incidents[:MOST_TOLD]:
        click.echo(f"# {where} t={each.t} {each.kind}: {each.text}")
    if len(outcome.incidents) > MOST_TOLD:
        click.echo(f"# {where}: and {len(outcome.incidents) - MOST_TOLD} more, after those")
    if not outcome.incidents and not outcome.clean:
        click.echo(f"# {where} {outcome.ended}: the record is not the game's")


def trace_game(tasks: list[list[Task]]) -> bool:
    """Tell one game; whether it went right."""
    if len(tasks) != 1 or len(tasks[0]) != 1:
        message = "A trace is of one game: give one --rules, one --behaviour and --games 1."
        raise UrpiError(message)
    outcome = run(tasks[0][0], _tell)
    for each in outcome.incidents:
        click.echo(f"# t={each.t} {each.kind}: {each.text}")
    return outcome.right


def _tell(told: Fact | Decision | str) -> None:
    if isinstance(told, str):
        click.echo(f"# {told}")
    elif isinstance(told, Fact):
        click.echo(fact_line(told))
    else:
        click.echo(decision_line(told))
