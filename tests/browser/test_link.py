"""The link that a demo prints allows a browser to act; the plain URL requires the PIN."""

import re

import pytest
from playwright.sync_api import Browser

from tests.browser.player_page import PlayerPage, demo_link, open_player_page


@pytest.fixture(scope="module")
def link(tmp_path_factory: pytest.TempPathFactory):
    with demo_link(tmp_path_factory.mktemp("linked")) as one:
        yield one


def may_act(player: PlayerPage) -> bool:
    return bool(player.page.request.get(f"{player.url}api/state").json()["may_act"])


def test_a_browser_that_opens_the_printed_link_may_act(browser: Browser, link: str) -> None:
    url, _, _ = link.partition("#")
    player = open_player_page(browser, url)
    # From the page itself, the browser would not load it again.
    player.page.goto(f"{url}games")
    player.page.goto(link)
    player.until(lambda: may_act(player))
    player.page.wait_for_selector(".acts > #take-back")
    # The PIN is removed from the URL, which may be copied or photographed.
    assert player.page.url == url
    player.assert_no_errors()
    player.page.context.close()


def test_the_link_works_in_a_tab_in_which_the_page_is_open(browser: Browser, link: str) -> None:
    url, _, pin = link.partition("#")
    player = open_player_page(browser, url)
    player.page.goto(url)
    player.page.wait_for_selector("#enter-pin")
    assert not may_act(player)
    player.page.evaluate("pin => { location.hash = pin }", pin)
    player.until(lambda: may_act(player))
    player.page.wait_for_selector(".acts > #take-back")
    assert player.page.url == url
    player.page.context.close()


def test_without_the_link_the_pin_is_required(browser: Browser, link: str) -> None:
    url, _, pin = link.partition("#")
    player = open_player_page(browser, url)
    player.page.goto(url)
    player.page.locator("#enter-pin").click()
    player.page.locator("#pin-digits").fill(re.sub(r"\D", "", pin))
    player.page.get_by_role("button", name="Go on").click()
    player.until(lambda: may_act(player))
    player.page.context.close()
