"""`urpi bench`: how well and how fast the referee does, measured at the virtual table."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NoReturn

import click

from urpi.bench import (
    CASES,
    Figures,
    Outcome,
    Task,
    case,
    pages,
    read_rows,
    run,
    run_all,
    table,
)
from urpi.commands.choosing import parse_options
from urpi.commands.groups import Group
from urpi.errors import UrpiError
from urpi.referee.decisions import Decision
from urpi.referee.facts import Fact
from urpi.referee.lines import decision_line, fact_line
from urpi.rules import RULE_SETS, rule_set
from urpi.table import BEHAVIOURS, PLAYERS

ALL: Final = "all"
"""Every rule set, or every behaviour."""
MOST_TOLD: Final = 12
"""What goes wrong in a game after so much is the consequence of what was told."""


@click.group(cls=Group)
def bench() -> None:
    """Measure how well and how fast the referee does."""


@bench.command()
@click.option(
    "--rules",
    "rules_names",
    metavar="ID",
    multiple=True,
    default=("finkel",),
    show_default=True,
    help="A rule set, or `all`; may be given several times.",
)
@click.option(
    "--option",
    "options",
    metavar="NAME=VALUE",
    multiple=True,
    help="A house rule of those rule sets; may be given several times.",
)
@click.option(
    "--behaviour",
    "names",
    metavar="NAME",
    multiple=True,
    default=tuple(BEHAVIOURS),
    show_default=True,
    help="How people behave or what is broken, or `all`; may be given several times.",
)
@click.option("--games", type=click.IntRange(1), default=20, show_default=True, help="Games each.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the first game.")
@click.option(
    "--max-throws",
    type=click.IntRange(1),
    default=400,
    show_default=True,
    help="A game of so many throws is left, and counted as capped.",
)
@click.option(
    "--player",
    type=click.Choice(list(PLAYERS)),
    default="random",
    show_default=True,
    help="Who chooses the moves.",
)
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
@click.option("--json", "as_json", is_flag=True, help="A JSON line for each instead of a table.")
@click.option("--incidents", is_flag=True, help="Tell of everything that went wrong, too.")
@click.option("--trace", is_flag=True, help="Tell one game's facts and decisions, and the truth.")
def referee(  # noqa: PLR0913, PLR0917 - a call's options
    rules_names: tuple[str, ...],
    options: tuple[str, ...],
    names: tuple[str, ...],
    games: int,
    seed: int,
    max_throws: int,
    player: str,
    jobs: int,
    as_json: bool,
    incidents: bool,
    trace: bool,
) -> None:
    """Referee simulated games whose truth is known, and tell what was right, wrong, and late.

    Game number n of each rule set and behaviour has the seed SEED + n - 1, which plays it again.
    The exit status is 1 when a game failed, a move was committed that nobody made, or a record
    is not the game's, throws and all.
    """
    tasks = [
        [Task(rules, name, player, seed + number, max_throws) for number in range(games)]
        for rules in _rules(rules_names, parse_options(options))
        for name in _behaviours(names)
    ]
    if trace:
        _leave(right=_trace(tasks))
    told, right = [], True
    for figures in _measure(tasks, jobs):
        row = figures.told()
        right = right and figures.right
        told.append(row)
        if as_json:
            click.echo(json.dumps(row))
        if incidents:
            _tell_incidents(figures)
    if not as_json:
        for line in table(told):
            click.echo(line)
    _leave(right=right)


@bench.command("referee-table")
@click.argument("files", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path))
def referee_table(files: tuple[Path, ...]) -> None:
    """Print what FILES hold of `urpi bench referee --json` as Markdown tables."""
    for line in pages(read_rows(files)):
        click.echo(line)


def _leave(*, right: bool) -> NoReturn:
    click.get_current_context().exit(0 if right else 1)


def _rules(names: tuple[str, ...], options: dict[str, str]) -> list[str]:
    wanted = RULE_SETS if ALL in names else names
    return [rule_set(name, options).text for name in wanted]


def _behaviours(names: tuple[str, ...]) -> list[str]:
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


def _trace(tasks: list[list[Task]]) -> bool:
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
