"""The link that a demo prints: it lets a browser act; the bare address needs the PIN."""

import re

import pytest
from playwright.sync_api import Browser

from tests.page.at_table import AtTable, demo_link, sat_down


@pytest.fixture(scope="module")
def link(tmp_path_factory: pytest.TempPathFactory):
    with demo_link(tmp_path_factory.mktemp("linked")) as one:
        yield one


def may_act(at: AtTable) -> bool:
    return bool(at.page.request.get(f"{at.url}api/state").json()["may_act"])


def test_a_browser_that_opens_the_printed_link_may_act(browser: Browser, link: str) -> None:
    url, _, _ = link.partition("#")
    at = sat_down(browser, url)
    at.page.goto(link)
    at.page.wait_for_selector(".throw-all")
    assert may_act(at)
    # It is not left in the address, where it would be copied along or photographed.
    assert at.page.url == url
    at.assert_nothing_went_wrong()


def test_the_link_works_in_a_tab_that_has_the_page_open(browser: Browser, link: str) -> None:
    url, _, pin = link.partition("#")
    at = sat_down(browser, url)
    at.page.goto(url)
    at.page.wait_for_selector(".throw-all")
    assert not may_act(at)
    at.page.evaluate("pin => { location.hash = pin }", pin)
    at.until(lambda: may_act(at))
    assert at.page.url == url


def test_without_the_link_the_pin_is_asked_for(browser: Browser, link: str) -> None:
    url, _, pin = link.partition("#")
    at = sat_down(browser, url)
    at.page.goto(url)
    at.page.locator(".throw-all").click()
    at.page.locator("#pin-digits").fill(re.sub(r"\D", "", pin))
    at.page.get_by_role("button", name="Go on").click()
    at.until(lambda: may_act(at))
