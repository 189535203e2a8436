"""Files that are made from others: written anew, or compared with what they would be.

Used by every generator of wiring/, each with its own files.
"""

import sys
from collections.abc import Callable, Mapping
from operator import eq
from pathlib import Path


def write_or_compare(
    files: Mapping[Path, Callable[[], str]],
    *,
    check: bool,
    alike: Callable[[str, str], bool] = eq,
) -> int:
    """Write every file, or with `check` say which one is not as it would be written.

    `alike` says what is the same when it is only compared. A drawing that nobody draws any more is
    removed, or told. Returns the exit status: 1 when something was told.
    """
    same = alike if check else eq
    stale = [path for path, make in files.items() if not _holds(path, make(), same)]
    for path in [] if check else stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files[path](), "utf-8")
    folders = {(path.parent, path.suffix) for path in files if path.suffix == ".svg"}
    found = {one for folder, suffix in folders for one in folder.glob(f"*{suffix}")}
    left_over = sorted(found - set(files))
    for path in [] if check else left_over:
        path.unlink()
    for path in (*stale, *left_over) if check else ():
        print(f"{path} is not what its sources say; run `make -C wiring`.", file=sys.stderr)  # noqa: T201
    return 1 if check and (stale or left_over) else 0


def _holds(path: Path, page: str, same: Callable[[str, str], bool]) -> bool:
    return path.exists() and same(path.read_text("utf-8"), page)
