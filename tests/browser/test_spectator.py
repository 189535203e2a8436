"""Spectators of a table see that they are watching; the dialog that invites other devices."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.accessibility import violations
from tests.browser.player_page import (
    DESK,
    PHONE,
    PlayerPage,
    Screenshots,
    demo_link,
    open_player_page,
    open_settings,
)
from urpi.core.qr_code import path_data, qr_modules
from urpi.http.addresses import interface_addresses

HANDS = (".throw-all", ".board-buttons > button", ".seats", ".mishaps", ".tour")


@pytest.fixture
def link(tmp_path: Path) -> Iterator[str]:
    """A table for each test, because a table shows its PIN only three times in two minutes."""
    with demo_link(tmp_path, "--simulated", "none", "--listen", "0.0.0.0:0") as one:
        yield one


def visible(player: PlayerPage) -> list[str]:
    return [part for part in HANDS if player.page.locator(part).first.is_visible()]


def pin_of(link: str) -> str:
    return link.partition("=")[2]


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_spectator_has_no_hands_until_the_pin_is_entered(
    browser: Browser, link: str, screen: dict[str, int], scheme: str, shots: Screenshots
) -> None:
    url = link.partition("#")[0]
    player = open_player_page(browser, url, seen_tour=False, viewport=screen, color_scheme=scheme)
    player.page.wait_for_selector("#watching")
    assert player.page.inner_text("#watching-text") == "You are watching. Enter the PIN to play."
    assert visible(player) == []
    dice, section = (player.page.locator(one).bounding_box() for one in (".felt", ".throw"))
    assert dice is not None
    assert section is not None
    assert dice["x"] == pytest.approx(section["x"], abs=1), "the dice are not at the left"
    shots(player.page, f"spectator-{screen['width']}-{scheme}.png")
    assert violations(player.page) == []

    box = player.page.locator('[data-key="L1"]').bounding_box()
    assert box is not None
    player.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    player.page.mouse.down()
    player.page.mouse.move(300, 300)
    player.page.mouse.up()
    expect(player.page.locator("#pin")).to_be_hidden()
    player.page.locator('[data-square="B4"]').focus()
    player.press("Enter", "Tab", "Enter")
    assert player.page.locator(".felt :focus").count() == 0
    assert player.page.inner_text("#error") == ""
    expect(player.page.locator("#pin")).to_be_hidden()

    player.page.click("#enter-pin")
    player.page.fill("#pin-digits", pin_of(link))
    player.press("Enter")
    player.page.wait_for_selector(".acts > #take-back")
    player.until(lambda: ".seats" in visible(player))
    expect(player.page.locator("#watching")).to_be_hidden()
    player.assert_no_errors()
    player.page.context.close()


def open_invitation(player: PlayerPage) -> None:
    if not player.page.locator(".top [data-invite]").is_visible():
        open_settings(player.page)
    player.page.locator("[data-invite]:visible").click()
    player.page.wait_for_selector("#invitation .qr")


def shown_code(player: PlayerPage) -> str | None:
    return player.page.get_attribute("#invitation .qr-dark", "d")


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_player_can_invite_players_and_spectators(
    browser: Browser, link: str, screen: dict[str, int], scheme: str, shots: Screenshots
) -> None:
    if not interface_addresses():
        pytest.skip("this machine has no network")
    url, _, pin = link.partition("#")
    port = re.search(r":(\d+)/", url)[1]
    watch = f"http://{interface_addresses()[0].host}:{port}/"
    player = open_player_page(browser, link, viewport=screen, color_scheme=scheme)
    player.page.wait_for_selector(".acts > #take-back")
    open_invitation(player)
    assert shown_code(player) == path_data(qr_modules(f"{watch}#{pin}"))
    text = player.page.inner_text(".invitation")
    assert f"The PIN is {pin_of(link)}." in text
    assert watch in text
    assert violations(player.page) == []
    shots(player.page, f"invitation-{screen['width']}-{scheme}.png")

    player.page.get_by_role("button", name="To watch").click()
    assert shown_code(player) == path_data(qr_modules(watch))
    assert pin_of(link) not in player.page.inner_text("#invitation")
    player.press("Escape")
    player.page.wait_for_selector("#invitation", state="detached")
    player.assert_no_errors()
    player.page.context.close()


def test_a_spectator_can_invite_spectators_only(browser: Browser, link: str) -> None:
    if not interface_addresses():
        pytest.skip("this machine has no network")
    player = open_player_page(browser, link.partition("#")[0], viewport=DESK)
    player.page.wait_for_selector("#watching")
    open_invitation(player)
    assert player.page.get_by_role("button", name="To play").count() == 0
    label = player.page.get_attribute("#invitation .qr", "aria-label")
    assert label is not None
    assert "#" not in label
    player.page.context.close()


def test_a_table_on_loopback_tells_how_to_let_others_in(browser: Browser, tmp_path: Path) -> None:
    with demo_link(tmp_path) as one:
        player = open_player_page(browser, one, viewport=DESK)
        player.page.locator(".top [data-invite]").click()
        player.page.wait_for_selector("#invitation")
        assert "urpi demo --listen 0.0.0.0:8011" in player.page.inner_text("#invitation")
        player.page.context.close()
