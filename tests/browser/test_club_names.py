"""The game dialog asks whose names the club may show, if a club is configured."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.player_page import (
    PlayerPage,
    Screenshots,
    demo,
    open_game_dialog,
    open_player_page,
    open_settings,
)

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1366, "height": 768}


@pytest.fixture
def player(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[PlayerPage]:
    """A player at a table of a club whose broker does not respond."""
    monkeypatch.setenv("URPI_CLUB_BROKER", "127.0.0.1:1")
    with demo(tmp_path, "--simulated", "none", "--seed", "3", "--speed", "4") as url:
        player = open_player_page(browser, url)
        yield player
        player.assert_no_errors()
        player.page.context.close()


def begin(player: PlayerPage, light: str, dark: str) -> None:
    game = player.state["game"]
    # The page asks for a confirmation while it offers actions in a game.
    running = player.page.locator("#acts").is_visible()
    player.page.get_by_role("button", name="Begin", exact=True).click()
    if running:
        player.page.get_by_role("button", name="Yes").click()
    player.until(lambda: player.state["game"] != game)
    expect(player.page.locator("#name-light")).to_have_text(light)
    assert player.state["players"] == {"light": light, "dark": dark}


def published(player: PlayerPage) -> list[str]:
    found: list[str] = player.page.evaluate(
        "async () => (await (await fetch('/api/settings')).json()).published"
    )
    return found


def test_names_are_hidden_until_their_player_agrees_and_again_after(
    player: PlayerPage, shots: Screenshots
) -> None:
    page = player.page
    light = page.get_by_label("The club may show who plays light")
    dark = page.get_by_label("The club may show who plays dark")
    open_game_dialog(page)
    page.get_by_label("Light's name").fill("")
    expect(light).to_be_hidden()
    page.get_by_label("Light's name").fill("Ann")
    page.get_by_label("Dark's name").fill("Zoë")
    expect(light).to_have_value("no")
    expect(dark).to_have_value("no")
    page.locator("#new-dark-seat").select_option("engine:hard")
    expect(dark).to_be_hidden()
    page.locator("#new-dark-seat").select_option("person")
    light.select_option("yes")
    for name, size in (("phone", PHONE), ("desk", DESK)):
        page.set_viewport_size(size)
        light.scroll_into_view_if_needed()
        shots(page, f"club-names-{name}.png")
    begin(player, "Ann", "Zoë")
    assert published(player) == ["Ann"]

    open_game_dialog(page)
    expect(light).to_have_value("yes")
    expect(dark).to_have_value("no")
    page.locator("#game-dialog .close").click()
    open_settings(page)
    hide = page.get_by_role("button", name="Hide Ann")
    hide.scroll_into_view_if_needed()
    for name, size in (("phone", PHONE), ("desk", DESK)):
        page.set_viewport_size(size)
        hide.scroll_into_view_if_needed()
        shots(page, f"club-names-list-{name}.png")
    hide.click()
    expect(hide).to_be_hidden()
    assert published(player) == []
    page.locator("#settings-dialog .close").click()
    open_game_dialog(page)
    expect(light).to_have_value("no")


def test_without_a_club_nothing_is_asked(browser: Browser, tmp_path: Path) -> None:
    with demo(tmp_path, "--simulated", "none", "--seed", "3") as url:
        player = open_player_page(browser, url)
        open_game_dialog(player.page)
        player.page.get_by_label("Light's name").fill("Ann")
        expect(player.page.get_by_label("The club may show who plays light")).to_be_hidden()
        player.page.context.close()
