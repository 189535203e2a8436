"""Files that a command writes beside its output."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from urpi.errors import UrpiError


def write_text(path: Path, text: str) -> None:
    """Write a file in UTF-8.

    Raises:
        UrpiError: when it cannot be written; the message names it.
    """
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        message = f"The file {path} cannot be written: {error.strerror}; name another."
        raise UrpiError(message) from error


@contextmanager
def replacing(path: Path) -> Iterator[IO[str]]:
    """A text file to write, which takes the place of the old one when it is complete.

    Raises:
        UrpiError: when it cannot be written; then the old one is as it was.
    """
    part = path.with_name(f"{path.name}.part-{os.getpid()}")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        message = f"The file {path} cannot be written: {error.strerror}; name another."
        raise UrpiError(message) from error
    finally:
        part.unlink(missing_ok=True)
