"""The keeper: no line is lost while the program runs, whatever happens to the disk."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from tests.journal.disks import may_mount, no_room, no_room_at, on_small_disk
from urpi.core.errors import UrpiError
from urpi.journal import (
    DiskError,
    Journal,
    Keeper,
    Outage,
    Preferences,
    check_contents,
    check_pages,
    entries_of,
    find_game,
    list_games,
    load_preferences,
    store_preferences,
)
from urpi.journal.connection import MAX_LOG_WRITES
from urpi.journal.files import companion
from urpi.journal.held import MAX_WRITES_AT_ONCE
from urpi.journal.keeper import BUSY_S, MAX_HELD_BYTES, RETRY_MS
from urpi.journal.migrations import MIGRATIONS
from urpi.journal.packing import DICTIONARY, pack
from urpi.journal.schema import migrate

NOW = datetime(2026, 11, 21, 19, 2, 11, tzinfo=UTC)
LATER = NOW + timedelta(minutes=5)
GAME = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"Ann","dark":"Zoë"}'
WON = '{"t":9,"type":"won","side":"dark","code":"off"}'
PAGE = 4096
SOON_MS, LATE_MS = 10, 60_000


def incompressible_line(t: int) -> str:
    """Return a line of about a hundred bytes when packed."""
    return f'{{"t":{t},"type":"answer","move":"{(t + 7) ** 300 % 10**180}"}}'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@contextmanager
def keeper_of_a_game(
    path: Path, *, busy_s: float = BUSY_S, max_held_bytes: int = MAX_HELD_BYTES
) -> Iterator[Keeper]:
    """Open a keeper and begin a game."""
    opened = Keeper.open(path, NOW, busy_s=busy_s, max_held_bytes=max_held_bytes)
    opened.begin(GAME, NOW.isoformat(), "1", {"language": "en"}, NOW)
    yield opened
    opened.close(NOW)


@pytest.fixture
def keeper(path: Path) -> Iterator[Keeper]:
    """A keeper with a game that has begun."""
    with keeper_of_a_game(path) as opened:
        yield opened


def lines(path: Path, game: int = 1) -> list[str]:
    with Journal.open(path) as journal:
        return [entry.line for entry in entries_of(journal, game)]


def fill_up(keeper: Keeper, first: int = 0) -> list[str]:
    """Append lines until the file would have to grow; return them."""
    appended = []
    while keeper.outage is None:
        appended.append(incompressible_line(first + len(appended)))
        keeper.append(appended[-1:], [], NOW)
    return appended


def retry(keeper: Keeper) -> None:
    """Let the keeper try the disk again."""
    keeper.tick(SOON_MS, LATER)
    keeper.tick(LATE_MS, LATER)


def test_without_an_outage_everything_is_stored_at_once(keeper: Keeper, path: Path) -> None:
    keeper.append([incompressible_line(1)], [WON], NOW, LATER.isoformat())

    assert lines(path) == [GAME, incompressible_line(1), WON]
    assert (keeper.outage, keeper.damage, keeper.next_due()) == (None, None, None)
    assert (keeper.seq, keeper.paused) == (3, False)
    with Journal.open(path) as journal:
        assert find_game(journal, 1).finished == LATER


def test_stored_games_are_removed_from_memory(keeper: Keeper) -> None:
    for _ in range(3):
        keeper.begin(GAME, NOW.isoformat(), "1", {}, NOW)
    assert keeper.held_games == (4,)


def files(path: Path) -> set[str]:
    return {file.name for file in path.parent.iterdir()}


def test_a_keeper_uses_a_log_and_leaves_a_single_file(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    keeper = Keeper.open(path, NOW)
    keeper.begin(GAME, NOW.isoformat(), "1", {}, NOW)
    keeper.append([incompressible_line(1)], [], NOW)
    assert files(path) == {"games.sqlite", "games.sqlite-wal", "games.sqlite-shm"}
    with Journal.read_only(path) as reader:
        assert [entry.line for entry in entries_of(reader, 1)] == [GAME, incompressible_line(1)]
    keeper.close(NOW)
    assert files(path) == {"games.sqlite"}
    # The header has the rollback journal's version: the file can be read on a read-only disk.
    assert path.read_bytes()[18:20] == b"\1\1"


def test_the_log_is_copied_into_the_file_regularly(keeper: Keeper, path: Path) -> None:
    log = companion(path, "-wal")
    sizes = set()
    for t in range(3 * MAX_LOG_WRITES):
        keeper.append([f'{{"t":{t},"type":"time"}}'], [], NOW)
        keeper.tick(t, NOW)
        sizes.add(log.stat().st_size)
    assert MAX_LOG_WRITES / 4 * PAGE < max(sizes) < 2 * MAX_LOG_WRITES * PAGE
    assert max(sizes) == log.stat().st_size
    assert len(lines(path)) == 1 + 3 * MAX_LOG_WRITES


def test_a_failed_checkpoint_is_not_an_outage(keeper: Keeper, path: Path) -> None:
    for t in range(MAX_LOG_WRITES + 1):
        keeper.append([incompressible_line(t)], [], NOW)
    with no_room_at(PAGE):
        keeper.tick(1, NOW)
    assert keeper.outage is None
    keeper.append([incompressible_line(0)], [], NOW)
    assert len(lines(path)) == MAX_LOG_WRITES + 3


def test_the_rollback_journal_stays_in_use_while_another_connection_reads(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    Keeper.open(path, NOW).close(NOW)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM games").fetchall()
        keeper = Keeper.open(path, NOW)
    keeper.begin(GAME, NOW.isoformat(), "1", {}, NOW)
    assert not companion(path, "-wal").exists()
    assert (keeper.outage, lines(path)) == (None, [GAME])
    keeper.close(NOW)


APPENDS_150_LINES = """
import sys
from pathlib import Path
from urpi.journal import Journal
with Journal.open(Path(sys.argv[1]), busy_s=60) as journal:
    for t in range(150):
        journal.append(2, ['{"t":%d,"type":"time"}' % t])
"""


@pytest.mark.slow
def test_another_process_can_write_during_checkpoints(path: Path) -> None:
    # On a busy machine, the process that has the lock may not run for seconds.
    keeper = Keeper.open(path, NOW, busy_s=60.0)
    for _ in range(3):
        keeper.begin(GAME, LATER.isoformat(), "1", {}, NOW)
    with subprocess.Popen([sys.executable, "-c", APPENDS_150_LINES, str(path)]) as other:
        t = 0
        while other.poll() is None:
            t += 1
            keeper.append([f'{{"t":{t},"type":"time"}}'], [], NOW)
            assert keeper.journal is not None
            keeper.journal.connection.checkpoint(max_writes=2)
    assert other.returncode == 0
    assert keeper.outage is None
    with Journal.open(path) as journal:
        check_pages(journal)
        check_contents(journal)
    assert (len(lines(path, 2)), len(lines(path, 3))) == (151, t + 1)
    keeper.close(NOW)


def test_a_full_disk_is_reported_at_once_with_the_time(keeper: Keeper, path: Path) -> None:
    with no_room(path):
        fill_up(keeper)

    assert keeper.outage is not None
    assert keeper.outage.since == NOW
    assert keeper.outage.code in {"disk-full", "disk-failing"}


def test_held_lines_are_stored_in_order_when_there_is_room(keeper: Keeper, path: Path) -> None:
    with no_room(path):
        appended = fill_up(keeper)
        keeper.append([incompressible_line(900)], [WON], NOW, LATER.isoformat())
        retry(keeper)
        assert keeper.outage is not None
    assert lines(path) == [GAME, *appended[:-1]]

    keeper.tick(2 * LATE_MS, LATER)

    assert keeper.outage is None
    assert lines(path) == [GAME, *appended, incompressible_line(900), WON]
    with Journal.open(path) as journal:
        assert find_game(journal, 1).finished == LATER


def test_held_lines_of_several_transactions_are_all_stored(keeper: Keeper, path: Path) -> None:
    with no_room(path):
        appended = fill_up(keeper)
        for t in range(2 * MAX_WRITES_AT_ONCE):
            appended.append(f'{{"t":{t},"type":"time"}}')
            keeper.append(appended[-1:], [], NOW)
    retry(keeper)
    assert lines(path) == [GAME, *appended]


def test_a_new_game_can_begin_during_an_outage(keeper: Keeper, path: Path) -> None:
    with no_room(path):
        appended = fill_up(keeper)
        number = keeper.begin(GAME, LATER.isoformat(), "1", {}, LATER)
        keeper.append([incompressible_line(1)], [], LATER)
        assert keeper.game == number == 2
    retry(keeper)
    assert lines(path) == [GAME, *appended]
    assert lines(path, 2) == [GAME, incompressible_line(1)]


def test_a_game_begun_during_an_outage_gets_another_number_if_its_number_is_taken(
    keeper: Keeper, path: Path
) -> None:
    with no_room(path):
        fill_up(keeper)
        keeper.begin(GAME, LATER.isoformat(), "1", {}, LATER)
    with Journal.open(path) as other:
        other.new_game(GAME.replace("Ann", "Eve"), NOW.isoformat(), "1", {})
    retry(keeper)
    assert keeper.game == 3
    assert lines(path, 3) == [GAME]


def test_the_pause_between_attempts_doubles_up_to_a_limit(keeper: Keeper, path: Path) -> None:
    pauses = []
    with no_room(path):
        fill_up(keeper)
        t = 0
        while len(pauses) < 8:
            keeper.tick(t, NOW)
            due = keeper.next_due()
            assert due is not None
            pauses.append(due - t)
            t = due
    first, longest = RETRY_MS
    assert pauses[:2] == [first, 2 * first]
    assert pauses[-1] == longest


def test_a_successful_read_does_not_end_an_outage(keeper: Keeper, path: Path) -> None:
    with no_room(path):
        appended = fill_up(keeper)
        assert keeper.read(list_games, NOW) is not None
        assert keeper.outage is not None
        assert keeper.seq is None
        keeper.append([incompressible_line(900)], [], NOW)
        due = keeper.next_due()
    assert due is not None
    retry(keeper)
    assert keeper.outage is None
    assert lines(path) == [GAME, *appended, incompressible_line(900)]


def test_a_read_that_fails_begins_an_outage(keeper: Keeper) -> None:
    def fail(_journal: Journal) -> None:
        message = "The disk fails."
        raise DiskError(message, "disk-failing")

    assert keeper.read(fail, NOW) is None
    assert keeper.outage == Outage("disk-failing", NOW)


def test_a_preference_chosen_during_an_outage_is_stored_when_it_ends(
    keeper: Keeper, path: Path
) -> None:
    configured = Preferences("en", "off", "finkel")
    with no_room(path):
        fill_up(keeper)
        for language in ("fr", "hu"):
            chosen = replace(configured, language=language)
            keeper.write(
                "preferences",
                partial(store_preferences, table="t", configured=configured, chosen=chosen),
                NOW,
            )
        with Journal.open(path) as journal:
            assert load_preferences(journal, "t", configured) == configured
    retry(keeper)
    with Journal.open(path) as journal:
        assert load_preferences(journal, "t", configured).language == "hu"


def test_an_invalid_line_is_rejected_during_an_outage(keeper: Keeper, path: Path) -> None:
    with no_room(path):
        appended = fill_up(keeper)
        with pytest.raises(UrpiError):
            keeper.append(['{"t":1,"type":"nothing"}'], [], NOW)
    retry(keeper)
    assert lines(path) == [GAME, *appended]


def test_an_end_that_was_stored_although_it_failed_is_not_stored_twice(
    keeper: Keeper, path: Path
) -> None:
    with no_room(path):
        appended = fill_up(keeper)
        keeper.append([], [], NOW, LATER.isoformat())
    with Journal.open(path) as journal:
        journal.append(1, appended[-1:])
        journal.finish(1, LATER.isoformat())
    retry(keeper)
    assert keeper.outage is None
    assert lines(path) == [GAME, *appended]


def test_play_pauses_when_memory_is_full(path: Path) -> None:
    with keeper_of_a_game(path, max_held_bytes=500) as keeper:
        with no_room(path):
            appended = fill_up(keeper)
            while not keeper.paused:
                appended.append(incompressible_line(len(appended)))
                keeper.append(appended[-1:], [], NOW)
        assert 5 < len(appended) < 100
        retry(keeper)
        assert not keeper.paused
        assert lines(path) == [GAME, *appended]


def test_an_invalid_line_is_rejected_and_does_not_block_later_ones(
    keeper: Keeper, path: Path
) -> None:
    with pytest.raises(UrpiError):
        keeper.append(['{"t":1,"type":"nothing"}'], [], NOW)
    keeper.append([incompressible_line(1)], [], NOW)
    assert lines(path) == [GAME, incompressible_line(1)]


def test_a_lock_held_by_another_process_begins_an_outage(path: Path) -> None:
    with keeper_of_a_game(path, busy_s=0.01) as keeper:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            keeper.append([incompressible_line(1)], [], NOW)
            assert keeper.outage is not None
        retry(keeper)
        assert lines(path) == [GAME, incompressible_line(1)]


def test_a_write_that_was_stored_although_it_failed_is_not_stored_twice(
    keeper: Keeper, path: Path
) -> None:
    """The commit was on the disk when its last sync failed."""
    with no_room(path):
        appended = fill_up(keeper)
    with Journal.open(path) as journal:
        journal.append(1, appended[-1:])
    retry(keeper)
    assert lines(path) == [GAME, *appended]


def test_several_writes_that_were_stored_although_they_failed_are_not_stored_twice(
    keeper: Keeper, path: Path
) -> None:
    with no_room(path):
        appended = fill_up(keeper)
        for t in range(5):
            appended.append(f'{{"t":{t},"type":"time"}}')
            keeper.append(appended[-1:], [], NOW)
    with Journal.open(path) as journal:
        for line in appended[-6:-1]:
            journal.append(1, [line])
    retry(keeper)
    assert lines(path) == [GAME, *appended]


def test_a_game_that_another_program_continued_is_stored_as_another_game(
    keeper: Keeper, path: Path
) -> None:
    with no_room(path):
        appended = fill_up(keeper)
    with Journal.open(path) as journal:
        journal.append(1, appended[-1:])
        journal.append(1, ['{"t":7,"type":"time"}'])
    retry(keeper)
    assert lines(path, 1) == [GAME, *appended, '{"t":7,"type":"time"}']
    assert lines(path, 2) == [GAME, *appended]


def test_a_game_whose_first_batch_has_more_than_its_head_is_held_whole(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    facts = [GAME, *(f'{{"t":{t},"type":"time"}}' for t in (1, 2, 3))]
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        migrate(db, MIGRATIONS[:1])
        db.execute("INSERT INTO games VALUES (1, ?, '1', 'finkel', '', '')", (NOW.isoformat(),))
        packed = pack([*facts, WON], DICTIONARY)
        db.execute("INSERT INTO batches VALUES (1, ?, ?, ?)", (len(facts) + 1, len(facts), packed))
        db.execute("INSERT INTO milestones VALUES (1, ?, 'won', 'dark')", (len(facts) + 1,))
    keeper = Keeper.open(path, NOW)
    keeper.continue_game(1, NOW)
    with no_room(path):
        appended = fill_up(keeper)
    os.unlink(path)
    retry(keeper)
    with Journal.open(path) as journal:
        kinds = [(entry.kind, entry.line) for entry in entries_of(journal, 1)]
    assert kinds == [
        *(("fact", line) for line in facts),
        ("decision", WON),
        *(("fact", line) for line in appended),
    ]
    keeper.close(NOW)


def test_another_card_is_not_mistaken_for_the_one_that_was_removed(
    keeper: Keeper, path: Path, tmp_path: Path
) -> None:
    """The other card has a game of the same number with the same number of lines."""
    with no_room(path):
        appended = fill_up(keeper)
    with Journal.open(tmp_path / "other.sqlite") as other:
        other.new_game(GAME.replace("Ann", "Eve"), LATER.isoformat(), "1", {})
        for line in appended[:-1]:
            other.append(1, [line])
    for ending in ("-wal", "-shm"):
        companion(path, ending).unlink()
    (tmp_path / "other.sqlite").replace(path)

    retry(keeper)

    assert keeper.game == 2
    assert lines(path, 1) == [GAME.replace("Ann", "Eve"), *appended[:-1]]
    assert lines(path, 2) == [GAME, *appended]


def test_a_game_whose_opening_was_stored_although_it_failed_is_not_begun_twice(
    keeper: Keeper, path: Path
) -> None:
    settings = {"note": incompressible_line(1) * 500}
    with no_room(path):
        keeper.begin(GAME, LATER.isoformat(), "1", settings, LATER)
        assert keeper.outage is not None
    with Journal.open(path) as journal:
        journal.new_game(GAME, LATER.isoformat(), "1", settings)
    keeper.append([incompressible_line(2)], [], LATER)
    retry(keeper)
    with Journal.open(path) as journal:
        assert len(list_games(journal)) == 2
    assert lines(path, 2) == [GAME, incompressible_line(2)]


def test_a_deleted_file_is_replaced_by_one_with_the_whole_current_game(
    keeper: Keeper, path: Path
) -> None:
    with no_room(path):
        appended = fill_up(keeper)
    os.unlink(path)
    retry(keeper)
    assert lines(path) == [GAME, *appended]


def test_a_game_played_while_the_file_cannot_be_opened_is_stored_later(tmp_path: Path) -> None:
    """A folder has the file's name; not even root can open that as a file."""
    path = tmp_path / "games.sqlite"
    path.mkdir()
    keeper = Keeper.open(path, NOW)
    assert keeper.outage is not None
    assert keeper.journal is None
    assert keeper.begin(GAME, NOW.isoformat(), "1", {}, NOW) == 1
    keeper.append([incompressible_line(1)], [], NOW)

    path.rmdir()
    retry(keeper)

    assert lines(path) == [GAME, incompressible_line(1)]
    keeper.close(NOW)


def test_lines_that_are_lost_at_the_end_are_logged(
    keeper: Keeper, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with no_room(path):
        fill_up(keeper)
        keeper.close(NOW)
    assert "what was held in memory is lost" in caplog.text


@pytest.mark.skipif(not may_mount(), reason="no mount namespace may be made here (unshare)")
def test_nothing_is_lost_on_a_full_or_read_only_file_system(tmp_path: Path) -> None:
    done = on_small_disk("tests.journal.small_disk", tmp_path)
    assert done.returncode == 0, done.stderr
