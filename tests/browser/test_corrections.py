"""Correcting a stored game on its page, with the PIN, and deleting it."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.accessibility import violations
from tests.browser.player_page import Screenshots
from tests.browser.served_table import open_viewer, served_table

PIN = "314159"


def test_a_game_is_corrected_with_the_pin_and_then_deleted(
    browser: Browser, tmp_path: Path, shots: Screenshots
) -> None:
    with served_table(tmp_path, pin=PIN) as table, open_viewer(browser) as viewer:
        for _ in range(2):
            table.new_game()
            table.play(12)
        page = viewer.page
        viewer.open(f"{table.url}games/1")
        page.get_by_role("button", name="Correct this game").click()
        page.get_by_label("Dark's name").fill("Bea")
        page.get_by_label("Note").fill("Played in the garden")
        page.get_by_label("The game counts").select_option("no")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Give a reason.")).to_be_visible()
        page.get_by_label("Reason").fill("a typo")
        assert violations(page) == []
        shots(page, "correct-game.png")
        page.get_by_role("button", name="Save").click()
        page.locator("#pin-digits").fill(PIN)
        page.get_by_role("button", name="Go on").click()
        items = page.locator("#corrections li")
        expect(items).to_have_count(3)
        expect(items.nth(0)).to_contain_text("Dark: Bob → Bea (a typo)")
        expect(items.nth(1)).to_contain_text("Played in the garden")
        expect(items.nth(2)).to_contain_text("The game does not count. (a typo)")
        expect(page.locator("#players")).to_contain_text("Bea")
        expect(page.locator("#about")).to_contain_text(", void")
        assert violations(page) == []
        shots(page, "corrected-game.png")
        page.get_by_role("button", name="Correct this game").click()
        page.get_by_label("Reason").fill("only a test")
        page.get_by_role("button", name="Delete this game").click()
        page.get_by_role("button", name="Yes").click()
        page.wait_for_url(f"{table.url}games")
        expect(page.locator("#games li")).to_have_count(1)
        # The first request, before the PIN was entered.
        viewer.errors = [error for error in viewer.errors if "401" not in error]
