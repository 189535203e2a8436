"""The tour of the sensors, for a player who opens the page for the first time."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.player_page import PlayerPage, Screenshots, demo, open_player_page

GAME = ("--rules", "bell", "--first", "light", "--speed", "3", "--simulated", "dark")


@pytest.fixture
def player(browser: Browser, tmp_path: Path) -> Iterator[PlayerPage]:
    with demo(tmp_path, *GAME) as url:
        player = open_player_page(browser, url, seen_tour=False)
        player.page.locator(".tour-sensors").click()
        yield player
        player.assert_no_errors()
        player.page.context.close()


def step(player: PlayerPage, number: int) -> None:
    """Wait until a step is shown."""
    player.until(
        lambda: player.page.locator(".tour-count").inner_text().startswith(f"Step {number} ")
    )


def press_next(player: PlayerPage) -> None:
    player.page.locator(".tour-next").click()


def test_the_tour_advances_with_each_requested_action(
    player: PlayerPage, shots: Screenshots
) -> None:
    step(player, 1)
    shots(player.page, "tour-1.png")
    press_next(player)
    target = player.throw_until_move()["legal"][0]["to"][0]
    step(player, 3)
    press_next(player)
    step(player, 4)
    player.drag("L1", "B8")
    step(player, 5)
    shots(player.page, "tour-5.png")
    player.drag("L1", target)
    step(player, 6)
    player.page.locator(".tour-does").click()
    player.until(lambda: player.page.locator(".no-power").is_visible())
    shots(player.page, "tour-6.png")
    player.page.locator(".tour-does").click()
    step(player, 7)
    press_next(player)
    step(player, 8)
    shots(player.page, "tour-8.png")
    press_next(player)
    expect(player.page.locator(".tour")).to_be_hidden()


def test_the_tour_can_be_left_and_started_again(player: PlayerPage) -> None:
    step(player, 1)
    player.page.locator(".tour-skip").click()
    player.open()
    player.until(lambda: player.page.locator(".tour-sensors").is_visible())
    expect(player.page.locator(".tour")).to_be_hidden()
    player.page.locator(".tour-sensors").click()
    step(player, 1)


def test_a_tour_that_is_left_as_a_step_ends_does_not_reappear(player: PlayerPage) -> None:
    step(player, 1)
    player.page.clock.install()
    press_next(player)
    player.throw_until_move()
    player.until(lambda: "move" in player.page.locator("#now").inner_text())
    player.page.locator(".tour-skip").click()
    player.page.clock.fast_forward(5000)
    assert player.page.locator(".tour-here").count() == 0


def test_the_tour_counts_actions_that_precede_their_step(player: PlayerPage) -> None:
    player.page.clock.install()
    for number in (1, 2, 3):
        step(player, number)
        press_next(player)
    target = player.throw_until_move()["legal"][0]["to"][0]
    player.page.clock.pause_at(player.page.evaluate("Date.now()") / 1000 + 10)
    player.drag("L1", "B8")
    player.until(lambda: player.page.locator("#warning").is_visible())
    player.drag("L1", target)
    player.until(
        lambda: player.state["record"] and not player.page.locator("#warning").is_visible()
    )
    for number in (5, 6):
        player.page.clock.fast_forward(1500)
        step(player, number)
