"""Checks of a journal file: of its pages, and of everything that is stored in them."""

import json
from collections.abc import Iterator

from urpi.journal.answers import read_answers
from urpi.journal.checksums import end_checksum
from urpi.journal.corrections import read_corrections
from urpi.journal.entries import Entry
from urpi.journal.failures import DamagedError
from urpi.journal.journal import Journal
from urpi.journal.migrations import MILESTONES


def check_pages(journal: Journal) -> None:
    """Check every page of the file, and that every row belongs to a game.

    Raises:
        DamagedError: If one is invalid.
    """
    # The first fault is enough: a damaged file is replaced as a whole.
    ((found,),) = journal.rows("PRAGMA integrity_check(1)")
    if found != "ok":
        raise _damaged(journal, str(found).splitlines()[-1])
    for table, *_ in journal.rows("PRAGMA foreign_key_check"):
        raise _damaged(journal, f"a row of {table} belongs to no game")


def check_contents(journal: Journal) -> None:
    """Check that every game, correction, preference and answer is what was stored.

    Raises:
        DamagedError: If one is not.
    """
    check_preferences(journal)
    check_answers(journal)
    read_corrections(journal)
    for (game,) in journal.rows("SELECT id FROM games"):
        check_game_contents(journal, game)


def check_preferences(journal: Journal) -> None:
    """Check that every preference is what was stored.

    Raises:
        DamagedError: If one is not.
    """
    # Reading a preference compares its checksum.
    for _ in journal.preferences():
        pass


def check_answers(journal: Journal) -> None:
    """Check that every answer to an exercise is what was stored.

    Raises:
        DamagedError: If one is not.
    """
    # Reading an answer compares its checksum.
    read_answers(journal)


def check_game_contents(journal: Journal, game: int) -> tuple[Entry, ...]:
    """Check that a game is what was stored; return its entries.

    Raises:
        DamagedError: If it is not.
    """
    entries = tuple(journal.entries(game))
    last = journal.last_seq(game)
    milestones = journal.rows(
        "SELECT seq, type, side FROM milestones WHERE game = ? ORDER BY seq", game
    )
    if milestones and milestones[-1][0] > last:
        # Batches missing at the end leave the checksums of the others valid; this detects it.
        message = (
            f"The game continues to entry {milestones[-1][0]}, but only entries up to {last} "
            "can be read."
        )
        raise DamagedError(message)
    if milestones != list(_milestones(entries)):
        raise _damaged(journal, f"the list of throws of game {game} is not that of its decisions")
    for at, checksum in journal.rows("SELECT at, checksum FROM finished WHERE game = ?", game):
        # It covers the last seq at that time. Usually this still is the last one.
        seqs = journal.rows("SELECT seq FROM batches WHERE game = ? ORDER BY seq DESC", game)
        if all(end_checksum(game, at, seq) != checksum for (seq,) in seqs):
            raise _damaged(journal, f"the end of game {game} is not what was stored")
    return entries


def _milestones(entries: tuple[Entry, ...]) -> Iterator[tuple[int, str, str | None]]:
    for entry in entries:
        if entry.kind == "decision":
            content = json.loads(entry.line)
            if content["type"] in MILESTONES:
                yield entry.seq, content["type"], content.get("side")


def _damaged(journal: Journal, found: str) -> DamagedError:
    return DamagedError(f"The journal {journal.path} is damaged: {found}.")
