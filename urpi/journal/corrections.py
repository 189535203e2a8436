"""Corrections of games: entries beside the facts and decisions, which stay as they were stored.

What is corrected is applied where a game is read: its list of games, its record, its statistics.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from urpi.journal.checksums import correction_checksum
from urpi.journal.connection import LAST_ID
from urpi.journal.failures import DamagedError
from urpi.journal.journal import Journal
from urpi.journal.migrations import changeable

CorrectionKind: TypeAlias = Literal["light", "dark", "note", "void", "valid", "started", "deleted"]
KINDS: Final[frozenset[str]] = frozenset(get_args(CorrectionKind))
NO_REASON: Final = ("note",)
"""The kinds that need no reason: a note is one itself."""
LONGEST_REASON: Final = 500
"""Maximum length of a note or a reason."""


@dataclass(frozen=True, slots=True)
class Correction:
    """An entry of the log of corrections.

    Attributes:
        game: The game's number.
        at: When it was made, ISO 8601 with the offset from UTC.
        kind: ``light`` or ``dark``, a new name of that side; ``note``; ``void``, the game does not
            count; ``valid``, it counts again; ``started``, when it began, by the clock after that
            was set; ``deleted``, nothing but this entry is left of it.
        text: The new name, the note, or the time; empty by default, as for the other kinds.
        reason: Why it was made; empty by default, as for most notes.
    """

    game: int
    at: str
    kind: CorrectionKind
    text: str = ""
    reason: str = ""


def read_corrections(journal: Journal, game: int | None = None) -> tuple[Correction, ...]:
    """Return the corrections of a game, by default of all, in the order in which they were made.

    Raises:
        DamagedError: If they are not what was stored.
    """
    if game is not None and not 0 < game <= LAST_ID:
        return ()
    of_game = ("", ()) if game is None else (" WHERE game = ?", (game,))
    rows = journal.rows(f"SELECT * FROM corrections{of_game[0]} ORDER BY id", *of_game[1])  # noqa: S608 - own text
    found = []
    for *row, checksum in rows:
        _, number, at, kind, text, reason, _ = row
        if correction_checksum(row) != checksum or kind not in KINDS:
            message = (
                f"The journal {journal.path} is damaged: a correction of game {number} is not what "
                "was stored."
            )
            raise DamagedError(message)
        found.append(Correction(number, at, kind, text, reason))
    return tuple(found)


def corrections_by_game(journal: Journal) -> dict[int, tuple[Correction, ...]]:
    """The corrections of each game that has some, by its number.

    Raises:
        DamagedError: As `read_corrections`.
    """
    found: dict[int, tuple[Correction, ...]] = {}
    for one in read_corrections(journal):
        found[one.game] = (*found.get(one.game, ()), one)
    return found


def insert_corrections(journal: Journal, corrections: Iterable[Correction]) -> None:
    """Store corrections after those that there are.

    Raises:
        UrpiError: If the disk fails; nothing is stored.
    """
    with journal.transaction():
        # With the newest seq: the seqs of a deleted game must not be given again.
        seq = journal.newest_seq()
        for one in corrections:
            (number,) = journal.connection.db.execute(
                "SELECT coalesce(max(id), 0) + 1 FROM corrections"
            ).fetchone()
            row = (number, one.game, one.at, one.kind, one.text, one.reason, seq)
            journal.connection.db.execute(
                "INSERT INTO corrections VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (*row, correction_checksum(row)),
            )


def replace_corrections(journal: Journal, corrections: Iterable[Correction]) -> None:
    """Change the texts of all corrections, given in their order, to anonymise a player.

    Raises:
        UrpiError: If the disk fails; nothing is changed.
    """
    with journal.transaction(), changeable(journal.connection.db, "corrections"):
        rows = journal.rows("SELECT id, seq FROM corrections ORDER BY id")
        for (number, seq), one in zip(rows, tuple(corrections), strict=True):
            row = (number, one.game, one.at, one.kind, one.text, one.reason, seq)
            journal.connection.db.execute(
                "UPDATE corrections SET value = ?, reason = ?, checksum = ? WHERE id = ?",
                (one.text, one.reason, correction_checksum(row), number),
            )


def corrected_names(names: tuple[str, str], corrections: Iterable[Correction]) -> tuple[str, str]:
    """The names of light and dark after corrections.

    >>> corrected_names(("Ann", ""), [Correction(1, "", "dark", "Bea")])
    ('Ann', 'Bea')
    """
    light, dark = names
    for one in corrections:
        light = one.text if one.kind == "light" else light
        dark = one.text if one.kind == "dark" else dark
    return light, dark


def corrected_start(corrections: Iterable[Correction]) -> str | None:
    """When a game began after corrections, None if that was not corrected."""
    starts = [one.text for one in corrections if one.kind == "started"]
    return starts[-1] if starts else None


def is_void(corrections: Iterable[Correction]) -> bool:
    """Whether a game does not count after corrections."""
    marks = [one.kind for one in corrections if one.kind in {"void", "valid"}]
    return marks[-1:] == ["void"]


def correction_text(correction: Correction, before: str = "") -> str:
    """A correction in one line, as the record has it.

    Args:
        correction: The correction.
        before: The name before a new one, empty without one.

    >>> correction_text(Correction(1, "2026-11-28T12:00:00+01:00", "dark", "Bea", "a typo"), "Baa")
    '2026-11-28T12:00:00+01:00 dark: Baa > Bea; a typo'
    """
    text = (
        f"{before or '?'} > {correction.text or '?'}"
        if correction.kind in {"light", "dark"}
        else correction.text
    )
    head = f"{correction.at} {correction.kind}" + (f": {text}" if text else "")
    return f"{head}; {correction.reason}" if correction.reason else head


def names_before(
    names: tuple[str, str], corrections: Iterable[Correction]
) -> tuple[tuple[Correction, str], ...]:
    """Corrections in order, each with the name that it replaces; empty for the other kinds.

    Args:
        names: The names of light and dark as they were stored with the game.
        corrections: All corrections of the game.
    """
    current = dict(zip(("light", "dark"), names, strict=True))
    found = []
    for one in corrections:
        found.append((one, current.get(one.kind, "")))
        if one.kind in current:
            current[one.kind] = one.text
    return tuple(found)
