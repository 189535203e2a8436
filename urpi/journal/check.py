"""The check of stored games: this version of the program decides them again."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Final

from urpi.core.errors import UrpiError
from urpi.journal.entries import PRUNED
from urpi.journal.integrity import check_game_contents
from urpi.journal.journal import Journal
from urpi.journal.queries import check_rules, find_game, settings_of
from urpi.journal.replay import Replay, ReplayReferee, replay

_NICENESS: Final = 10
"""Priority of the processes that check, so that a game in progress is not slowed down."""
CHUNK_SIZE: Final = 8
"""Number of games that a process gets at once. One that starts costs as much as some games."""


class CheckVerdict(Enum):
    """The result of a check."""

    SAME = "same"
    DIFFERS = "differs"
    PRUNED = "pruned"
    """Its raw edges have been removed, so it cannot be decided again."""
    UNREADABLE = "unreadable"
    """It is not what was stored, or a line or a setting is invalid."""


@dataclass(frozen=True, slots=True)
class CheckedGame:
    """The check of one game.

    Attributes:
        game: The game's number.
        program: The version of the program that refereed it.
        verdict: The result.
        replay: The comparison, None if it could not be decided again.
        why: The reason if there is no replay.
    """

    game: int
    program: str
    verdict: CheckVerdict
    replay: Replay | None = None
    why: str = ""


def check_game(journal: Journal, game: int) -> CheckedGame:
    """Decide a stored game again, and compare the decisions with the stored ones.

    Raises:
        UrpiError: If there is no such game, or the file cannot be read.
    """
    program = find_game(journal, game).program
    settings = settings_of(journal, game)
    try:
        entries = check_game_contents(journal, game)
        check_rules(journal, game)
        if PRUNED in settings:
            why = f"its edges were pruned on {settings[PRUNED]}; what was decided is kept"
            return CheckedGame(game, program, CheckVerdict.PRUNED, why=why)
        done = replay(entries, ReplayReferee(settings).process)
    except UrpiError as error:
        return CheckedGame(game, program, CheckVerdict.UNREADABLE, why=str(error))
    return CheckedGame(
        game, program, CheckVerdict.DIFFERS if done.differences else CheckVerdict.SAME, done
    )


def check_games(path: Path, games: Iterable[int], jobs: int) -> Iterator[CheckedGame]:
    """Check games of a journal; yield the results in the order of the games.

    Args:
        path: The journal.
        games: The games' numbers.
        jobs: The largest number of processes; so few games as one gets at once need no other.

    Raises:
        UrpiError: As `check_game`.
    """
    games = tuple(games)
    jobs = min(jobs, -(-len(games) // CHUNK_SIZE))
    if jobs <= 1:
        with Journal.open(path, create=False) as journal:
            yield from map(partial(check_game, journal), games)
        return
    # Imported here: most commands that read the journal start no process.
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415
    from multiprocessing import get_context  # noqa: PLC0415

    # Spawned, not forked: an SQLite connection must not be used after a fork.
    pool = ProcessPoolExecutor(
        jobs, get_context("spawn"), initializer=os.nice, initargs=(_NICENESS,)
    )
    with pool:
        yield from pool.map(partial(_check_in_process, path), games, chunksize=CHUNK_SIZE)


def _check_in_process(path: Path, game: int) -> CheckedGame:
    with Journal.open(path, create=False) as journal:
        return check_game(journal, game)
