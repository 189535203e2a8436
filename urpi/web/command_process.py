"""Commands of urpi that run in a process of their own at a low priority.

Drawing or reviewing a game keeps a processor busy for seconds, and for much longer on a small
machine. In a thread of the program it would delay the referee.
"""

import asyncio
import sys
from collections.abc import Callable
from typing import Final

from urpi.errors import UrpiError

REFUSED: Final = 2
"""Exit status of a command whose arguments name something that does not exist."""
_CODE: Final = "import os; os.nice(10); from urpi.cli import main; main()"
_MAX_ERRORS: Final = 500


class CommandFailedError(UrpiError):
    """A command ended with an error status; the message is the end of its standard error."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


async def output_of(
    words: tuple[str, ...], timeout_s: float, on_line: Callable[[str], None] = lambda _: None
) -> bytes:
    """Return what a command writes to its standard output.

    Args:
        words: The command's arguments.
        timeout_s: The limit of its duration, after which it is killed.
        on_line: Called with each line of its standard error.

    Raises:
        CommandFailedError: If its exit status is not 0.
        TimeoutError: If it takes too long.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-c", _CODE, *words),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        async with asyncio.timeout(timeout_s):
            errors = _read_lines(process.stderr, on_line)
            content, last = await asyncio.gather(process.stdout.read(), errors)
            status = await process.wait()
    finally:
        if process.returncode is None:
            # The server stops, or the command takes too long.
            process.kill()
    if status:
        raise CommandFailedError(status, last)
    return content


async def _read_lines(stream: asyncio.StreamReader, on_line: Callable[[str], None]) -> str:
    """Read all lines, and return the end of them."""
    last = ""
    async for line in stream:
        text = line.decode(errors="replace")
        on_line(text.rstrip("\n"))
        last = (last + text)[-_MAX_ERRORS:]
    return last.strip()
