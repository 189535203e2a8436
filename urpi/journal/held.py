"""A game as the keeper holds it in memory, and how much of it the file has.

Reads from a journal to find that out, and writes only in `HeldGame.store`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Self, TypeAlias

from urpi.journal.entries import one_line
from urpi.journal.journal import Journal
from urpi.journal.line_checks import checked_decision, checked_fact
from urpi.journal.packing import DICTIONARY, pack, unpack

MAX_WRITES_AT_ONCE: Final = 500
"""Number of waiting writes that are stored in one transaction."""


@dataclass(frozen=True, slots=True)
class Opening:
    """The write that begins a game: the arguments of `Journal.new_game`."""

    line: str
    started: str
    program: str
    settings: Mapping[str, str]

    @property
    def lines(self) -> list[str]:
        return [self.line]

    @property
    def size(self) -> int:
        """Bytes held in memory."""
        return len(self.line)

    def check(self) -> None:
        """Check that it can be stored.

        Raises:
            UrpiError: If the line is not a fact.
        """
        checked_fact(self.line)


@dataclass(frozen=True, slots=True)
class Addition:
    """A write that continues a game: the arguments of `Journal.append`, the lines packed."""

    facts: int
    packed: bytes
    ended: str | None = None

    @classmethod
    def of(cls, facts: Sequence[str], decisions: Sequence[str], ended: str | None = None) -> Self:
        """Pack the lines."""
        lines = [one_line(line) for line in (*facts, *decisions)]
        return cls(len(facts), pack(lines, DICTIONARY) if lines else b"", ended)

    @property
    def lines(self) -> list[str]:
        return unpack(self.packed, DICTIONARY) if self.packed else []

    @property
    def size(self) -> int:
        """Bytes held in memory."""
        return len(self.packed)

    def check(self) -> None:
        """Check that it can be stored.

        Raises:
            UrpiError: If a line is not a fact or decision.
        """
        lines = self.lines
        for line in lines[: self.facts]:
            checked_fact(line)
        for line in lines[self.facts :]:
            checked_decision(line)


Write: TypeAlias = Opening | Addition


@dataclass(slots=True)
class HeldGame:
    """A game with all its writes from the first, and how many of them the file has.

    Attributes:
        writes: The writes, the opening first.
        stored: Number of writes that the file is known to have.
        number: The game's number in the file, 0 if the file has nothing of it.
        seq: The seq of its newest entry in the file, 0 if the file has nothing of it.
        opening: The first write.
    """

    writes: list[Write]
    stored: int = 0
    number: int = 0
    seq: int = 0
    opening: Opening = field(init=False)

    def __post_init__(self) -> None:
        first = self.writes[0]
        assert isinstance(first, Opening)
        self.opening = first

    @classmethod
    def read(cls, journal: Journal, number: int) -> Self:
        """Return a game of a journal, all of it stored.

        Raises:
            UrpiError: If it cannot be read.
        """
        writes = [*_writes_of(journal, number)]
        return cls(writes, len(writes), number, journal.last_seq(number))

    @property
    def waiting(self) -> list[Write]:
        """The writes that the file is not known to have."""
        return self.writes[self.stored :]

    @property
    def size(self) -> int:
        """Bytes waiting to be stored."""
        return sum(write.size for write in self.waiting)

    def forget_file(self) -> None:
        """Start over with a file that has nothing of this game."""
        self.stored = self.number = self.seq = 0

    def store(self, journal: Journal) -> None:
        """Store the oldest waiting writes in one transaction.

        Raises:
            UrpiError: If it fails. The writes may have been stored nevertheless; see `locate`.
        """
        # After a long outage thousands wait: one transaction would hold the lock for too long.
        some = self.writes[self.stored : self.stored + MAX_WRITES_AT_ONCE]
        number = self.number
        with journal.transaction():
            for write in some:
                if isinstance(write, Opening):
                    number = journal.new_game(
                        write.line, write.started, write.program, write.settings
                    )
                    continue
                lines = write.lines
                facts, decisions = lines[: write.facts], lines[write.facts :]
                journal.append(number, facts, decisions, ended=write.ended)
            seq = journal.last_seq(number)
        # Only after the commit: if it fails, nothing here has changed.
        self.number, self.seq = number, seq
        self.stored += len(some)

    def locate(self, journal: Journal, others: Sequence[int]) -> None:
        """Find this game in a file, and how many of its writes the file has.

        A write whose commit failed may be on the disk, and one whose commit succeeded may not be
        (a card that was exchanged), so only the file's lines count.

        Args:
            journal: The file, which may be a different one than before.
            others: Numbers of games in the file that are known to be different ones.

        Raises:
            UrpiError: If the file cannot be read.
        """
        # If the file still has the last known batch, only the lines after it are compared.
        if self.seq and _has_batch(journal, self.number, self.opening.started, self.seq):
            candidates, known = [self.number], self.stored
        else:
            candidates, known = _begun_at(journal, self.opening.started), 0
        # Two games can have begun in the same second; their lines distinguish them.
        for number in candidates:
            lines = [entry.line for entry in journal.entries(number, self.seq if known else 0)]
            count = self._count_covered(known, lines)
            # Two games that have the same first lines must not be found in one place.
            if number not in others and count:
                self.number, self.seq = number, journal.last_seq(number)
                self.stored = count + self._end_is_stored(journal, count)
                return
        self.forget_file()

    def _count_covered(self, known: int, lines: Sequence[str]) -> int:
        """Return how many writes are covered by `known` ones and lines; 0 if the lines differ."""
        place = 0
        for count, write in enumerate(self.writes[known:], known):
            if place == len(lines):
                return count
            text = write.lines
            if lines[place : place + len(text)] != text:
                return 0
            place += len(text)
        # More lines than writes: another program has continued the game.
        return len(self.writes) if place == len(lines) else 0

    def _end_is_stored(self, journal: Journal, count: int) -> bool:
        """Whether the next write is an end without lines of its own, and the file has it."""
        following = self.writes[count : count + 1]
        if not following or following[0].lines:
            return False
        return bool(journal.rows("SELECT 1 FROM finished WHERE game = ?", self.number))


def _has_batch(journal: Journal, number: int, started: str, seq: int) -> bool:
    query = "SELECT 1 FROM games JOIN batches ON game = id WHERE id = ? AND started = ? AND seq = ?"
    return bool(journal.rows(query, number, started, seq))


def _begun_at(journal: Journal, started: str) -> list[int]:
    rows = journal.rows("SELECT id FROM games WHERE started = ? ORDER BY id", started)
    return [number for (number,) in rows]


def _writes_of(journal: Journal, number: int) -> Iterator[Write]:
    """Yield the writes that result in a stored game, the opening first."""
    ((started, program),) = journal.rows("SELECT started, program FROM games WHERE id = ?", number)
    settings = dict(journal.rows("SELECT name, value FROM settings WHERE game = ?", number))
    # The first batch may contain more than the opening, as in a game that was imported.
    (_, facts, (opening, *others)), *batches = journal.batches(number)
    yield Opening(opening, started, program, settings)
    if others:
        yield Addition(facts - 1, pack(others, DICTIONARY))
    for _, facts, lines in batches:
        yield Addition(facts, pack(lines, DICTIONARY))
