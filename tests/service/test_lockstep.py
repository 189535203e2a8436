"""Virtual time: it waits for the program, even if the process is stopped."""

from pathlib import Path
from random import Random

import pytest

from tests.service.test_virtual import (
    Game,
    play_some,
    play_to_the_end,
    played,
    recorded_plays,
    setting,
    true_plays,
)
from urpi.service.lockstep import MAX_LAG_S, Pace

LAG_MS = int(1000 * MAX_LAG_S)
STALL_S = (0.5, 1.5)
FRAME_S = (0.0, 0.2)


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


def decisions(game: Game) -> list[dict[str, object]]:
    return game.lines("decision")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """Return a short lively game without a speed limit and without stalls."""
    return played(tmp_path_factory.mktemp("undisturbed"), setting(manners="lively", seed=8))


@pytest.mark.parametrize(("speed", "stalls", "seed"), [(4, 0.3, 1), (8, 0.1, 2), (100, 0.5, 3)])
def test_a_game_with_stalls_is_the_game_without_them(
    speed: float, stalls: float, seed: int, tmp_path: Path, undisturbed: Game
) -> None:
    stalled = played(
        tmp_path,
        setting(manners="lively", seed=8, speed=speed),
        wall_s=StallingClock(seed, stalls),
    )

    assert stalled.winner is not None
    assert decisions(stalled) == decisions(undisturbed)


@pytest.mark.parametrize("rules", ["skiryuk", "ravensburger"])
def test_players_answer_questions_in_spite_of_stalls(rules: str, tmp_path: Path) -> None:
    game = played(
        tmp_path,
        setting(rules, manners="lively", speed=100),
        lambda service: play_some(service, 60),
        wall_s=StallingClock(4, 0.3),
    )

    assert recorded_plays(game) == true_plays(game)


def test_a_game_with_piles_is_played_to_the_end(tmp_path: Path) -> None:
    game = played(tmp_path, setting("ravensburger", manners="lively", seed=4), play_to_the_end)

    assert game.winner is not None
    assert game.result == game.winner.value
