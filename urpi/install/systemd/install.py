"""Writing and removing the files of the service below a root folder. Every write is atomic."""

from enum import Enum
from pathlib import Path

from urpi.core.atomic_file import draft_of
from urpi.core.errors import UrpiError
from urpi.install.systemd.files import MARK, PACKAGE_MARK, ServiceFile


class UnitState(Enum):
    """State of a file of the service on the machine, as `urpi service status` prints it."""

    ABSENT = "not installed"
    SAME = "installed"
    OLD = "installed by another version"
    OWN = "the owner's own file"


def file_state(file: ServiceFile, root: Path) -> UnitState:
    """Return the state of a file below `root`.

    Raises:
        UrpiError: if it cannot be read.
    """
    path = _below(root, file)
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return UnitState.ABSENT
    except (OSError, UnicodeDecodeError) as error:
        message = f"{path} cannot be read: {_reason(error)}."
        raise UrpiError(message) from error
    if text == file.text:
        return UnitState.SAME
    return (
        UnitState.OWN if file.kept or not text.startswith((MARK, PACKAGE_MARK)) else UnitState.OLD
    )


def write_file(file: ServiceFile, root: Path) -> bool:
    """Write a file below `root`, and return whether that was necessary.

    Raises:
        UrpiError: if a file of another origin has its path, or it cannot be written.
    """
    state = file_state(file, root)
    if state is UnitState.SAME or (state is UnitState.OWN and file.kept):
        return False
    path = _below(root, file)
    if state is UnitState.OWN:
        message = f"{path} was not written by urpi; move it away, or keep it and install by hand."
        raise UrpiError(message)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft_of(path, mode=0o644) as draft:
            draft.write_text(file.text, "utf-8")
    except OSError as error:
        message = f"{path} cannot be written: {_reason(error)}."
        raise UrpiError(message) from error
    return True


def remove_file(file: ServiceFile, root: Path) -> bool:
    """Remove a file below `root` unless it is the owner's, and return whether it was removed.

    Raises:
        UrpiError: if it cannot be removed.
    """
    state = file_state(file, root)
    if file.kept or state in {UnitState.ABSENT, UnitState.OWN}:
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
