"""The players and the output of `python -m tools.bench engine`."""

import json
from collections.abc import Container
from random import Random
from time import process_time
from typing import TYPE_CHECKING, Any, Final

import click

from tools.bench.engine_match import MatchResults, MatchSetup, Player, play_pair, simulated
from urpi.cli.evaluators import Evaluators
from urpi.core.errors import UrpiError
from urpi.engine.evaluator import deep_move_values, move_values
from urpi.engine.levels import LEVELS, level_move
from urpi.rules import Move, Position, RuleSet, Throw
from urpi.simulation.behaviour import PLAYERS

if TYPE_CHECKING:
    from urpi.engine.evaluator import Evaluator
    from urpi.engine.exact.installed import Installed
    from urpi.engine.levels import Level

ENGINES: Final = ("exact", "network", "network-2")
"""Players that always choose the best move: by the table, and by the network with 1 and 2 plies."""
NAMES: Final = (*PLAYERS, *ENGINES, *LEVELS)


def run_match(  # noqa: PLR0913 - a call's options
    installed: "Installed",
    rules: RuleSet,
    names: tuple[str, str],
    *,
    pairs: int,
    seed: int,
    max_throws: int,
) -> dict[str, Any]:
    """Play a match, and return its figures.

    Raises:
        UrpiError: If a player needs a table that is not installed.
    """
    one, other = (_player(installed, rules, name) for name in names)
    judge = installed.open(rules)
    table = MatchSetup(rules, judge, process_time, max_throws)
    match = MatchResults()
    with click.progressbar(range(pairs), label=f"{rules.text}: {' : '.join(names)}") as numbers:
        for number in numbers:
            play_pair(table, one, other, f"{rules.text} {seed + number}", match)
    return {
        "rules": rules.text,
        "player": names[0],
        "against": names[1],
        "seed": seed,
    } | match.row()


def line_of(row: dict[str, Any]) -> str:
    """Return a match's figures as one line of text."""
    margin = "" if row["margin"] is None else f" ± {100 * row['margin']:.2f}"
    text = (
        f"{row['rules']}: {row['player']} against {row['against']}: "
        f"{100 * row['score']:.2f}{margin} % in {row['pairs']} pairs of games"
    )
    if "adjusted" in row and row["adjusted_margin"] is not None:
        text += f"; by losses {100 * row['adjusted']:.3f} ± {100 * row['adjusted_margin']:.3f} %"
    if "mean_loss" in row:
        text += f"; mean loss {100 * row['mean_loss']:.4f} percentage points"
    if "decision_ms" in row:
        taken = row["decision_ms"]
        text += f"; decision {taken['median']:.2f} ms (p99 {taken['p99']:.2f} ms)"
    if row["capped"]:
        text += f"; {row['capped']} games stopped"
    return text


def json_of(row: dict[str, Any]) -> str:
    """Return a match's figures as one line of JSON."""
    return json.dumps(row)


def _player(installed: "Installed", rules: RuleSet, name: str) -> Player:
    if name in PLAYERS:
        return simulated(PLAYERS[name])
    if name in ENGINES:
        evaluator = Evaluators(installed, name.removesuffix("-2")).of(rules)
        return _best_mover(evaluator, deep=name.endswith("-2"))
    # As at a table without an installed table, so that results are the same on every machine.
    evaluator = Evaluators(installed, "network").of(rules)
    return level_player(name, evaluator)


def _best_mover(evaluator: "Evaluator", *, deep: bool) -> Player:
    values = deep_move_values if deep else move_values

    def best(
        _rng: Random,
        position: Position,
        throw: Throw,
        _legal: tuple[Move, ...],
        seen: Container[Position],
    ) -> Move:
        return values(evaluator, position, throw, seen)[0].move

    return best


def level_player(name: str, evaluator: "Evaluator") -> Player:
    """Return a level as a player of a match."""
    level: Level = next(each for each in LEVELS if each == name)

    def choose(
        rng: Random,
        position: Position,
        throw: Throw,
        _legal: tuple[Move, ...],
        seen: Container[Position],
    ) -> Move:
        return level_move(level, evaluator, position, throw, rng.random(), seen)

    return choose


def check_players(names: tuple[str, str]) -> None:
    """Check the names of a match's players.

    Raises:
        UrpiError: If there is no such player.
    """
    for name in names:
        if name not in NAMES:
            message = f"There is no player {name!r}; the players are {', '.join(NAMES)}."
            raise UrpiError(message)
