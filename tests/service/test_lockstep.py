"""Virtual time: it waits for the program, even if the process is stopped."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from tests.service.test_virtual import (
    SOME_THROWS,
    Game,
    play_some,
    play_to_the_end,
    played,
    recorded_plays,
    setting,
    true_plays,
)
from tests.slow import slow_except
from urpi.service.lockstep import MAX_LAG_S, PATIENCE, POLL_S, Lockstep, Pace
from urpi.service.virtual import VirtualService
from urpi.simulation.schedule import Schedule

LAG_MS = int(1000 * MAX_LAG_S)
STALL_S = (0.5, 1.5)
FRAME_S = (0.0, 0.2)


Play = Callable[[VirtualService], None]


class StallingClock:
    """A wall clock of a process that is stopped at random times."""

    def __init__(self, seed: int, stalls: float) -> None:
        self._rng, self._stalls = Random(f"{seed} stalls"), stalls
        self._now_s = 0.0

    def __call__(self) -> float:
        stalled = self._rng.random() < self._stalls
        self._now_s += self._rng.uniform(*(STALL_S if stalled else FRAME_S))
        return self._now_s


class SteppedClock:
    """A wall clock set by the test."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def test_without_a_speed_there_is_no_limit():
    assert Pace(0, SteppedClock()).limit(5000) is None


@pytest.mark.parametrize(
    ("speed", "elapsed_s", "limit"),
    [
        (1, 0.1, 100),
        (4, 0.1, 400),
        (0.5, 0.1, 50),
        (1, MAX_LAG_S, LAG_MS),
        (1, 60, LAG_MS),
        (8, 1.5, 8 * LAG_MS),
    ],
)
def test_time_advances_at_the_speed_but_a_stall_is_not_made_up_for(speed, elapsed_s, limit):
    clock = SteppedClock()
    pace = Pace(speed, clock)
    clock.now_s = elapsed_s

    assert pace.limit(0) == limit


def test_time_used_by_the_program_is_not_made_up_for():
    clock = SteppedClock()
    pace = Pace(1, clock)
    for _ in range(10):
        clock.now_s += 0.1
        assert (pace.limit(0) or 0) <= LAG_MS
    clock.now_s += 0.1

    assert pace.limit(LAG_MS) == LAG_MS + 100


def test_a_stopped_wall_clock_does_not_set_the_time_back():
    assert Pace(1, SteppedClock()).limit(700) == 700


@pytest.mark.parametrize(
    ("speed", "now", "due", "wait_s"),
    [(1, 1000, 1250, 0.25), (4, 1000, 3000, 0.5), (0.5, 3, 5, 0.004), (0, 1000, 9000, 0)],
)
def test_the_wall_time_until_an_event_depends_on_the_speed(speed, now, due, wait_s):
    assert Pace(speed, SteppedClock()).wall_s_until(now, due) == wait_s


class Cable:
    """A table whose hub sends lines, and a program that receives them or not."""

    def __init__(self) -> None:
        self.schedule = Schedule()
        self.sent = self.received = 0
        self.acknowledged = self.drained = True
        self.rig = self
        self.service = SimpleNamespace(
            work=lambda: None, clock=lambda: self.schedule.now, next_due=None
        )
        self.board: Any = SimpleNamespace(service=self.service, idle=True)
        table: Any = self
        self.lockstep = Lockstep(table, Pace(0, SteppedClock()), lambda: self.received)
        self.run: list[int] = []
        for t in (100, 200, 300):
            self.schedule.at(t, lambda t=t: self.run.append(t))

    @property
    def lines_sent(self) -> int:
        return self.sent

    @property
    def next_due(self) -> int | None:
        return self.schedule.next_due

    def poll(self) -> None:
        """Nothing is sent to this hub."""

    def run_next(self) -> None:
        self.schedule.run_next()

    def advance(self) -> bool:
        """Return whether time advances."""
        return self.lockstep.advance(self.board)

    def checks(self) -> int:
        """Return how often the program is waited for until time advances."""
        return next(number for number in range(3 * PATIENCE) if self.advance())


def test_time_waits_for_every_line_until_the_program_has_received_it():
    cable = Cable()
    cable.sent = 2
    assert not cable.advance()
    cable.received = 1
    assert not cable.advance()
    assert cable.run == []
    cable.received = 2
    assert cable.advance()
    assert cable.run == [100]


@pytest.mark.parametrize("unfinished", ["acknowledged", "drained", "idle"])
def test_time_waits_until_the_program_has_processed_everything(unfinished: str):
    cable = Cable()
    owner: Any = cable.board if unfinished == "idle" else cable
    setattr(owner, unfinished, False)
    assert not cable.advance()
    setattr(owner, unfinished, True)
    assert cable.advance()


def test_lines_that_never_arrive_are_given_up_after_a_number_of_checks():
    cable = Cable()
    cable.sent = 7
    assert cable.checks() == PATIENCE
    # They are not waited for again, but the following ones are.
    assert cable.checks() == 0
    cable.sent = 8
    assert cable.checks() == PATIENCE
    cable.sent, cable.received = 9, 1
    assert cable.checks() == 0


def test_a_late_line_that_was_given_up_reduces_the_lines_that_may_be_missing():
    cable = Cable()
    cable.sent = 2
    assert cable.checks() == PATIENCE
    cable.received = 1
    assert cable.checks() == 0
    cable.sent = 3
    assert cable.checks() == PATIENCE


def test_progress_restarts_the_count_of_checks():
    cable = Cable()
    cable.sent = 3
    for _ in range(PATIENCE):
        assert not cable.advance()
    cable.received = 1
    assert cable.checks() == PATIENCE


def test_the_lines_sent_to_an_ended_program_are_not_waited_for():
    cable = Cable()
    cable.sent, cable.received = 40, 0
    cable.lockstep.forget()
    assert cable.checks() == 0
    cable.sent = 41
    assert not cable.advance()


def test_without_a_speed_limit_the_next_event_of_table_or_program_runs():
    cable = Cable()
    cable.service.next_due = 150
    for now, run in ((100, [100]), (150, [100]), (200, [100, 200])):
        assert cable.advance()
        assert (cable.lockstep.now(), cable.run) == (now, run)


def test_overdue_work_of_the_program_does_not_stop_the_time():
    cable = Cable()
    cable.service.next_due = 0
    assert cable.lockstep.next_due(cable.board) == 100


def test_without_power_only_the_table_advances():
    cable = Cable()
    cable.service.next_due, cable.sent = 50, 9
    assert cable.lockstep.next_due(None) == 100
    assert cable.lockstep.advance(None)
    assert cable.run == [100]


@pytest.mark.parametrize(("longest_s", "wait_s"), [(0.5, 0.1), (0.05, 0.05), (0.1, 0.1)])
def test_the_wait_ends_with_the_next_event_or_the_longest_wait(longest_s, wait_s):
    cable = Cable()
    cable.lockstep = Lockstep(cable, Pace(1, SteppedClock()), lambda: 0)
    assert cable.lockstep.wait_s(cable.board, longest_s) == wait_s
    cable.schedule.now = 100
    assert cable.lockstep.wait_s(cable.board, longest_s) == POLL_S
    cable.schedule = Schedule()
    assert cable.lockstep.wait_s(cable.board, longest_s) == longest_s


def decisions(game: Game) -> list[dict[str, object]]:
    return game.lines("decision")


@pytest.fixture(scope="module")
def undisturbed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Play, Game]:
    """Return how long a lively game is played, and the game without a speed limit or stalls."""
    folder, play = tmp_path_factory.mktemp("undisturbed"), request.param
    return play, played(folder, setting(manners="lively", seed=8), play)


@pytest.mark.parametrize(
    ("undisturbed", "speed", "stalls", "seed"),
    slow_except([(play_some, 8, 0.1, 2), (play_some, 4, 0.3, 1), (play_to_the_end, 100, 0.5, 3)]),
    indirect=["undisturbed"],
)
def test_a_game_with_stalls_is_the_game_without_them(
    speed: float, stalls: float, seed: int, tmp_path: Path, undisturbed: tuple[Play, Game]
) -> None:
    play, game = undisturbed
    stalled = played(
        tmp_path,
        setting(manners="lively", seed=8, speed=speed),
        play,
        wall_s=StallingClock(seed, stalls),
    )

    assert len(stalled.turns) >= SOME_THROWS
    assert stalled.winner is game.winner
    assert decisions(stalled) == decisions(game)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["skiryuk", "ravensburger"])
def test_players_answer_questions_in_spite_of_stalls(rules: str, tmp_path: Path) -> None:
    game = played(
        tmp_path,
        setting(rules, manners="lively", speed=100),
        lambda service: play_some(service, 60),
        wall_s=StallingClock(4, 0.3),
    )

    assert recorded_plays(game) == true_plays(game)


@pytest.mark.slow
def test_a_game_with_piles_is_played_to_the_end(tmp_path: Path) -> None:
    game = played(tmp_path, setting("ravensburger", manners="lively", seed=4), play_to_the_end)

    assert game.winner is not None
    assert game.result == game.winner.value
