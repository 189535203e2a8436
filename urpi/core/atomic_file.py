"""Files that are replaced as a whole: a reader finds the old or the new one, never a part."""

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

DRAFT: Final = re.compile(r".+\.urpi-part-([1-9][0-9]{0,9})(?:-journal)?")
"""The name of a draft, with the number of the process that writes it, or of SQLite's file beside
it."""


def own_draft(target: Path) -> Path:
    """The name of this process's draft of a file, which does not exist.

    Drafts in the same folder that killed processes have left are removed, if they can be.

    Raises:
        IsADirectoryError: If the path is that of the current folder or of the root, without a name.
    """
    if not target.name:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    with suppress(OSError):
        for file in target.parent.iterdir():
            found = DRAFT.fullmatch(file.name)
            if found and not _runs(int(found[1])):
                file.unlink(missing_ok=True)
    return target.with_name(f"{target.name}.urpi-part-{os.getpid()}")


def _runs(process: int) -> bool:
    try:
        # Signal 0 is not sent: only whether it could be is checked.
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        # It belongs to another user.
        return True
    return True


@contextmanager
def draft_of(target: Path, *, mode: int | None = None, suffix: str = "") -> Iterator[Path]:
    """Yield an empty file beside a file, which it replaces in the end if there was no error.

    What was written is on the disk before that, so that a power cut leaves the old file or the new
    one. After an error the draft is removed, and the old file is unchanged.

    Args:
        target: The file, which need not exist. A link is replaced, not the file that it points to.
        mode: The permissions of the new file; until it is complete, only its owner can read it. By
            default those of every new file of this process.
        suffix: The end of the draft's name. By default it contains the number of the process, so
            that several may write the same file, and the next one that writes a file in the folder
            removes what a killed process left. With a fixed suffix, of which the caller must be
            the only user, the draft that a power cut left is overwritten.

    Raises:
        OSError: If the draft cannot be created, written or renamed.
    """
    draft = target.with_name(target.name + suffix) if suffix else own_draft(target)
    draft.unlink(missing_ok=True)
    # Only a new file: a link of another user would lead to a file that must not be written.
    draft.touch(0o666 if mode is None else 0o600, exist_ok=False)
    try:
        yield draft
        with draft.open("rb") as written:
            if mode is not None:
                os.fchmod(written.fileno(), mode)
            os.fsync(written.fileno())
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
