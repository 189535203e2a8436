"""An exploration on the page: a line of both sides, its values, and the way back to the game."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.accessibility import violations
from tests.browser.player_page import (
    COVERED,
    DESK,
    PHONE,
    PlayerPage,
    Screenshots,
    activate,
    demo,
    open_acts,
    open_player_page,
)

MIDDLE = "finkel A2:L,B5:L,B8:D,C3:D L4D4 L1D1 L"

pytestmark = pytest.mark.timeout(600)


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """A table on which the position is laid out, so that no hands set it up."""
    words = ("--seed", "5", "--speed", "8", "--position", MIDDLE, "--dark", "person")
    with demo(tmp_path, *words) as one:
        yield one


def explore(player: PlayerPage) -> None:
    open_acts(player.page)
    activate(player.page, "#explore")
    activate(player.page, "#confirm button[value=yes]")
    expect(player.page.locator("#exploring")).to_be_visible(timeout=40_000)


def test_everything_is_in_the_window_while_a_line_is_tried(browser: Browser, url: str) -> None:
    player = open_player_page(browser, url, face="play", viewport=DESK)
    page = player.page

    def assert_fits(*more: str) -> None:
        for width, height in ((1024, 600), (1280, 720), (1366, 768), (1366, 900)):
            page.set_viewport_size({"width": width, "height": height})
            needed = page.locator(", ".join(("#now", ".plate", "#acts > button", *more)))
            player.until(lambda needed=needed: needed.evaluate_all(COVERED) == [])

    player.until(lambda: player.state["may_explore"])
    explore(player)
    assert_fits(".throw-all", "#exploring-throws button", "#exploring-back")
    activate(page, "#exploring-throws button:nth-child(3)")
    player.until_phase("move")
    expect(page.locator("#exploring-values li").first).to_contain_text("%", timeout=40_000)
    assert_fits("#exploring-values li", "#exploring-back")
    assert player.post("table/move", {"move": player.state["legal"][0]["move"]}).ok
    player.until(lambda: player.state["phase"] == "throw")
    activate(page, "#exploring-back")
    player.until(lambda: player.state["clear"] or player.state["fill"])
    # A throw would mean that the wrong squares are broken, and they are not.
    expect(page.locator(".throw-all")).to_be_hidden()
    assert_fits("#mend")
    player.assert_no_errors()
    page.context.close()


@pytest.mark.parametrize(
    ("face", "screen"), [("play", DESK), ("console", DESK), ("play", PHONE), ("console", PHONE)]
)
def test_a_line_is_tried_and_the_game_continues_where_it_was(
    browser: Browser, url: str, shots: Screenshots, face: str, screen: dict[str, int]
) -> None:
    player = open_player_page(browser, url, face=face, viewport=screen)
    page, left = player.page, player.until(lambda: (now := player.state)["may_explore"] and now)
    name = f"exploring-{face}-{screen['width']}"
    explore(player)
    shots(page, f"{name}-throw.png")
    activate(page, "#exploring-throws button:nth-child(3)")
    player.until_phase("move")
    values = page.locator("#exploring-values li")
    expect(values.first).to_contain_text("%", timeout=40_000)
    assert values.count() == len(player.state["legal"])
    expect(page.locator("#win-kind")).to_have_text("estimated")
    shots(page, f"{name}-move.png")
    assert violations(page) == []

    move = player.state["legal"][0]["move"]
    assert player.post("table/move", {"move": move}).ok
    player.until(lambda: player.state["side"] == "dark" and player.state["phase"] == "throw")
    assert player.state["record"] == left["record"]
    activate(page, "#exploring-back")
    player.until(lambda: (player.state["explore"] or {}).get("stage") == "back")
    shots(page, f"{name}-back.png")
    activate(page, "#mend")
    player.until(lambda: player.state["explore"] is None)
    expect(page.locator("#exploring")).to_be_hidden()
    now = player.state
    for part in ("game", "phase", "side", "throw", "position", "record", "seq"):
        assert now[part] == left[part], part
    player.assert_no_errors()
    page.context.close()


def test_a_step_of_a_stored_game_is_explored_without_a_game(browser: Browser, url: str) -> None:
    player = open_player_page(browser, url)
    page = player.page
    player.until(lambda: player.state["may_explore"])
    assert player.post("resign", {"side": "light"}).ok
    page.goto(f"{url}games/1")
    page.wait_for_selector("#explore-here:visible")
    activate(page, "#first")
    activate(page, "#explore-here")
    page.wait_for_selector("#exploring:visible", timeout=40_000)
    assert player.state["explore"] == {"stage": "line", "game": False}
    assert player.until_phase("throw")["position"]["text"] == MIDDLE
    activate(page, "#exploring-end")
    player.until(lambda: player.state["explore"] is None)
    assert player.state["phase"] == "over"
    player.assert_no_errors()
    page.context.close()
