"""Standard output for other programs, and files that are written whole or not at all."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import IO

from urpi.errors import UrpiError


def utf_8_output() -> IO[str]:
    """Standard output in UTF-8 whatever the locale, as lines for other programs are.

    Raises:
        UrpiError: when the process has no standard output.
    """
    if sys.stdout is None:
        message = "There is no standard output; send it to a file or a pipe."
        raise UrpiError(message)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    return sys.stdout


def write_text(path: Path, text: str) -> None:
    """Write a file in UTF-8.

    Raises:
        UrpiError: as `replacing`.
    """
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file.

    Raises:
        UrpiError: as `replacing`.
    """
    with _beside(path) as part, part.open("wb") as file:
        file.write(content)
        _sync(file)


@contextmanager
def replacing(path: Path) -> Iterator[IO[str]]:
    """A text file to write, which takes the place of the old one when it is complete.

    Raises:
        UrpiError: when it cannot be written, with its name; then the old one is as it was.
    """
    with _beside(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        yield file
        _sync(file)


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """Where to write what is to have that name: beside it, but into a device or a pipe itself."""
    with _naming(path):
        if path.exists() and not path.is_file():
            yield path
            return
    # A link stays one: what it leads to is replaced.
    there = Path(os.path.realpath(path))
    part = there.with_name(f"{there.name}.part-{os.getpid()}")
    try:
        with _naming(path):
            yield part
            part.replace(there)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        message = f"The file {path} cannot be written: {error.strerror}; name another."
        raise UrpiError(message) from error


def _sync(file: IO[str] | IO[bytes]) -> None:
    file.flush()
    # A pipe and a terminal have nothing to sync.
    if os.path.isfile(file.fileno()):
        os.fsync(file.fileno())
