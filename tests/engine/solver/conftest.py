"""A solved game, small enough to solve for every run of the tests."""

import pytest

from urpi.engine.race_index import RaceIndex
from urpi.engine.solver.solving import Checkpoint, Solution, solve
from urpi.rules import parse_rules

RULES = "finkel[pieces=3]"


@pytest.fixture(scope="session")
def index() -> RaceIndex:
    """Return the index of the game."""
    return RaceIndex(parse_rules(RULES))


@pytest.fixture(scope="session")
def solution(index: RaceIndex, tmp_path_factory: pytest.TempPathFactory) -> Solution:
    """Return the values of the game."""
    folder = tmp_path_factory.mktemp("solution") / "work"
    return solve(index, Checkpoint(folder, RULES, index.size), lambda _: None)
