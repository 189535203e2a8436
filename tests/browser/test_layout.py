"""Every page on every screen, light and dark: it fits, targets are large, and axe finds nothing."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.accessibility import too_small, violations
from tests.browser.player_page import AT_REST, Screenshots, open_acts, open_game_dialog
from tests.browser.served_table import EVIL, FORMS, ServedTable, Viewer, open_viewer, served_table
from urpi.show.words import languages, words_for


class View(NamedTuple):
    """A page: its path, an element that exists once it is drawn, and an action on it."""

    path: str
    element: str
    act: Callable[[Page], Any] = lambda _page: None


def open_turn_details(page: Page) -> None:
    page.locator("#moves-button").click()
    page.locator("#events-button").click()
    page.wait_for_selector(".events-throw details")
    page.locator(".events-throw details summary").first.click()


def open_confirmation(page: Page) -> None:
    open_acts(page)
    page.locator("#abandon").click()
    page.wait_for_selector("#confirm[open]")


PLAYING, WARNED, ASKED, PILES = "playing", "warned", "asked", "piles"
OVER, EMPTY = "over", "empty"
VIEWS = {
    "table": (PLAYING, View("", ".ur-piece", lambda page: page.keyboard.press("m"))),
    "warning": (WARNED, View("", ".ur-mark-clear")),
    "question": (ASKED, View("", "#question:not([hidden])")),
    "piles": (PILES, View("", ".ur-piece")),
    "no-game": (EMPTY, View("", "#begin-open:not([hidden])")),
    "over": (OVER, View("", ".plate-won")),
    "game-dialog": (PLAYING, View("", ".ur-piece", open_game_dialog)),
    "confirmation": (PLAYING, View("", ".ur-piece", open_confirmation)),
    "games": (OVER, View("games", "#games li")),
    "replay": (OVER, View("games/1#7", ".ur-piece", open_turn_details)),
    "statistics": (OVER, View("stats", "#tables table")),
    "no-statistics": (OVER, View("stats?player=Nobody", "#found:not(:empty)")),
    "not-found": (PLAYING, View("nothing", "h1")),
}


def playing(table: ServedTable) -> None:
    table.new_game("finkel", "Ann", "Bob")
    table.play(40)
    table.play_until_move()


def warned(table: ServedTable) -> None:
    table.new_game("finkel", "Ann", "Bob")
    table.play_until_move()
    table.touch("B5", on=True)


def asked(table: ServedTable) -> None:
    table.new_game("freecompany")


def piles(table: ServedTable) -> None:
    table.new_game("skiryuk", EVIL, "A name of forty letters, which is a lot!")
    table.play(150)


def over(table: ServedTable) -> None:
    table.new_game("finkel", EVIL, "Bob")
    table.play(900)


SITUATIONS = {
    PLAYING: playing,
    WARNED: warned,
    ASKED: asked,
    PILES: piles,
    OVER: over,
    EMPTY: lambda _: None,
}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], ServedTable]]:
    """Return tables in the situations, each created once."""
    made: dict[str, ServedTable] = {}
    opened = []

    def table(situation: str) -> ServedTable:
        if situation not in made:
            opening = served_table(tmp_path_factory.mktemp(situation))
            opened.append(opening)
            made[situation] = opening.__enter__()
            SITUATIONS[situation](made[situation])
        return made[situation]

    yield table
    for opening in opened:
        opening.__exit__(None, None, None)


def open_view(viewer: Viewer, url: str, view: View) -> None:
    viewer.open(url + view.path, view.element)
    view.act(viewer.page)
    viewer.page.wait_for_function(AT_REST)


@pytest.mark.parametrize("name", VIEWS)
def test_a_page_fits_a_phone_and_its_targets_fit_a_finger(
    browser: Browser, tables: Callable[[str], ServedTable], shots: Screenshots, name: str
) -> None:
    situation, view = VIEWS[name]
    with open_viewer(browser, "phone") as viewer:
        open_view(viewer, tables(situation).url, view)
        check_width(viewer, shots, name, "phone")
        assert too_small(viewer.page) == []
        if name == "not-found":
            viewer.errors.clear()


def check_width(viewer: Viewer, shots: Screenshots, name: str, form: str) -> None:
    """Check that a page is not wider than its screen, and take its picture."""
    shots(viewer.page, f"{name}-{form}.png", full_page=form != "wall")
    width = viewer.page.evaluate("document.documentElement.scrollWidth")
    assert width <= FORMS[form]["viewport"]["width"]


@pytest.mark.parametrize("name", VIEWS)
def test_axe_finds_nothing_and_the_page_fits_larger_screens(
    browser: Browser, tables: Callable[[str], ServedTable], shots: Screenshots, name: str
) -> None:
    situation, view = VIEWS[name]
    with open_viewer(browser, bypass_csp=True) as viewer:
        open_view(viewer, tables(situation).url, view)
        for scheme in ("dark", "light"):
            viewer.page.emulate_media(color_scheme=scheme)
            shots(viewer.page, f"{name}-{scheme}.png")
            assert violations(viewer.page) == [], scheme
        for form in ("desk", "tablet", "wall"):
            viewer.page.set_viewport_size(FORMS[form]["viewport"])
            check_width(viewer, shots, name, form)
        if name == "not-found":
            viewer.errors.clear()


@pytest.mark.parametrize(("form", "width"), [("phone", 380), ("desk", 720)])
def test_charts_fit_the_screen(
    browser: Browser, tables: Callable[[str], ServedTable], form: str, width: int
) -> None:
    with open_viewer(browser, form) as viewer:
        viewer.open(f"{tables(OVER).url}stats", "#tables table")
        charts = viewer.page.locator(".charts")
        viewer.until(
            lambda: charts.locator("img").evaluate_all("all => all.every((one) => one.complete)"),
            "the charts",
        )
        assert charts.evaluate("one => one.scrollWidth <= one.clientWidth")
        ratio = "all => all.map((one) => one.naturalWidth / one.naturalHeight)"
        drawn = viewer.page.evaluate("fetch('/api/stats').then((one) => one.json())")["charts"]
        name = "narrow_svg" if width == 380 else "svg"
        sizes = [re.search(r'viewBox="0 0 (\d+) (\d+)"', one[name]) for one in drawn]
        assert {int(size[1]) for size in sizes if size} == {width}
        assert charts.locator("img").evaluate_all(ratio) == pytest.approx(
            [int(size[1]) / int(size[2]) for size in sizes if size], rel=0.02
        )


def test_nothing_is_animated_with_reduced_motion(
    browser: Browser, tables: Callable[[str], ServedTable]
) -> None:
    with open_viewer(browser, reduced_motion="reduce") as viewer:
        viewer.open(tables(PLAYING).url)
        moving = viewer.page.locator(".ur-piece, .die").evaluate_all(
            """all => all.map((one) => getComputedStyle(one)).filter(
              ({ transitionDuration: slides, animationName: rolls }) =>
                slides !== "0s" || rolls !== "none").length"""
        )
        assert moving == 0


def test_larger_type_is_stored(browser: Browser, tables: Callable[[str], ServedTable]) -> None:
    with open_viewer(browser) as viewer:
        viewer.open(tables(PLAYING).url)
        size = "getComputedStyle(document.body).fontSize"
        small = viewer.page.evaluate(size)
        viewer.page.get_by_role("button", name="Larger text").click()
        assert viewer.page.evaluate(size) > small
        viewer.open(tables(PLAYING).url + "games", "#search")
        assert viewer.page.evaluate(size) > small


def test_the_language_offer_fits_a_phone(
    browser: Browser, tmp_path: Path, shots: Screenshots
) -> None:
    with served_table(tmp_path) as table, open_viewer(browser, "phone", locale="hu-HU") as viewer:
        playing(table)
        viewer.open(table.url)
        viewer.until(lambda: viewer.page.locator("#language-offer").is_visible(), "the offer")
        shots(viewer.page, "table-language-offer.png")
        assert too_small(viewer.page) == []
        width = viewer.page.evaluate("document.documentElement.scrollWidth")
        assert width <= FORMS["phone"]["viewport"]["width"]


def test_on_a_phone_the_board_stays_in_place_when_the_turn_changes(
    browser: Browser, tmp_path: Path
) -> None:
    with served_table(tmp_path) as table, open_viewer(browser, "phone") as viewer:
        table.new_game("finkel", "", "Alexander")
        table.play(8)
        for language in languages():
            table.desk.words = words_for(language)
            viewer.open(table.url, f"html[lang={language}] .plate-turn")
            heights = []
            for side in ("light", "dark"):
                while table.table.service.snapshot.side.value != side:
                    table.play(1)
                viewer.page.wait_for_selector(f"#plate-{side}.plate-turn")
                plates = viewer.page.locator(".plate")
                heights += plates.evaluate_all("all => all.map((one) => one.offsetHeight)")
                assert viewer.page.locator(".turn:visible").count() == 1
            assert heights[:2] == heights[2:], language
            if language == "ru":
                assert heights == [min(heights)] * 4


def test_every_language_fits_a_phone_with_larger_type(browser: Browser, tmp_path: Path) -> None:
    with served_table(tmp_path) as table, open_viewer(browser, "phone") as viewer:
        playing(table)
        viewer.context.add_init_script("localStorage.setItem('urpi-larger', 'yes')")
        drawn = {"": ".plate-turn", "games": "#games li", "games/1#9": "#turns li"}
        for language in languages():
            table.desk.words = words_for(language)
            for path, element in drawn.items():
                viewer.open(table.url + path, f"html[lang={language}] {element}")
                width = viewer.page.evaluate("document.documentElement.scrollWidth")
                assert width <= FORMS["phone"]["viewport"]["width"], (language, path)


def test_the_header_is_one_row_in_every_language(browser: Browser, tmp_path: Path) -> None:
    with served_table(tmp_path) as table, open_viewer(browser) as viewer:
        playing(table)
        for language in languages():
            cookie = {"name": "urpi-language", "value": language, "url": table.url}
            viewer.context.add_cookies([cookie])
            for path in ("", "games", "games/1#9", "stats", "players", "nothing"):
                viewer.page.goto(table.url + path)
                if path != "nothing":
                    viewer.page.wait_for_selector(f"html[lang={language}]", state="attached")
                # The header does not depend on the rest, whose layout takes most of the time.
                viewer.page.evaluate("document.querySelector('main').hidden = true")
                for width in (340, 360, 390, 482, 600, 768, 900, 960, 1024, 1280):
                    viewer.page.set_viewport_size({"width": width, "height": 700})
                    height = viewer.page.evaluate("document.querySelector('.top').offsetHeight")
                    assert height < 60, (language, path, width)
                viewer.errors.clear()  # Chromium logs the status 404 of the last page.
