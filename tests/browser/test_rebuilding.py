"""A disturbed board on the page: what must stand where, ticked off as the pieces return."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.player_page import Screenshots
from tests.browser.served_table import ServedTable, Viewer, open_viewer
from urpi.referee.facts import Game, Occupancy
from urpi.rules import parse_position, parse_square, squares_of

PILES = "ravensburger A2:L,A7:L'L',B1:LD',B3:D,B7:D,C2:DDD L6D4 L0D0 L"
SWEPT = ("A2", "A7", "B1", "C2")
EXTRA = ("B5", "C8")


@pytest.fixture(params=["phone", "desk"])
def swept(request: pytest.FixtureRequest, browser: Browser, table: ServedTable) -> Iterator[Viewer]:
    """A viewer of a table that a sleeve has swept."""
    game = Game(table.table.t, "ravensburger", "Ann", "Bob", position=PILES)
    table.table.service.new_game(game)
    read(table, ())
    with open_viewer(browser, request.param) as viewer:
        viewer.open(table.url)
        read(table, (*SWEPT, *EXTRA))
        expect(viewer.page.locator(".rebuild")).to_have_count(3)
        yield viewer


def read(table: ServedTable, wrong: tuple[str, ...]) -> None:
    """Let the board show the position except on these squares."""
    changed = squares_of(map(parse_square, wrong))
    table.table.submit(Occupancy(table.table.t, parse_position(PILES).occupancy ^ changed))
    table.table.wait(6000)


def test_every_pile_is_listed_with_its_side_height_and_faces(
    swept: Viewer, shots: Screenshots
) -> None:
    rows = swept.page.locator(".rebuild")
    shots(swept.page, f"rebuilding-{swept.page.viewport_size['width']}.png")  # type: ignore[index]
    assert rows.all_inner_texts() == [
        "Light\nA2\nA7\u00d72",
        "Dark\nB1\u00d72\nC2\u00d73",
        "Empty\nB5\nC8",
    ]
    labels = [one.get_attribute("aria-label") for one in swept.page.locator(".rebuild svg").all()]
    assert labels == [
        "Light's piece",
        "Light's turned piece on top of Light",
        "Dark's turned piece on top of Light",
        "Dark's piece on top of Dark and Dark",
    ]
    assert swept.page.locator(".rebuild .ur-turned").count() == 3


def test_what_has_returned_is_ticked_off_until_all_is_right(
    swept: Viewer, table: ServedTable
) -> None:
    done = swept.page.locator(".rebuild .done")
    wrong = [*SWEPT, *EXTRA]
    for count, square in enumerate(("C2", "B5", "A7"), 1):
        wrong.remove(square)
        read(table, tuple(wrong))
        expect(done).to_have_count(count)
        expect(swept.page.locator(".ur-mark-fill, .ur-mark-clear")).to_have_count(len(wrong))
    read(table, ())
    expect(swept.page.locator("#warning")).to_be_hidden()


def test_the_list_fits_the_screen(swept: Viewer) -> None:
    sizes = swept.page.evaluate(
        "[document.documentElement.scrollWidth, innerWidth, innerHeight,"
        " document.querySelector('#board').getBoundingClientRect().bottom]"
    )
    assert sizes[0] <= sizes[1]
    assert sizes[3] <= sizes[2]
