"""Files that are made from others: written anew, or compared with what they would be.

Used by every generator of wiring/, each with its own files.
"""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path


def write_or_compare(files: Mapping[Path, Callable[[], str]], *, check: bool) -> int:
    """Write every file, or with `check` say which one is not as it would be written.

    What lies in their folders with the same suffix and is none of them is removed, or told.
    Returns the exit status: 1 when something was told.
    """
    stale = [path for path, make in files.items() if _differs(path, make(), check=check)]
    folders = {(path.parent, path.suffix) for path in files if path.suffix == ".svg"}
    found = {one for folder, suffix in folders for one in folder.glob(f"*{suffix}")}
    left_over = sorted(found - set(files))
    for path in [] if check else left_over:
        path.unlink()
    for path in (*stale, *left_over) if check else ():
        print(f"{path} is not what its sources say; run `make -C wiring`.", file=sys.stderr)  # noqa: T201
    return 1 if check and (stale or left_over) else 0


def _differs(path: Path, page: str, *, check: bool) -> bool:
    """Whether the file is another; it is written unless it is only to be compared."""
    if path.exists() and path.read_text("utf-8") == page:
        return False
    if not check:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page, "utf-8")
    return True
