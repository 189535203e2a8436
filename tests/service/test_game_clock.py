"""The game clock of a running service: power cuts, the display's ticks, and what is stored."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.service_desk import STILL_MS, Desk
from urpi.journal import Journal, stored_record
from urpi.referee import Snapshot
from urpi.referee.clock import Clock, parse_time_control
from urpi.referee.decisions import Won
from urpi.referee.exploring import exploration_of
from urpi.referee.facts import Edge, Game, Occupancy
from urpi.referee.snapshot import Phase
from urpi.rules import Side, parse_square
from urpi.service.clock_ticks import ClockTicks
from urpi.service.inbox import STORE_DELAY_MS

MINUTE_MS = 60_000
C2 = parse_square("C2")


def begun(path: Path, clock: str = "1+5") -> Desk:
    """Return a service with a game in which light has thrown 2."""
    desk = Desk.at(path)
    game = Game(desk.t, "finkel", "Ann", "Bob", first=Side.LIGHT, clock=parse_time_control(clock))
    desk.service.new_game(game)
    desk.submit(Occupancy(desk.t, 0))
    desk.wait(STILL_MS)
    desk.throw("gg--")
    return desk


def left(desk: Desk) -> tuple[int, int]:
    clock = desk.service.snapshot.at(desk.t).clock
    assert clock is not None
    return clock.left_ms


def after_power_cut(desk: Desk, boot_ms: int) -> Desk:
    """Cut the power, and return the service that continues the game at another machine time."""
    desk.service.abort()
    again = Desk.at(desk.path, boot_ms)
    desk.drop()
    again.service.resume()
    return again


def last_stored(desk: Desk) -> int:
    lines = desk.lines("fact") + desk.lines("decision")
    return max(json.loads(line)["t"] for line in lines)


@pytest.mark.parametrize("boot_ms", [0, 9_000_000])
def test_a_power_cut_costs_no_time(tmp_path: Path, boot_ms: int) -> None:
    desk = begun(tmp_path / "games.sqlite")
    desk.wait(20_000)
    desk.submit(Edge(desk.t, C2, on=True))
    light, dark = left(desk)
    desk.wait(STORE_DELAY_MS)
    again = after_power_cut(desk, boot_ms)
    # One millisecond passes, because the times of a game never stand still.
    assert left(again) == (light - 1, dark)
    again.wait(5_000)
    assert left(again) == (light - 5_001, dark)
    again.service.close()


@settings(max_examples=15, deadline=None)
@given(
    waits=st.lists(st.integers(0, 15_000), min_size=1, max_size=6), boot_ms=st.integers(0, 10**7)
)
def test_a_power_cut_at_any_time_loses_at_most_what_is_not_stored(
    tmp_path_factory: pytest.TempPathFactory, waits: list[int], boot_ms: int
) -> None:
    desk = begun(tmp_path_factory.mktemp("cut") / "games.sqlite", "3")
    for number, wait in enumerate(waits):
        desk.wait(wait)
        # A piece is put on a square where no move ends, and lifted again.
        desk.submit(Edge(desk.t, C2, on=number % 2 == 0))
    desk.wait(waits[0] // 2)
    before, unstored = left(desk), desk.t - last_stored(desk)
    again = after_power_cut(desk, boot_ms)
    gained = left(again)[0] - before[0]
    assert left(again)[1] == before[1]
    # In favour of the side whose clock ran, and never against it.
    assert -1 <= gained <= unstored
    again.service.close()


def test_a_side_loses_on_time_without_a_fact_of_a_device(tmp_path: Path) -> None:
    desk = begun(tmp_path / "games.sqlite")
    desk.wait(MINUTE_MS + 1)
    won = desk.decided[-1]
    assert (won.side, won.code) == (Side.DARK, "time")
    # It is the time at which it was over, and it is on the disk.
    assert json.loads(desk.lines("decision")[-1]) == {
        "t": won.t,
        "type": "won",
        "side": "dark",
        "code": "time",
    }
    desk.service.close()
    with Journal.open(desk.path) as journal:
        record = stored_record(journal, 1)
    tags = [record.tag(name) for name in ("GameClock", "Result", "Termination")]
    assert tags == ["1+5", "dark", "time"]


def test_a_game_lost_on_time_stays_lost_after_a_power_cut(tmp_path: Path) -> None:
    desk = begun(tmp_path / "games.sqlite")
    desk.wait(MINUTE_MS + 1)
    again = after_power_cut(desk, 0)
    assert again.service.game is None
    again.service.close()
    outcomes = [one for one in desk.decided if isinstance(one, Won)]
    assert len(outcomes) == 1


def ticking(clock: Clock | None) -> tuple[ClockTicks, list[int]]:
    shown: list[int] = []
    ticks = ClockTicks(lambda: Snapshot(Phase.MOVE, clock=clock), lambda: shown.append(1))
    return ticks, shown


def test_the_display_shows_each_ten_seconds_and_in_the_last_minute_each_second() -> None:
    clock = Clock((75_500, 0), parse_time_control("2"), Side.LIGHT, since=1_000)
    ticks, shown = ticking(clock)
    times = []
    while (due := ticks.next_due) is not None and len(shown) < 5:
        ticks.tick(due - 1)
        times.append(due - 1_000)
        ticks.tick(due)
        assert len(shown) == len(times)
    assert times == [5_500, 15_500, 16_500, 17_500, 18_500]


def test_the_display_does_not_tick_without_a_running_clock() -> None:
    for clock in (None, Clock((75_500, 0), parse_time_control("2"))):
        assert ticking(clock)[0].next_due is None


def test_a_clock_that_is_over_ticks_no_more() -> None:
    clock = Clock((2_000, 0), parse_time_control("2"), Side.LIGHT)
    ticks, shown = ticking(clock)
    ticks.tick(1_000)
    ticks.tick(7_000)
    assert ticks.next_due is None
    assert len(shown) == 2


def test_no_time_passes_while_a_line_is_explored(tmp_path: Path) -> None:
    desk = begun(tmp_path / "games.sqlite")
    desk.wait(20_000)
    before, opening = left(desk), desk.service.opening
    position = desk.service.snapshot.position
    assert opening is not None
    assert position is not None
    assert desk.service.why_not_explore(rated=False) is None
    desk.service.explore(exploration_of(opening, desk.t, position, "line"))
    assert desk.service.snapshot.clock is None
    desk.wait(2 * MINUTE_MS)
    desk.service.end_exploration()
    assert left(desk) == (before[0] - 1, before[1])
    desk.wait(before[0])
    assert isinstance(desk.decided[-1], Won)
    desk.service.close()
