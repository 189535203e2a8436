"""Every page on every screen, by day and by night: it fits, it can be tapped, axe finds nothing.

Each case leaves a picture in tests/page/screenshots, to be looked at.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page

from tests.page.at_table import open_game_dialog
from tests.page.served import EVIL, FORMS, Served, Visitor, served, visitor
from urpi.words import languages, words_for

AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
SERIOUS = ("serious", "critical")
SMALLEST_PX = 40
TAPPED = "button, select, input, summary, .top a, .exports a, .list a, dialog a"


class View(NamedTuple):
    """A page in a situation: where it is, what is drawn when it is there, what is done then."""

    path: str
    drawn: str
    act: Callable[[Page], Any] = lambda _page: None


def open_all_of_a_turn(page: Page) -> None:
    page.locator("#moves-button").click()
    page.locator("#saw-button").click()
    page.wait_for_selector(".saw-throw details")
    page.locator(".saw-throw details summary").first.click()


PLAYING, WARNED, PILES, OVER = "playing", "warned", "piles", "over"
VIEWS = {
    "table": (PLAYING, View("", ".ur-piece", lambda page: page.keyboard.press("m"))),
    "warning": (WARNED, View("", ".ur-mark-clear")),
    "piles": (PILES, View("", ".ur-piece")),
    "over": (OVER, View("", ".plate-won")),
    "run": (PLAYING, View("", ".ur-piece", open_game_dialog)),
    "games": (OVER, View("games", "#games li")),
    "replay": (OVER, View("games/1#7", ".ur-piece", open_all_of_a_turn)),
    "lost": (PLAYING, View("nothing", "h1")),
}


def playing(table: Served) -> None:
    table.new_game("finkel", "Ann", "Bob")
    table.play(40)
    table.play_until_a_move()


def warned(table: Served) -> None:
    table.new_game("finkel", "Ann", "Bob")
    table.play_until_a_move()
    table.touch("B5", on=True)


def piles(table: Served) -> None:
    table.new_game("skiryuk", EVIL, "A name of forty letters, which is a lot!")
    table.play(150)


def over(table: Served) -> None:
    table.new_game("finkel", EVIL, "Bob")
    table.play(900)


SITUATIONS = {PLAYING: playing, WARNED: warned, PILES: piles, OVER: over}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Served]]:
    """The situations, each made once."""
    made: dict[str, Served] = {}
    opened = []

    def table(situation: str) -> Served:
        if situation not in made:
            opening = served(tmp_path_factory.mktemp(situation))
            opened.append(opening)
            made[situation] = opening.__enter__()
            SITUATIONS[situation](made[situation])
        return made[situation]

    yield table
    for opening in opened:
        opening.__exit__(None, None, None)


def look(guest: Visitor, url: str, view: View) -> None:
    guest.see(url + view.path, view.drawn)
    view.act(guest.page)
    guest.page.wait_for_timeout(450)  # pieces slide for 380 ms: a picture is taken of where they go


def too_small(page: Page) -> list[str]:
    """What is to be tapped and is smaller than a finger."""
    return page.locator(TAPPED).evaluate_all(
        """(all, least) => all
          .filter((one) => one.checkVisibility() && !one.closest("[inert]"))
          .map((one) => [one, one.getBoundingClientRect()])
          .filter(([, box]) => box.height > 0 && (box.height < least || box.width < least))
          .map(([one, box]) => `${one.outerHTML.slice(0, 80)} ${box.width}x${box.height}`)""",
        SMALLEST_PX - 0.5,
    )


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", VIEWS)
def test_a_page_fits_its_screen_and_a_finger(
    browser: Browser, tables: Callable[[str], Served], shots: Path, name: str, form: str
) -> None:
    situation, view = VIEWS[name]
    url = tables(situation).url
    with visitor(browser, form) as guest:
        if name == "lost":
            guest.page.on("console", lambda _told: guest.wrong.clear())
        look(guest, url, view)
        guest.page.screenshot(path=shots / f"{name}-{form}.png", full_page=form != "wall")
        width = guest.page.evaluate("document.documentElement.scrollWidth")
        assert width <= FORMS[form]["viewport"]["width"]
        if form == "phone":
            assert too_small(guest.page) == []
        if name == "lost":
            guest.wrong.clear()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", VIEWS)
def test_axe_finds_nothing_serious(
    browser: Browser, tables: Callable[[str], Served], shots: Path, name: str, scheme: str
) -> None:
    situation, view = VIEWS[name]
    url = tables(situation).url
    with visitor(browser, color_scheme=scheme, bypass_csp=True) as guest:
        look(guest, url, view)
        guest.page.screenshot(path=shots / f"{name}-{scheme}.png")
        guest.page.evaluate(AXE.read_text())
        found = guest.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        assert [
            (one["id"], [node["html"][:160] for node in one["nodes"]])
            for one in found["violations"]
            if one["impact"] in SERIOUS
        ] == []
        if name == "lost":
            guest.wrong.clear()


def test_nothing_moves_for_who_wants_no_motion(
    browser: Browser, tables: Callable[[str], Served]
) -> None:
    with visitor(browser, reduced_motion="reduce") as guest:
        guest.see(tables(PLAYING).url)
        moving = guest.page.locator(".ur-piece, .die").evaluate_all(
            """all => all.map((one) => getComputedStyle(one)).filter(
              ({ transitionDuration: slides, animationName: rolls }) =>
                slides !== "0s" || rolls !== "none").length"""
        )
        assert moving == 0


def test_larger_type_is_remembered(browser: Browser, tables: Callable[[str], Served]) -> None:
    with visitor(browser) as guest:
        guest.see(tables(PLAYING).url)
        size = "getComputedStyle(document.body).fontSize"
        small = guest.page.evaluate(size)
        guest.page.get_by_role("button", name="Larger type").click()
        assert guest.page.evaluate(size) > small
        guest.see(tables(PLAYING).url + "games", "#search")
        assert guest.page.evaluate(size) > small


def test_the_offer_of_a_language_fits_a_phone(
    browser: Browser, tmp_path: Path, shots: Path
) -> None:
    with served(tmp_path) as table, visitor(browser, "phone", locale="hu-HU") as guest:
        playing(table)
        guest.see(table.url)
        guest.until(lambda: guest.page.locator("#own-language").is_visible(), "the offer")
        guest.page.screenshot(path=shots / "table-own-language.png")
        assert too_small(guest.page) == []
        width = guest.page.evaluate("document.documentElement.scrollWidth")
        assert width <= FORMS["phone"]["viewport"]["width"]


def test_every_language_fits_a_phone_with_larger_type(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as table, visitor(browser, "phone") as guest:
        playing(table)
        guest.context.add_init_script("localStorage.setItem('urpi-larger', 'yes')")
        for language in languages():
            table.desk.words = words_for(language)
            for path in ("", "games", "games/1#9"):
                guest.page.goto(table.url + path)
                guest.page.wait_for_selector(f"html[lang={language}]", state="attached")
                width = guest.page.evaluate("document.documentElement.scrollWidth")
                assert width <= FORMS["phone"]["viewport"]["width"], (language, path)
