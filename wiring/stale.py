"""Writing and checking of generated files, for the generators of wiring/."""

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
    """Write generated files, or report the stale ones.

    Drawings that are no longer generated are removed or reported too.

    Args:
        files: generated files with the functions that return their text.
        check: report stale files on standard error instead of writing them.
        alike: compares two texts for `check`.

    Returns:
        The exit status: 1 if a file was reported.
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
        print(f"{path} is stale; run `make -C wiring`.", file=sys.stderr)  # noqa: T201
    return 1 if check and (stale or left_over) else 0


def _holds(path: Path, page: str, same: Callable[[str, str], bool]) -> bool:
    return path.exists() and same(path.read_text("utf-8"), page)
