"""Maintenance of a journal: backup and restore, pruning, anonymising."""

import os
import sqlite3
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.journal.games import STARTED, store_game
from urpi.errors import UrpiError
from urpi.journal import (
    CheckVerdict,
    Journal,
    Keeper,
    anonymise_player,
    back_up,
    backup,
    check_contents,
    check_game,
    entries_of,
    find_game,
    import_record,
    list_games,
    prunable,
    prune_game,
    restore_backup,
    settings_of,
    stored_record,
    unused_name,
)
from urpi.journal.files import companion
from urpi.rules.record import record_text

BEGUN = datetime.fromisoformat(STARTED)
NOW = BEGUN + timedelta(days=100)
NAME = "Zoë Ångström"
GAME = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"Ann","dark":"Bo"}'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal with a game of finkel that has ended."""
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        store_game(journal, "finkel", seed=1, longest=80)
        journal.finish(1, STARTED)
    return path


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal.open(path) as opened:
        yield opened


def lines_of(path: Path, game: int = 1) -> list[str]:
    with Journal.open(path, create=False) as journal:
        return [entry.line for entry in entries_of(journal, game)]


def names_in(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir() if not file.name.endswith("-journal")}


def test_a_backup_contains_the_whole_journal(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    assert back_up(path, copy) == copy.stat().st_size
    assert lines_of(copy) == lines_of(path)
    assert names_in(tmp_path) == {"journal.db", "copy.db"}


@pytest.mark.parametrize("pages", [1, backup.PAGES])
def test_a_backup_during_a_game_is_consistent(
    path: Path, tmp_path: Path, pages: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each copy contains the game up to some line.

    With single pages, a copy is never complete before the next line is written; after some restarts
    it is made at once.
    """
    monkeypatch.setattr(backup, "PAGES", pages)
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
            back_up(path, tmp_path / f"{number}.db")
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
    assert ".part-" not in str(refused.value)
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


def test_pruning_removes_edges_and_nothing_else(journal: Journal) -> None:
    before = entries_of(journal, 1)
    record = record_text(stored_record(journal, 1))
    removed = prune_game(journal, 1, "2027-02-28")
    gone = [entry for entry in before if '"type":"occupancy"' in entry.line]
    assert removed == len(gone) > 20
    assert entries_of(journal, 1) == tuple(entry for entry in before if entry not in gone)
    assert record_text(stored_record(journal, 1)) == record


def test_the_check_of_a_pruned_game_reports_that_it_is_pruned(journal: Journal) -> None:
    prune_game(journal, 1, "2027-02-28")
    checked = check_game(journal, 1)
    assert (checked.verdict, checked.replay) == (CheckVerdict.PRUNED, None)
    assert checked.why == "its edges were pruned on 2027-02-28; what was decided is kept"


def test_old_games_are_prunable_once_if_they_are_not_in_progress(journal: Journal) -> None:
    journal.new_game(GAME, STARTED, "1", {"table": "board"})
    journal.new_game(GAME, STARTED, "1", {"table": "board"})
    assert [game.id for game in prunable(journal, BEGUN)] == []
    later = BEGUN + timedelta(seconds=1)
    assert [game.id for game in prunable(journal, later)] == [1, 2]
    prune_game(journal, 1, "2027-02-28")
    assert [game.id for game in prunable(journal, later)] == [2]
    journal.finish(3, STARTED)
    assert [game.id for game in prunable(journal, later)] == [2, 3]


def test_a_game_begun_before_the_clock_was_set_is_as_old_as_the_next(tmp_path: Path) -> None:
    never_set = datetime(1970, 1, 1, 0, 3, tzinfo=UTC)
    dates = [never_set, BEGUN, never_set, BEGUN + timedelta(days=100), never_set]
    with Journal.open(tmp_path / "journal.db") as journal:
        for date in dates:
            journal.finish(journal.new_game(GAME, date.isoformat(), "1", {}), date.isoformat())
        old = journal.new_game(GAME, "1999-01-01T00:00:00+00:00", "1", {"imported": "now"})
        journal.finish(old, "1999-01-01T00:00:00+00:00")

        def pruned(days: int) -> list[int]:
            return [game.id for game in prunable(journal, BEGUN + timedelta(days=days))]

        assert pruned(0) == [6]
        assert pruned(1) == [1, 2, 6]
        assert pruned(101) == [1, 2, 3, 4, 6]


def test_stored_rows_cannot_be_changed_after_pruning(journal: Journal) -> None:
    prune_game(journal, 1, "2027-02-28")
    for change in ("DELETE FROM batches", "UPDATE games SET light = ''", "DELETE FROM settings"):
        with pytest.raises(UrpiError, match="never changed"):
            journal.rows(change)


RECORD = f"""\
[Event "{NAME}'s birthday"]
[Rules "finkel"]
[Light "{NAME}"]
[Dark "Bo"]

1. L gs-- {{{NAME}, at last}} +A3 {{good, {NAME}}}
"""


@pytest.fixture
def named(tmp_path: Path) -> Path:
    """A journal with the name in every place where it can occur."""
    path = tmp_path / "named.db"
    with Journal.open(path) as journal:
        import_record(journal, RECORD, NOW, "1.0.0")
        escaped = NAME.replace("ë", "\\u00eb")
        opening = GAME.replace("Bo", escaped)
        game = journal.new_game(opening, STARTED, "1.0.0", {})
        warning = (
            f'{{"t":5,"type":"warning","side":"dark","code":"must-move","squares":[],'
            f'"text":"{NAME} can move.","fix":{{"fill":[],"clear":[]}}}}'
        )
        journal.append(game, ['{"t":5,"type":"time"}'], [warning])
        journal.new_game(GAME.replace("Bo", f"{NAME}sson"), STARTED, "1.0.0", {})
    return path


def test_a_name_is_replaced_in_all_games(named: Path) -> None:
    with Journal.open(named) as journal:
        assert unused_name(journal) == "Player 1"
        assert anonymise_player(journal, NAME, "Player 1") == 2
        assert [(game.light, game.dark) for game in list_games(journal)] == [
            ("Ann", f"{NAME}sson"),
            ("Ann", "Player 1"),
            ("Player 1", "Bo"),
        ]
        assert record_text(stored_record(journal, 1)) == RECORD.replace(NAME, "Player 1")
        assert check_game(journal, 1).verdict is CheckVerdict.SAME
    assert [line for line in lines_of(named, 2) if "Zo" in line] == []
    assert lines_of(named, 2)[-1].count("Player 1 can move.") == 1


def test_a_name_is_erased_from_the_bytes_of_the_file(named: Path) -> None:
    with Journal.open(named) as journal:
        rows = journal.rows(
            "SELECT lines FROM batches"
            " WHERE instr(unpacked(lines), ?) OR instr(unpacked(lines), '\\u00eb')",
            NAME,
        )
        with_it = [bytes(lines) for (lines,) in rows]
        assert len(with_it) >= 4
        anonymise_player(journal, NAME, "Player 1")
    content = b"".join(file.read_bytes() for file in named.parent.glob("named.db*"))
    third = f"{NAME}sson".encode()
    assert content.replace(third, b"").count(NAME.encode()) == 0
    kept = [blob for blob in with_it if blob in content]
    assert len(kept) == 1, "only the line of the third game, with a longer name, remains"


def bytes_of(path: Path) -> bytes:
    """The bytes of a journal and of all files beside it."""
    return b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))


def test_a_name_is_erased_from_the_log_of_a_running_keeper(path: Path) -> None:
    keeper = Keeper.open(path, NOW)
    line = f'{{"t":9,"type":"answer","move":"","text":"{NAME}"}}'
    for _ in range(3):
        keeper.begin(GAME.replace("Bo", NAME), STARTED, "1", {}, NOW)
        keeper.append([line], [], NOW, ended=STARTED)
    log = companion(path, "-wal")
    assert log.read_bytes().count(NAME.encode()) > 0
    with Journal.open(path) as journal:
        assert anonymise_player(journal, NAME, "Player 1") == 3

    assert NAME.encode() not in bytes_of(path)
    assert log.stat().st_size == 0
    keeper.append(['{"t":10,"type":"time"}'], [], NOW)
    assert keeper.outage is None
    keeper.close(NOW)
    assert lines_of(path, 4)[1:] == [line.replace(NAME, "Player 1"), '{"t":10,"type":"time"}']
    with Journal.open(path) as journal:
        check_contents(journal)


def test_a_name_that_stays_in_a_log_because_of_a_reader_is_reported(path: Path) -> None:
    keeper = Keeper.open(path, NOW)
    keeper.begin(GAME.replace("Bo", NAME), STARTED, "1", {}, NOW)
    keeper.append([], [], NOW, ended=STARTED)
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM games").fetchall()
        with (
            Journal.open(path, busy_s=0.01) as journal,
            pytest.raises(UrpiError, match=r"may still be in .*journal.db-wal until"),
        ):
            anonymise_player(journal, NAME, "Player 1")
    keeper.close(NOW)
    assert NAME.encode() not in bytes_of(path)


def test_a_name_that_is_a_keyword_of_the_format_is_not_replaced_there(journal: Journal) -> None:
    opening = GAME.replace('"Ann"', '"light"').replace('"Bo"', '"A1"')
    game = journal.new_game(opening, STARTED, "1.0.0", {})
    journal.append(game, ['{"t":5,"type":"resign","side":"light"}'])
    anonymise_player(journal, "light", "Player 1")
    anonymise_player(journal, "A1", "Player 2")
    assert find_game(journal, game).light == "Player 1"
    assert entries_of(journal, game)[-1].line == '{"t":5,"type":"resign","side":"light"}'


def test_a_name_is_erased_from_the_preferences(path: Path) -> None:
    line = GAME.replace("Bo", NAME)
    rows = [
        ("board", "light", "Ann", NAME),
        ("board", "dark", NAME, ""),
        ("board", "consents", f'{{"Ann":1,"{NAME}":0}}', "{}"),
        ("board", "rules", "finkel", "finkel"),
    ]
    with Journal.open(path) as journal:
        journal.new_game(line, STARTED, "1.0.0", {})
        journal.append(2, [], ended=STARTED)
        journal.store_preferences(rows)
        anonymise_player(journal, NAME, "Player 1")
        assert sorted(journal.preferences()) == [
            ("board", "consents", '{"Ann":1}', "{}"),
            ("board", "dark", "", ""),
            ("board", "light", "Ann", ""),
            rows[3],
        ]
    assert NAME.encode() not in bytes_of(path)


def test_a_name_without_games_is_reported(journal: Journal) -> None:
    with pytest.raises(UrpiError, match=r"No player in .* is called 'Nobody'"):
        anonymise_player(journal, "Nobody", "Player 1")


def test_an_empty_name_is_rejected(journal: Journal) -> None:
    store_game(journal, "finkel", seed=3, longest=20)
    with pytest.raises(UrpiError, match="A player without a name has no name to replace"):
        anonymise_player(journal, "", "Player 1")


def test_a_player_with_a_game_in_progress_keeps_the_name(journal: Journal) -> None:
    game = journal.new_game(GAME, STARTED, "1.0.0", {"table": "board"})
    with pytest.raises(UrpiError, match=f"plays game {game}, which may still be running"):
        anonymise_player(journal, "Bo", "Player 1")
    assert settings_of(journal, game) == {"table": "board"}
