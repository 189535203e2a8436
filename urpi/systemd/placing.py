"""Placing the service's files below a root, and taking them away. Nothing is half-written."""

import os
from enum import Enum
from pathlib import Path

from urpi.errors import UrpiError
from urpi.systemd.files import MARK, ServiceFile


class State(Enum):
    """How a file of the service is on the machine."""

    ABSENT = "not there"
    SAME = "there"
    OLD = "there, of another version"
    OWN = "there, the owner's own"


def state_of(file: ServiceFile, root: Path) -> State:
    """How the file is.

    Raises:
        UrpiError: when it cannot be read.
    """
    path = _below(root, file)
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return State.ABSENT
    except (OSError, UnicodeDecodeError) as error:
        message = f"{path} cannot be read: {_reason(error)}."
        raise UrpiError(message) from error
    if text == file.text:
        return State.SAME
    return State.OWN if file.kept or not text.startswith(MARK) else State.OLD


def place(file: ServiceFile, root: Path) -> bool:
    """Write the file; whether there was anything to write.

    Raises:
        UrpiError: when somebody else's file stands there, or it cannot be written.
    """
    state = state_of(file, root)
    if state is State.SAME or (state is State.OWN and file.kept):
        return False
    path = _below(root, file)
    if state is State.OWN:
        message = f"{path} is not ours; move it away, or keep it and install by hand."
        raise UrpiError(message)
    beside = path.with_name(f".{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(file.text, "utf-8")
        beside.chmod(0o644)
        os.replace(beside, path)
    except OSError as error:
        message = f"{path} cannot be written: {_reason(error)}."
        raise UrpiError(message) from error
    return True


def remove(file: ServiceFile, root: Path) -> bool:
    """Take the file away unless it is the owner's own; whether it was taken away.

    Raises:
        UrpiError: when it cannot be removed.
    """
    state = state_of(file, root)
    if file.kept or state in {State.ABSENT, State.OWN}:
        return False
    path = _below(root, file)
    try:
        path.unlink()
    except OSError as error:
        message = f"{path} cannot be removed: {_reason(error)}."
        raise UrpiError(message) from error
    return True


def _below(root: Path, file: ServiceFile) -> Path:
    return root / file.path.relative_to("/")


def _reason(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
