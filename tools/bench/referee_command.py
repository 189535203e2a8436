"""`python -m tools.bench referee`: referee and measure games at the virtual table."""

import json
from collections.abc import Iterator
from typing import Final

import click

from tools.bench import (
    CASES,
    GameOutcome,
    RefereeFigures,
    Task,
    case,
    format_table,
    run,
    run_all,
)
from urpi.core.errors import UrpiError
from urpi.referee.decisions import Decision
from urpi.referee.facts import Fact
from urpi.referee.lines import decision_line, fact_line
from urpi.rules import RULE_SETS, parse_rules

ALL: Final = "all"
"""The name that stands for every rule set or every behaviour."""
MAX_INCIDENTS: Final = 12
"""Incidents of a game that are printed; later ones are mostly consequences of them."""


def measure(tasks: list[list[Task]], jobs: int, *, as_json: bool, incidents: bool) -> bool:
    """Referee games in processes, print the figures, and return whether all were correct."""
    rows, right = [], True
    for figures in _measure(tasks, jobs):
        row = figures.to_dict()
        right = right and figures.right
        rows.append(row)
        if as_json:
            click.echo(json.dumps(row))
        if incidents:
            _print_incidents(figures)
    if not as_json:
        for line in format_table(rows):
            click.echo(line)
    return right


def rule_sets_of(names: tuple[str, ...], options: dict[str, str]) -> list[str]:
    """Return the named rule sets with house rules; `all` stands for every one."""
    chosen = RULE_SETS if ALL in names else names
    return [parse_rules(word, options).text for word in chosen]


def behaviours_of(names: tuple[str, ...]) -> list[str]:
    """Return the named behaviours; `all` stands for every one."""
    chosen = list(CASES) if ALL in names else list(names)
    for name in chosen:
        case(name)
    return chosen


def _measure(tasks: list[list[Task]], jobs: int) -> Iterator[RefereeFigures]:
    outcomes = run_all((task for group in tasks for task in group), jobs)
    for group in tasks:
        sides = sorted(side.value for side in group[0].engine)
        seats = sides[0] if len(sides) == 1 else "both" if sides else ""
        figures = RefereeFigures(group[0].rules, group[0].case, seats)
        figures.outcomes = [next(outcomes) for _ in group]
        yield figures


def _print_incidents(figures: RefereeFigures) -> None:
    for outcome in figures.outcomes:
        _print_outcome(figures, outcome)


def _print_outcome(figures: RefereeFigures, outcome: GameOutcome) -> None:
    where = f"{figures.rules} {figures.case} --seed {outcome.seed}"
    for each in outcome.incidents[:MAX_INCIDENTS]:
        click.echo(f"# {where} t={each.t} {each.kind}: {each.text}")
    if len(outcome.incidents) > MAX_INCIDENTS:
        click.echo(f"# {where}: and {len(outcome.incidents) - MAX_INCIDENTS} more, after those")
    if not outcome.incidents and not outcome.clean:
        click.echo(f"# {where} {outcome.ended}: the record is not the game's")


def trace_game(tasks: list[list[Task]]) -> bool:
    """Print the facts and decisions of one game; return whether it was correct."""
    if len(tasks) != 1 or len(tasks[0]) != 1:
        message = "A trace contains one game: use one --rules, one --behaviour and --games 1."
        raise UrpiError(message)
    outcome = run(tasks[0][0], _print)
    for each in outcome.incidents:
        click.echo(f"# t={each.t} {each.kind}: {each.text}")
    return outcome.right


def _print(event: Fact | Decision | str) -> None:
    if isinstance(event, str):
        click.echo(f"# {event}")
    elif isinstance(event, Fact):
        click.echo(fact_line(event))
    else:
        click.echo(decision_line(event))
