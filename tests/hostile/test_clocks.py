"""The wall clocks of a club and of its tables jump by hours and decades while games are played."""

import random
import shutil
import time
from pathlib import Path
from typing import Final

import pytest

from tests.bench.clocks import build, jumping, play
from tests.club_live.conftest import World, running
from tests.club_live.test_delivery import stored, truth
from tests.club_live.test_wall import events
from tests.waiting import wait_until

TABLES: Final = ("lisbon", "porto")
PRECISION_S: Final = 60.0
"""More than an answer takes, much less than most jumps."""
READINGS: Final = 10


def clock_of(world: World) -> float:
    """Return the clock of the club's wall, in seconds."""
    with events(world) as received:
        return next(float(data["now"]) / 1000 for kind, data in received if kind == "clock")


def verdicts(world: World) -> set[object]:
    rows = "SELECT verdict FROM histories WHERE finished IS NOT NULL"
    return {verdict for (verdict,) in world.database.rows(rows)}


def test_a_club_whose_clocks_jump_loses_and_forges_nothing(
    tmp_path: Path, chance: random.Random, seconds: float
) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("needs gcc, for a library that moves the clock of a process")
    offset = tmp_path / "offset"
    shim = {"LD_PRELOAD": str(build(tmp_path)), "URPI_CLOCK_OFFSET": str(offset)}
    with running(TABLES) as world, jumping(offset, chance) as jumps:
        world.club.kill()
        world.club._environment |= shim
        world.club.start()
        began, clock = time.monotonic(), clock_of(world)
        tables = [world.table(name, number) for number, name in enumerate(TABLES)]
        for table in tables:
            table._environment |= shim
            world.run(table)
        end = time.monotonic() + seconds
        # The clocks jump meanwhile; a busy machine may need longer for a whole game.
        wait_until(lambda: time.monotonic() > end and verdicts(world), "a game that has ended")
        assert [table.finish() for table in tables] == [0, 0]
        assert len(jumps) > seconds
        # Pages derive from it how long ago a table published something.
        for _ in range(READINGS):
            passed, elapsed = clock_of(world) - clock, time.monotonic() - began
            assert abs(passed - elapsed) < PRECISION_S
            before = len(jumps)
            wait_until(lambda before=before: len(jumps) > before, "the next jump")  # type: ignore[misc]
        for table in tables:
            games = truth(table)
            assert games
            assert dict(stored(world, table.name)) == games
            assert len(stored(world, table.name)) == len(games)
        wait_until(lambda: None not in verdicts(world), "every game has a verdict")
        assert verdicts(world) == {"verified"}
        assert "Traceback" not in world.club.log.read_text()


def test_a_game_whose_wall_clock_jumps_is_the_same(tmp_path: Path, chance: random.Random) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("needs gcc, for a library that moves the clock of a process")
    jumps, is_same = play("blitz", chance.randrange(1000), build(tmp_path), tmp_path)
    assert jumps
    assert is_same
