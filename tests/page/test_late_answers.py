"""A slow or failing network: what a person has entered stands, and what failed is told."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.page.at_table import AtTable, demo, open_game_dialog, sat_down
from tests.page.served import Served, Visitor, served, visitor

GAME = ("--rules", "bell", "--option", "pieces=3", "--first", "light", "--speed", "3")
PIN = "314159"
SILENT = "The table does not answer."
OTHER_HAND = "Somebody else holds it."

pytestmark = pytest.mark.timeout(150)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One table for all, with hands on both sides."""
    with demo(tmp_path_factory.mktemp("late"), *GAME, "--simulated", "none") as where:
        yield where


@pytest.fixture
def at(browser: Browser, url: str) -> Iterator[AtTable]:
    """Somebody at a new game that light begins."""
    at = sat_down(browser, url)
    at.begin_game("bell", first="light")
    yield at
    at.wrong = [error for error in at.wrong if "503" not in error]
    at.assert_nothing_went_wrong()
    at.page.context.close()


@contextmanager
def held(page: Page, path: str) -> Iterator[list[Route]]:
    """The page's requests for that, which wait until the test lets them go on."""
    routes: list[Route] = []
    page.route(f"**/api/{path}", lambda route: routes.append(route))  # noqa: PLW0108
    yield routes
    page.unroute(f"**/api/{path}")


def refuse(route: Route) -> None:
    route.fulfill(status=503, body="")


def is_told(at: AtTable, text: str) -> None:
    at.until(lambda: at.page.locator("#told").inner_text() == text)


def answered(page: Page, route: Route) -> None:
    """Let a request go on, and wait until the page has had its answer."""
    with page.expect_response(route.request.url):
        route.continue_()
    page.evaluate("new Promise(done => setTimeout(done))")


def test_what_was_not_lifted_is_not_put_and_takes_nothing_else_along(at: AtTable) -> None:
    lifts: list[Route] = []
    deeds: list[tuple[str, str]] = []

    def hear(route: Route) -> None:
        deed = route.request.post_data_json
        deeds.append((deed["do"], deed.get("piece") or deed.get("to") or ""))
        if deed["do"] == "lift" and not lifts:
            lifts.append(route)
        else:
            route.continue_()

    at.page.route("**/api/table/hand", hear)
    at.drag("L1", "B8")
    at.until(lambda: lifts)
    lifts[0].fulfill(status=409, json={"error": OTHER_HAND, "code": "impossible"})
    is_told(at, OTHER_HAND)
    at.drag("L2", "A3")
    at.lies("L2", "A3")

    assert [deed for deed in deeds if deed[0] == "put"] == [("put", "A3")]


def test_a_piece_is_put_down_once_however_often_enter_is_pressed(at: AtTable) -> None:
    at.page.locator('[data-square="A4"]').focus()
    at.page.locator('[data-row="hand:light"]').press("Enter")
    at.until(lambda: at.page.locator(".in-hand").count())
    at.walk("A3")
    with held(at.page, "table/hand") as deeds:
        at.press("Enter", "Enter", "Escape")
        at.until(lambda: deeds)
        puts = [one for one in deeds if one.request.post_data_json["do"] != "over"]
        for one in deeds:
            one.continue_()
    at.until(lambda: at.page.locator(".in-hand").count() == 0)

    assert len(puts) <= 1
    assert at.page.locator("#told").inner_text() == ""
    assert at.page.locator('.ur-pieces [data-place="A3"]').count() == 1


def test_who_plays_stays_as_chosen_while_the_table_has_not_heard_it(at: AtTable) -> None:
    light, dark = (at.page.locator(f'[data-player="{side}"]') for side in ("light", "dark"))
    with held(at.page, "table/players") as orders:
        dark.select_option("simulated")
        at.until(lambda: orders)
        light.focus()
        at.page.locator('[data-die="1"]').press("Enter")
        at.until(lambda: at.page.locator('.table-die-rolls[data-die="1"]').count())
        assert dark.input_value() == "simulated"
        answered(at.page, orders[0])
    assert dark.input_value() == "simulated"
    at.open()
    assert dark.input_value() == "simulated"
    assert at.post("table/players", {"light": "hands", "dark": "hands"}).ok
    at.until(lambda: dark.input_value() == "hands")


def test_who_plays_is_shown_as_it_is_when_the_table_has_refused(at: AtTable) -> None:
    dark = at.page.locator('[data-player="dark"]')
    at.page.route("**/api/table/players", refuse)
    dark.focus()
    dark.select_option("simulated")
    is_told(at, SILENT)
    assert dark.input_value() == "hands"


def test_a_die_that_is_chosen_for_a_mishap_stays_chosen(at: AtTable) -> None:
    at.page.locator(".mishaps summary").click()
    at.page.locator('[data-of="die"]').select_option("3")
    assert at.post("table/switch", {"square": "B6", "fault": "stuck-off"}).ok
    at.until(lambda: at.page.locator('[data-repair="B6"]').is_visible())
    assert at.page.locator('[data-of="die"]').input_value() == "3"
    assert at.post("table/switch", {"square": "B6", "fault": None}).ok
    at.until(lambda: at.page.locator('[data-repair="B6"]').count() == 0)


def test_a_die_stays_in_the_hand_while_another_one_rolls(at: AtTable) -> None:
    x, y = at.middle(at.page.locator('[data-die="2"]'))
    at.page.mouse.move(x, y)
    at.page.mouse.down()
    at.page.mouse.move(x + 60, y - 40, steps=3)
    assert at.post("table/throw", {"dice": [1]}).ok
    at.until(lambda: at.page.locator('.table-die-rolls[data-die="1"]').count())
    at.page.mouse.move(x + 120, y - 60, steps=3)
    at.page.mouse.up()
    at.until(lambda: set(at.state["dice"]["settled"]) == {"1", "2"})


def test_the_keyboard_stays_on_throw_while_the_dice_roll(at: AtTable) -> None:
    at.page.locator(".throw-all").press("Enter")
    at.until(lambda: at.page.locator(".table-die-rolls").count())
    at.until(lambda: at.state["throw"] and at.rests)
    assert at.page.evaluate("document.activeElement.className").split() == ["main", "throw-all"]


@pytest.mark.parametrize(
    ("button", "away", "press"),
    [("left", 0, ["short"]), ("left", 150, ["short"]), ("right", 0, [])],
)
def test_a_board_button_is_let_go_wherever_the_pointer_is_by_then(
    at: AtTable, button: Any, away: int, press: list[str]
) -> None:
    at.page.clock.install()
    presses: list[str] = []
    at.page.on(
        "request",
        lambda one: one.url.endswith("button") and presses.append(one.post_data_json["press"]),
    )
    push = at.page.locator('[data-button="dark"]')
    push.scroll_into_view_if_needed()
    x, y = at.middle(push)
    at.page.mouse.move(x, y)
    at.page.mouse.down(button=button)
    at.page.mouse.move(x - away, y + away)
    at.page.mouse.up(button=button)
    at.page.clock.fast_forward(5000)
    at.page.evaluate("null")
    assert presses == press


def test_a_dialog_that_was_opened_anew_is_not_closed_by_an_old_answer(at: AtTable) -> None:
    with held(at.page, "answer") as orders:
        open_game_dialog(at.page)
        at.page.get_by_role("button", name="Enter", exact=True).click()
        at.until(lambda: orders)
        at.page.locator("#run .close").click()
        open_game_dialog(at.page)
        at.page.get_by_label("Light's name").fill("Ike")
        answered(at.page, orders[0])
    at.until_phase("move")
    assert at.page.locator("#run").is_visible()
    assert at.page.get_by_label("Light's name").input_value() == "Ike"


def test_what_fails_when_its_dialog_is_closed_is_told_on_the_page(at: AtTable) -> None:
    with held(at.page, "answer") as orders:
        open_game_dialog(at.page)
        at.page.get_by_role("button", name="Take the last move back").click()
        at.until(lambda: orders)
        at.page.locator("#run .close").click()
        refuse(orders[0])
        is_told(at, SILENT)


def test_a_setting_that_was_chosen_since_is_not_taken_back(at: AtTable) -> None:
    page = at.page
    with held(page, "settings") as orders:
        page.get_by_role("button", name="Game", exact=True).click()
        at.until(lambda: orders)
        orders.pop().continue_()
        page.wait_for_selector("#set-language:enabled")
        page.locator("#set-language").select_option("fr")
        page.locator("#set-language").select_option("hu")
        at.until(lambda: orders)
        refuse(orders[0])
        at.until(lambda: len(orders) == 2)
        assert page.locator("#set-language").input_value() == "hu"
        refuse(orders[1])
        at.until(lambda: page.locator("#set-language").input_value() == "en")


def test_an_answer_that_does_not_arrive_is_told(at: AtTable) -> None:
    at.begin_game("freecompany")
    at.page.route("**/api/answer", refuse)
    at.page.locator('#question [data-value="dark"]').click()
    is_told(at, SILENT)


def test_after_another_language_is_chosen_all_is_said_in_it(at: AtTable) -> None:
    page = at.page
    at.page.locator(".mishaps summary").click()
    page.get_by_role("button", name="Show the moves").click()
    assert at.post("table/switch", {"square": "B6", "fault": "stuck-off"}).ok
    at.until(lambda: page.locator('[data-repair="B6"]').is_visible())
    at.until(lambda: "The board is set up." in page.locator("#happened-list").inner_text())
    open_game_dialog(page)
    page.get_by_label("Light's name").fill("Ike")
    page.locator("#new-rules").select_option("murray")
    english = {
        place: page.locator(place).inner_text()
        for place in ('[data-repair="B6"]', "#moves-list", "#happened-list", "#new-options")
    }
    page.locator("#set-language").select_option("hu")
    for place, text in english.items():
        first = text.splitlines()[0]
        at.until(lambda p=place, f=first: f not in page.locator(p).inner_text())
    assert page.locator("#happened-list li").count() > 1
    assert "opponent" not in page.locator("#new-options").inner_text()
    assert page.locator("#new-light").input_value() == "Ike"
    assert page.locator("#new-rules").input_value() == "murray"
    assert at.post("settings", {"language": "en"}).ok
    assert at.post("table/switch", {"square": "B6", "fault": None}).ok
    at.until(lambda: page.locator('[data-repair="B6"]').count() == 0)


def test_a_page_whose_board_does_not_come_says_so_and_asks_again(
    browser: Browser, tmp_path: Path
) -> None:
    with served(tmp_path) as table, visitor(browser) as guest:
        table.new_game()
        guest.page.route("**/api/board.svg", refuse)
        guest.page.goto(table.url)
        guest.reads("#connection", "Not connected")
        guest.page.unroute("**/api/board.svg")
        guest.reads("#name-light", "Ann")
        guest.until(lambda: not guest.text("#connection"), "it is connected")
        guest.wrong.clear()


def test_words_that_do_not_come_keep_nothing_from_being_shown(
    guest: Visitor, table: Served
) -> None:
    table.new_game()
    guest.page.route("**/api/words**", lambda route: route.abort())
    guest.see(table.url)
    guest.reads("#name-light", "Ann")


def test_an_own_language_that_is_refused_is_told(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as table, visitor(browser, locale="hu-HU") as guest:
        table.new_game()
        guest.see(table.url)
        guest.page.route("**/api/settings", refuse)
        guest.page.get_by_role("button", name="magyar", exact=True).click()
        guest.reads("#told", SILENT)
        guest.wrong.clear()


def test_two_orders_ask_for_the_pin_once_and_both_are_carried_out(
    browser: Browser, tmp_path: Path
) -> None:
    with served(tmp_path, pin=PIN) as table, visitor(browser) as guest:
        table.new_game()
        guest.see(table.url)
        guest.reads("#name-light", "Ann")
        open_game_dialog(guest.page)
        with held(guest.page, "session/ask") as asks:
            guest.page.locator("#set-language").select_option("hu")
            guest.until(lambda: asks, "the first order asks")
            with guest.page.expect_response("**/api/answer"):
                guest.page.get_by_role("button", name="Enter", exact=True).click()
            for ask in asks:
                ask.continue_()
            guest.until(lambda: guest.page.locator("#pin").is_visible(), "the PIN's dialog")
        guest.page.locator("#pin-digits").fill(PIN)
        with guest.page.expect_response(
            lambda answer: answer.url.endswith("/answer") and answer.status != 401
        ):
            guest.page.get_by_role("button", name="Go on").click()
        guest.until(lambda: table.desk.words.language == "hu", "the other is carried out")
        assert len(asks) == 1
        # The test's hands are those of another thread, and so it is refused.
        guest.until(lambda: any("409" in told for told in guest.wrong), "the browser's own word")
        guest.wrong.clear()


def test_a_pin_dialog_that_is_left_by_escape_allows_nothing(
    browser: Browser, tmp_path: Path
) -> None:
    with served(tmp_path, pin=PIN) as table, visitor(browser) as guest:
        table.new_game()
        guest.see(table.url)
        orders: list[str] = []
        guest.page.on(
            "request",
            lambda one: one.method == "POST" and orders.append(one.url.rsplit("/", 1)[1]),
        )
        open_game_dialog(guest.page)
        guest.page.locator("#set-language").select_option("fr")
        guest.page.locator("#pin-digits").fill(PIN)
        guest.page.get_by_role("button", name="Go on").click()
        guest.until(lambda: table.desk.words.language == "fr", "the PIN was right")
        guest.context.clear_cookies()
        orders.clear()
        guest.page.locator("#set-language").select_option("hu")
        guest.until(lambda: guest.page.locator("#pin").is_visible(), "the PIN's dialog")
        guest.page.keyboard.press("Escape")
        guest.until(
            lambda: guest.page.locator("#set-language").input_value() == "fr", "it is as before"
        )
        assert orders == ["settings", "ask"]
        guest.wrong.clear()
