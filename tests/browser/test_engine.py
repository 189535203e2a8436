"""The engine on the page: its move, which hands make, a hint, and who may give up."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.player_page import PlayerPage, demo, open_player_page
from urpi.show.words import languages, words_for

GAME = ("--rules", "finkel", "--speed", "10", "--seed", "4", "--first", "dark")
"""Dark begins, whom a person plays: a hand that already makes the engine's move would finish it."""
HANDS = {"light": "hands", "dark": "hands"}


@pytest.fixture
def player(browser: Browser, tmp_path: Path) -> Iterator[PlayerPage]:
    with demo(tmp_path, *GAME, "--light", "engine:best") as url:
        player = open_player_page(browser, url)
        assert player.post("table/players", HANDS).ok
        yield player
        player.assert_no_errors()
        player.page.context.close()


def make(player: PlayerPage, move: dict[str, Any]) -> None:
    """Make a move of a piece by dragging it, and wait until the referee has detected it."""
    now = player.state
    origin = move["from"][0].replace("hand", f"hand:{now['side']}")
    player.drag(player.piece_on(origin), move["to"][0])
    player.until(lambda: player.state["position"] != now["position"])


def check_rows_of_buttons(player: PlayerPage) -> None:
    """Check that what can be done needs at most two rows on a phone and one on a tablet."""
    buttons = player.page.locator("#acts > button:visible")
    before = player.page.viewport_size
    assert before is not None
    for language in (*languages(), "en"):
        player.show_language(language)
        expect(player.page.locator("#hint-button")).to_have_text(words_for(language).text("Hint"))
        for width, rows in ((360, 2), (390, 2), (768, 1), (820, 1)):
            player.page.set_viewport_size({"width": width, "height": 844})
            boxes = [one.bounding_box() for one in buttons.all()]
            middles = {round(one["y"] + one["height"] / 2) for one in boxes if one}
            assert len(middles) <= rows, (language, width, boxes)
    player.page.set_viewport_size(before)


def test_nobody_gives_up_for_the_engine(player: PlayerPage) -> None:
    page = player.page
    page.locator("#more-acts").click()
    expect(page.locator("#resign-dark")).to_be_visible()
    expect(page.locator("#resign-light")).to_be_hidden()
    page.locator("#acts-dialog .close").click()
    page.locator("#resign").click()
    expect(page.locator("dialog[open]")).to_contain_text("Dark: give the game up?")


def test_a_hint_and_the_engines_move_have_an_arrow(player: PlayerPage) -> None:
    page = player.page
    # Dark may throw a 0.
    while (now := player.throw_until_move("dark", "light"))["side"] == "light":
        make(player, now["legal"][0])
    expect(page.locator("#hint-button")).to_be_visible()
    player.press("h")
    hint = player.until(lambda: player.state["hint"])
    check_rows_of_buttons(player)
    expect(page.locator(".ur-way")).to_have_count(1)
    expect(page.locator("#last")).to_contain_text("Hint for Dark")

    make(player, hint)
    while (now := player.throw_until_move("dark", "light"))["side"] == "dark":
        make(player, now["legal"][0])
    planned = player.until(lambda: player.state["planned"])
    expect(page.locator("#now")).to_contain_text(f"Engine plays: {planned['text']}")
    expect(page.locator(".ur-way")).to_have_count(1)
    expect(page.locator("#hint-button")).to_be_hidden()
