"""The page of statistics: what is seen at once, its type, and the way to it on a phone."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.served_table import FORMS, ServedTable, open_viewer, served_table

SMALLEST_PX = 12
TYPE = r"""
() => {
  const isText = (node) => node.nodeType === 3 && /\S/.test(node.data);
  const hasText = (one) => [...one.childNodes].some(isText);
  const elements = [...document.querySelectorAll("main *")].filter(hasText);
  const sizes = elements
    .filter((one) => one.checkVisibility())
    .map((one) => parseFloat(getComputedStyle(one).fontSize));
  for (const image of document.querySelectorAll(".charts img")) {
    const drawing = decodeURIComponent(image.currentSrc);
    const shrunk = image.getBoundingClientRect().width / drawing.match(/viewBox="0 0 (\d+)/)[1];
    for (const [, size] of drawing.matchAll(/font[^;}]*?([0-9.]+)px/g)) sizes.push(size * shrunk);
  }
  return sizes;
}
"""
"""The sizes of all type in pixels, also of that in the pictures."""
DRAWN = "[...document.querySelectorAll('.charts img')].every((one) => one.complete)"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedTable]:
    with served_table(tmp_path_factory.mktemp("statistics")) as table:
        for light, dark in (("Ann", "Bob"), ("A name of forty letters, which is a lot!", "李小龍")):
            table.new_game("finkel", light, dark)
            table.play(900)
        yield table


@pytest.mark.parametrize("width", [320, 390, 640, 700, 701, 768, 1024, 1270, 1366, 1920])
def test_no_type_is_small_and_nothing_is_cut(
    browser: Browser, table: ServedTable, width: int
) -> None:
    with open_viewer(browser) as viewer:
        viewer.page.set_viewport_size({"width": width, "height": 844})
        viewer.open(f"{table.url}stats", "#tables table")
        viewer.page.wait_for_function(DRAWN)
        sizes = viewer.page.evaluate(TYPE)
        assert len(sizes) > 60
        assert min(sizes) >= SMALLEST_PX
        assert viewer.page.evaluate("document.documentElement.scrollWidth") <= width
        if width <= 700:
            cut = "all => all.filter((one) => one.scrollWidth > one.clientWidth).length"
            assert viewer.page.locator(".wide, .wide td").evaluate_all(cut) == 0


def test_reading_is_shown_at_once_and_reviewing_with_what_is_known(
    browser: Browser, table: ServedTable
) -> None:
    with open_viewer(browser, "phone") as viewer:
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        viewer.page.route("**/api/stats?*", hold)
        viewer.page.goto(f"{table.url}stats")
        bar, found = viewer.page.locator("#progress"), viewer.page.locator("#found")
        viewer.until(lambda: bool(held), "the request")
        expect(found).to_have_text("The games are being read…")
        expect(bar).to_be_in_viewport()
        assert bar.get_attribute("value") is None
        known = held[0].fetch().json()
        known |= {"unread": 30, "not_read": "Games still being read, the oldest ones: 30."}
        held[0].fulfill(json=known)
        viewer.until(lambda: len(held) == 2, "the request for the others")
        expect(found).to_contain_text("30.")
        assert viewer.page.locator("#tables table").count() >= 3
        assert (bar.evaluate("one => one.value"), bar.evaluate("one => one.max")) == (2, 32)
        known |= {"unread": 0, "not_read": "", "reviewing": True}
        known["values"]["reviews"] |= {"games": 3, "missing": 5}
        held[1].fulfill(json=known)
        viewer.until(lambda: bar.evaluate("one => one.max") == 8, "the reviewed games")
        assert bar.evaluate("one => one.value") == 3
        # A bar would promise what does not come if no game is being reviewed.
        viewer.page.reload()
        viewer.until(lambda: len(held) == 3, "the request after the reload")
        held[2].fulfill(json=known | {"reviewing": False})
        expect(bar).to_be_hidden()


def test_a_phone_s_menu_leads_to_the_statistics(browser: Browser, table: ServedTable) -> None:
    with open_viewer(browser, "phone") as viewer:
        viewer.open(table.url)
        assert FORMS["phone"]["viewport"]["width"] < 400
        viewer.page.locator("#view-button").click()
        link = viewer.page.locator("dialog").get_by_role("link", name="Statistics")
        link.scroll_into_view_if_needed()
        link.click()
        viewer.page.wait_for_url("**/stats")
        viewer.page.set_viewport_size({"width": 1024, "height": 768})
        viewer.open(table.url)
        viewer.page.locator("#view-button").click()
        expect(link).to_be_hidden()


@pytest.mark.parametrize("width", [390, 640, 641, 1366])
def test_one_link_leads_to_the_players(browser: Browser, table: ServedTable, width: int) -> None:
    with open_viewer(browser) as viewer:
        viewer.page.set_viewport_size({"width": width, "height": 844})
        viewer.open(f"{table.url}stats", "#tables table")
        expect(viewer.page.locator('[href="/players"]:visible')).to_have_count(1)
