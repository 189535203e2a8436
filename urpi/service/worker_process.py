"""A process of its own that handles requests one at a time, in a thread that waits for it."""

import subprocess
from abc import ABC, abstractmethod
from collections.abc import Sequence
from queue import Empty, SimpleQueue
from threading import Lock
from typing import Generic, TypeVar

from urpi.core.supervision import LATE_S, SupervisedThread

Item = TypeVar("Item")


class WorkerProcess(ABC, Generic[Item]):
    """A process and its thread, which are started with the first request.

    Args:
        command: The command of the process.
        timeout_s: Longest time for a response.
        name: The name of the part (`urpi.core.supervision`).
        idle_s: Time after the last request at which the process ends, until the next request; by
            default it stays.
    """

    def __init__(
        self, command: Sequence[str], timeout_s: float, name: str, idle_s: float | None = None
    ) -> None:
        self._command, self._timeout_s, self._name = tuple(command), timeout_s, name
        self._idle_s = idle_s
        self._requests: SimpleQueue[Item | None] = SimpleQueue()
        self._thread: SupervisedThread | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False
        self._starting = Lock()
        """Held while a process is started: `close` either finds and kills it, or prevents it."""

    def close(self) -> None:
        """End the process. Requests without a response get none."""
        with self._starting:
            self._closed = True
            process = self._process
        self._requests.put(None)
        if process is not None:
            process.kill()
        if self._thread is not None:
            self._thread.end()
        self._stop()

    def _put(self, item: Item) -> None:
        """Add a request. Returns at once; call it in one thread."""
        if self._thread is None:
            self._thread = SupervisedThread(self._run, self._name)
            self._thread.start()
        self._requests.put(item)

    def _run(self) -> None:
        assert self._thread is not None
        part = self._thread.part
        while (item := self._next()) is not None and not self._closed:
            # Twice, as a request may be sent twice; the process is killed in time, so that only
            # this program itself can be late.
            part.alive(2 * self._timeout_s + LATE_S)
            self._handle(item)
            part.alive(None)

    def _next(self) -> Item | None:
        """Wait for the next request; meanwhile the process ends if none arrives for a while."""
        try:
            return self._requests.get(timeout=self._idle_s)
        except Empty:
            self._stop()
        return self._requests.get()

    @abstractmethod
    def _handle(self, item: Item) -> None:
        """Handle a request in the thread of the process."""

    def _stop(self) -> None:
        """Kill the process, if there is one, and wait for its end."""
        process, self._process = self._process, None
        if process is not None:
            # Leaving the block closes the pipes and waits for the process.
            with process:
                process.kill()
