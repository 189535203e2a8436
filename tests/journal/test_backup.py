"""Backup and restore of a journal."""

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import textwrap
import threading
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.journal.games import GAME, STARTED, lines_of, store_ended_game
from urpi.core.errors import UrpiError
from urpi.journal import (
    Journal,
    back_up,
    entries_of,
    list_games,
    restore_backup,
)
from urpi.journal.backup import PAGES
from urpi.journal.files import companion
from urpi.journal.repair import replace_damaged

NOW = datetime.fromisoformat(STARTED) + timedelta(days=100)


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with a game that has ended, of which each test gets a copy."""
    return store_ended_game(tmp_path_factory.mktemp("stored"))


@pytest.fixture
def path(stored: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(stored, tmp_path))


def names_in(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir() if not file.name.endswith("-journal")}


def test_a_backup_contains_the_whole_journal(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    assert back_up(path, copy) == copy.stat().st_size
    assert lines_of(copy) == lines_of(path)
    assert names_in(tmp_path) == {"journal.db", "copy.db"}


MODES = (0o600, 0o640, 0o644, 0o660)


def permissions_of(path: Path) -> tuple[int, int, int]:
    found = path.stat()
    return stat.S_IMODE(found.st_mode), found.st_uid, found.st_gid


def give(path: Path, mode: int) -> tuple[int, int, int]:
    """Give a file permissions, and if this is root another owner; return `permissions_of` it."""
    path.chmod(mode)
    if os.geteuid() == 0:
        os.chown(path, 61_001, 61_002)
    return permissions_of(path)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("replace", [False, True])
def test_a_backup_has_the_permissions_of_the_journal(
    path: Path, tmp_path: Path, mode: int, replace: bool
) -> None:
    expected, copy = give(path, mode), tmp_path / "copy.db"
    if replace:
        copy.touch(0o666)
    back_up(path, copy, replace=replace)
    assert permissions_of(copy) == expected


@pytest.mark.parametrize("mode", MODES)
def test_a_restored_journal_has_the_permissions_of_the_one_it_replaces(
    path: Path, tmp_path: Path, mode: int
) -> None:
    back_up(path, tmp_path / "copy.db")
    (tmp_path / "copy.db").chmod(0o604)
    expected = give(path, mode)
    restore_backup(tmp_path / "copy.db", path, NOW, replace=True)
    assert permissions_of(path) == expected


@pytest.mark.parametrize("mode", MODES)
def test_a_journal_restored_where_there_is_none_has_the_permissions_of_the_backup(
    path: Path, tmp_path: Path, mode: int
) -> None:
    expected = give(path, mode)
    restore_backup(path, tmp_path / "new.db", NOW)
    assert permissions_of(tmp_path / "new.db") == expected


@pytest.mark.parametrize("mode", MODES)
def test_a_repaired_journal_has_the_permissions_of_the_damaged_one(path: Path, mode: int) -> None:
    expected = give(path, mode)
    journal, _ = replace_damaged(path, NOW)
    journal.close()
    assert permissions_of(path) == expected


@pytest.mark.parametrize("pages", [1, PAGES])
def test_a_backup_during_a_game_is_consistent(path: Path, tmp_path: Path, pages: int) -> None:
    """Each copy contains the game up to some line.

    With single pages, a copy is never complete before the next line is written; after some restarts
    it is made at once.
    """
    ends = threading.Event()

    def write() -> None:
        with Journal.open(path) as journal:
            game = journal.new_game(GAME, STARTED, "1", {})
            t = 0
            while not ends.wait(0.002):
                t += 1
                journal.append(game, [f'{{"t":{t},"type":"time"}}'])

    writer = threading.Thread(target=write)
    writer.start()
    try:
        sizes = []
        for number in range(3):
            back_up(path, tmp_path / f"{number}.db", pages=pages)
            with Journal.open(tmp_path / f"{number}.db") as copy:
                games = [game.id for game in list_games(copy)]
                sizes.append(len(entries_of(copy, 2)) if 2 in games else 0)
    finally:
        ends.set()
        writer.join()
    assert sizes == sorted(sizes)
    assert len(lines_of(path, 2)) >= sizes[-1]


def test_a_backup_replaces_no_file_unless_requested(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    copy.write_text("precious")
    with pytest.raises(UrpiError, match=r"copy.db already exists; choose another, or add"):
        back_up(path, copy)
    assert copy.read_text() == "precious"
    back_up(path, copy, replace=True)
    assert lines_of(copy) == lines_of(path)


@pytest.mark.parametrize("where", ["journal.db", "./journal.db"])
def test_a_journal_cannot_be_backed_up_to_itself(path: Path, tmp_path: Path, where: str) -> None:
    with pytest.raises(UrpiError, match="is the journal itself"):
        back_up(path, tmp_path / where, replace=True)


def test_a_backup_to_a_missing_folder_leaves_no_file(path: Path, tmp_path: Path) -> None:
    with pytest.raises(UrpiError, match="there is no folder"):
        back_up(path, tmp_path / "none" / "copy.db")
    assert names_in(tmp_path) == {"journal.db"}


def test_a_damaged_journal_is_not_backed_up(path: Path, tmp_path: Path) -> None:
    corrupt(path)
    with pytest.raises(UrpiError, match=r"journal.db"):
        back_up(path, tmp_path / "copy.db")
    assert names_in(tmp_path) == {"journal.db"}


def corrupt(path: Path) -> None:
    content = bytearray(path.read_bytes())
    # After the first page, which contains the file's header.
    content[4096 * 2 : 4096 * 5] = os.urandom(4096 * 3)
    path.write_bytes(content)


def test_a_copy_that_cannot_be_written_is_reported_instead_of_the_journal(path: Path) -> None:
    with pytest.raises(UrpiError, match=r"^The file /proc/copy.db cannot be written: No such file"):
        back_up(path, Path("/proc/copy.db"))


def test_a_restore_replaces_the_journal_and_keeps_the_old_one(path: Path, tmp_path: Path) -> None:
    back_up(path, tmp_path / "copy.db")
    before = lines_of(path)
    with Journal.open(path) as journal:
        journal.append(1, ['{"t":999999,"type":"time"}'])
    aside = restore_backup(tmp_path / "copy.db", path, NOW, replace=True)
    assert lines_of(path) == before
    assert aside is not None
    assert aside.name == "journal.before-2027-02-28T190211.db"
    assert len(lines_of(aside)) == len(before) + 1


def test_a_backup_of_a_journal_in_use_is_a_single_file(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copies" / "copy.db"
    copy.parent.mkdir()
    with Journal.open(path) as journal:
        journal.connection.use_log()
        journal.new_game(GAME, STARTED, "1", {})
        assert companion(path, "-wal").stat().st_size > 0
        back_up(path, copy)
    with Journal.open(copy) as journal:
        newest = journal.latest_game() or 0
    assert lines_of(copy, newest) == [GAME]
    assert [file.name for file in copy.parent.iterdir()] == ["copy.db"]
    assert copy.read_bytes()[18:20] == b"\1\1"


def test_two_restores_within_a_second_keep_two_journals(path: Path, tmp_path: Path) -> None:
    back_up(path, tmp_path / "copy.db")
    asides = [restore_backup(tmp_path / "copy.db", path, NOW, replace=True) for _ in range(2)]
    assert len({aside for aside in asides if aside and aside.is_file()}) == 2


def test_an_interrupted_transaction_is_rolled_back_before_the_journal_is_set_aside(
    path: Path, tmp_path: Path
) -> None:
    back_up(path, tmp_path / "copy.db")
    before = lines_of(path)
    interrupt_transaction(path)
    assert path.with_name("journal.db-journal").stat().st_size > 0
    aside = restore_backup(tmp_path / "copy.db", path, NOW, replace=True)
    assert lines_of(path) == before
    assert aside is not None
    assert lines_of(aside) == before


def interrupt_transaction(path: Path) -> None:
    """Leave an incomplete transaction on the disk, as a power cut does."""
    dies = """
        import os, sqlite3, sys
        db = sqlite3.connect(sys.argv[1], isolation_level=None)
        db.execute("PRAGMA journal_mode = TRUNCATE")
        db.execute("PRAGMA cache_size = 2")
        db.execute("BEGIN IMMEDIATE")
        for number in range(500):
            db.execute("INSERT INTO settings VALUES (1, ?, ?)", (str(number), "x" * 1000))
        os._exit(0)
    """
    command = [sys.executable, "-c", textwrap.dedent(dies), str(path)]
    subprocess.run(command, check=True)


def leave_log(path: Path) -> None:
    """Leave a game only in the write-ahead log, as a killed keeper does."""
    dies = """
        import os, sys
        from datetime import UTC, datetime
        from pathlib import Path
        from urpi.journal import Keeper
        now = datetime(2026, 11, 21, tzinfo=UTC)
        keeper = Keeper.open(Path(sys.argv[1]), now)
        keeper.begin(sys.argv[2], now.isoformat(), "1", {}, now)
        os._exit(0)
    """
    command = [sys.executable, "-c", textwrap.dedent(dies), str(path), GAME]
    subprocess.run(command, check=True)
    assert companion(path, "-wal").stat().st_size > 0


def test_the_journal_that_a_restore_replaces_keeps_what_was_only_in_its_log(
    path: Path, tmp_path: Path
) -> None:
    back_up(path, tmp_path / "copy.db")
    before = lines_of(path)
    leave_log(path)
    aside = restore_backup(tmp_path / "copy.db", path, NOW, replace=True)
    assert aside is not None
    assert lines_of(aside, 2) == [GAME]
    assert lines_of(path) == before
    assert lines_of(path, 2) == [], "the log of the old journal is not applied to the new one"
    assert not companion(path, "-wal").exists()


def test_a_restore_from_a_journal_with_a_log_includes_what_is_only_in_the_log(
    path: Path, tmp_path: Path
) -> None:
    leave_log(path)
    target = tmp_path / "new" / "journal.db"
    restore_backup(path, target, NOW)
    assert lines_of(target, 2) == [GAME]
    assert {file.name for file in target.parent.iterdir()} == {"journal.db"}


def test_a_backup_is_restored_where_there_is_no_journal(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "new" / "journal.db"
    assert restore_backup(path, target, NOW) is None
    assert lines_of(target) == lines_of(path)


def test_a_restore_replaces_no_journal_unless_requested(path: Path, tmp_path: Path) -> None:
    back_up(path, tmp_path / "copy.db")
    with pytest.raises(UrpiError, match="add --replace to set it aside"):
        restore_backup(tmp_path / "copy.db", path, NOW)


def empty(copy: Path) -> None:
    copy.write_bytes(b"")


def other_program(copy: Path) -> None:
    copy.unlink()
    with closing(sqlite3.connect(copy)) as db:
        db.execute("CREATE TABLE a (b)")


def newer(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as db:
        db.execute("PRAGMA user_version = 999")


def cut(copy: Path) -> None:
    copy.write_bytes(copy.read_bytes()[: 4096 * 3])


@pytest.mark.parametrize(
    ("harm", "message"),
    [
        (empty, "it is not a journal of urpi"),
        (other_program, "it is not a journal of urpi"),
        (newer, "install a newer urpi"),
        (corrupt, "damaged|malformed|cannot be used"),
        (cut, "damaged|malformed|cannot be used"),
        (Path.unlink, "no such file"),
        (lambda copy: copy.write_text("words" * 2000), "cannot be used"),
    ],
)
def test_an_invalid_backup_is_rejected_and_the_journal_unchanged(
    path: Path, tmp_path: Path, harm, message: str
) -> None:
    copy = tmp_path / "copy.db"
    back_up(path, copy)
    harm(copy)
    before = path.read_bytes()
    with pytest.raises(UrpiError, match=message) as refused:
        restore_backup(copy, path, NOW, replace=True)
    assert "copy.db" in str(refused.value)
    assert ".urpi-part-" not in str(refused.value)
    assert path.read_bytes() == before
    assert names_in(tmp_path) <= {"journal.db", "copy.db"}


def test_a_journal_that_a_program_has_open_is_not_replaced(path: Path, tmp_path: Path) -> None:
    back_up(path, tmp_path / "copy.db")
    holds = "import sys; held = open(sys.argv[1]); print('open', flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", holds, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(UrpiError, match=f"is open in process {other.pid}; stop urpi there"):
            restore_backup(tmp_path / "copy.db", path, NOW, replace=True)
        other.communicate()
    assert restore_backup(tmp_path / "copy.db", path, NOW, replace=True)
