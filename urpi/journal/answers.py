"""The answers to exercises (`urpi.journal.study`), stored in the journal's file.

They are stored by game and throw, without a name: whose exercise it is follows from the game.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from urpi.core.errors import UrpiError
from urpi.journal.checksums import answer_checksum
from urpi.journal.entries import check_time
from urpi.journal.failures import DamagedError
from urpi.journal.journal import Journal
from urpi.journal.study.cards import Answered


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An answer to an exercise.

    Attributes:
        game: The game's number.
        throw: The number of the throw in its review, from 1.
        at: When it was given, ISO 8601 with the offset from UTC.
        move: The move that was chosen.
        good: Whether it gave away too little for a mark, by the values of that time.
    """

    game: int
    throw: int
    at: str
    move: str
    good: bool


def store_answer(journal: Journal, answer: StoredAnswer) -> None:
    """Store an answer; storing it twice stores it once.

    Raises:
        UrpiError: If its time is invalid, there is no such game, or the disk fails.
    """
    check_time(answer.at)
    with journal.transaction():
        # Not left to the foreign key, whose error would pass for one of the disk.
        if not journal.rows("SELECT 1 FROM games WHERE id = ?", answer.game):
            message = f"The journal {journal.path} has no game {answer.game} to answer about."
            raise UrpiError(message)
        ((number,),) = journal.rows("SELECT 1 + coalesce(max(number), 0) FROM answers")
        row = number, answer.game, answer.throw, answer.at, answer.move, int(answer.good)
        journal.connection.db.execute(
            "INSERT INTO answers SELECT ?, ?, ?, ?, ?, ?, ? WHERE NOT EXISTS"
            " (SELECT 1 FROM answers WHERE (game, throw, at) = (?, ?, ?))",
            (*row, answer_checksum(*row), *row[1:4]),
        )


def read_answers(journal: Journal) -> list[StoredAnswer]:
    """Return all answers in the order in which they were given.

    Raises:
        DamagedError: If they are not what was stored.
    """
    return [checked_answer(row) for row in answer_rows(journal)]


def answers_by_exercise(
    answers: Iterable[StoredAnswer],
) -> dict[tuple[int, int], list[Answered]]:
    """Return what cards need of answers, in their order, by `Exercise.key`."""
    found: dict[tuple[int, int], list[Answered]] = {}
    for each in answers:
        day = datetime.fromisoformat(each.at).date().toordinal()
        found.setdefault((each.game, each.throw), []).append((day, each.good))
    return found


def answer_rows(journal: Journal) -> list[tuple[Any, ...]]:
    """Return the stored rows in their order, for `checked_answer`."""
    return journal.rows("SELECT * FROM answers ORDER BY number")


def checked_answer(row: Sequence[Any]) -> StoredAnswer:
    """Return the answer of a row.

    Raises:
        DamagedError: If it is not what was stored.
    """
    *values, checksum = row
    if answer_checksum(*values) != checksum:
        message = "The journal is damaged: an answer to an exercise differs from what was stored."
        raise DamagedError(message)
    _, game, throw, at, move, good = values
    return StoredAnswer(game, throw, at, move, bool(good))
