"""The first moves of a game in every rule set, made by taps or by drags alone.

`python -m tests.browser.played_games` plays whole games.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.played_games import ACTS, played_game
from urpi.rules import RULE_SETS

MOVES = 5
OTHERS = ("freecompany", "murray", "ravensburger", "skiryuk")
"""Rule sets with pieces that are piled or turned over, or that go both ways."""
RACES = sorted(RULE_SETS.keys() - OTHERS)


# The races differ in their paths, which neither way knows, so that one of them does.
@pytest.mark.parametrize(
    ("rules", "way"),
    [
        *((rules, way) for rules in OTHERS for way in sorted(ACTS)),
        *((rules, sorted(ACTS)[number % 2]) for number, rules in enumerate(RACES)),
    ],
)
def test_the_first_moves_of_a_game_are_played(
    browser: Browser, tmp_path: Path, rules: str, way: str
) -> None:
    with played_game(browser, tmp_path, rules, way) as game:
        now = game.play(MOVES)
        assert game.moves == MOVES
        assert not now["warning"]
