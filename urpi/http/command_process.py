"""Commands of urpi that run in a process of their own at a low priority.

Drawing or reviewing a game keeps a processor busy for seconds, and for much longer on a small
machine. In a thread of the program it would delay the referee.
"""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from threading import Thread
from typing import Final

from urpi.core.errors import UrpiError

REFUSED: Final = 2
"""Exit status of a command whose arguments name something that does not exist."""
_CODE: Final = "import os; os.nice(10); from urpi.cli.main import main; main()"
# The end of a traceback: its last lines name the error.
_MAX_ERRORS: Final = 500


class CommandFailedError(UrpiError):
    """A command ended with an error status; the message is the end of its standard error."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


async def output_of(
    words: tuple[str, ...], timeout_s: float, on_line: Callable[[str], None] = lambda _: None
) -> bytes:
    """What a command writes to its standard output.

    Args:
        words: The command's arguments.
        timeout_s: The limit of its duration, after which it is killed.
        on_line: Called with each line of its standard error.

    Raises:
        CommandFailedError: If its exit status is not 0.
        TimeoutError: If it takes too long.
    """
    loop = asyncio.get_running_loop()
    ended: Future[tuple[int, bytes, str]] = Future()
    # It cannot be cancelled: the process is killed instead.
    ended.set_running_or_notify_cancel()

    def report(line: str) -> None:
        # The loop is closed if the server has stopped.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(on_line, line)

    # Not a subprocess of asyncio: if its start is cancelled, as when the loop is closed, asyncio
    # can wait for its end for ever (CPython 3.11, `BaseSubprocessTransport._wait`).
    process = subprocess.Popen(  # noqa: S603 - this program's own command line
        (sys.executable, "-P", "-c", _CODE, *words),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    Thread(target=_read, args=(process, report, ended), name="urpi-command", daemon=True).start()
    try:
        async with asyncio.timeout(timeout_s):
            status, content, last = await asyncio.wrap_future(ended)
    finally:
        # If it still runs, the server stops, or the command takes too long.
        process.kill()
    if status:
        raise CommandFailedError(status, last)
    return content


def _read(
    process: subprocess.Popen[bytes],
    on_line: Callable[[str], None],
    ended: Future[tuple[int, bytes, str]],
) -> None:
    """Read both streams of a process until it ends; the result is its status and what it wrote."""
    errors = _Errors(process, on_line)
    try:
        with process:
            assert process.stdout is not None
            # Both streams at once: a process that fills the one that is not read would wait for
            # ever.
            errors.start()
            content = process.stdout.read()
            errors.join()
        ended.set_result((process.returncode, content, errors.last.strip()))
    except Exception as error:
        ended.set_exception(error)


class _Errors(Thread):
    """Reads the standard error of a process, and keeps the end of it in `last`."""

    def __init__(self, process: subprocess.Popen[bytes], on_line: Callable[[str], None]) -> None:
        super().__init__(name="urpi-command-errors", daemon=True)
        self._process, self._on_line = process, on_line
        self.last = ""

    def run(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            text = line.decode(errors="replace")
            self._on_line(text.rstrip("\n"))
            self.last = (self.last + text)[-_MAX_ERRORS:]
