"""Files that a command writes beside its output."""

from pathlib import Path

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
