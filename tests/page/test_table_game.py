"""Whole games on the page, by drag and by keyboard, against a simulated player."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.page.at_table import AtTable, demo, sat_down

GAME = ("--rules", "finkel", "--option", "pieces=3", "--speed", "10")
TURNS_S = 300

pytestmark = pytest.mark.timeout(TURNS_S)


@pytest.fixture
def at(browser: Browser, tmp_path: Path) -> Iterator[AtTable]:
    with demo(tmp_path, *GAME, "--seed", "4") as url:
        at = sat_down(browser, url)
        yield at
        at.assert_nothing_went_wrong()
        at.page.context.close()


def by_drag(at: AtTable, move: dict[str, Any]) -> None:
    origin, target = ends(move)
    at.drag(at.piece_on(origin), target)


def by_keys(at: AtTable, move: dict[str, Any]) -> None:
    origin, target = ends(move)
    lift(at, origin)
    if target.startswith("home"):
        at.page.locator(f'[data-row="{target}"]').press("Enter")
    else:
        at.walk(target)
        at.press("Enter")


def lift(at: AtTable, place: str) -> None:
    at.until(lambda: at.page.locator(f'.ur-pieces [data-place="{place}"]').count())
    if ":" in place:
        at.page.locator(f'[data-row="{place}"]').press("Enter")
    else:
        at.page.locator('[data-square][tabindex="0"]').focus()
        at.walk(place)
        at.press("Enter")


def ends(move: dict[str, Any]) -> tuple[str, str]:
    """Where a move's piece lies and goes to, as places of the board."""
    beside = {"hand": "hand:light", "off": "home:light"}
    origin, target = move["from"][0], move["to"][0]
    return beside.get(origin, origin), beside.get(target, target)


def best(moves: list[dict[str, Any]]) -> dict[str, Any]:
    """The move home, else a capture, else the one of the piece that is furthest back."""
    for mark in ("off", "x"):
        for move in moves:
            if mark in move["move"]:
                return move
    return moves[0]


def play(at: AtTable, make: Callable[[AtTable, dict[str, Any]], None]) -> dict[str, Any]:
    """Play light's side to the end of the game; the state then."""
    while (now := at.state)["phase"] != "over":
        if now["phase"] in {"throw", "start-throw"} and now["side"] == "light" and at.rests:
            at.throw()
            at.page.wait_for_timeout(150)
        elif now["phase"] == "move" and now["side"] == "light" and now["legal"]:
            if now["seems"] is None:
                make(at, best(now["legal"]))
                at.until(lambda before=now: seen_made(before, at.state))
            elif now["seems"] is not None and at.rests:
                # It is a move as soon as the next dice roll.
                at.throw()
                at.page.wait_for_timeout(150)
        at.page.wait_for_timeout(30)
    return now


def seen_made(before: dict[str, Any], now: dict[str, Any]) -> bool:
    """Whether the referee has taken the move for made, or takes it to be so."""
    return now["seems"] or now["position"]["text"] != before["position"]["text"]


@pytest.mark.parametrize("make", [by_drag, by_keys])
def test_a_whole_game_is_played_by_hand_and_refereed(
    at: AtTable, make: Callable[[AtTable, dict[str, Any]], None]
) -> None:
    over = play(at, make)

    assert over["outcome"]["type"] == "won"
    light = [line for line in over["record"] if line["side"] == "light" and line["move"] != "pass"]
    assert light
    assert {line["confidence"] for line in light} <= {"sensed", "inferred"}
    at.until(lambda: "has won" in at.page.locator("h1").inner_text())
