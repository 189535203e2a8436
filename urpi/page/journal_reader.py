"""Reads of the journal for the page, on a connection and a thread of their own.

The referee writes through another connection. Each read fetches its rows at once, so that it holds
the file for milliseconds only; a long computation on them delays other readers, never the referee.
"""

from pathlib import Path
from typing import NamedTuple

from urpi.http.reader import Reader
from urpi.journal import Journal, entries_of
from urpi.referee.decisions import Decision
from urpi.referee.lines import parse_decision


class StoredDecision(NamedTuple):
    """A decision and its place in the journal."""

    seq: int
    decision: Decision


class JournalReader(Reader[Journal]):
    """Reads a journal's file, one read after the other."""

    def __init__(self, path: Path) -> None:
        # Opened for each read: a damaged file is replaced by a new one while the program runs.
        super().__init__("journal-reader", lambda: Journal.read_only(path))
        self.path = path

    async def decisions(self, game: int, after: int, until: int) -> list[StoredDecision]:
        """A game's decisions with a seq greater than `after` and at most `until`.

        Raises:
            UrpiError: As `read`.
        """

        def read(journal: Journal) -> list[StoredDecision]:
            return [
                StoredDecision(entry.seq, parse_decision(entry.line, entry.seq))
                for entry in entries_of(journal, game, after)
                if entry.kind == "decision" and entry.seq <= until
            ]

        return await self.read(read)
