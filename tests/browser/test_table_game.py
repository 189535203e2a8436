"""A complete game on the page, by keyboard, against a simulated player."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.player_page import PlayerPage, demo, open_player_page

GAME = ("--rules", "finkel", "--option", "pieces=3", "--speed", "10", "--simulated", "dark")
TURNS_S = 900

pytestmark = pytest.mark.timeout(TURNS_S)


@pytest.fixture
def player(browser: Browser, tmp_path: Path) -> Iterator[PlayerPage]:
    with demo(tmp_path, *GAME, "--seed", "4") as url:
        player = open_player_page(browser, url)
        yield player
        player.assert_no_errors()
        player.page.context.close()


def make(player: PlayerPage, move: dict[str, Any]) -> None:
    origin, target = ends(move)
    lift(player, origin)
    if target.startswith("home"):
        player.page.locator(f'[data-row="{target}"]').press("Enter")
    else:
        player.walk(target)
        player.press("Enter")


def lift(player: PlayerPage, place: str) -> None:
    player.until(lambda: player.page.locator(f'.ur-pieces [data-place="{place}"]').count())
    if ":" in place:
        player.page.locator(f'[data-row="{place}"]').press("Enter")
    else:
        player.page.locator('[data-square][tabindex="0"]').focus()
        player.walk(place)
        player.press("Enter")


def ends(move: dict[str, Any]) -> tuple[str, str]:
    """Return the origin and target of a move as places of the board."""
    beside = {"hand": "hand:light", "off": "home:light"}
    origin, target = move["from"][0], move["to"][0]
    return beside.get(origin, origin), beside.get(target, target)


def best(moves: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a move that bears off, else a capture, else the first move."""
    for mark in ("off", "x"):
        for move in moves:
            if mark in move["move"]:
                return move
    return moves[0]


def play(player: PlayerPage) -> dict[str, Any]:
    """Play light's side to the end of the game, and return the state."""
    while (now := player.state)["phase"] != "over":
        if now["phase"] in {"throw", "start-throw"} and now["side"] == "light" and player.may_throw:
            player.throw()
            player.page.wait_for_timeout(150)
        elif now["phase"] == "move" and now["side"] == "light" and now["legal"]:
            if now["seems"] is None and player.is_shown(now):
                make(player, best(now["legal"]))
                player.until(lambda before=now: is_detected(before, player.state))
            elif now["seems"] is not None and player.may_throw:
                # The next throw commits the move.
                player.throw()
                player.page.wait_for_timeout(150)
        player.page.wait_for_timeout(30)
    return now


def is_detected(before: dict[str, Any], now: dict[str, Any]) -> bool:
    """Whether the referee has detected the move, for certain or tentatively."""
    return now["seems"] or now["position"]["text"] != before["position"]["text"]


def test_a_complete_game_is_played_with_keys_and_refereed(player: PlayerPage) -> None:
    over = play(player)

    assert over["outcome"]["type"] == "won"
    light = [line for line in over["record"] if line["side"] == "light" and line["move"] != "pass"]
    assert light
    assert {line["confidence"] for line in light} <= {"sensed", "inferred"}
    player.until(lambda: "has won" in player.page.locator("h1").inner_text())
