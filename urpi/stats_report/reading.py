"""Figures of the games of a journal, read game by game, in several processes."""

import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final

from urpi.journal import Journal
from urpi.journal.entries import Batch
from urpi.referee.decisions import Decision, Moved, Roll
from urpi.referee.facts import Game
from urpi.referee.lines import parse_decision, parse_fact
from urpi.rules import Side
from urpi.simulation.lesson import LESSONS
from urpi.stats import GameFigures, figures_of
from urpi.stats.game import COUNTED

_COUNTED: Final = re.compile(f'"type":"(?:{"|".join(COUNTED)})"')
_THROW: Final = re.compile(
    r'\{"t":(\d+),"type":"roll","side":"(light|dark)","faces":"([^"\\]*)","value":(\d+),"legal":'
)
_MOVE: Final = re.compile(
    r'\{"t":(\d+),"type":"move","side":"(light|dark)","move":"([^"\\]*)","position":'
)
"""The lines of throws and moves as they are written, nine of ten that are counted. They were
checked when they were stored, and their checksum when they were read, so that their values are
taken without parsing, which would take longer than all the rest. Other lines are parsed."""
_SIDES: Final = {side.value: side for side in Side}
_OF_A_DIE: Final = '"type":"die"'
_WORTH_PROCESSES: Final = 50
"""Number of games for which starting a process is worth its time."""


def figures_in(path: Path, games: list[int], jobs: int) -> Iterator[GameFigures]:
    """Yield the figures of games.

    Raises:
        UrpiError: If the file cannot be read, or a stored line is invalid.
    """
    if jobs == 1 or len(games) < _WORTH_PROCESSES:
        yield from _figures(path, games)
        return
    # The page's server, which imports this module too, starts no processes.
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415
    from multiprocessing import get_context  # noqa: PLC0415

    parts = [games[n : n + _WORTH_PROCESSES] for n in range(0, len(games), _WORTH_PROCESSES)]
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        for part in pool.map(partial(_figures, path), parts):
            yield from part


def _figures(path: Path, games: Iterable[int]) -> list[GameFigures]:
    with Journal.open(path, create=False) as journal:
        found = (figures_of_game(journal, game) for game in games)
        return [figures for figures in found if figures is not None]


def figures_of_game(journal: Journal, game: int) -> GameFigures | None:
    """Return the figures of a game, None if it is a lesson, whose throws are prepared.

    Raises:
        UrpiError: If a stored line is invalid.
    """
    batches = journal.batches(game)
    first = next(batches)
    opening = parse_fact(first.lines[0])
    assert isinstance(opening, Game), "a journal's games begin with their game fact"
    if opening.position in LESSONS:
        return None
    return figures_of(game, opening, _decisions(chain([first], batches)))


def _decisions(batches: Iterable[Batch]) -> Iterator[tuple[Decision, bool]]:
    """Yield the decisions that are counted, each with whether it follows from a report of a die."""
    of_dice = False
    for batch in batches:
        last_fact = next(filter(None, reversed(batch.lines[: batch.facts])), None)
        if last_fact is not None:
            of_dice = _OF_A_DIE in last_fact
        for line in batch.lines[batch.facts :]:
            if found := _THROW.match(line):
                t, side, faces, value = found.groups()
                yield Roll(int(t), _SIDES[side], faces, int(value), ()), of_dice
            elif found := _MOVE.match(line):
                t, side, move = found.groups()
                yield Moved(int(t), _SIDES[side], move, "", "sensed"), of_dice
            elif _COUNTED.search(line):
                yield parse_decision(line), of_dice
