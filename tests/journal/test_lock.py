"""The lock: one program at a time keeps games in a journal."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.cli.running import running
from urpi.core.errors import UrpiError
from urpi.journal import Journal, list_games, lock_journal


def hold_lock(path: Path) -> ExitStack:
    with ExitStack() as stack:
        stack.enter_context(lock_journal(path))
        return stack.pop_all()


def test_the_lock_is_refused_until_it_is_released(tmp_path: Path) -> None:
    path = tmp_path / "new" / "journal.db"
    with (
        hold_lock(path),
        pytest.raises(UrpiError, match=r"journal.db is already in use by another"),
    ):
        hold_lock(path)
    hold_lock(path).close()


def test_another_journal_in_the_folder_has_its_own_lock(tmp_path: Path) -> None:
    paths = [tmp_path / "one.db", tmp_path / "two.db"]
    with hold_lock(paths[0]), hold_lock(paths[1]):
        for path in paths:
            with pytest.raises(UrpiError, match=rf"{path.name} is already in use by another"):
                hold_lock(path)


@pytest.mark.parametrize("target", ["journal.db", "folder"])
def test_a_symbolic_link_shares_the_lock_of_its_target(tmp_path: Path, target: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    link = tmp_path / "link"
    link.symlink_to(folder if target == "folder" else folder / target)
    other = link / "journal.db" if target == "folder" else link
    with (
        hold_lock(folder / "journal.db"),
        pytest.raises(UrpiError, match="already in use by another"),
    ):
        hold_lock(other)
    assert [file.name for file in folder.iterdir()] == ["journal.db.lock"]


def test_a_second_program_is_not_refused_where_no_lock_file_can_be_created() -> None:
    path = Path("/proc/journal.db")
    with hold_lock(path), hold_lock(path):
        assert not path.with_name("journal.db.lock").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    "second",
    [
        ("demo", "--terminal"),
        pytest.param(("demo", "--auto", "--speed", "0"), marks=pytest.mark.slow),
        pytest.param(("demo", "--no-browser", "--listen", "127.0.0.1:0"), marks=pytest.mark.slow),
    ],
)
def test_a_second_program_on_a_journal_is_refused(tmp_path: Path, second: tuple[str, ...]) -> None:
    path = tmp_path / "journal.db"
    with running("demo", "--terminal", "--journal", str(path)) as first:
        first.read_until("You are the hands")
        with running(*second, "--journal", str(path)) as other:
            assert other.end() == 2
            assert other.errors == (
                f"The journal {path} is already in use by another urpi "
                f"(process {first.process.pid}); end that one first, or choose another journal.\n"
            )
        with Journal.open(path) as journal:
            assert len(list_games(journal)) == 1


@pytest.mark.slow
def test_a_killed_program_releases_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with running("demo", "--terminal", "--journal", str(path)) as first:
        first.read_until("You are the hands")
        with pytest.raises(UrpiError, match="already in use by another"):
            hold_lock(path)
        first.process.kill()
        first.process.wait()
        hold_lock(path).close()


@pytest.mark.slow
def test_lists_checks_and_backups_need_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with running("demo", "--terminal", "--journal", str(path)) as first:
        first.read_until("You are the hands")
        for words in (("list",), ("check",), ("backup", str(tmp_path / "copy.db"))):
            with running("games", "--journal", str(path), *words) as other:
                assert other.end() == 0, (words, other.errors)
