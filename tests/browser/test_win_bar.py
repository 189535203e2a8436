"""The probability to win above the board: when it is shown, what it shows, and its place."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.bench_page.in_browser import OBSERVE, layout_shift
from tests.browser.accessibility import violations
from tests.browser.player_page import Screenshots, demo, open_player_page
from tests.browser.served_table import FORMS, ServedTable, Viewer, open_viewer
from tests.browser.test_first_view import MAX_SHIFT
from urpi.referee.facts import Answer, Game, Occupancy
from urpi.referee.seats import PERSONS, Seats
from urpi.rules import Side
from urpi.service.win_chances import WinChance
from urpi.show.words import languages, words_for

AGAINST: Seats = ("person", "engine:easy")
DEADLINE_MS = 30_000
NO_VALUE = "\N{EN DASH}"


def begin(table: ServedTable, seats: Seats = AGAINST, *, hints: bool = True) -> None:
    """Begin a game in which light throws next."""
    at = table.table
    at.service.new_game(Game(at.t, "finkel", "Ann", "", first=Side.LIGHT, seats=seats, hints=hints))
    at.submit(Occupancy(at.t, 0))
    at.wait(6000)
    table.desk.chance = WinChance(0.618, "estimated")


def test_it_shows_both_sides_and_whether_it_is_exact(viewer: Viewer, table: ServedTable) -> None:
    begin(table)
    viewer.open(table.url, "#win")
    viewer.wait_for_text("#win-light", "62%")
    bar = viewer.page.locator("#win")
    expect(bar).to_have_text("38%62%estimated")
    expect(bar).to_have_attribute("aria-label", "Chances of winning: Dark 38%, Ann 62% (estimated)")
    table.desk.chance = WinChance(0.997, "exact")
    table.table.submit(Answer(table.table.t, faces="ggs-"))
    viewer.wait_for_text("#win-light", ">99%")
    expect(bar).to_have_text("<1%>99%exact")
    table.desk.chance = None
    table.table.submit(Answer(table.table.t, move="+A2"))
    viewer.wait_for_text("#win-light", NO_VALUE)
    expect(bar).to_have_attribute("aria-label", "Chances of winning")


def test_it_is_hidden_between_two_people_unless_a_viewer_wants_it(
    viewer: Viewer, table: ServedTable
) -> None:
    begin(table, PERSONS)
    requested: list[str] = []
    viewer.page.on("request", lambda one: requested.append(one.url))
    viewer.open(table.url, "#win")
    viewer.wait_for_text("#now", "throw the dice")
    bar = viewer.page.locator("#win")
    expect(bar).to_be_hidden()
    assert not any("/api/value" in url for url in requested)
    viewer.page.locator("#view-button").click()
    viewer.page.locator("#view-win").select_option("always")
    viewer.page.keyboard.press("Escape")
    viewer.wait_for_text("#win-light", "62%")
    viewer.page.reload()
    viewer.wait_for_text("#win-light", "62%")
    viewer.page.locator("#view-button").click()
    assert viewer.page.locator("#view-win").input_value() == "always"
    viewer.page.locator("#view-win").select_option("never")
    expect(bar).to_be_hidden()


@pytest.mark.parametrize(("seats", "hints"), [(AGAINST, False), (PERSONS, True)])
def test_it_is_absent_without_hints_and_in_a_game_of_people(
    viewer: Viewer, table: ServedTable, seats: Seats, hints: bool
) -> None:
    begin(table, seats, hints=hints)
    viewer.open(table.url, "#win")
    viewer.wait_for_text("#now", "throw the dice")
    expect(viewer.page.locator("#win")).to_be_hidden()


@pytest.mark.parametrize(("form", "scheme"), [("phone", "dark"), ("desk", "light")])
def test_nothing_moves_when_it_appears_and_axe_finds_nothing(
    browser: Browser, table: ServedTable, form: str, scheme: str, shots: Screenshots
) -> None:
    begin(table)
    with open_viewer(browser, form, color_scheme=scheme) as viewer:
        viewer.page.add_init_script(OBSERVE)
        viewer.open(table.url, "#win")
        viewer.wait_for_text("#win-light", "62%")
        assert layout_shift(viewer.page.evaluate("shifts")) <= MAX_SHIFT
        shots(viewer.page, f"win-{form}-{scheme}.png")
        # The whole board and both players are still in the window.
        box = viewer.page.locator("#plate-light").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= FORMS[form]["viewport"]["height"]
        assert violations(viewer.page) == []


def test_it_fits_a_phone_in_every_language(browser: Browser, table: ServedTable) -> None:
    begin(table)
    with open_viewer(browser, "phone") as viewer:
        viewer.open(table.url, "#win")
        for language in languages():
            table.desk.words = words_for(language)
            table.table.wait(2000)
            viewer.page.wait_for_selector(f"html[lang={language}]", timeout=DEADLINE_MS)
            viewer.wait_for_text("#win-kind", words_for(language).text("estimated"))
            parts = viewer.page.locator("#win > *")
            right = parts.evaluate_all("all => all.map((one) => one.getBoundingClientRect().right)")
            assert max(right) <= FORMS["phone"]["viewport"]["width"]
            assert viewer.page.locator(".win-line").bounding_box()["width"] >= 100, language


@pytest.mark.parametrize("layout", ["below", "side", "names"])
def test_a_stream_shows_it_on_request(
    browser: Browser, table: ServedTable, layout: str, shots: Screenshots
) -> None:
    begin(table, PERSONS)
    with open_viewer(browser, viewport={"width": 1280, "height": 720}) as viewer:
        viewer.open(f"{table.url}overlay?layout={layout}", "#win")
        expect(viewer.page.locator("#name-light")).to_have_text("Ann")
        expect(viewer.page.locator("#win")).to_be_hidden()
        viewer.open(f"{table.url}overlay?layout={layout}&win=on", "#win")
        viewer.wait_for_text("#win-light", "62%")
        shots(viewer.page, f"overlay-win-{layout}.png", omit_background=True)
        for part in ("#win", ".plate-dark", ".plate-light", ".events"):
            box = viewer.page.locator(part).bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 1281
            assert box["y"] + box["height"] <= 721
        assert violations(viewer.page) == []


def test_the_engine_of_a_table_estimates_it(browser: Browser, tmp_path: Path) -> None:
    game = ("--rules", "finkel", "--speed", "10", "--seed", "4", "--first", "light")
    with demo(tmp_path, *game, "--dark", "engine:easy") as url:
        player = open_player_page(browser, url)
        player.throw_until_move("light")
        found = player.get("value")["value"]
        assert found["kind"] == "estimated"
        assert 0.2 < found["light"] < 0.9
        shown = f"{round(100 * found['light'])}%"
        player.until(lambda: player.page.locator("#win-light").inner_text() == shown)
        player.assert_no_errors()
        player.page.context.close()
