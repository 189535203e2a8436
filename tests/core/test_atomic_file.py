"""Files that are replaced as a whole."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from urpi.core.atomic_file import draft_of


def mode_of(path: Path) -> int:
    return path.stat().st_mode & 0o777


def write_and_raise(target: Path, error: type[BaseException]) -> None:
    with draft_of(target) as draft:
        draft.write_text("new", "utf-8")
        raise error


@pytest.fixture
def target(tmp_path: Path) -> Path:
    path = tmp_path / "target"
    path.write_text("old", "utf-8")
    return path


def test_the_draft_replaces_the_file_in_the_end(target: Path) -> None:
    with draft_of(target) as draft:
        assert draft.read_bytes() == b""
        draft.write_text("new", "utf-8")
        assert target.read_text("utf-8") == "old"
    assert target.read_text("utf-8") == "new"
    assert list(target.parent.iterdir()) == [target]


def test_a_file_that_does_not_exist_is_created(tmp_path: Path) -> None:
    with draft_of(tmp_path / "new") as draft:
        draft.write_text("new", "utf-8")
    assert (tmp_path / "new").read_text("utf-8") == "new"


@pytest.mark.parametrize("error", [OSError, ValueError, KeyboardInterrupt])
def test_after_an_error_the_file_is_unchanged_and_the_draft_removed(
    target: Path, error: type[BaseException]
) -> None:
    with pytest.raises(error):
        write_and_raise(target, error)
    assert target.read_text("utf-8") == "old"
    assert list(target.parent.iterdir()) == [target]


def test_a_draft_that_cannot_be_created_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), draft_of(tmp_path / "missing" / "target"):
        pytest.fail("there is no draft")


def test_the_new_file_is_private_until_it_is_complete(target: Path) -> None:
    with draft_of(target, mode=0o640) as draft:
        assert mode_of(draft) == 0o600
    assert mode_of(target) == 0o640


def test_without_a_mode_the_process_decides_who_can_read(target: Path) -> None:
    before = os.umask(0o027)
    try:
        with draft_of(target):
            pass
    finally:
        os.umask(before)
    assert mode_of(target) == 0o640


def test_two_processes_have_different_drafts(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with draft_of(target) as first:
        first.write_text("first", "utf-8")
        monkeypatch.setattr(os, "getpid", lambda: -1)
        with draft_of(target) as second:
            second.write_text("second", "utf-8")
        assert target.read_text("utf-8") == "second"
    assert target.read_text("utf-8") == "first"


def test_a_draft_that_was_left_is_overwritten(target: Path) -> None:
    target.with_name("target.part").write_text("left by a power cut", "utf-8")
    with draft_of(target, suffix=".part") as draft:
        assert draft.name == "target.part"
        assert draft.read_bytes() == b""
    assert list(target.parent.iterdir()) == [target]


def test_a_link_in_the_draft_s_place_is_not_followed(target: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("precious", "utf-8")
    target.with_name("target.part").symlink_to(precious)
    with draft_of(target, suffix=".part") as draft:
        draft.write_text("new", "utf-8")
    assert precious.read_text("utf-8") == "precious"
    assert not target.is_symlink()


KILLED = """
import os, signal
from pathlib import Path
from urpi.core.atomic_file import draft_of
with draft_of(Path("target")) as draft:
    draft.with_name(draft.name + "-journal").touch()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_drafts_of_killed_processes_are_removed_by_the_next_write(target: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    command = [sys.executable, "-c", KILLED]
    killed = subprocess.run(command, cwd=target.parent, env=environment, check=False)
    assert killed.returncode == -signal.SIGKILL
    left = sorted(target.parent.iterdir())
    assert len(left) == 3
    # That of a process that runs, and files that only look similar, are left alone.
    others = [target.with_name(name) for name in ("a.part-1", "a.urpi-part-", "a.urpi-part-0x1")]
    others.append(target.with_name(f"a.urpi-part-{os.getppid()}"))
    for file in others:
        file.touch()
    with draft_of(target.with_name("another")) as draft:
        draft.write_text("new", "utf-8")
    assert set(target.parent.iterdir()) == {target, target.with_name("another"), *others}
