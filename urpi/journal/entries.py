"""Values: what is stored of a game."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from urpi.core.moments import parse_moment

EntryKind: TypeAlias = Literal["fact", "decision"]

IMPORTED: Final = "imported"
"""The setting with the time when a game was imported from a record or an archive."""
SEAL_KEY: Final = "seal"
"""The setting with the key by which a game of two tables is believed, never sent."""
PRUNED: Final = "pruned"
"""The setting with the day on which a game was pruned."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A stored line.

    Attributes:
        seq: Its number among the entries of all games, from 1.
        kind: ``fact`` or ``decision``.
        line: The JSON text.
    """

    seq: int
    kind: EntryKind
    line: str


class Batch(NamedTuple):
    """Lines that were stored at once.

    Attributes:
        seq: The seq of the last line.
        facts: Number of lines that are facts; decisions follow them.
        lines: The lines; an empty one has been removed.
    """

    seq: int
    facts: int
    lines: list[str]

    @property
    def entries(self) -> Iterator[Entry]:
        """The lines as entries, the removed ones included."""
        first = self.seq - len(self.lines) + 1
        for place, line in enumerate(self.lines):
            yield Entry(first + place, "fact" if place < self.facts else "decision", line)


@dataclass(frozen=True, slots=True)
class Line:
    """A line that has been checked, with the values that a list of games needs."""

    text: str
    type: str
    side: str | None


@dataclass(frozen=True, slots=True)
class StoredGame:
    """Everything that a journal contains of a game.

    Attributes:
        id: The game's number.
        about: started, program, rules, light and dark.
        settings: Names and values.
        batches: Tuples as `Batch`, with checked lines.
        finished: When it ended, None if it has not.
    """

    id: int
    about: tuple[str, str, str, str, str]
    settings: tuple[tuple[str, str], ...]
    batches: tuple[tuple[int, int, tuple[Line, ...]], ...]
    finished: str | None


def one_line(line: str) -> str:
    """A JSON text without line ends, as it is stored."""
    # JSON has line ends between tokens only, where a space means the same.
    return line.strip().replace("\n", " ")


def check_time(text: str) -> None:
    """Check that a text is a time with its offset from UTC (ISO 8601).

    Raises:
        UrpiError: If it is not.
    """
    parse_moment(text, "A game's time")
