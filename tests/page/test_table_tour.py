"""The tour, to its end, by somebody who comes for the first time."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.page.at_table import AtTable, demo, sat_down

GAME = ("--rules", "bell", "--first", "light", "--speed", "3")

pytestmark = pytest.mark.timeout(150)


@pytest.fixture
def at(browser: Browser, tmp_path: Path) -> Iterator[AtTable]:
    with demo(tmp_path, *GAME) as url:
        at = sat_down(browser, url, knows_it=False)
        yield at
        at.assert_nothing_went_wrong()
        at.page.context.close()


def step(at: AtTable, number: int) -> None:
    """Wait until that step is shown."""
    at.until(lambda: at.page.locator(".tour-count").inner_text().startswith(f"Step {number} "))


def go_on(at: AtTable) -> None:
    at.page.locator(".tour-next").click()


def test_a_first_visitor_is_led_to_the_end_by_doing_it(at: AtTable, shots: Path) -> None:
    step(at, 1)
    at.page.screenshot(path=shots / "tour-1.png")
    go_on(at)
    target = at.throw_until_a_move()["legal"][0]["to"][0]
    step(at, 3)
    go_on(at)
    step(at, 4)
    at.drag("L1", "B8")
    step(at, 5)
    at.page.screenshot(path=shots / "tour-5.png")
    at.drag("L1", target)
    step(at, 6)
    at.page.locator(".tour-does").click()
    at.until(lambda: at.page.locator(".no-power").is_visible())
    at.page.screenshot(path=shots / "tour-6.png")
    at.page.locator(".tour-does").click()
    step(at, 7)
    go_on(at)
    step(at, 8)
    at.page.screenshot(path=shots / "tour-8.png")
    go_on(at)
    assert not at.page.locator(".tour").is_visible()


def test_it_can_be_left_is_not_shown_again_and_can_be_begun_again(at: AtTable) -> None:
    step(at, 1)
    at.page.locator(".tour-skip").click()
    at.open()
    at.until(lambda: at.page.locator(".tour-begin").is_visible())
    assert not at.page.locator(".tour").is_visible()
    at.page.locator(".tour-begin").click()
    step(at, 1)


def test_one_that_is_left_as_a_step_is_done_does_not_come_back(at: AtTable) -> None:
    step(at, 1)
    at.page.clock.install()
    go_on(at)
    at.throw_until_a_move()
    at.until(lambda: "move" in at.page.locator("#now").inner_text())
    at.page.locator(".tour-skip").click()
    at.page.clock.fast_forward(5000)
    assert at.page.locator(".tour-here").count() == 0


def test_whoever_is_quicker_than_the_tour_is_not_kept_waiting(at: AtTable) -> None:
    at.page.clock.install()
    for number in (1, 2, 3):
        step(at, number)
        go_on(at)
    target = at.throw_until_a_move()["legal"][0]["to"][0]
    at.page.clock.pause_at(at.page.evaluate("Date.now()") / 1000 + 1)
    at.drag("L1", "B8")
    at.until(lambda: at.page.locator("#warning").is_visible())
    at.drag("L1", target)
    at.until(lambda: at.state["record"] and not at.page.locator("#warning").is_visible())
    for number in (5, 6):
        at.page.clock.fast_forward(1500)
        step(at, number)
