"""The virtual table for those who do not see it or have no mouse: axe finds nothing serious."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.page.at_table import DESK, PHONE, AtTable, demo, sat_down
from tests.page.test_looks import AXE

SERIOUS = {"serious", "critical"}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with demo(tmp_path_factory.mktemp("table"), "--rules", "skiryuk", "--simulated", "none") as one:
        yield one


def findings(at: AtTable) -> list[str]:
    at.page.evaluate(AXE.read_text())
    found = at.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {[node['html'] for node in one['nodes']]}"
        for one in found["violations"]
        if one["impact"] in SERIOUS
    ]


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_the_table(
    browser: Browser, url: str, screen: dict[str, int], scheme: str, shots: Path
) -> None:
    at = sat_down(browser, url, knows_it=False, viewport=screen, color_scheme=scheme)
    at.until(lambda: at.page.locator(".tour").is_visible())
    at.page.locator(".mishaps summary").click()
    at.page.locator('[data-row="hand:light"]').focus()
    width = screen["width"]
    at.page.screenshot(path=shots / f"virtual-{width}-{scheme}.png", full_page=True)

    assert findings(at) == []
    at.page.context.close()


def test_all_that_hands_do_can_be_reached_by_tab(browser: Browser, url: str) -> None:
    at = sat_down(browser, url)
    at.page.locator(".mishaps summary").click()
    reached = set[str]()
    for _ in range(60):
        at.press("Tab")
        if at.focuses():
            named = at.page.locator(":focus").evaluate("one => Object.values(one.dataset)")
            reached |= set(named)

    assert {"hand:light", "home:dark", "aside", "1", "2", "3", "bump", "power", "hub"} <= reached
    assert any(len(name) == 2 and name[0] in "ABC" for name in reached)
    at.page.context.close()
