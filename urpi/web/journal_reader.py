"""Reads of the journal for the page, on a connection and a thread of their own.

The referee writes through another connection. Each read fetches its rows at once, so that it holds
the file for milliseconds only; a long computation on them delays other readers, never the referee.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, NamedTuple, TypeVar

from urpi.errors import UrpiError
from urpi.journal import Journal, entries_of
from urpi.referee.decisions import Decision
from urpi.referee.lines import parse_decision

MAX_WAITING: Final = 32
"""Maximum number of reads in the queue; further ones are rejected."""

_T = TypeVar("_T")
_Read = tuple[Callable[[Journal], Any], Future[Any]]


class BusyError(UrpiError):
    """Too many reads are waiting."""


class StoredDecision(NamedTuple):
    """A decision and its place in the journal."""

    seq: int
    decision: Decision


class JournalReader:
    """Reads a journal's file, one read after the other."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._queue: SimpleQueue[_Read] = SimpleQueue()
        self._waiting = 0
        # A daemon thread: the program may exit in the middle of a long read.
        Thread(target=self._work, name="urpi-journal-reader", daemon=True).start()

    async def read(self, read: Callable[[Journal], _T]) -> _T:
        """Call a function with the open journal and return its result.

        Raises:
            BusyError: If too many reads are waiting.
            UrpiError: If the journal cannot be read, or as raised by the function.
        """
        if self._waiting >= MAX_WAITING:
            message = "Too many requests for games at once; try again in a few seconds."
            raise BusyError(message)
        future: Future[_T] = Future()
        self._queue.put((read, future))
        self._waiting += 1
        try:
            return await asyncio.wrap_future(future)
        finally:
            self._waiting -= 1

    async def decisions(self, game: int, after: int, until: int) -> list[StoredDecision]:
        """Return a game's decisions with a seq greater than `after` and at most `until`.

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

    def _work(self) -> None:
        while True:
            read, future = self._queue.get()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(self._read(read))
            except Exception as error:
                future.set_exception(error)

    def _read(self, read: Callable[[Journal], _T]) -> _T:
        # Opened for each read: a damaged file is replaced by a new one while the program runs.
        with Journal.read_only(self.path) as journal:
            return read(journal)
