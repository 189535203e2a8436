"""Runs of many games, one after another or in several processes."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from tools.bench.cases import case
from tools.bench.compare import compare, invented, true_plays
from tools.bench.figures import GameOutcome
from tools.bench.match import Match, MatchSettings, Trace
from tools.bench.observer import Incident, ObservedPlay
from urpi.referee import Phase
from urpi.rules import Side, parse_rules
from urpi.simulation import PLAYERS


@dataclass(frozen=True, slots=True)
class Task:
    """One game, as a process receives it: names only. `rules` includes changed options.

    `engine` are the sides whose seat the engine has.
    """

    rules: str
    case: str
    player: str
    seed: int
    max_throws: int
    engine: frozenset[Side] = frozenset()


def run(task: Task, trace: Trace | None = None) -> GameOutcome:
    """Play one game and return its outcome."""
    setting = MatchSettings(
        parse_rules(task.rules),
        case(task.case),
        PLAYERS[task.player],
        task.seed,
        task.max_throws,
        engine=task.engine,
    )
    match = Match(setting, trace)
    match.play()
    return _outcome(task, match)


def run_all(tasks: Iterable[Task], jobs: int) -> Iterator[GameOutcome]:
    """Play games in `jobs` processes, and yield their outcomes in order."""
    if jobs == 1:
        yield from map(run, tasks)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(run, tasks, chunksize=2)


def _outcome(task: Task, match: Match) -> GameOutcome:
    observer, table = match.observer, match.table
    compared = compare(true_plays(table.game.turns, observer.turn_times), observer.plays)
    if table.busy:
        ended = "failed"
    elif table.game.position.turn is not None:
        ended = "capped"
    else:
        ended = "finished" if match.phase is Phase.OVER else "failed"
    incidents = [*observer.incidents, *_commits("false commit", compared.false)]
    throws = invented(table.game.rules.dice, table.throws, observer.throw_times, observer.plays)
    incidents += _commits("invented throw", throws)
    incidents += _commits("missed", compared.missed[:1])
    incidents += [
        Incident(table.schedule.now, "stuck", f"the referee waits in {match.phase.value}")
    ] * (ended == "failed")
    return GameOutcome(
        task.seed,
        ended,
        compared,
        observer.counts,
        observer.waits_ms,
        observer.step_us,
        tuple(sorted(incidents, key=lambda each: each.t)),
    )


def _commits(kind: str, plays: tuple[ObservedPlay, ...]) -> list[Incident]:
    return [Incident(play.t, kind, f"{play.side} {play.faces} {play.move}") for play in plays]
