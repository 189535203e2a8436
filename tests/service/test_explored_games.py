"""A game that hands of any habits leave for explorations is the same game as without them."""

from pathlib import Path

import pytest

from tests.service.explored_games import ExploredGame, facts_of
from tests.slow import slow_except
from tools.bench.cases import CASES
from urpi.rules import RULE_SETS, rule_set

EXPLORATIONS = 4
RULES = tuple(RULE_SETS)


def without_found(lines: list[str]) -> list[str]:
    """Return the lines without those of dice that were lost and report again.

    A die that the game lost, and that reported during the line, is first reported as found.
    """
    return [line for line in lines if '"state":"found"' not in line]


@pytest.mark.parametrize("name", slow_except(CASES))
def test_a_game_with_explorations_equals_the_game_without_them(name: str, tmp_path: Path) -> None:
    case, seed = CASES[name], sum(map(ord, name))
    rules = rule_set(RULES[seed % len(RULES)])
    facts = facts_of(rules, case, seed)
    straight = ExploredGame(tmp_path / "straight.db", case, seed, 0)
    explored = ExploredGame(tmp_path / "explored.db", case, seed, EXPLORATIONS)

    before, after = straight.play(facts), explored.play(facts)

    assert without_found(after.lines) == without_found(before.lines)
    assert after.record == before.record
    assert explored.made
