"""Files that are replaced as a whole: a reader finds the old or the new one, never a part."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


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
            that several may write the same file. With a fixed suffix, of which the caller must be
            the only user, the draft that a power cut left is overwritten.

    Raises:
        OSError: If the draft cannot be created, written or renamed.
    """
    draft = target.with_name(target.name + (suffix or f".part-{os.getpid()}"))
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
