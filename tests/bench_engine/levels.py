"""How strong the levels are: `python -m tests.bench_engine.levels [RULES...]`.

The beginner plays against random moves, and each other level against the next lower one: the levels
as they are shipped, with the networks, in pairs of games with the same throws and swapped sides.
Each line is a row of the table in docs/how-it-works/engine-figures.md: the share of games won, a
draw or a game that is stopped counting a half, with the 95 % interval of Wilson, which does not
count that pairs of games even out luck. The exit status is 1 if a share misses its aim.
"""

import time
from math import sqrt
from typing import Final

import click

from tools.bench.engine_command import level_player
from tools.bench.engine_match import (
    NORMAL_95,
    MatchResults,
    MatchSetup,
    Player,
    play_pair,
    simulated,
)
from urpi.engine.levels import LEVELS, Level
from urpi.engine.network_file import network
from urpi.rules import RULE_SETS, RuleSet, parse_rules
from urpi.simulation.behaviour import PLAYERS

BEGINNER: Final = (0.70, 0.95)
STEP: Final = (0.62, 0.80)
"""The aims: what the beginner wins against random moves, the others against the next lower one."""
MAX_THROWS: Final = 2000


def wilson(points: float, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of games."""
    share, square = points / games, NORMAL_95**2 / games
    middle = (share + square / 2) / (1 + square)
    half = NORMAL_95 * sqrt(share * (1 - share) / games + square / games / 4) / (1 + square)
    return middle - half, middle + half


def played(rules: RuleSet, level: Level, pairs: int, seed: int) -> MatchResults:
    """Return the results of a level against the next lower one, the beginner's against random."""
    evaluator = network(rules)
    below: Player = simulated(PLAYERS["random"])
    if level != LEVELS[0]:
        below = level_player(LEVELS[LEVELS.index(level) - 1], evaluator)
    table = MatchSetup(rules, None, time.process_time, MAX_THROWS)
    match = MatchResults()
    for number in range(pairs):
        name = f"{rules.text} {level} {seed + number}"
        play_pair(table, level_player(level, evaluator), below, name, match)
    return match


@click.command()
@click.argument("rules", nargs=-1, type=click.Choice(sorted(RULE_SETS)))
@click.option("--pairs", type=click.IntRange(1), default=150, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
def main(rules: tuple[str, ...], pairs: int, seed: int) -> None:
    """Measure how strong the levels are."""
    reached = True
    for name in rules or RULE_SETS:
        cells = []
        for level in LEVELS:
            scores = played(parse_rules(name), level, pairs, seed).scores
            share, (low, high) = sum(scores) / pairs, wilson(2 * sum(scores), 2 * pairs)
            least, most = BEGINNER if level == LEVELS[0] else STEP
            reached &= least <= share <= most
            cells.append(f"{100 * share:.1f} % ({100 * low:.0f} to {100 * high:.0f})")
        click.echo(f"| `{name}` | {' | '.join(cells)} |")
    click.get_current_context().exit(0 if reached else 1)


if __name__ == "__main__":
    main()
