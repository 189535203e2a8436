"""Reads for the page, one after the other, on a thread of their own."""

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager
from contextvars import ContextVar
from queue import SimpleQueue
from typing import Any, Final, Generic, TypeVar

from urpi.core.errors import UrpiError
from urpi.core.supervision import SupervisedThread

MAX_WAITING: Final = 32
"""Maximum number of reads in the queue; further ones are rejected."""
MAX_OF_CLIENT: Final = 8
"""Maximum number of them that one client may have there, so that others are served, too."""
MAX_WAIT_S: Final = 30.0
"""Maximum time until a read has ended; then the request is rejected, and a read that has not begun
is left out."""

asking_client: Final[ContextVar[str]] = ContextVar("asking_client", default="")
"""The client whose request the current task handles; empty for this machine itself, which is not
limited: it may be a proxy, with the requests of all its clients."""

_Source = TypeVar("_Source")
_T = TypeVar("_T")


class BusyError(UrpiError):
    """Too many reads are waiting."""


class UnavailableError(UrpiError):
    """The database does not respond."""


class Reader(Generic[_Source]):
    """Reads a source of games, such as a journal.

    Args:
        name: The name of the thread.
        opened: Opens the source for one read: what it was may have been replaced since.
        max_wait_s: Maximum time in seconds until a read has ended.
    """

    def __init__(
        self,
        name: str,
        opened: Callable[[], AbstractContextManager[_Source]],
        max_wait_s: float = MAX_WAIT_S,
    ) -> None:
        self._opened, self._max_wait_s = opened, max_wait_s
        self._queue: SimpleQueue[tuple[Callable[[_Source], Any], Future[Any]]] = SimpleQueue()
        self._waiting: Counter[str] = Counter()
        """The number of reads in the queue, by client."""
        # A daemon thread: the program may exit in the middle of a long read.
        self._thread = SupervisedThread(self._work, name)
        self._thread.start()

    async def read(self, read: Callable[[_Source], _T]) -> _T:
        """Call a function with the open source and return its result.

        Raises:
            BusyError: If too many reads are waiting, of this client or of all, or this one waits
                for too long.
            UrpiError: If the source cannot be read, or as raised by the function.
        """
        message = "Too many requests are waiting; try again in a few seconds."
        client = asking_client.get()
        is_full = client and self._waiting[client] >= MAX_OF_CLIENT
        if is_full or self._waiting.total() >= MAX_WAITING:
            raise BusyError(message)
        future: Future[_T] = Future()
        self._queue.put((read, future))
        self._waiting[client] += 1
        try:
            async with asyncio.timeout(self._max_wait_s):
                return await asyncio.wrap_future(future)
        except TimeoutError as error:
            raise BusyError(message) from error
        finally:
            self._waiting[client] -= 1
            # Only clients whose reads wait are remembered.
            self._waiting = +self._waiting

    def _work(self) -> None:
        while True:
            self._thread.part.alive(None)
            read, future = self._queue.get()
            self._thread.part.alive(2 * self._max_wait_s)
            # The request has given up meanwhile.
            if not future.set_running_or_notify_cancel():
                continue
            try:
                with self._opened() as source:
                    result = read(source)
            except Exception as error:
                future.set_exception(error)
            else:
                # After the source was closed: a change is committed then, or has failed.
                future.set_result(result)
