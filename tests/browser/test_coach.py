"""The coach on the page: the better move, its arrow, what can be done now, and its place."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.accessibility import violations
from tests.browser.player_page import Screenshots
from tests.browser.served_table import ServedTable, Viewer, open_viewer
from urpi.referee.facts import Answer, Coach, Game, Occupancy
from urpi.referee.seats import EngineThrows
from urpi.rules import Side, parse_square
from urpi.show.words import languages, words_for

PLACE = """() => {
  const [board, panel] = [".stage", ".status"].map((one) =>
    document.querySelector(one).getBoundingClientRect());
  return [board.x, board.y - panel.y, board.width];
}"""
"""Returns the place of the board with its players, below the header."""


def begin(table: ServedTable, engine_throws: EngineThrows = "dice") -> None:
    """Begin a game against the engine in which light has just moved from A1 to B1."""
    at = table.table
    game = Game(
        at.t,
        "finkel",
        "Ann",
        first=Side.LIGHT,
        seats=("person", "engine:easy"),
        coach=("doubtful", "off"),
        engine_throws=engine_throws,
    )
    at.service.new_game(game)
    at.submit(Occupancy(at.t, 0))
    at.wait(6000)
    for answer in ({"faces": "gsgs"}, {"move": "+A1"}, {"faces": "g---"}):
        at.submit(Answer(at.t, **answer))
        at.wait(100)
    at.submit(Occupancy(at.t, 1 << parse_square("A1")))
    at.wait(100)


def move_and_coach(table: ServedTable) -> None:
    """Make the worse of two moves, which the coach answers."""
    at = table.table
    at.submit(Answer(at.t, move="A1-B1"))
    at.submit(Occupancy(at.t, 1 << parse_square("B1")))
    at.wait(100)
    at.submit(Coach(at.t, Side.LIGHT, "A1-B1", "+A4", 60))
    assert at.service.snapshot.coached is not None


def test_the_better_move_has_an_arrow_until_the_next_throw(
    viewer: Viewer, table: ServedTable
) -> None:
    begin(table)
    viewer.open(table.url)
    expect(viewer.page.locator("#coach")).to_be_hidden()
    move_and_coach(table)
    coach = viewer.page.locator("#coach")
    expect(coach).to_contain_text("Ann, a better move is possible: A new piece to A4. (+60%)")
    expect(coach).to_contain_text(
        "To play the better move, put the piece back. To keep yours, just throw."
    )
    expect(viewer.page.locator(".ur-way")).to_have_count(1)
    expect(viewer.page.locator("#now")).to_have_text("Dark, throw the dice")
    table.table.submit(Answer(table.table.t, faces="----"))
    expect(coach).to_be_hidden()
    expect(viewer.page.locator(".ur-way")).to_have_count(0)


def test_nobody_is_asked_to_throw_where_the_program_does(
    viewer: Viewer, table: ServedTable
) -> None:
    begin(table, "program")
    viewer.open(table.url)
    move_and_coach(table)
    what = viewer.page.locator("#coach-what")
    expect(what).to_have_text(
        "To play the better move, put the piece back. To keep yours, let the program throw."
    )
    expect(viewer.page.locator("#now")).to_have_text("The program throws")


@pytest.mark.parametrize(("form", "scheme"), [("phone", "dark"), ("desk", "light")])
@pytest.mark.parametrize("engine_throws", ["dice", "program"])
def test_the_coach_does_not_move_the_board_and_leaves_the_headline(
    browser: Browser,
    table: ServedTable,
    form: str,
    scheme: str,
    engine_throws: EngineThrows,
    shots: Screenshots,
) -> None:
    begin(table, engine_throws)
    with open_viewer(browser, form, color_scheme=scheme) as viewer:
        viewer.open(table.url)
        viewer.wait_for_text("#now", "move a piece")
        before = viewer.page.evaluate(PLACE)
        move_and_coach(table)
        for language in ("en", *(one for one in languages() if one != "en")):
            table.desk.words = words_for(language)
            table.table.wait(2000)
            viewer.page.wait_for_selector(f"html[lang={language}]")
            viewer.page.wait_for_selector("#coach:not([hidden])")
            if language in {"en", "ru"}:
                name = f"coach-{form}-{scheme}-{engine_throws}-{language}.png"
                shots(viewer.page, name)
            found = viewer.page.evaluate(PLACE)
            if words_for(language).direction == "rtl":
                # The board is on the other side of the page.
                found[0] = before[0]
            assert found == before, language
            headline = viewer.page.locator("#now").bounding_box()
            assert headline is not None
            assert headline["height"] > 20, language
        assert violations(viewer.page) == []
