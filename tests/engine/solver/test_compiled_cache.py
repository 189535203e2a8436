"""numba's cache after an update of the program, whose types may have other names."""

import os
from pathlib import Path

from urpi.engine.solver.compiled_cache import discard_outdated


def package(folder: Path) -> tuple[Path, Path]:
    """Return a package's folder with one module, and the index of its compiled functions."""
    (folder / "__pycache__").mkdir()
    (folder / "kernels.py").touch()
    index = folder / "__pycache__" / "kernels.sweep-1.py313.nbi"
    index.write_bytes(b"")
    return folder, index


def test_an_index_older_than_the_modules_is_removed(tmp_path: Path) -> None:
    folder, index = package(tmp_path)
    os.utime(index, (1, 1))
    discard_outdated(folder)
    assert not index.exists()


def test_a_newer_index_is_kept(tmp_path: Path) -> None:
    folder, index = package(tmp_path)
    later = max(each.stat().st_ctime for each in folder.glob("*.py")) + 1e6
    os.utime(index, (later, later))
    discard_outdated(folder)
    assert index.exists()


def test_a_package_that_has_not_been_compiled_has_nothing_to_remove(tmp_path: Path) -> None:
    discard_outdated(tmp_path)
    assert not list(tmp_path.iterdir())
