"""The cache of compiled functions, which numba keeps beside their modules.

An index of the cache names the types of a function's arguments. numba reads it before it checks
whether the module has changed, and fails if such a type has been renamed or moved since, as it may
be in a newer version of the program. Indices that are older than the source code are therefore
removed, and the functions compiled again.
"""

from pathlib import Path


def discard_outdated(package: Path) -> None:
    """Remove a package's indices that are older than its modules, or than those of this package.

    Args:
        package: The package's folder. What cannot be removed is kept.
    """
    sources = {*package.glob("*.py"), *Path(__file__).parent.glob("*.py")}
    # The time of installation: a package keeps the modification times of its build.
    newest = max(source.stat().st_ctime for source in sources)
    for index in (package / "__pycache__").glob("*.nbi"):
        try:
            if index.stat().st_mtime < newest:
                index.unlink()
        except OSError:
            continue
