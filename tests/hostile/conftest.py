"""A club of three tables, of which the account `mallory` is an attacker's."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.club_live.conftest import World, running
from tests.hostile.mallory import ATTACKER
from tests.in_memory import use_memory
from tests.waiting import wait_until

TABLES = ("lisbon", "porto", ATTACKER)


def pytest_configure() -> None:
    use_memory()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seconds", type=float, default=20, help="how long random attacks last")
    parser.addoption("--seed", type=int, default=1, help="the seed of the random attacks")
    parser.addoption("--kills", type=int, default=20, help="how often `urpi serve` is killed")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give longer attacks more time: that of all tests is enough for the usual ones."""
    kills, seconds = config.getoption("--kills", 20), config.getoption("--seconds", 20)
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.timeout(600 + 10 * kills + 3 * seconds))


@pytest.fixture
def kills(request: pytest.FixtureRequest) -> int:
    return int(request.config.getoption("--kills", 20))


@pytest.fixture
def seconds(request: pytest.FixtureRequest) -> float:
    return float(request.config.getoption("--seconds", 20))


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> random.Random:
    """The same attacks in each run: others are looked for with another seed, and for longer."""
    return random.Random(request.config.getoption("--seed", 1))


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with running(TABLES) as found:
        exists = "SELECT 1 WHERE to_regclass('schema_version') IS NOT NULL"
        wait_until(lambda: found.database.rows(exists), "the club's database")
        yield found
