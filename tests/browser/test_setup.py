"""The page to set up a position, and *Play from here* in a replay."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.player_page import demo, open_player_page
from tests.browser.served_table import ServedTable, Viewer, open_viewer, served_table

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
CAN_BEGIN = "A game can begin here:"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A virtual table without simulated players."""
    folder = tmp_path_factory.mktemp("running")
    with demo(folder, "--simulated", "none", "--seed", "3", "--speed", "8") as where:
        yield where


def set_up(viewer: Viewer, table: ServedTable, position: str = "") -> None:
    """Open the page, with a position if one is given, and wait until it can be used."""
    query = f"?position={quote(position)}" if position else ""
    viewer.open(f"{table.url}setup{query}", "#fields:enabled")
    wait_for_position(viewer, position)


def shown(viewer: Viewer) -> str:
    """Return the position that the page shows, as text."""
    return viewer.page.locator("#text").input_value()


def wait_for_position(viewer: Viewer, text: str) -> None:
    """Wait until the page shows a position, and its verdict."""
    viewer.until(lambda: text in shown(viewer) and viewer.text("#reason"), text)


def in_address(viewer: Viewer) -> str:
    """Return the position in the page's address."""
    return parse_qs(urlsplit(viewer.page.url).query).get("position", [""])[0]


def test_pieces_are_put_by_tapping_and_hands_and_homes_follow(
    viewer: Viewer, table: ServedTable
) -> None:
    table.new_game("finkel")
    set_up(viewer, table)
    viewer.square("B4").click()
    wait_for_position(viewer, "finkel B4:L L6D7 L0D0 L")
    viewer.square("B4").click()
    wait_for_position(viewer, "finkel B4:D L7D6 L0D0 L")
    viewer.square("A4").click()
    wait_for_position(viewer, "finkel A4:L,B4:D L6D6 L0D0 L")
    viewer.square("A4").click()
    wait_for_position(viewer, "finkel B4:D L7D6 L0D0 L")
    viewer.page.locator('.ur-tray[data-place="hand:light"]').click()
    wait_for_position(viewer, "finkel B4:D L6D6 L1D0 L")
    assert viewer.text("#hand-light") == "In hand: 6"
    viewer.page.get_by_role("button", name="Dark: one more at home").click()
    viewer.page.get_by_label("Dark", exact=True).check()
    wait_for_position(viewer, "finkel B4:D L6D5 L1D1 D")
    viewer.wait_for_text("#reason", f"{CAN_BEGIN} Dark throws.")
    counts = {"B4": 1, "hand:light": 6, "hand:dark": 5, "home:light": 1, "home:dark": 1}
    assert viewer.piece_counts() == counts
    viewer.until(lambda: in_address(viewer) == shown(viewer), "the position in the address")
    viewer.page.reload()
    wait_for_position(viewer, "finkel B4:D L6D5 L1D1 D")


def test_the_keyboard_sets_up_turned_pieces_and_piles(viewer: Viewer, table: ServedTable) -> None:
    table.new_game("skiryuk")
    set_up(viewer, table)
    viewer.square("B3").focus()
    for pieces in ("L", "L'", "D"):
        viewer.page.keyboard.press("Enter")
        wait_for_position(viewer, f"skiryuk B3:{pieces} ")
    for pieces in ("DD", "DDD"):
        viewer.page.get_by_role("button", name="One more", exact=True).press("Enter")
        wait_for_position(viewer, f"skiryuk B3:{pieces} ")
    viewer.square("B3").press("Enter")
    wait_for_position(viewer, "skiryuk B3:DDD' L7D4 L0D0 L")
    for _ in range(2):
        viewer.page.get_by_role("button", name="One more", exact=True).press("Enter")
    viewer.wait_for_text("#reason", "Most pieces like this on B3: 4.")
    expect(viewer.page.locator("#begin")).to_be_disabled()
    viewer.page.get_by_role("button", name="One fewer", exact=True).press("Enter")
    viewer.wait_for_text("#reason", CAN_BEGIN)
    assert viewer.square("B3").get_attribute("aria-label") == (
        "B3, four fives, Dark's turned piece on top of Dark, Dark, and Dark"
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("finkel - L0D7 L7D0 =", "Light has won in this position; the game is over."),
        ("finkel nonsense L7D7 L0D0 L", "A board must consist of SQUARE:PILE items"),
    ],
)
def test_a_position_from_which_no_game_can_begin_says_why(
    viewer: Viewer, table: ServedTable, text: str, reason: str
) -> None:
    table.new_game("finkel")
    set_up(viewer, table)
    viewer.page.get_by_text("More choices").click()
    viewer.page.locator("#text").fill(text)
    viewer.page.locator("#text").press("Tab")
    viewer.wait_for_text("#reason", reason)
    expect(viewer.page.locator("#begin")).to_be_disabled()
    viewer.page.locator("#clear").click()
    viewer.wait_for_text("#reason", CAN_BEGIN)
    viewer.errors.clear()  # the rejected request


def test_another_rule_set_keeps_the_pieces_that_it_can_have(
    viewer: Viewer, table: ServedTable
) -> None:
    table.new_game("finkel")
    set_up(viewer, table, "murray A2:L',B1:D,C1:D',C8:L L3D5 L2D0 D")
    viewer.page.locator("#rules").select_option("finkel")
    wait_for_position(viewer, "finkel B1:D L5D6 L2D0 D")
    viewer.page.get_by_text("More choices").click()
    viewer.page.locator("#options select[name=pieces]").select_option("3")
    wait_for_position(viewer, "finkel[pieces=3] B1:D L1D2 L2D0 D")
    viewer.wait_for_text("#reason", CAN_BEGIN)


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desk", "phone"])
def test_an_impatient_player_begins_one_game_from_a_step_of_a_replay(
    browser: Browser, url: str, options: dict[str, Any]
) -> None:
    player = open_player_page(browser, url, routes=True, **options)
    page = player.page
    player.begin_game("bell", seats={"light": "person", "dark": "person"}, first="light")
    player.throw_until_move()
    number = player.state["game"]
    page.goto(f"{url}games/{number}#1")
    expect(page.locator("#step")).to_contain_text("Step 1 of ")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/setup*", hold)
    page.locator("#play-here").click()
    # A tap before the page is ready has no effect, and two at once begin one game.
    player.until(lambda: held)
    page.locator("#begin").click(force=True)
    for route in held:
        route.continue_()
    page.unroute("**/api/setup*")
    expect(page.locator("#reason")).to_contain_text(CAN_BEGIN)
    page.locator('[data-square="B4"]').click()
    page.locator('[data-square="B4"]').click()
    expect(page.locator("#text")).to_have_value("bell B4:D L7D6 L0D0 L")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("#begin").dblclick()
    page.get_by_role("button", name="Yes").click()
    page.wait_for_url(url)
    player.until(lambda: player.state["phase"] == "throw")
    assert player.state["game"] == number + 1
    assert player.state["position"]["text"] == "bell B4:D L7D6 L0D0 L"
    player.until(lambda: player.state["fill"] == player.state["clear"] == [])
    # Play goes on from there, through every layer of the virtual table.
    assert player.throw_until_move()["side"] == "light"
    player.assert_no_errors()
    page.context.close()


def test_no_game_begins_from_the_end_of_one(viewer: Viewer, table: ServedTable) -> None:
    table.new_game("finkel")
    table.play(2000)
    assert table.table.over
    viewer.open(f"{table.url}games/1", ".ur-piece")
    expect(viewer.page.locator("#play-here")).to_be_visible()
    viewer.page.keyboard.press("End")
    expect(viewer.page.locator("#play-here")).to_be_hidden()


def test_beginning_a_game_requires_the_pin(browser: Browser, tmp_path: Path) -> None:
    with served_table(tmp_path, pin="314159") as table, open_viewer(browser) as viewer:
        table.new_game("finkel")
        set_up(viewer, table, "finkel B4:L,B7:D L6D5 L0D1 D")
        viewer.page.locator("#begin").click()
        viewer.page.get_by_role("button", name="Yes").click()
        viewer.page.locator("#pin-cancel").click()
        viewer.wait_for_text("#reason", "PIN")
        assert table.table.service.game == 1
        viewer.errors.clear()  # the request that required the PIN
