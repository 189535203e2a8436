"""A slow or failing network: input is kept, and errors are shown."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from playwright.sync_api import Error as PlaywrightError

from tests.browser.player_page import (
    PlayerPage,
    demo,
    open_acts,
    open_game_dialog,
    open_player_page,
    open_settings,
    prepare_routes,
)
from tests.browser.served_table import ServedTable, Viewer, open_viewer, served_table

GAME = ("--rules", "bell", "--option", "pieces=3", "--first", "light", "--speed", "3")
PIN = "314159"
NO_RESPONSE = "The table does not respond."
HELD_BY_OTHER = "Somebody else holds it."
HAS_ROLLED = ".table-die-rolls, .die-landed"
"""Dice that roll, or that have been redrawn after it."""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A table for all tests, without simulated players."""
    with demo(tmp_path_factory.mktemp("late"), *GAME, "--simulated", "none") as where:
        yield where


@pytest.fixture
def player(browser: Browser, url: str) -> Iterator[PlayerPage]:
    """A player in a new game in which light throws first."""
    player = open_player_page(browser, url, routes=True)
    player.reset_table()
    player.begin_game("bell", first="light")
    yield player
    player.errors = [error for error in player.errors if "503" not in error]
    player.assert_no_errors()
    player.page.context.close()


@contextmanager
def held(page: Page, path: str) -> Iterator[list[Route]]:
    """Hold back the page's requests for a path until the test continues them, or the block ends."""
    routes: list[Route] = []
    page.route(f"**/api/{path}", lambda route: routes.append(route))  # noqa: PLW0108
    yield routes
    page.unroute(f"**/api/{path}")
    for route in routes:
        with suppress(PlaywrightError):  # it is handled already
            route.continue_()


def fail(route: Route) -> None:
    route.fulfill(status=503, body="")


def wait_for_error(player: PlayerPage, text: str) -> None:
    player.until(lambda: player.page.locator("#error").inner_text() == text)


def let_through(page: Page, route: Route) -> None:
    """Continue a request, and wait until the page has received the response."""
    with page.expect_response(route.request.url):
        route.continue_()
    page.evaluate("new Promise(done => setTimeout(done))")


def test_a_rejected_lift_is_not_followed_by_a_put(player: PlayerPage) -> None:
    lifts: list[Route] = []
    actions: list[tuple[str, str]] = []

    def record(route: Route) -> None:
        action = route.request.post_data_json
        actions.append((action["do"], action.get("piece") or action.get("to") or ""))
        if action["do"] == "lift" and not lifts:
            lifts.append(route)
        else:
            route.continue_()

    player.page.route("**/api/table/hand", record)
    player.drag("L1", "B8")
    player.until(lambda: lifts)
    lifts[0].fulfill(status=409, json={"error": HELD_BY_OTHER, "code": "impossible"})
    wait_for_error(player, HELD_BY_OTHER)
    player.drag("L2", "A3")
    player.wait_for_place("L2", "A3")

    assert [action for action in actions if action[0] == "put"] == [("put", "A3")]


def test_pressing_enter_repeatedly_puts_a_piece_down_once(player: PlayerPage) -> None:
    player.page.locator('[data-square="A4"]').focus()
    player.page.locator('[data-row="hand:light"]').press("Enter")
    player.until(lambda: player.page.locator(".in-hand").count())
    player.walk("A3")
    puts: list[Route] = []

    def hold_first_put(route: Route) -> None:
        if route.request.post_data_json["do"] in {"put", "back"}:
            puts.append(route)
        if puts[:1] != [route]:
            route.continue_()

    player.page.route("**/api/table/hand", hold_first_put)
    player.press("Enter", "Enter", "Escape")
    player.until(lambda: puts)
    player.press("Enter", "Escape")
    puts[0].continue_()
    player.until(lambda: player.page.locator(".in-hand").count() == 0)
    player.until(lambda: player.page.locator('.ur-pieces [data-place="A3"]').count() == 1)

    assert [one.request.post_data_json["do"] for one in puts] == ["put"]
    assert player.page.locator("#error").inner_text() == ""


def test_the_selected_player_is_kept_until_the_table_responds(player: PlayerPage) -> None:
    light, dark = (player.page.locator(f'[data-player="{side}"]') for side in ("light", "dark"))
    with held(player.page, "table/players") as orders:
        dark.select_option("simulated")
        player.until(lambda: orders)
        light.focus()
        player.page.locator('[data-die="1"]').press("Enter")
        player.page.wait_for_selector(HAS_ROLLED)
        assert dark.input_value() == "simulated"
        let_through(player.page, orders[0])
    assert dark.input_value() == "simulated"
    player.open()
    player.until(lambda: dark.input_value() == "simulated")
    assert player.post("table/players", {"light": "hands", "dark": "hands"}).ok
    player.until(lambda: dark.input_value() == "hands")


def test_the_selected_player_is_reset_if_the_table_rejects_it(player: PlayerPage) -> None:
    dark = player.page.locator('[data-player="dark"]')
    player.page.route("**/api/table/players", fail)
    dark.focus()
    dark.select_option("simulated")
    wait_for_error(player, NO_RESPONSE)
    assert dark.input_value() == "hands"


def test_the_die_selected_for_a_mishap_is_kept(player: PlayerPage) -> None:
    player.page.locator(".mishaps summary").click()
    player.page.locator('[data-of="die"]').select_option("3")
    assert player.post("table/switch", {"square": "B6", "fault": "stuck-off"}).ok
    player.until(lambda: player.page.locator('[data-repair="B6"]').is_visible())
    assert player.page.locator('[data-of="die"]').input_value() == "3"
    assert player.post("table/switch", {"square": "B6", "fault": None}).ok
    player.until(lambda: player.page.locator('[data-repair="B6"]').count() == 0)


def test_a_held_die_is_kept_while_another_one_rolls(player: PlayerPage) -> None:
    x, y = player.centre(player.page.locator('[data-die="2"]'))
    player.page.mouse.move(x, y)
    player.page.mouse.down()
    player.page.mouse.move(x + 60, y - 40, steps=3)
    assert player.post("table/throw", {"dice": [1]}).ok
    player.page.wait_for_selector(HAS_ROLLED)
    player.page.mouse.move(x + 120, y - 60, steps=3)
    player.page.mouse.up()
    player.until(lambda: set(player.state["dice"]["settled"]) == {"1", "2"})


def test_the_throw_button_keeps_the_focus_while_the_dice_roll(player: PlayerPage) -> None:
    player.page.locator(".throw-all").press("Enter")
    player.page.wait_for_selector(HAS_ROLLED)
    player.until(lambda: player.state["throw"] and player.dice_at_rest)
    # The button is gone until the next throw; its place keeps the focus for it.
    assert player.page.evaluate("document.activeElement.matches('#act, .throw-all')")


@pytest.mark.parametrize(
    ("button", "away", "press"),
    [("left", 0, ["short"]), ("left", 150, ["short"]), ("right", 0, [])],
)
def test_a_board_button_is_released_wherever_the_pointer_is(
    player: PlayerPage, button: Any, away: int, press: list[str]
) -> None:
    presses: list[str] = []
    player.page.on(
        "request",
        lambda one: one.url.endswith("button") and presses.append(one.post_data_json["press"]),
    )
    push = player.page.locator('[data-button="dark"]')
    push.scroll_into_view_if_needed()
    x, y = player.centre(push)
    # The clock stands still, so that a slow release is no long press.
    player.page.clock.install()
    player.page.clock.pause_at(player.page.evaluate("Date.now()") / 1000 + 10)
    player.page.mouse.move(x, y)
    player.page.mouse.down(button=button)
    player.page.mouse.move(x - away, y + away)
    player.page.mouse.up(button=button)
    player.page.clock.fast_forward(5000)
    player.until(lambda: len(presses) >= len(press))
    player.page.evaluate("null")
    assert presses == press


def test_a_late_response_does_not_close_a_dialog_that_was_opened_again(player: PlayerPage) -> None:
    number = player.state["game"]
    with held(player.page, "new-game") as orders:
        open_game_dialog(player.page)
        player.page.get_by_role("button", name="Begin", exact=True).click()
        player.page.get_by_role("button", name="Yes").click()
        player.until(lambda: orders)
        player.page.locator("#game-dialog .close").click()
        open_game_dialog(player.page)
        player.page.get_by_label("Light's name").fill("Ike")
        let_through(player.page, orders[0])
    player.until(lambda: player.state["game"] == number + 1)
    expect(player.page.locator("#game-dialog")).to_be_visible()
    assert player.page.get_by_label("Light's name").input_value() == "Ike"
    player.page.locator("#game-dialog .close").click()


def test_an_error_is_shown_on_the_page_if_its_dialog_is_closed(player: PlayerPage) -> None:
    with held(player.page, "answer") as orders:
        open_acts(player.page)
        player.page.get_by_role("button", name="Enter", exact=True).click()
        player.until(lambda: orders)
        player.page.locator("#acts-dialog .close").click()
        fail(orders[0])
        wait_for_error(player, NO_RESPONSE)


def test_a_failed_setting_does_not_reset_a_later_selection(player: PlayerPage) -> None:
    page = player.page
    with held(page, "settings") as orders:
        page.locator("#view-button").click()
        page.locator("#table-settings").click()
        player.until(lambda: orders)
        orders.pop().continue_()
        page.wait_for_selector("#set-language:enabled")
        page.locator("#set-language").select_option("fr")
        page.locator("#set-language").select_option("hu")
        player.until(lambda: orders)
        fail(orders[0])
        player.until(lambda: len(orders) == 2)
        assert page.locator("#set-language").input_value() == "hu"
        fail(orders[1])
        player.until(lambda: page.locator("#set-language").input_value() == "en")


def test_a_script_that_does_not_arrive_is_not_requested_at_every_move_of_the_mouse(
    player: PlayerPage,
) -> None:
    requests: list[Route] = []

    def refuse(route: Route) -> None:
        requests.append(route)
        route.abort()

    player.page.route("**/square_notes.js", refuse)
    player.place("A1").hover()
    player.until(lambda: requests)
    for square in ("A2", "A3", "A4", "B1", "B2", "B3", "B4"):
        player.place(square).hover()
    # What the page requests afterwards arrives after all of that.
    player.page.evaluate("fetch('/api/state').then((answer) => answer.text())")
    assert len(requests) == 1
    player.errors.clear()  # the aborted request


def test_an_answer_that_cannot_be_sent_is_shown_as_an_error(player: PlayerPage) -> None:
    player.begin_game("freecompany")
    player.page.route("**/api/answer", fail)
    player.page.locator('#question [data-value="dark"]').click()
    wait_for_error(player, NO_RESPONSE)


def test_a_change_of_language_translates_everything_and_keeps_input(player: PlayerPage) -> None:
    page = player.page
    player.page.locator(".mishaps summary").click()
    page.get_by_role("button", name="Moves").click()
    assert player.post("table/switch", {"square": "B6", "fault": "stuck-off"}).ok
    player.until(lambda: page.locator('[data-repair="B6"]').is_visible())
    player.until(lambda: "The board is set up." in page.locator("#log-list").inner_text())
    open_game_dialog(page, more=True)
    page.get_by_label("Light's name").fill("Ike")
    page.locator("#new-rules").select_option("murray")
    english = {
        place: page.locator(place).inner_text()
        for place in ('[data-repair="B6"]', "#moves-list", "#log-list", "#new-house")
    }
    assert player.post("settings", {"language": "hu"}).ok
    for place, text in english.items():
        first = text.splitlines()[0]
        player.until(lambda p=place, f=first: f not in page.locator(p).inner_text())
    player.until(lambda: page.locator("#log-list li").count() > 1)
    assert "opponent" not in page.locator("#new-house").inner_text()
    assert page.locator("#new-light").input_value() == "Ike"
    assert page.locator("#new-rules").input_value() == "murray"
    assert player.post("settings", {"language": "en"}).ok
    assert player.post("table/switch", {"square": "B6", "fault": None}).ok
    player.until(lambda: page.locator('[data-repair="B6"]').count() == 0)


def test_the_page_works_without_translations(viewer: Viewer, table: ServedTable) -> None:
    table.new_game()
    viewer.page.route("**/api/words**", lambda route: route.abort())
    viewer.open(table.url)
    viewer.wait_for_text("#name-light", "Ann")


def test_two_requests_open_one_pin_dialog_and_are_both_sent_again(
    browser: Browser, tmp_path: Path
) -> None:
    with served_table(tmp_path, pin=PIN) as table, open_viewer(browser) as viewer:
        table.new_game()
        prepare_routes(viewer.context)
        viewer.open(table.url)
        viewer.wait_for_text("#name-light", "Ann")
        open_settings(viewer.page)
        with held(viewer.page, "session/ask") as asks:
            viewer.page.locator("#set-language").select_option("hu")
            viewer.until(lambda: asks, "the request for the PIN")
            viewer.page.locator("#settings-dialog .close").click()
            open_game_dialog(viewer.page)
            with viewer.page.expect_response("**/api/new-game"):
                viewer.page.locator("#new-begin").click()
                viewer.page.get_by_role("button", name="Yes").click()
            for ask in asks:
                ask.continue_()
            viewer.until(lambda: viewer.page.locator("#pin").is_visible(), "the PIN's dialog")
        viewer.page.locator("#pin-digits").fill(PIN)
        with viewer.page.expect_response(
            lambda answer: answer.url.endswith("/new-game") and answer.status != 401
        ):
            viewer.page.get_by_role("button", name="Go on").click()
        viewer.until(lambda: table.desk.words.language == "hu", "the change of language")
        assert len(asks) == 1
        # The service belongs to the test's thread, so the answer is rejected with 409.
        viewer.until(
            lambda: any("409" in error for error in viewer.errors), "the error in the browser"
        )
        viewer.errors.clear()


def test_leaving_the_pin_dialog_with_escape_sends_nothing(browser: Browser, tmp_path: Path) -> None:
    with served_table(tmp_path, pin=PIN) as table, open_viewer(browser) as viewer:
        table.new_game()
        viewer.open(table.url)
        orders: list[str] = []
        viewer.page.on(
            "request",
            lambda one: one.method == "POST" and orders.append(one.url.rsplit("/", 1)[1]),
        )
        open_settings(viewer.page)
        viewer.page.locator("#set-language").select_option("fr")
        viewer.page.locator("#pin-digits").fill(PIN)
        viewer.page.get_by_role("button", name="Go on").click()
        viewer.until(lambda: table.desk.words.language == "fr", "the change of language")
        viewer.page.wait_for_selector("html[lang=fr]", state="attached")
        viewer.context.clear_cookies()
        orders.clear()
        viewer.page.locator("#set-language").select_option("hu")
        viewer.until(lambda: viewer.page.locator("#pin").is_visible(), "the PIN's dialog")
        viewer.page.keyboard.press("Escape")
        viewer.until(
            lambda: viewer.page.locator("#set-language").input_value() == "fr",
            "the previous language",
        )
        assert orders == ["settings", "ask"]
        viewer.errors.clear()
