"""A game as the keeper holds it in memory, and how much of it a file has.

Pure but for the questions put to a journal; nothing here writes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Self, TypeAlias

from urpi.journal.checking import checked_decision, checked_fact
from urpi.journal.entries import one_line
from urpi.journal.journal import Journal
from urpi.journal.packing import WORDS, pack, unpack

MOST_AT_ONCE: Final = 500
"""Writes that become one transaction when a backlog is stored."""


@dataclass(frozen=True, slots=True)
class Opening:
    """The beginning of a game: the arguments of `Journal.new_game`."""

    line: str
    started: str
    program: str
    settings: Mapping[str, str]

    @property
    def lines(self) -> list[str]:
        """The stored lines."""
        return [self.line]

    @property
    def size(self) -> int:
        """Bytes held in memory."""
        return len(self.line)

    def check(self) -> None:
        """Check that it can be stored.

        Raises:
            UrpiError: if the line is not a fact.
        """
        checked_fact(self.line)


@dataclass(frozen=True, slots=True)
class Batch:
    """Lines that are stored together, packed: facts, then decisions."""

    facts: int
    packed: bytes
    ended: str | None = None

    @classmethod
    def of(cls, facts: Sequence[str], decisions: Sequence[str], ended: str | None = None) -> Self:
        """Pack the lines."""
        lines = [one_line(line) for line in (*facts, *decisions)]
        return cls(len(facts), pack(lines, WORDS) if lines else b"", ended)

    @property
    def lines(self) -> list[str]:
        """The stored lines."""
        return unpack(self.packed, WORDS) if self.packed else []

    @property
    def size(self) -> int:
        """Bytes held in memory."""
        return len(self.packed)

    def check(self) -> None:
        """Check that it can be stored.

        Raises:
            UrpiError: if a line is not of its kind.
        """
        lines = self.lines
        for line in lines[: self.facts]:
            checked_fact(line)
        for line in lines[self.facts :]:
            checked_decision(line)


Write: TypeAlias = Opening | Batch


@dataclass(slots=True)
class HeldGame:
    """A game from its beginning, and how many of its writes the file is known to have.

    `number` and `seq` are those of the file, 0 while it has nothing of the game.
    """

    writes: list[Write]
    stored: int = 0
    number: int = 0
    seq: int = 0
    starts: Opening = field(init=False)

    def __post_init__(self) -> None:
        opening = self.writes[0]
        assert isinstance(opening, Opening)
        self.starts = opening

    @classmethod
    def read(cls, journal: Journal, number: int) -> Self:
        """A game of a journal, all of it stored.

        Raises:
            UrpiError: if it cannot be read.
        """
        return cls(
            writes := [*_writes_of(journal, number)],
            len(writes),
            number,
            journal.last_seq_of(number),
        )

    @property
    def waiting(self) -> list[Write]:
        """The writes that the file is not known to have."""
        return self.writes[self.stored :]

    @property
    def size(self) -> int:
        """Bytes that wait to be stored."""
        return sum(write.size for write in self.waiting)

    def forget_file(self) -> None:
        """Start over: the file has nothing of this game."""
        self.stored = self.number = self.seq = 0

    def store(self, journal: Journal) -> None:
        """Store the oldest writes that wait in one transaction.

        Raises:
            UrpiError: if they cannot be stored; whether they were is then unknown (`locate`).
        """
        some = self.writes[self.stored : self.stored + MOST_AT_ONCE]
        number = self.number
        with journal.together():
            for write in some:
                if isinstance(write, Opening):
                    number = journal.new_game(
                        write.line, write.started, write.program, write.settings
                    )
                    continue
                lines = write.lines
                facts, decisions = lines[: write.facts], lines[write.facts :]
                journal.append(number, facts, decisions, ended=write.ended)
            seq = journal.last_seq_of(number)
        self.number, self.seq = number, seq
        self.stored += len(some)

    def locate(self, journal: Journal, others: Sequence[int]) -> None:
        """Find out how much of this game a file has, whatever was reported about earlier writes.

        Args:
            journal: the file, which may be another one than before.
            others: numbers of games that are known to be other ones.

        Raises:
            UrpiError: if the file cannot be read.
        """
        if self.seq and _has_batch(journal, self.number, self.starts.started, self.seq):
            candidates, known = [self.number], self.stored
        else:
            candidates, known = _begun_at(journal, self.starts.started), 0
        for number in candidates:
            lines = [entry.line for entry in journal.entries(number, self.seq if known else 0)]
            count = self._count_covered(known, lines)
            if number not in others and count:
                self.number, self.seq = number, journal.last_seq_of(number)
                self.stored = count + self._end_is_stored(journal, count)
                return
        self.forget_file()

    def _count_covered(self, known: int, lines: Sequence[str]) -> int:
        """How many writes those lines make up after the `known` ones; 0 if they are not ours."""
        place = 0
        for count, write in enumerate(self.writes[known:], known):
            if place == len(lines):
                return count
            text = write.lines
            if lines[place : place + len(text)] != text:
                return 0
            place += len(text)
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
    """The writes that make a stored game, the opening first."""
    ((started, program),) = journal.rows("SELECT started, program FROM games WHERE id = ?", number)
    settings = dict(journal.rows("SELECT name, value FROM settings WHERE game = ?", number))
    (_, facts, (opening, *others)), *batches = journal.batches(number)
    yield Opening(opening, started, program, settings)
    if others:
        yield Batch(facts - 1, pack(others, WORDS))
    for _, facts, lines in batches:
        yield Batch(facts, pack(lines, WORDS))
