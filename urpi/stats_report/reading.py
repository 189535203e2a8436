"""Figures of the games of a journal, read game by game, in several processes."""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from urpi.journal import Journal
from urpi.referee.decisions import Decision
from urpi.referee.facts import Game
from urpi.referee.lines import parse_decision, parse_fact
from urpi.simulation.lesson import LESSONS
from urpi.stats import GameFigures, figures_of
from urpi.stats.game import COUNTED

_COUNTED: Final = tuple(f'"type":"{kind}"' for kind in COUNTED)
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
    entries = journal.entries(game)
    opening = parse_fact(next(entries).line)
    assert isinstance(opening, Game), "a journal's games begin with their game fact"
    if opening.position in LESSONS:
        return None

    def decisions() -> Iterator[tuple[Decision, bool]]:
        of_dice = False
        for entry in entries:
            if entry.kind == "fact":
                of_dice = _OF_A_DIE in entry.line
            elif any(kind in entry.line for kind in _COUNTED):
                yield parse_decision(entry.line, entry.seq), of_dice

    return figures_of(game, opening, decisions())
