"""The virtual table with screen readers and without a mouse: axe finds nothing."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.accessibility import too_small, violations
from tests.browser.player_page import DESK, PHONE, Screenshots, demo, open_player_page


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with demo(tmp_path_factory.mktemp("table"), "--rules", "skiryuk", "--simulated", "none") as one:
        yield one


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_table(
    browser: Browser, url: str, screen: dict[str, int], scheme: str, shots: Screenshots
) -> None:
    player = open_player_page(browser, url, seen_tour=False, viewport=screen, color_scheme=scheme)
    player.page.locator(".tour-sensors").click()
    player.until(lambda: player.page.locator(".tour").is_visible())
    player.page.locator(".mishaps summary").click()
    player.page.locator('[data-row="hand:light"]').focus()
    width = screen["width"]
    shots(player.page, f"virtual-{width}-{scheme}.png", full_page=True)

    assert violations(player.page) == []
    if screen is PHONE:
        assert too_small(player.page) == []
    player.page.context.close()


def test_every_action_of_the_hands_can_be_reached_by_tab(browser: Browser, url: str) -> None:
    player = open_player_page(browser, url)
    player.page.locator(".mishaps summary").click()
    reached = set[str]()
    for _ in range(60):
        player.press("Tab")
        if player.has_focus():
            named = player.page.locator(":focus").evaluate("one => Object.values(one.dataset)")
            reached |= set(named)

    assert {"hand:light", "home:dark", "aside", "1", "2", "3", "bump", "power", "hub"} <= reached
    assert any(len(name) == 2 and name[0] in "ABC" for name in reached)
    player.page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_sides_differ_with_forced_colours(browser: Browser, url: str, scheme: str) -> None:
    player = open_player_page(browser, url, color_scheme=scheme, forced_colors="active")
    player.page.locator(".push-dark").wait_for(state="attached")
    for pair in (".push-light, .push-dark", ".dot-light, .dot-dark"):
        grounds = player.page.locator(pair).evaluate_all(
            "all => all.map((one) => getComputedStyle(one).background)"
        )
        assert len(set(grounds)) == 2, pair
    player.page.context.close()


def test_everything_can_be_read_without_power(browser: Browser, url: str) -> None:
    player = open_player_page(browser, url, bypass_csp=True)
    assert player.post("table/power", {"on": False}).ok
    try:
        player.page.wait_for_selector(".no-power:not([hidden])")
        assert violations(player.page) == []
    finally:
        # The other tests are at the same table.
        assert player.post("table/power", {"on": True}).ok
    player.page.wait_for_selector(".no-power", state="hidden")
    player.page.context.close()
