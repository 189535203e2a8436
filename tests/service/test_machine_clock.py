"""A machine whose clock is not set when a game begins, and is set later in the same boot."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from urpi.journal import Journal, find_game, settings_of
from urpi.journal.keeper import Keeper
from urpi.referee.facts import Game
from urpi.referee.lines import fact_line
from urpi.service.machine_clock import (
    BOOT_ID,
    CHECK_MS,
    TIMESYNC,
    ClockWatch,
    MachineClock,
    read_machine_clock,
)

OLD = datetime(2022, 4, 4, 10, tzinfo=UTC)
NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)
HOUR_MS = 3_600_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def keeper(path: Path) -> Iterator[Keeper]:
    keeper = Keeper.open(path, OLD)
    yield keeper
    keeper.close(OLD)


def begin(keeper: Keeper, clock: MachineClock) -> int:
    line = fact_line(Game(0, "finkel", "Ann", "Bea"))
    return keeper.begin(line, OLD.isoformat(), "1.0.0", {"table": "board", **clock.settings}, OLD)


def test_a_game_is_corrected_when_the_clock_is_set_in_the_same_boot(
    keeper: Keeper, path: Path
) -> None:
    clock = MachineClock(is_set=False, boot="a", uptime_ms=60_000)
    games = [begin(keeper, clock), begin(keeper, MachineClock(is_set=False, boot="b"))]
    watch = ClockWatch(keeper, lambda: clock, lambda: NOW)
    watch.tick(0)
    assert watch.next_due == CHECK_MS
    clock = MachineClock(is_set=True, boot="a", uptime_ms=60_000 + 2 * HOUR_MS)
    # Not before it is due.
    watch.tick(CHECK_MS - 1)
    with Journal.read_only(path) as journal:
        assert find_game(journal, games[0]).estimated
    for t in (CHECK_MS, 2 * CHECK_MS):
        watch.tick(t)
        assert watch.next_due is None
    with Journal.read_only(path) as journal:
        first, second = (find_game(journal, game) for game in games)
        assert (first.started, first.estimated) == (NOW - timedelta(hours=2), False)
        assert [one.kind for one in first.corrections] == ["started"]
        # Of another boot nothing is known but that it was later.
        assert (second.started, second.estimated) == (first.started, True)


def test_a_restart_in_the_same_boot_corrects_once(keeper: Keeper, path: Path) -> None:
    game = begin(keeper, MachineClock(is_set=False, boot="a", uptime_ms=0))
    for hours in (1, 2):
        clock = MachineClock(is_set=True, boot="a", uptime_ms=hours * HOUR_MS)
        now = NOW + timedelta(hours=hours)
        ClockWatch(keeper, lambda clock=clock: clock, lambda now=now: now).tick(0)
    with Journal.read_only(path) as journal:
        assert find_game(journal, game).started == NOW
        assert len(find_game(journal, game).corrections) == 1


def test_a_game_of_a_clock_that_is_set_has_no_mark(keeper: Keeper, path: Path) -> None:
    game = begin(keeper, MachineClock(is_set=True, boot="a"))
    with Journal.read_only(path) as journal:
        assert settings_of(journal, game) == {"table": "board"}


@pytest.mark.parametrize(
    ("files", "is_set"),
    [
        ((), True),
        ((TIMESYNC / "clock",), False),
        ((TIMESYNC / "synchronized",), True),
    ],
)
def test_the_clock_is_set_once_systemd_has_synchronised_it(
    tmp_path: Path, files: tuple[Path, ...], is_set: bool
) -> None:
    for file in (BOOT_ID, *files):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("5f7d\n", "ascii")
    found = read_machine_clock(tmp_path)
    assert (found.is_set, found.boot) == (is_set, "5f7d")


def test_the_clock_of_this_machine_is_read() -> None:
    before, after = read_machine_clock(), read_machine_clock()
    assert before.boot == after.boot == Path("/", BOOT_ID).read_text("ascii").strip()
    assert 0 < before.uptime_ms <= after.uptime_ms
    if not os.path.isdir(Path("/", TIMESYNC)):
        assert before.is_set


def test_a_machine_without_a_boot_id_has_nothing_to_watch(tmp_path: Path, keeper: Keeper) -> None:
    assert read_machine_clock(tmp_path) == MachineClock()
    assert ClockWatch(keeper, MachineClock, lambda: NOW).next_due is None
