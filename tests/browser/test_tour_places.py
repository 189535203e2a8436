"""Each step of each tour leaves visible what it explains, on small screens, in every language."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.player_page import PlayerPage, Screenshots, demo, open_player_page
from tests.browser.test_first_game import GAME, PHONE, SMALL, begin, step
from urpi.show.words import display_languages

SCREENS = pytest.mark.parametrize("screen", [PHONE, SMALL], ids=["phone", "small"])

FAULTS = """() => {
  const target = document.querySelector(".tour-here").getBoundingClientRect();
  const card = document.querySelector(".tour");
  const box = card.getBoundingClientRect();
  const faults = [];
  if (target.top < 0 || target.left < 0 || target.right > innerWidth) faults.push("outside");
  if (target.bottom > box.top) faults.push("covered");
  if (box.bottom > innerHeight + 1 || box.top < 0) faults.push("card outside");
  for (const one of [card, ...card.querySelectorAll("p, button")])
    if (one.scrollWidth > one.clientWidth + 1) faults.push(`clipped: ${one.textContent}`);
  if (document.documentElement.scrollWidth > innerWidth) faults.push("wider than the window");
  return faults.length ? [...faults, target.toJSON(), box.toJSON()] : [];
}"""
"""What is wrong with the places of the card and of what it explains."""


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., PlayerPage]]:
    with demo(tmp_path, *GAME) as url:
        players: list[PlayerPage] = []

        def open_page(screen: dict[str, Any]) -> PlayerPage:
            players.append(open_player_page(browser, url, seen_tour=False, **screen))
            return players[-1]

        yield open_page
        players[0].page.context.close()


def check_places(player: PlayerPage, shots: Screenshots, name: str) -> None:
    """Check the places in every language of a table, and take a picture."""
    # English last: the next step is found by its buttons.
    for language in sorted(display_languages(), key="en".__eq__):
        answer = player.post("settings", {"language": language})
        assert answer.ok
        player.until(lambda lang=language: _is_in(player, lang))
        faults = faults_of(player)
        shots(player.page, f"{name}-{language}.png")
        assert faults == [], (name, language)


def faults_of(player: PlayerPage) -> list[Any]:
    """Return what is wrong when the page has come to rest."""
    for _ in range(100):
        if not player.page.evaluate(FAULTS):
            break
        player.page.wait_for_timeout(100)
    return list(player.page.evaluate(FAULTS))


def _is_in(player: PlayerPage, language: str) -> bool:
    """Whether the page and the tour are in a language."""
    title = "document.querySelector('.tour .tour-skip').textContent"
    now = player.page.evaluate(f"[document.documentElement.lang, {title}]")
    return now[0] == language and (now[1] == "Leave the tour") == (language == "en")


@SCREENS
def test_the_steps_of_the_first_game(
    open_page: Callable[..., PlayerPage], shots: Screenshots, screen: dict[str, Any]
) -> None:
    player = open_page(screen)
    width = screen["viewport"]["width"]
    begin(player)
    for number in range(1, 11):
        step(player, number)
        check_places(player, shots, f"first-game-{width}-{number}")
        if number == 1:
            player.page.locator(".tour-next").click()
        elif number < 10:
            player.page.locator(".tour-does").click()


@SCREENS
def test_the_steps_of_the_tour_of_the_sensors(
    open_page: Callable[..., PlayerPage], shots: Screenshots, screen: dict[str, Any]
) -> None:
    player = open_page(screen)
    width = screen["viewport"]["width"]
    player.page.locator(".tour-sensors").click()
    for number in range(1, 9):
        step(player, number)
        if number == 5:
            player.drag(player.piece_on("hand:light"), "B8")
            player.until(player.page.locator("#warning").is_visible)
        check_places(player, shots, f"sensors-{width}-{number}")
        player.page.locator(".tour-next").click()


GROW = """(height) => {
  const grown = document.createElement("div");
  grown.style.height = `${height}px`;
  const target = document.querySelector(".tour-here");
  target.before(grown);
}"""
"""Makes the page grow above what a step explains, as a new line of a text does."""


@pytest.mark.parametrize("height", [20, 300])
def test_what_a_step_explains_stays_in_view_while_the_page_grows(
    open_page: Callable[..., PlayerPage], height: int
) -> None:
    player = open_page(PHONE)
    player.page.locator(".tour-sensors").click()
    for number in range(1, 7):
        step(player, number)
        player.page.locator(".tour-next").click()
    step(player, 7)
    assert faults_of(player) == []
    player.page.evaluate(GROW, height)
    # Chromium keeps the place at first, and then ends its smooth scroll at the old place.
    player.page.wait_for_timeout(500)
    assert faults_of(player) == []


def test_a_player_who_scrolls_away_from_a_step_is_not_scrolled_back(
    open_page: Callable[..., PlayerPage],
) -> None:
    player = open_page(SMALL)
    player.page.locator(".tour-sensors").click()
    for number in range(1, 7):
        step(player, number)
        player.page.locator(".tour-next").click()
    step(player, 7)
    assert faults_of(player) == []
    player.page.mouse.move(500, 100)

    def is_at_the_top() -> bool:
        player.page.mouse.wheel(0, -3000)
        return bool(player.page.evaluate("scrollY") == 0)

    player.until(is_at_the_top)
    player.page.evaluate(GROW, 300)
    player.page.wait_for_timeout(500)
    assert player.page.evaluate("scrollY") == 0
