"""The first moves of a game in every rule set, made by taps alone and by drags alone.

`python -m tests.browser.played_games` plays whole games.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.played_games import ACTS, pieces_of, pieces_on, played_game
from tests.browser.player_page import PHONE
from urpi.rules import RULE_SETS, parse_position

MOVES = 5

pytestmark = pytest.mark.timeout(300)


@pytest.mark.parametrize("way", sorted(ACTS))
@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_the_first_moves_of_a_game_are_played(
    browser: Browser, tmp_path: Path, rules: str, way: str
) -> None:
    with played_game(browser, tmp_path, rules, way) as game:
        now = game.play(MOVES)
        assert game.moves == MOVES
        assert not now["warning"]


@pytest.mark.slow
def test_a_whole_game_is_played_by_taps_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    phone = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    # Long enough for the service worker to take over in the middle of the game.
    phone["service_workers"] = "allow"
    with played_game(browser, tmp_path, "blitz", "tap", **phone) as game:
        over = game.play()
        assert over["outcome"]["type"] == "won"
        position = parse_position(over["position"]["text"])
        game.player.until(lambda: pieces_on(game.player) == pieces_of(position))
