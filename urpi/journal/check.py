"""The check: one stored game, or all of them, decided anew by this version of the program."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Final

from urpi.errors import UrpiError
from urpi.journal.integrity import check_game_contents
from urpi.journal.journal import Journal
from urpi.journal.pruning import PRUNED
from urpi.journal.queries import find_game, settings_of
from urpi.journal.replay import Player, Replay, replay

BEHIND_A_GAME: Final = 10
"""How much nicer a process that checks is: a game that is being played goes first."""
_AT_ONCE: Final = 8


class Verdict(Enum):
    """What a check comes to."""

    SAME = "same"
    DIFFERS = "differs"
    PRUNED = "pruned"
    """Its raw edges were taken away, so that nothing can be decided anew."""
    UNREADABLE = "unreadable"
    """It is not what was stored, or a line or a setting is invalid."""


@dataclass(frozen=True, slots=True)
class Checked:
    """One game's check. `program` is the version that refereed it.

    `replay` is None where there was none, and `why` says the reason then.
    """

    game: int
    program: str
    verdict: Verdict
    replay: Replay | None = None
    why: str = ""


def check_game(journal: Journal, game: int) -> Checked:
    """Decide a stored game anew.

    Raises:
        UrpiError: when there is no such game, or the file cannot be read.
    """
    program = find_game(journal, game).program
    settings = settings_of(journal, game)
    try:
        entries = check_game_contents(journal, game)
        if PRUNED in settings:
            why = f"its edges were pruned on {settings[PRUNED]}; what was decided is kept"
            return Checked(game, program, Verdict.PRUNED, why=why)
        done = replay(entries, Player(settings).play)
    except UrpiError as error:
        return Checked(game, program, Verdict.UNREADABLE, why=str(error))
    return Checked(game, program, Verdict.DIFFERS if done.differences else Verdict.SAME, done)


def check_games(path: Path, games: Iterable[int], jobs: int) -> Iterator[Checked]:
    """Decide games of a journal anew, in their order, in so many processes.

    Raises:
        UrpiError: as `check_game`.
    """
    if jobs == 1:
        with Journal.open(path, create=False) as journal:
            yield from map(partial(check_game, journal), games)
        return
    # Most commands that read the journal start no process.
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415
    from multiprocessing import get_context  # noqa: PLC0415

    # Anew rather than forked: a connection to SQLite must not be carried over a fork.
    pool = ProcessPoolExecutor(
        jobs, get_context("spawn"), initializer=os.nice, initargs=(BEHIND_A_GAME,)
    )
    with pool:
        yield from pool.map(partial(_check_alone, path), games, chunksize=_AT_ONCE)


def _check_alone(path: Path, game: int) -> Checked:
    with Journal.open(path, create=False) as journal:
        return check_game(journal, game)
