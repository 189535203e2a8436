"""`python -m tools.bench`: measure the referee at the virtual table, and the strength of the
engine.
"""

from pathlib import Path

import click

from urpi.cli.groups import Group
from urpi.cli.main import main
from urpi.cli.options import parse_options, settings_of
from urpi.simulation import BEHAVIOURS, PLAYERS

_rules = click.option(
    "--rules",
    "rules_names",
    metavar="RULES",
    multiple=True,
    default=("finkel",),
    show_default=True,
    help="A rule set such as finkel[pieces=3], or `all`; may be repeated.",
)
_house_rules = click.option(
    "--option",
    "options",
    metavar="NAME=VALUE",
    multiple=True,
    help="A house rule of those rule sets; may be repeated.",
)


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--config",
    "config_file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The configuration to read in place of the default ones.",
)
@click.pass_context
def bench(ctx: click.Context, config_file: Path | None) -> None:
    """Measure the referee's accuracy and delays, and the engine's strength."""
    ctx.obj = config_file


@bench.command()
@_rules
@_house_rules
@click.option(
    "--behaviour",
    "names",
    metavar="NAME",
    multiple=True,
    default=tuple(BEHAVIOURS),
    show_default=True,
    help="How the players act or what is broken, or `all`; may be repeated.",
)
@click.option(
    "--games",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help="Number of games of each.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the first game.")
@click.option(
    "--max-throws",
    type=click.IntRange(1),
    default=400,
    show_default=True,
    help="Throws after which a game is stopped and counted as capped.",
)
@click.option(
    "--player",
    type=click.Choice(list(PLAYERS)),
    default="random",
    show_default=True,
    help="How the moves are chosen.",
)
@click.option(
    "--engine",
    type=click.Choice(["light", "dark", "both"]),
    help="Seats of the engine: it chooses any legal move, and the hands make it.  [default: none]",
)
@click.option(
    "--jobs", type=click.IntRange(1), default=1, show_default=True, help="Number of processes."
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print a JSON line for each instead of a table."
)
@click.option("--incidents", is_flag=True, help="Print every error, too.")
@click.option(
    "--trace", is_flag=True, help="Print the facts, decisions and true moves of one game."
)
def referee(  # noqa: PLR0913, PLR0917 - a call's options
    rules_names: tuple[str, ...],
    options: tuple[str, ...],
    names: tuple[str, ...],
    games: int,
    seed: int,
    max_throws: int,
    player: str,
    engine: str | None,
    jobs: int,
    as_json: bool,
    incidents: bool,
    trace: bool,
) -> None:
    """Referee simulated games, and compare the decisions with the moves that were really made.

    Game number n of each rule set and behaviour has the seed SEED + n - 1, which repeats it.
    The exit status is 1 if a game failed, a move was recorded that was not made, or a record
    differs from the game.
    """
    from tools.bench import Task
    from tools.bench.referee_command import behaviours_of, measure, rule_sets_of, trace_game
    from urpi.rules import Side

    seats = frozenset(side for side in Side if engine in {side.value, "both"})
    tasks = [
        [Task(rules, name, player, seed + number, max_throws, seats) for number in range(games)]
        for rules in rule_sets_of(rules_names, parse_options(options))
        for name in behaviours_of(names)
    ]
    if trace:
        right = trace_game(tasks)
    else:
        right = measure(tasks, jobs, as_json=as_json, incidents=incidents)
    click.get_current_context().exit(0 if right else 1)


@bench.command()
@_rules
@_house_rules
@click.option(
    "--player",
    metavar="NAME",
    default="network",
    show_default=True,
    help="The player that is measured.",
)
@click.option(
    "--against", metavar="NAME", default="greedy", show_default=True, help="Its opponent."
)
@click.option(
    "--pairs",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="Number of games, each of which is played twice with sides swapped.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the first pair.")
@click.option(
    "--max-throws",
    type=click.IntRange(1),
    default=2000,
    show_default=True,
    help="Throws after which a game is stopped and counts half.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON line for each rule set.")
@click.pass_context
def engine(  # noqa: PLR0913, PLR0917 - a call's options
    ctx: click.Context,
    rules_names: tuple[str, ...],
    options: tuple[str, ...],
    player: str,
    against: str,
    pairs: int,
    seed: int,
    max_throws: int,
    as_json: bool,
) -> None:
    """Play matches between computer players with duplicate dice.

    Players are random and greedy; exact, network and network-2 (two plies), which always play the
    best move they see; and the levels beginner, easy, medium, hard and best. Pair number n has the
    seed SEED + n - 1. With an installed table (`urpi solve`) the moves' losses are measured, too.
    """
    from tools.bench.engine_command import check_players, json_of, line_of, run_match
    from tools.bench.referee_command import rule_sets_of
    from urpi.engine.exact.folder import tables_folder
    from urpi.engine.exact.installed import Installed
    from urpi.rules import parse_rules

    names = player, against
    check_players(names)
    installed = Installed(tables_folder(settings_of(ctx).config.journal.file))
    for text in rule_sets_of(rules_names, parse_options(options)):
        row = run_match(
            installed,
            parse_rules(text),
            names,
            pairs=pairs,
            seed=seed,
            max_throws=max_throws,
        )
        click.echo(json_of(row) if as_json else line_of(row))


@bench.command("referee-table")
@click.argument("files", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path))
def referee_table(files: tuple[Path, ...]) -> None:
    """Print the output of `python -m tools.bench referee --json` in FILES as Markdown tables."""
    from tools.bench import markdown_tables, read_rows

    for line in markdown_tables(read_rows(files)):
        click.echo(line)


if __name__ == "__main__":
    main(bench, "python -m tools.bench")
