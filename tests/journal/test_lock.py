"""One program at a time keeps a journal."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.commands.running import running
from urpi.errors import UrpiError
from urpi.journal import Journal, list_games, lock_journal


def enter(path: Path) -> ExitStack:
    with ExitStack() as stack:
        stack.enter_context(lock_journal(path))
        return stack.pop_all()


def test_a_second_one_is_refused_until_the_first_has_ended(tmp_path: Path) -> None:
    path = tmp_path / "new" / "journal.db"
    with enter(path), pytest.raises(UrpiError, match=r"journal.db is already kept by another"):
        enter(path)
    enter(path).close()


def test_another_journal_beside_it_is_free(tmp_path: Path) -> None:
    with enter(tmp_path / "one.db"), enter(tmp_path / "two.db"):
        pass


@pytest.mark.parametrize("target", ["journal.db", "folder"])
def test_a_symbolic_link_admits_no_second_keeper(tmp_path: Path, target: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    link = tmp_path / "link"
    link.symlink_to(folder if target == "folder" else folder / target)
    other = link / "journal.db" if target == "folder" else link
    with enter(folder / "journal.db"), pytest.raises(UrpiError, match="already kept by another"):
        enter(other)
    assert [file.name for file in folder.iterdir()] == ["journal.db.lock"]


def test_where_the_disk_gives_no_lock_play_goes_on() -> None:
    with enter(Path("/proc/journal.db")), enter(Path("/proc/journal.db")):
        pass


@pytest.mark.parametrize(
    "second",
    [
        ("demo", "--terminal"),
        ("demo", "--auto", "--speed", "0"),
        ("demo", "--no-browser", "--listen", "127.0.0.1:0"),
    ],
)
def test_two_programs_do_not_take_up_one_game(tmp_path: Path, second: tuple[str, ...]) -> None:
    path = tmp_path / "journal.db"
    with running("demo", "--terminal", "--journal", str(path)) as first:
        first.read_until("You are the hands")
        with running(*second, "--journal", str(path)) as other:
            assert other.end() == 2
            assert other.errors == (
                f"The journal {path} is already kept by another urpi "
                f"(process {first.process.pid}); end that one first, or name another journal.\n"
            )
        with Journal.open(path) as journal:
            assert len(list_games(journal)) == 1


def test_a_program_that_was_killed_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with running("demo", "--terminal", "--journal", str(path)) as first:
        first.read_until("You are the hands")
        first.process.kill()
        first.process.wait()
        enter(path).close()


def test_reading_and_care_go_on_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with running("demo", "--terminal", "--journal", str(path)) as first:
        first.read_until("You are the hands")
        for words in (("list",), ("check",), ("backup", str(tmp_path / "copy.db"))):
            with running("games", "--journal", str(path), *words) as other:
                assert other.end() == 0, (words, other.errors)
