"""Entries: what is stored of a game, as values."""

from dataclasses import dataclass
from datetime import datetime

from urpi.errors import UrpiError


@dataclass(frozen=True, slots=True)
class Entry:
    """A stored line: `kind` is fact or decision; `seq` its place among the entries of all games."""

    seq: int
    kind: str
    line: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line that was checked, with what a list of games asks for."""

    text: str
    type: str
    side: str | None


@dataclass(frozen=True, slots=True)
class StoredGame:
    """All that a journal holds of a game.

    `about` are started, program, rules, light and dark; `batches` the seq of the last line, how
    many lines are facts, and the lines.
    """

    id: int
    about: tuple[str, str, str, str, str]
    settings: tuple[tuple[str, str], ...]
    batches: tuple[tuple[int, int, tuple[Line, ...]], ...]
    finished: str | None


def one_line(line: str) -> str:
    """A JSON text as it is stored, without line ends."""
    # JSON has line ends between tokens only, where a space means the same.
    return line.strip().replace("\n", " ")


def check_time(text: str) -> None:
    """Hold that a text is a time with its offset from UTC (ISO 8601).

    Raises:
        UrpiError: when it is not.
    """
    try:
        aware = datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        aware = False
    if not aware:
        message = f"A game's time is like 2026-11-20T19:02:11+01:00; found {text!r}."
        raise UrpiError(message)
