"""The engine in a process of its own, so that it cannot delay or stop the referee.

A thread passes requests to it one at a time, and starts it again if it has ended or does not
respond. Requests and responses are those of `urpi.service.engine_worker`.
"""

import json
import logging
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from urpi.engine.exact.folder import tables_folder
from urpi.service.worker_process import WorkerProcess

Request: TypeAlias = Mapping[str, object]
Response: TypeAlias = Mapping[str, Any]
OnResponse: TypeAlias = Callable[[Response | None], None]
"""Called in the thread of the process with the response, None if there is none."""

TIMEOUT_S: Final = 20.0
"""Longest time for a response, which includes the start of the process on a slow machine."""
ATTEMPTS: Final = 2
"""How often a request is sent: the process may have been killed since the last one."""
ANALYSIS_IDLE_S: Final = 120.0
"""Time without an analysis after which the process for them ends, which takes 25 MB."""
_READ_BYTES: Final = 65_536
_log: Final = logging.getLogger(__name__)


def worker_command(tables: Path) -> tuple[str, ...]:
    """Return the command of the process that uses the tables of a folder."""
    return (sys.executable, "-P", "-m", "urpi.service.engine_worker", str(tables))


class EngineProcess(WorkerProcess[tuple[Request, OnResponse]]):
    """The engine's process, which is started with the first request.

    Args:
        command: The command of the process.
        timeout_s: Longest time for a response.
        name: The name of the part.
        idle_s: As for `WorkerProcess`.
    """

    def __init__(
        self,
        command: Sequence[str],
        timeout_s: float = TIMEOUT_S,
        name: str = "engine",
        idle_s: float | None = None,
    ) -> None:
        super().__init__(command, timeout_s, name, idle_s)

    def request(self, request: Request, on_response: OnResponse) -> None:
        """Send a request. Returns at once; call it in one thread."""
        self._put((request, on_response))

    def _handle(self, item: tuple[Request, OnResponse]) -> None:
        request, on_response = item
        response: Response | None = None
        try:
            response = self._respond(json.dumps(request).encode() + b"\n")
        finally:
            # After an error in this program, too: a game must not wait for ever.
            on_response(response)

    def _respond(self, line: bytes) -> Response | None:
        """Return the response of the process, None if there is none.

        Raises:
            TimeoutError: If it does not respond in time; it is ended then.
        """
        for _ in range(ATTEMPTS):
            try:
                response = json.loads(self._exchange(line))
            except (OSError, ValueError) as error:
                self._stop()
                if self._closed:
                    return None
                _log.warning("The engine's process failed: %s", error)
                if isinstance(error, TimeoutError):
                    # A process that hangs is a fault of this part, which is then reported.
                    raise
            else:
                if "error" in response:
                    _log.error("The engine cannot evaluate %s: %s", line, response["error"])
                    return None
                assert isinstance(response, dict)
                return response
        return None

    def _exchange(self, line: bytes) -> bytes:
        """Write a line to the process and return the line that it responds with.

        Raises:
            OSError: If the process cannot be started, has ended, or does not respond in time.
        """
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(line)
        return _read_line(process.stdout.fileno(), time.monotonic() + self._timeout_s)

    def _started(self) -> subprocess.Popen[bytes]:
        with self._starting:
            if self._closed:
                message = "it is closed."
                raise ConnectionAbortedError(message)
            if self._process is None:
                self._process = subprocess.Popen(  # noqa: S603 - this program's own module
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    bufsize=0,
                    # Ctrl-C in a terminal must reach the program alone.
                    start_new_session=True,
                )
            return self._process


def _read_line(file: int, until: float) -> bytes:
    found = b""
    with selectors.DefaultSelector() as selector:
        selector.register(file, selectors.EVENT_READ)
        while not found.endswith(b"\n"):
            if not selector.select(max(0.0, until - time.monotonic())):
                message = "it does not respond."
                raise TimeoutError(message)
            read = os.read(file, _READ_BYTES)
            if not read:
                message = "it has ended."
                raise ConnectionResetError(message)
            found += read
    return found


def engine_process(journal: Path) -> EngineProcess:
    """Return the engine's process, which uses the tables beside a journal."""
    return EngineProcess(worker_command(tables_folder(journal)))


def analysis_process(journal: Path) -> EngineProcess:
    """Return a process for analyses, which ends while nobody asks for any."""
    command = worker_command(tables_folder(journal))
    return EngineProcess(command, name="analysis", idle_s=ANALYSIS_IDLE_S)
