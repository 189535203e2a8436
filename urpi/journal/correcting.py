"""Correcting a game, and deleting one: each is kept as an entry with its time and reason."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from urpi.core.errors import UrpiError
from urpi.core.names import MAX_NAME, normalised_name
from urpi.journal.corrections import (
    LONGEST_REASON,
    NO_REASON,
    Correction,
    CorrectionKind,
    insert_corrections,
    is_void,
)
from urpi.journal.journal import Journal
from urpi.journal.migrations import changeable
from urpi.journal.queries import GameSummary, find_game

_OF_GAMES: Final = ("answers", "settings", "batches", "milestones", "finished")
"""The database tables with rows of a game, in an order in which they can be deleted before it."""


def correct_game(
    journal: Journal,
    game: int,
    changes: Mapping[CorrectionKind, str],
    reason: str,
    now: datetime,
) -> tuple[Correction, ...]:
    """Store corrections of a game, all or none, and return them.

    Args:
        journal: The journal.
        game: The game's number.
        changes: The texts of the corrections by their kinds; those of ``void`` and ``valid`` are
            empty.
        reason: Why it is corrected; may be empty for a note alone.
        now: The local time.

    Raises:
        UrpiError: If there is no such game, a name or text is invalid, the reason is missing, or
            nothing would change; nothing is stored.
    """
    reason = _line("A reason", reason)
    if not changes:
        message = "Nothing is to be corrected; give a name, a note, or whether the game counts."
        raise UrpiError(message)
    if not reason and set(changes) - set(NO_REASON):
        message = f"A correction needs a reason; say why game {game} is corrected."
        raise UrpiError(message)
    summary = find_game(journal, game)
    at = now.isoformat(timespec="seconds")
    corrections = tuple(
        # The reason is that of the other corrections; a note needs none.
        Correction(
            game,
            at,
            kind,
            _checked(summary, kind, text),
            "" if _is_beside(kind, changes) else reason,
        )
        for kind, text in changes.items()
    )
    insert_corrections(journal, corrections)
    return corrections


def delete_game(journal: Journal, game: int, reason: str, now: datetime) -> Correction:
    """Delete a game, of which an entry with its number, the time and the reason is left.

    Raises:
        UrpiError: If there is no such game, it is the newest one of its table, the reason is
            missing, or the disk fails; nothing is deleted.
    """
    reason = _line("A reason", reason)
    if not reason:
        message = f"A deletion needs a reason; say why game {game} is deleted."
        raise UrpiError(message)
    find_game(journal, game)
    _check_not_newest(journal, game)
    correction = Correction(game, now.isoformat(timespec="seconds"), "deleted", "", reason)
    # Overwrites what is deleted with zeros, so that no free page keeps it.
    journal.rows("PRAGMA secure_delete = ON")
    with journal.transaction():
        # First: it keeps the newest seq, which may be one of this game.
        insert_corrections(journal, [correction])
        with changeable(journal.connection.db, "games", "corrections", *_OF_GAMES):
            for table in _OF_GAMES:
                journal.connection.db.execute(f"DELETE FROM {table} WHERE game = ?", (game,))  # noqa: S608
            # They may contain names.
            journal.connection.db.execute(
                "DELETE FROM corrections WHERE game = ? AND kind != 'deleted'", (game,)
            )
            journal.connection.db.execute("DELETE FROM games WHERE id = ?", (game,))
    return correction


def _is_beside(kind: CorrectionKind, changes: Mapping[CorrectionKind, str]) -> bool:
    """Whether a correction needs no reason, and is made together with some that do."""
    return kind in NO_REASON and len(changes) > 1


def is_newest(journal: Journal, game: int) -> bool:
    """Whether a game is the newest one of a table.

    A program at the table may hold it in memory, show it, and store it again.
    """
    rows = journal.rows(
        "SELECT value FROM settings WHERE name = 'table' GROUP BY value HAVING max(game) = ?", game
    )
    return bool(rows)


def _check_not_newest(journal: Journal, game: int) -> None:
    if is_newest(journal, game):
        message = (
            f"Game {game} is the newest one of its table, which may still show it; begin the next "
            "game first, or mark it as void."
        )
        raise UrpiError(message)


def _checked(game: GameSummary, kind: CorrectionKind, text: str) -> str:
    """The text of a correction.

    Raises:
        UrpiError: If it is invalid, or changes nothing.
    """
    match kind:
        case "light" | "dark":
            name = normalised_name(text)
            if len(name) > MAX_NAME:
                message = f"A name must be at most {MAX_NAME} characters long; found {len(name)}."
                raise UrpiError(message)
            before = game.light if kind == "light" else game.dark
            if name == before:
                message = f"The name of {kind} in game {game.id} is {before!r} already."
                raise UrpiError(message)
            return name
        case "note":
            note = _line("A note", text)
            if not note:
                message = "A note must have a text; found an empty one."
                raise UrpiError(message)
            return note
        case "void" | "valid":
            if is_void(game.corrections) is (kind == "void"):
                message = f"Game {game.id} is {kind} already."
                raise UrpiError(message)
        case "deleted" | "started":
            message = f"A game is not corrected by {kind}; that is stored by the program itself."
            raise UrpiError(message)
    return ""


def _line(what: str, text: str) -> str:
    """A text in one line.

    Raises:
        UrpiError: If it is too long, or has a character that cannot be shown.
    """
    line = " ".join(text.split())
    if len(line) > LONGEST_REASON:
        message = f"{what} must be at most {LONGEST_REASON} characters long; found {len(line)}."
        raise UrpiError(message)
    if not line.isprintable():
        message = f"{what} must have no control characters; found {line[:40]!r}."
        raise UrpiError(message)
    return line
