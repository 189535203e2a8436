"""The library: reads of the journal, by a connection of its own in a thread of its own.

The referee writes by another connection. Each reading fetches its rows at once, so that the
file is held for milliseconds; what is made of them keeps nobody waiting but the page that asked.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, TypeVar

from urpi.errors import UrpiError
from urpi.journal import Journal, entries_of
from urpi.referee.lines import parse_decision
from urpi.web.event_lines import Placed

MOST_WAITING: Final = 32
"""Readings that may wait for their turn; more are refused."""

_T = TypeVar("_T")
_Reading = tuple[Callable[[Journal], Any], Future[Any]]


class BusyError(UrpiError):
    """Too many ask at once."""


class Library:
    """Reads a journal's file; one reading after the other."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._asked: SimpleQueue[_Reading] = SimpleQueue()
        self._waiting = 0
        # A daemon: the program may end in the middle of a long reading.
        Thread(target=self._work, name="urpi-library", daemon=True).start()

    async def read(self, reading: Callable[[Journal], _T]) -> _T:
        """What a reading gives.

        Raises:
            BusyError: when too many wait.
            UrpiError: when the journal cannot be read, or as the reading.
        """
        if self._waiting >= MOST_WAITING:
            message = "Too many ask for games at once; try again in a few seconds."
            raise BusyError(message)
        future: Future[_T] = Future()
        self._asked.put((reading, future))
        self._waiting += 1
        try:
            return await asyncio.wrap_future(future)
        finally:
            self._waiting -= 1

    async def decisions(self, game: int, after: int, until: int) -> list[Placed]:
        """A game's decisions with a seq behind `after`, up to `until`.

        Raises:
            UrpiError: as `read`.
        """

        def reading(journal: Journal) -> list[Placed]:
            return [
                Placed(one.seq, parse_decision(one.line, one.seq))
                for one in entries_of(journal, game, after)
                if one.kind == "decision" and one.seq <= until
            ]

        return await self.read(reading)

    def _work(self) -> None:
        while True:
            reading, future = self._asked.get()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(self._read(reading))
            except Exception as error:
                future.set_exception(error)

    def _read(self, reading: Callable[[Journal], _T]) -> _T:
        # Opened anew each time: a file that was damaged is replaced by another.
        with Journal.read_only(self._path) as journal:
            return reading(journal)
