"""The console shows the lights below the squares, if the table has them."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.player_page import Screenshots, demo, open_player_page


def test_the_console_shows_where_a_piece_may_go(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shots: Screenshots
) -> None:
    monkeypatch.setenv("URPI_LIGHTS_ON", "true")
    with demo(tmp_path, "--first", "light", "--simulated", "none", "--seed", "3") as url:
        player = open_player_page(browser, url, face="console")
        player.begin_game("finkel", first="light")
        page = player.page
        expect(page.locator(".ur-lamp")).to_have_count(0)
        assert player.post("answer", {"faces": "gs--"}).ok
        expect(page.locator(".ur-lamp")).to_have_count(1)
        legal = player.state["legal"]
        # A piece from beside the board may go to the second square.
        assert [move["to"] for move in legal] == [["A3"]]
        expect(page.locator(".ur-lamp-light.ur-lamp-steady")).to_have_count(1)
        shots(page, "lights.png")
        page.locator("#face-button").click()
        expect(page.locator(".ur-lamp")).to_be_hidden()
        player.assert_no_errors()
        page.context.close()
