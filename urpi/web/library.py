"""The library: reads of the journal, by a connection of its own in a thread of its own.

The referee writes by another connection. Each reading fetches its rows at once, so that the
file is held for milliseconds; what is made of them keeps nobody waiting but the page that asked.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeVar

from urpi.errors import UrpiError
from urpi.journal import Entry, Journal, entries_of

MOST_WAITING: Final = 32
"""Readings that may wait for their turn; more are refused."""

_T = TypeVar("_T")


class BusyError(UrpiError):
    """Too many ask at once."""


class Library:
    """Reads a journal's file; one reading after the other."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._readers = ThreadPoolExecutor(1, thread_name_prefix="urpi-library")
        self._waiting = 0

    async def read(self, reading: Callable[[Journal], _T]) -> _T:
        """What a reading gives.

        Raises:
            BusyError: when too many wait.
            UrpiError: when the journal cannot be read, or as the reading.
        """
        if self._waiting >= MOST_WAITING:
            message = "Too many ask for games at once; try again in a few seconds."
            raise BusyError(message)
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._readers, self._read, reading)
        finally:
            self._waiting -= 1

    def _read(self, reading: Callable[[Journal], _T]) -> _T:
        # Opened anew each time: a file that was damaged is replaced by another.
        with Journal.read_only(self._path) as journal:
            return reading(journal)

    async def decisions(self, game: int, after: int, until: int) -> list[Entry]:
        """A game's decisions with a seq behind `after`, up to `until`.

        Raises:
            UrpiError: as `read`.
        """

        def reading(journal: Journal) -> list[Entry]:
            entries = entries_of(journal, game, after)
            return [one for one in entries if one.kind == "decision" and one.seq <= until]

        return await self.read(reading)

    def close(self) -> None:
        """Begin no more readings."""
        self._readers.shutdown(wait=False, cancel_futures=True)
