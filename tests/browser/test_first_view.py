"""What a visitor sees before the scripts have been loaded, and that it does not move afterwards."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, expect

from tests.bench_page.in_browser import (
    MAX_REQUESTS,
    MAX_SENT_KB,
    OBSERVE,
    SCREENS,
    SETTLED_MS,
    layout_shift,
    weight,
)
from tests.browser.player_page import AT_REST, demo
from tests.browser.served_table import EVIL, ServedTable, Viewer, open_viewer, served_table

MAX_SHIFT = 0.1
"""A good cumulative layout shift is at most 0.1 (https://web.dev/articles/cls)."""
PLACES = """all => all.map((piece) => {
  const { x, y, width } = piece.querySelector(".ur-face").getBoundingClientRect();
  const turned = piece.classList.contains("ur-turned");
  return [piece.classList[1], piece.dataset.place, turned, ...[x, y, width].map(Math.round)];
}).sort()"""


def drawn_pieces(viewer: Viewer) -> Any:
    """Return the side, the place, the face and the position on the screen of every piece."""
    pieces = viewer.page.locator(".ur-piece")
    viewer.page.wait_for_function(AT_REST)
    return pieces.evaluate_all(PLACES)


@pytest.mark.parametrize("rules", ["finkel", "skiryuk", "bell"])
def test_the_board_is_visible_without_scripts_as_it_is_with_them(
    viewer: Viewer, table: ServedTable, rules: str
) -> None:
    table.new_game(rules, EVIL)
    table.play(60)
    viewer.page.route(re.compile(r"\.js$"), lambda route: route.abort())
    viewer.open(table.url)
    expect(viewer.page.locator("#board")).to_be_visible()
    assert viewer.text("#name-light") == EVIL
    board = viewer.page.locator("#board").bounding_box()
    before = drawn_pieces(viewer)
    viewer.page.unroute(re.compile(r"\.js$"))
    viewer.open(table.url)
    viewer.wait_for_text("#score-light", "in hand")
    assert drawn_pieces(viewer) == before
    assert viewer.page.locator("#board").bounding_box() == board
    viewer.errors.clear()  # the aborted requests


def test_a_changed_table_is_in_the_next_response(table: ServedTable, viewer: Viewer) -> None:
    def etag() -> str | None:
        with urlopen(table.url) as answer:
            return answer.headers["etag"]

    table.new_game()
    viewer.open(table.url)
    before = etag()
    table.play(3)
    viewer.until(lambda: etag() != before, "another page")


@pytest.fixture(scope="module")
def demo_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with demo(tmp_path_factory.mktemp("first"), "--first", "light", "--simulated", "dark") as url:
        yield url


@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_moves_on_the_first_visit_to_a_virtual_table(
    browser: Browser, demo_url: str, screen: str
) -> None:
    context = browser.new_context(**SCREENS[screen])
    context.add_init_script(OBSERVE)
    page = context.new_page()
    page.goto(demo_url)
    page.wait_for_selector(".felt [data-die]")
    page.wait_for_timeout(SETTLED_MS)
    assert layout_shift(page.evaluate("shifts")) <= MAX_SHIFT
    assert page.evaluate("scrollY") == 0
    context.close()


@pytest.mark.parametrize("form", ["phone", "desk", "wall"])
def test_nothing_moves_when_a_table_is_opened(browser: Browser, tmp_path: Path, form: str) -> None:
    with served_table(tmp_path) as table, open_viewer(browser, form) as viewer:
        table.new_game("skiryuk")
        table.play(40)
        viewer.context.add_init_script(OBSERVE)
        viewer.open(table.url)
        viewer.page.wait_for_timeout(SETTLED_MS)
        assert layout_shift(viewer.page.evaluate("shifts")) <= MAX_SHIFT


@pytest.mark.parametrize("screen", SCREENS)
def test_a_first_visit_loads_only_what_playing_needs(
    browser: Browser, demo_url: str, screen: str
) -> None:
    requests, sent_kb = weight(browser, demo_url, screen)
    assert 20 < requests <= MAX_REQUESTS
    assert sent_kb <= MAX_SENT_KB
