"""Reading of text files and standard input, with size limits and uniform errors."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from urpi.core.errors import UrpiError

_STDIN: Final = "standard input"
_STDIN_ADVICE: Final = "give it a file or a pipe"


def read_text(path: Path, what: str, most_bytes: int, advice: str) -> str:
    r"""Return the text of a file, with every line end as ``\n`` and without a byte order mark.

    At most one byte more than allowed is read, so an endless device is refused too.

    Args:
        path: A file, a pipe or a device.
        what: What the file is, such as ``configuration``, for the message.
        most_bytes: Maximum size in bytes.
        advice: What to do about a file that cannot be read, such as ``choose another``.

    Raises:
        UrpiError: If it cannot be opened or read, is larger, or is not UTF-8.
    """
    with opened(path, what, advice) as file:
        found = file.read(most_bytes + 1)
    if len(found) > most_bytes:
        message = f"The {what} {path} is larger than {most_bytes} bytes, the limit; {advice}."
        raise UrpiError(message)
    return decoded(found, f"The {what} {path}", advice)


@contextmanager
def opened(path: Path, what: str, advice: str) -> Iterator[BinaryIO]:
    """Open a file for reading bytes; `what` and `advice` are those of `read_text`.

    Raises:
        UrpiError: If it cannot be opened or read.
    """
    try:
        with path.open("rb") as file:
            yield file
    except OSError as error:
        raise _unreadable(f"The {what} {path}", error, advice) from error


def decoded(found: bytes, name: str, advice: str) -> str:
    """Decode UTF-8 bytes to a text as `read_text` returns it.

    Raises:
        UrpiError: If they are not UTF-8; the message begins with `name`.
    """
    try:
        text = found.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"{name} is not UTF-8 text: byte {error.start} is invalid; {advice}."
        raise UrpiError(message) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _unreadable(name: str, error: OSError, advice: str) -> UrpiError:
    """The error for an input that cannot be read."""
    return UrpiError(f"{name} cannot be read: {reason(error)}; {advice}.")


def reason(error: OSError) -> str:
    """The operating system's message without its number."""
    return error.strerror or str(error) or type(error).__name__


def stdin_lines(longest: int) -> Iterator[bytes]:
    """Yield the lines of standard input, each with its end, as they arrive.

    Of a line longer than `longest` bytes the first `longest` + 1 are returned, and the rest is
    skipped before the next line, so that memory use does not depend on the input.

    Raises:
        UrpiError: If standard input is closed or cannot be read.
    """
    lines = _standard_input()
    while line := _next_line(lines, longest + 1):
        yield line
        while len(line) > longest and not line.endswith(b"\n"):
            line = _next_line(lines, longest + 1)


def _standard_input() -> BinaryIO:
    # Python has no sys.stdin when the process was started without descriptor 0.
    if sys.stdin is None:
        message = f"There is no {_STDIN}; {_STDIN_ADVICE}."
        raise UrpiError(message)
    return sys.stdin.buffer


def _next_line(lines: BinaryIO, most_bytes: int) -> bytes:
    try:
        return lines.readline(most_bytes)
    except OSError as error:
        raise _unreadable(_STDIN.capitalize(), error, _STDIN_ADVICE) from error
