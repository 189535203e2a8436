"""The journal: entries are stored completely, in order, and cannot be changed."""

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.slow import slow_except
from urpi.core.errors import UrpiError
from urpi.journal import (
    DamagedError,
    Entry,
    Journal,
    entries_of,
    find_game,
    list_games,
    settings_of,
)

GAME = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"Ann","dark":"Zoë"}'
SHORT_GAME = GAME.replace('"options":{}', '"options":{"pieces":"3"}')
STARTED = "2026-11-20T19:02:11+01:00"
ENDED = "2026-11-20T19:40:00+01:00"


def time_line(t: int) -> str:
    return f'{{"t":{t},"type":"time"}}'


def roll(side: str) -> str:
    return f'{{"t":5,"type":"roll","side":"{side}","faces":"gs--","value":2,"legal":[]}}'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "share" / "urpi" / "journal.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal.open(path) as opened:
        yield opened


def new_game(journal: Journal, line: str = GAME) -> int:
    return journal.new_game(line, STARTED, "1.0.0", {"language": "de", "still_ms": "150"})


def test_a_new_file_and_its_folder_are_created(journal: Journal, path: Path) -> None:
    assert path.is_file()
    assert list_games(journal) == ()
    assert journal.latest_game() is None


def test_entries_are_returned_in_the_order_in_which_they_were_stored(journal: Journal) -> None:
    one, two = new_game(journal), new_game(journal)
    assert journal.append(one, [time_line(1)], ['{"t":1,"type":"ready"}']) == 4
    assert journal.append(two, [time_line(2)]) == 5
    assert journal.append(one, [], ['{"t":2,"type":"cleared"}']) == 6
    assert entries_of(journal, one) == (
        Entry(1, "fact", GAME),
        Entry(3, "fact", time_line(1)),
        Entry(4, "decision", '{"t":1,"type":"ready"}'),
        Entry(6, "decision", '{"t":2,"type":"cleared"}'),
    )
    assert [entry.seq for entry in entries_of(journal, one, after=3)] == [4, 6]
    assert journal.latest_game() == two


def test_a_line_is_stored_unchanged_with_unknown_keys(journal: Journal) -> None:
    game = new_game(journal)
    line = '{ "hub":"5F3A", "type":"time",  "t":7, "x":[1, {"y":null}] }'
    journal.append(game, [line + "\n"])
    assert entries_of(journal, game)[-1].line == line


def test_a_game_is_listed_with_its_rules_players_turns_and_result(journal: Journal) -> None:
    old, new = new_game(journal, SHORT_GAME), new_game(journal)
    sides = ["light", "light", "dark", "light", "dark", "dark"]
    journal.append(old, [time_line(5)], [roll(side) for side in sides])
    journal.append(old, [], ['{"t":9,"type":"won","side":"dark","code":"off"}'])
    journal.finish(old, ENDED)
    assert [game.id for game in list_games(journal)] == [new, old]
    summary = find_game(journal, old)
    assert (summary.rules, summary.light, summary.dark) == ("finkel[pieces=3]", "Ann", "Zoë")
    assert (summary.turns, summary.result, summary.program) == (4, "dark", "1.0.0")
    assert summary.started.isoformat() == STARTED
    assert summary.finished is not None
    assert summary.finished.isoformat() == ENDED
    going_on = find_game(journal, new)
    assert (going_on.turns, going_on.result, going_on.finished) == (0, None, None)


@pytest.mark.parametrize(
    ("line", "result"),
    [
        ('{"t":9,"type":"drawn","code":"repeated"}', "draw"),
        ('{"t":9,"type":"abandoned","code":"abandoned"}', "abandoned"),
    ],
)
def test_a_game_without_a_winner_has_a_result(journal: Journal, line: str, result: str) -> None:
    game = new_game(journal)
    journal.append(game, [], [line])
    assert find_game(journal, game).result == result


def test_the_settings_of_a_game_are_stored(journal: Journal) -> None:
    game = new_game(journal)
    assert settings_of(journal, game) == {"language": "de", "still_ms": "150"}


def test_entries_remain_after_the_file_is_closed(path: Path) -> None:
    with Journal.open(path) as journal:
        game = new_game(journal)
        journal.append(game, [time_line(1)])
    with Journal.open(path, create=False) as journal:
        assert len(entries_of(journal, game)) == 2


def test_the_disk_is_synced_at_every_commit(journal: Journal) -> None:
    assert journal.rows("PRAGMA synchronous") == [(2,)]
    assert journal.rows("PRAGMA journal_mode") == [("truncate",)]
    journal.connection.use_log()
    assert journal.rows("PRAGMA journal_mode") == [("wal",)]
    assert journal.rows("PRAGMA wal_autocheckpoint") == [(0,)]
    assert journal.rows("PRAGMA synchronous") == [(2,)]
    assert journal.rows("PRAGMA foreign_keys") == [(1,)]


@pytest.mark.parametrize("number", [0, -1, 7, 2**63, 10**40])
def test_a_missing_game_is_reported_with_its_number(journal: Journal, number: int) -> None:
    with pytest.raises(UrpiError, match=f"has no game {number}; 'urpi games list'"):
        find_game(journal, number)


@pytest.mark.parametrize(
    "store",
    [
        lambda journal, game: journal.append(game, [time_line(1), '{"t":2,"type":"tim"}']),
        lambda journal, game: journal.append(game, [time_line(1)], [time_line(2)]),
        lambda journal, game: journal.append(game + 1, [time_line(1)]),
        lambda journal, _game: journal.new_game(time_line(0), STARTED, "1", {}),
        lambda journal, _game: journal.new_game(GAME, "yesterday", "1", {}),
        lambda journal, _game: journal.new_game(GAME, "2026-11-20T19:02:11", "1", {}),
        lambda journal, game: journal.finish(game + 1, ENDED),
        lambda journal, game: [journal.finish(game, ENDED), journal.finish(game, ENDED)],
    ],
)
def test_an_invalid_write_is_rejected_and_stores_nothing(
    journal: Journal, store: Callable[[Journal, int], object]
) -> None:
    game = new_game(journal)
    with pytest.raises(UrpiError):
        store(journal, game)
    assert len(list_games(journal)) == 1
    assert entries_of(journal, game) == (Entry(1, "fact", GAME),)
    journal.append(game, [time_line(1)])


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("games", "id"),
        ("settings", "game"),
        ("packing", "words"),
        ("batches", "seq"),
        ("milestones", "seq"),
        ("finished", "game"),
    ],
)
@pytest.mark.parametrize("change", ["DELETE FROM {}", "UPDATE {0} SET {1} = {1}"])
def test_stored_rows_cannot_be_changed(
    journal: Journal, table: str, column: str, change: str
) -> None:
    game = new_game(journal)
    journal.append(game, [], [roll("light")])
    journal.finish(game, ENDED)
    with pytest.raises(UrpiError, match="appended to, never changed"):
        journal.rows(change.format(table, column))


KILLED = """
    import os, signal, sqlite3, sys
    from pathlib import Path
    from urpi.journal import Journal

    journal = Journal.open(Path(sys.argv[1]))
    game = journal.new_game({game!r}, "{started}", "1", {{}})
    journal.append(game, ['{{"t":1,"type":"time"}}'], ['{{"t":1,"type":"ready"}}'])
    # A small cache spills the transaction into the file before it is committed.
    journal.rows("PRAGMA cache_size = 10")

    def die(statement):
        if statement == "COMMIT":
            os.kill(os.getpid(), signal.{signal})

    journal.connection.db.set_trace_callback(die)
    with journal.transaction():
        for t in range(6_000):
            journal.append(game, ['{{"t":%d,"type":"time"}}' % t] * 20)
"""


@pytest.mark.slow
@pytest.mark.parametrize("how", slow_except([signal.SIGKILL, signal.SIGTERM], signal.SIGKILL))
def test_a_process_killed_during_a_transaction_leaves_complete_transactions(
    path: Path, how: signal.Signals
) -> None:
    code = textwrap.dedent(KILLED.format(game=GAME, started=STARTED, signal=how.name))
    child = subprocess.run([sys.executable, "-c", code, path], check=False, timeout=240)
    assert child.returncode == -how
    assert path.stat().st_size > 100_000
    assert path.with_name("journal.db-journal").stat().st_size > 0
    with Journal.open(path, create=False) as journal:
        assert [entry.line for entry in entries_of(journal, 1)] == [
            GAME,
            time_line(1),
            '{"t":1,"type":"ready"}',
        ]
        assert journal.rows("PRAGMA integrity_check") == [("ok",)]
        assert journal.append(1, [time_line(2)]) == 4


@contextmanager
def without_root() -> Iterator[None]:
    """Act as the user nobody: root may write everywhere, so a test of permissions must not."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_folder_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o555)
    with without_root(), pytest.raises(UrpiError) as caught:
        Journal.open(folder / "journal.db")
    assert f"The journal {folder / 'journal.db'} cannot be used: " in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_that_is_a_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UrpiError, match=r"file/journal.db cannot be used: "):
        Journal.open(tmp_path / "file" / "journal.db")


def test_a_file_that_is_not_a_database_is_rejected_and_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ann, " * 100)
    with pytest.raises(UrpiError, match=r"letter.txt cannot be used: file is not a database"):
        Journal.open(path)
    assert path.read_text() == "Dear Ann, " * 100


def test_a_damaged_file_is_reported(path: Path) -> None:
    with Journal.open(path) as journal:
        game = new_game(journal)
        journal.append(game, map(time_line, range(500)))
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (path.stat().st_size - 4096))
    with pytest.raises(DamagedError, match="malformed"):
        Journal.open(path)


def test_lines_that_cannot_be_unpacked_are_reported_as_damage(journal: Journal) -> None:
    game = new_game(journal)
    journal.rows("INSERT INTO batches VALUES (?, 2, 1, x'a5a5', 0)", game)
    with pytest.raises(DamagedError, match="is damaged: a batch"):
        entries_of(journal, game)


@pytest.mark.parametrize("read", [Journal.batches, Journal.batch_texts])
def test_a_game_without_its_beginning_is_reported_as_damage(
    journal: Journal, read: Callable[[Journal, int], Iterator[object]]
) -> None:
    game = new_game(journal)
    journal.rows("DROP TRIGGER batches_not_DELETE")
    journal.rows("DELETE FROM batches")
    with pytest.raises(DamagedError, match=f"game {game} has no beginning"):
        list(read(journal, game))


def test_line_ends_within_a_json_text_become_spaces(journal: Journal) -> None:
    game = new_game(journal)
    journal.append(game, ['{"t":7,\n"type":"time"}'])
    assert entries_of(journal, game)[-1] == Entry(2, "fact", '{"t":7, "type":"time"}')


def test_lines_can_be_queried_one_by_one_in_sql(journal: Journal) -> None:
    game = new_game(journal)
    journal.append(game, [time_line(5)], [roll("dark")])
    rows = journal.rows("SELECT seq, kind, type, side, line FROM entries WHERE game = ?", game)
    assert rows == [
        (1, "fact", "game", None, GAME),
        (2, "fact", "time", None, time_line(5)),
        (3, "decision", "roll", "dark", roll("dark")),
    ]


def test_seqs_continue_after_the_entries_of_another_connection(path: Path) -> None:
    with Journal.open(path) as one, Journal.open(path) as other:
        first, second = new_game(one), new_game(other)
        assert one.append(first, [time_line(1)]) == 3
        assert other.append(second, [time_line(1)]) == 4
        assert other.append(first, [time_line(2)]) == 5


def test_removing_lines_does_not_renumber_the_others(journal: Journal) -> None:
    game = new_game(journal)
    journal.append(game, map(time_line, (1, 2, 3)), [roll("dark")])
    removed = time_line(2)

    assert journal.rewrite(game, lambda entry: "" if entry.line == removed else entry.line) == 1

    assert [(entry.seq, entry.kind) for entry in entries_of(journal, game)] == [
        (1, "fact"),
        (2, "fact"),
        (4, "fact"),
        (5, "decision"),
    ]
    with pytest.raises(UrpiError, match="appended to, never changed"):
        journal.rows("DELETE FROM batches")


def test_a_transaction_that_fails_stores_nothing(journal: Journal) -> None:
    game = new_game(journal)

    def append_to_two(other: int) -> None:
        with journal.transaction():
            journal.append(game, [time_line(1)])
            journal.append(other, [time_line(1)])

    with pytest.raises(UrpiError):
        append_to_two(game + 1)
    assert len(entries_of(journal, game)) == 1
    assert journal.append(game, [time_line(1)]) == 2


def test_the_database_of_another_program_is_rejected_and_unchanged(path: Path) -> None:
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE bookmarks (url TEXT)")
    before = path.read_bytes()
    with pytest.raises(UrpiError, match="of another program; choose another path"):
        Journal.open(path)
    assert path.read_bytes() == before


def test_a_missing_journal_is_not_created_unless_requested(path: Path) -> None:
    with pytest.raises(UrpiError, match="no such file; choose another with --journal"):
        Journal.open(path, create=False)
    assert not path.parent.exists()


def test_an_sqlite_version_that_is_too_old_is_reported(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 34, 1))
    with pytest.raises(UrpiError, match=r"SQLite 3.37.0 is required, but this Python has "):
        Journal.open(path)
    assert not path.parent.exists()


def test_another_connection_can_read_while_the_journal_is_written(path: Path) -> None:
    with Journal.open(path) as writer, Journal.open(path, create=False) as reader:
        game = new_game(writer)
        assert len(entries_of(reader, game)) == 1
        writer.append(game, [time_line(1)])
        assert len(entries_of(reader, game)) == 2
