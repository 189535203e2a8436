"""The keeper: nothing is lost while the process lives, whatever the disk does."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from tests.journal.disks import may_mount, no_room, no_room_at, on_small_disk
from urpi.errors import UrpiError
from urpi.journal import (
    Journal,
    Keeper,
    Preferences,
    check_contents,
    check_pages,
    entries_of,
    find_game,
    list_games,
    load_preferences,
    store_preferences,
)
from urpi.journal import keeper as keeping
from urpi.journal.connection import MAX_LOG_WRITES
from urpi.journal.files import companion
from urpi.journal.held import MAX_WRITES_AT_ONCE
from urpi.journal.keeper import RETRY_MS

NOW = datetime(2026, 11, 21, 19, 2, 11, tzinfo=UTC)
LATER = NOW + timedelta(minutes=5)
GAME = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"Ann","dark":"Zoë"}'
WON = '{"t":9,"type":"won","side":"dark","code":"off"}'
PAGE = 4096
SOON_MS, LATE_MS = 10, 60_000


def answer(t: int) -> str:
    """A line of some hundred bytes that does not pack."""
    return f'{{"t":{t},"type":"answer","move":"{(t + 7) ** 300 % 10**180}"}}'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture
def keeper(path: Path) -> Iterator[Keeper]:
    """A keeper with a game that has begun."""
    opened = Keeper.open(path, NOW)
    opened.begin(GAME, NOW.isoformat(), "1", {"language": "en"}, NOW)
    yield opened
    opened.close(NOW)


def lines(path: Path, game: int = 1) -> list[str]:
    with Journal.open(path) as journal:
        return [entry.line for entry in entries_of(journal, game)]


def fill_up(keeper: Keeper, first: int = 0) -> list[str]:
    """Append until the file would have to grow; what was appended."""
    told = []
    while keeper.outage is None:
        told.append(answer(first + len(told)))
        keeper.append(told[-1:], [], NOW)
    return told


def tend(keeper: Keeper) -> None:
    """Let it try the disk again."""
    keeper.tick(SOON_MS, LATER)
    keeper.tick(LATE_MS, LATER)


def test_while_all_is_well_all_is_stored_at_once(keeper: Keeper, path: Path) -> None:
    keeper.append([answer(1)], [WON], NOW, LATER.isoformat())

    assert lines(path) == [GAME, answer(1), WON]
    assert (keeper.outage, keeper.damage, keeper.next_due()) == (None, None, None)
    with Journal.open(path) as journal:
        assert find_game(journal, 1).finished == LATER


def files(path: Path) -> set[str]:
    return {file.name for file in path.parent.iterdir()}


def test_a_keeper_uses_a_log_and_leaves_one_file(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    keeper = Keeper.open(path, NOW)
    keeper.begin(GAME, NOW.isoformat(), "1", {}, NOW)
    keeper.append([answer(1)], [], NOW)
    assert files(path) == {"games.sqlite", "games.sqlite-wal", "games.sqlite-shm"}
    with Journal.read_only(path) as reader:
        assert [entry.line for entry in entries_of(reader, 1)] == [GAME, answer(1)]
    keeper.close(NOW)
    assert files(path) == {"games.sqlite"}
    # Without a log, a file can be read where nothing can be written.
    assert path.read_bytes()[18:20] == b"\1\1"


def test_the_log_is_copied_into_the_file_now_and_then(keeper: Keeper, path: Path) -> None:
    log = companion(path, "-wal")
    sizes = set()
    for t in range(3 * MAX_LOG_WRITES):
        keeper.append([f'{{"t":{t},"type":"time"}}'], [], NOW)
        keeper.tick(t, NOW)
        sizes.add(log.stat().st_size)
    assert max(sizes) < 2 * MAX_LOG_WRITES * PAGE
    assert max(sizes) == log.stat().st_size
    assert len(lines(path)) == 1 + 3 * MAX_LOG_WRITES


def test_a_log_that_cannot_be_copied_is_no_outage(keeper: Keeper, path: Path) -> None:
    for t in range(MAX_LOG_WRITES + 1):
        keeper.append([answer(t)], [], NOW)
    with no_room_at(PAGE):
        keeper.tick(1, NOW)
    assert keeper.outage is None
    keeper.append([answer(0)], [], NOW)
    assert len(lines(path)) == MAX_LOG_WRITES + 3


def test_while_another_process_reads_the_rollback_journal_stays_in_use(tmp_path: Path) -> None:
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


IMPORTS = """
import sys
from pathlib import Path
from urpi.journal import Journal
with Journal.open(Path(sys.argv[1]), busy_s=60) as journal:
    for t in range(150):
        journal.append(2, ['{"t":%d,"type":"time"}' % t])
"""


def test_another_process_may_write_while_the_log_is_copied(keeper: Keeper, path: Path) -> None:
    keeper.begin(GAME, LATER.isoformat(), "1", {}, NOW)
    keeper.begin(GAME, LATER.isoformat(), "1", {}, NOW)
    with subprocess.Popen([sys.executable, "-c", IMPORTS, str(path)]) as other:
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


def test_a_disk_without_room_is_told_at_once_with_the_time(keeper: Keeper, path: Path) -> None:
    with no_room(path):
        fill_up(keeper)

    assert keeper.outage is not None
    assert keeper.outage.since == NOW
    assert keeper.outage.code in {"disk-full", "disk-failing"}


def test_what_the_disk_did_not_take_is_stored_in_order_when_there_is_room(
    keeper: Keeper, path: Path
) -> None:
    with no_room(path):
        told = fill_up(keeper)
        keeper.append([answer(900)], [WON], NOW, LATER.isoformat())
        tend(keeper)
        assert keeper.outage is not None
    assert lines(path) == [GAME, *told[:-1]]

    keeper.tick(2 * LATE_MS, LATER)

    assert keeper.outage is None
    assert lines(path) == [GAME, *told, answer(900), WON]
    with Journal.open(path) as journal:
        assert find_game(journal, 1).finished == LATER


def test_more_than_one_transaction_of_what_was_held_is_stored(keeper: Keeper, path: Path) -> None:
    with no_room(path):
        told = fill_up(keeper)
        for t in range(2 * MAX_WRITES_AT_ONCE):
            told.append(f'{{"t":{t},"type":"time"}}')
            keeper.append(told[-1:], [], NOW)
    tend(keeper)
    assert lines(path) == [GAME, *told]


def test_the_next_game_begins_though_the_disk_fails(keeper: Keeper, path: Path) -> None:
    with no_room(path):
        told = fill_up(keeper)
        number = keeper.begin(GAME, LATER.isoformat(), "1", {}, LATER)
        keeper.append([answer(1)], [], LATER)
        assert keeper.game == number == 2
    tend(keeper)
    assert lines(path) == [GAME, *told]
    assert lines(path, 2) == [GAME, answer(1)]


def test_a_number_that_another_process_took_is_given_up(keeper: Keeper, path: Path) -> None:
    with no_room(path):
        fill_up(keeper)
        keeper.begin(GAME, LATER.isoformat(), "1", {}, LATER)
    with Journal.open(path) as other:
        other.new_game(GAME.replace("Ann", "Eve"), NOW.isoformat(), "1", {})
    tend(keeper)
    assert keeper.game == 3
    assert lines(path, 3) == [GAME]


def test_the_disk_is_tried_again_with_longer_and_longer_pauses(keeper: Keeper, path: Path) -> None:
    tried = []
    with no_room(path):
        fill_up(keeper)
        t = 0
        while len(tried) < 8:
            keeper.tick(t, NOW)
            due = keeper.next_due()
            assert due is not None
            tried.append(due - t)
            t = due
    first, longest = RETRY_MS
    assert tried[:2] == [first, 2 * first]
    assert tried[-1] == longest


def test_a_reading_does_not_end_an_outage(keeper: Keeper, path: Path) -> None:
    with no_room(path):
        told = fill_up(keeper)
        assert keeper.read(list_games, NOW) is not None
        assert keeper.outage is not None
        assert keeper.seq is None
        keeper.append([answer(900)], [], NOW)
        due = keeper.next_due()
    assert due is not None
    tend(keeper)
    assert keeper.outage is None
    assert lines(path) == [GAME, *told, answer(900)]


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
    tend(keeper)
    with Journal.open(path) as journal:
        assert load_preferences(journal, "t", configured).language == "hu"


def test_a_line_that_no_disk_could_store_is_refused_during_an_outage_too(
    keeper: Keeper, path: Path
) -> None:
    with no_room(path):
        told = fill_up(keeper)
        with pytest.raises(UrpiError):
            keeper.append(['{"t":1,"type":"nothing"}'], [], NOW)
    tend(keeper)
    assert lines(path) == [GAME, *told]


def test_an_end_without_lines_that_landed_is_not_stored_twice(keeper: Keeper, path: Path) -> None:
    with no_room(path):
        told = fill_up(keeper)
        keeper.append([], [], NOW, LATER.isoformat())
    with Journal.open(path) as landed:
        landed.append(1, told[-1:])
        landed.finish(1, LATER.isoformat())
    tend(keeper)
    assert keeper.outage is None
    assert lines(path) == [GAME, *told]


def test_play_pauses_when_no_more_can_be_held(
    keeper: Keeper, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "MAX_HELD_BYTES", 500)
    with no_room(path):
        told = fill_up(keeper)
        while not keeper.paused:
            told.append(answer(len(told)))
            keeper.append(told[-1:], [], NOW)
    tend(keeper)
    assert not keeper.paused
    assert lines(path) == [GAME, *told]


def test_what_no_disk_could_store_is_refused_and_forgotten(keeper: Keeper, path: Path) -> None:
    with pytest.raises(UrpiError):
        keeper.append(['{"t":1,"type":"nothing"}'], [], NOW)
    keeper.append([answer(1)], [], NOW)
    assert lines(path) == [GAME, answer(1)]


def test_another_process_that_holds_the_file_is_waited_for_and_then_played_without(
    keeper: Keeper, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "BUSY_S", 0.01)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        keeper.append([answer(1)], [], NOW)
        assert keeper.outage is not None
    tend(keeper)
    assert lines(path) == [GAME, answer(1)]


def test_a_write_that_landed_though_the_disk_said_no_is_not_doubled(
    keeper: Keeper, path: Path
) -> None:
    """The commit was on the disk when its last sync failed."""
    with no_room(path):
        told = fill_up(keeper)
    with Journal.open(path) as landed:
        landed.append(1, told[-1:])
    tend(keeper)
    assert lines(path) == [GAME, *told]


def test_of_many_writes_that_landed_none_is_doubled(keeper: Keeper, path: Path) -> None:
    with no_room(path):
        told = fill_up(keeper)
        for t in range(5):
            told.append(f'{{"t":{t},"type":"time"}}')
            keeper.append(told[-1:], [], NOW)
    with Journal.open(path) as landed:
        for line in told[-6:-1]:
            landed.append(1, [line])
    tend(keeper)
    assert lines(path) == [GAME, *told]


def test_another_card_is_not_taken_for_the_one_that_was_pulled_out(
    keeper: Keeper, path: Path, tmp_path: Path
) -> None:
    """It has a game of the same number, and as many lines."""
    with no_room(path):
        told = fill_up(keeper)
    with Journal.open(tmp_path / "other.sqlite") as other:
        other.new_game(GAME.replace("Ann", "Eve"), LATER.isoformat(), "1", {})
        for line in told[:-1]:
            other.append(1, [line])
    for ending in ("-wal", "-shm"):
        companion(path, ending).unlink()
    (tmp_path / "other.sqlite").replace(path)

    tend(keeper)

    assert keeper.game == 2
    assert lines(path, 1) == [GAME.replace("Ann", "Eve"), *told[:-1]]
    assert lines(path, 2) == [GAME, *told]


def test_a_game_whose_beginning_landed_is_not_begun_twice(keeper: Keeper, path: Path) -> None:
    settings = {"note": answer(1) * 500}
    with no_room(path):
        keeper.begin(GAME, LATER.isoformat(), "1", settings, LATER)
        assert keeper.outage is not None
    with Journal.open(path) as landed:
        landed.new_game(GAME, LATER.isoformat(), "1", settings)
    keeper.append([answer(2)], [], LATER)
    tend(keeper)
    with Journal.open(path) as journal:
        assert len(list_games(journal)) == 2
    assert lines(path, 2) == [GAME, answer(2)]


def test_a_file_that_is_gone_gets_the_running_game_from_its_beginning(
    keeper: Keeper, path: Path
) -> None:
    with no_room(path):
        told = fill_up(keeper)
    os.unlink(path)
    tend(keeper)
    assert lines(path) == [GAME, *told]


def test_a_file_that_cannot_be_opened_is_played_without_and_written_later(tmp_path: Path) -> None:
    """A folder of the file's name: no process may open that, not even root's."""
    path = tmp_path / "games.sqlite"
    path.mkdir()
    keeper = Keeper.open(path, NOW)
    assert keeper.outage is not None
    assert keeper.journal is None
    assert keeper.begin(GAME, NOW.isoformat(), "1", {}, NOW) == 1
    keeper.append([answer(1)], [], NOW)

    path.rmdir()
    tend(keeper)

    assert lines(path) == [GAME, answer(1)]
    keeper.close(NOW)


def test_what_could_never_be_stored_is_said_at_the_end(
    keeper: Keeper, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with no_room(path):
        fill_up(keeper)
        keeper.close(NOW)
    assert "what was held in memory is lost" in caplog.text


@pytest.mark.skipif(not may_mount(), reason="no mount namespace may be made here (unshare)")
def test_a_full_and_a_read_only_file_system_lose_nothing(tmp_path: Path) -> None:
    done = on_small_disk("tests.journal.small_disk", tmp_path)
    assert done.returncode == 0, done.stderr
