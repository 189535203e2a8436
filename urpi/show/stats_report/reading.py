"""Figures of the games of a journal, read game by game, in several processes."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final

from urpi.journal import Journal
from urpi.journal.build_record import TAGS
from urpi.journal.corrections import corrected_names, read_corrections
from urpi.journal.stats import GameFigures
from urpi.journal.stats.game import COUNTED, GameCounter
from urpi.referee.facts import Game
from urpi.referee.lines import parse_decision, parse_fact
from urpi.rules import Side

_COUNTED: Final = re.compile(f'"type":"(?:{"|".join(COUNTED)})"'.encode())
_USUAL: Final = re.compile(
    rb'\{"t":(\d+),"type":"(?:roll","side":"(light|dark)","faces":"([^"\\]*)","value":(\d+),"legal":'
    rb'|move","side":"(light|dark)","move":"([^"\\]*)","position":)'
)
"""The lines of throws and moves as they are written, nine of ten that are counted. They were
checked when they were stored, and their checksum when they were read, so that their values are
taken without parsing, which would take longer than all the rest. Other lines are parsed."""
_SIDES: Final = {side.value.encode(): side for side in Side}
_OF_A_DIE: Final = b'"type":"die"'
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
    """Return the figures of a game, None if it does not begin at the start position.

    Neither its length nor its result is that of a whole game, and a lesson's throws are prepared.

    Raises:
        UrpiError: If a stored line is invalid.
    """
    batches = journal.batch_texts(game)
    first = next(batches)
    opening = parse_fact(first[2].partition(b"\n")[0].decode())
    assert isinstance(opening, Game), "a journal's games begin with their game fact"
    if opening.position is not None:
        return None
    # A game that was imported from a record, whose times are not those of the players.
    timed = f'"{TAGS}":'.encode() not in first[2].partition(b"\n")[0]
    counter = GameCounter(game, opening, timed=timed)
    of_dice = False
    for _, facts, text in chain([first], batches):
        # Facts come first. Most lines are facts, of which only the last one counts.
        decisions = text.count(b"\n") + 1 - facts
        lines = text.rsplit(b"\n", decisions + 1)
        if facts:
            last_fact = lines[-decisions - 1] or _last_fact(text, facts)
            of_dice = _OF_A_DIE in last_fact if last_fact else of_dice
        for line in lines[-decisions:] if decisions else ():
            _count(line, counter, of_dice=of_dice)
    figures = counter.figures()
    names = (figures.light, figures.dark)
    light, dark = corrected_names(names, read_corrections(journal, game))
    return replace(figures, light=light, dark=dark)


def _last_fact(text: bytes, facts: int) -> bytes:
    """Return the last fact of a batch that has not been removed, empty if there is none."""
    return next(filter(None, reversed(text.split(b"\n")[:facts])), b"")


def _count(line: bytes, counter: GameCounter, *, of_dice: bool) -> None:
    """Count a decision if it is of a counted type; `of_dice` is whether a die reported its fact."""
    if found := _USUAL.match(line):
        t, thrower, faces, value, mover, move = found.groups()
        if thrower is None:
            counter.add_move(int(t), _SIDES[mover], move.decode())
        else:
            counter.add_throw(_SIDES[thrower], faces.decode(), int(value), of_dice=of_dice)
    elif _COUNTED.search(line):
        counter.add(parse_decision(line.decode()), of_dice=of_dice)
