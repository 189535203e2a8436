"""The game dialog: new games, settings, ends of games, entered throws; and the PIN."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.player_page import (
    POLL_MS,
    PlayerPage,
    demo,
    open_acts,
    open_game_dialog,
    open_player_page,
    open_settings,
)
from tests.browser.served_table import ServedTable, Viewer, open_viewer, served_table
from urpi.rules import RULE_SETS

PIN, WRONG = "314159", "271828"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A demo without simulated players for all tests."""
    folder = tmp_path_factory.mktemp("running")
    with demo(folder, "--simulated", "none", "--seed", "3", "--speed", "4") as where:
        yield where


@pytest.fixture
def player(browser: Browser, url: str) -> Iterator[PlayerPage]:
    """A player whose page has no open dialog."""
    player = open_player_page(browser, url, routes=True)
    yield player
    player.assert_no_errors()
    player.page.context.close()


def begin(player: PlayerPage, rules: str, light: str, dark: str) -> None:
    page = player.page
    open_game_dialog(page)
    page.locator("#new-rules").select_option(rules)
    page.get_by_label("Light's name").fill(light)
    page.get_by_label("Dark's name").fill(dark)
    # The page asks for a confirmation while it offers actions in a game.
    running = page.locator("#acts").is_visible()
    page.get_by_role("button", name="Begin", exact=True).click()
    if running:
        page.get_by_role("button", name="Yes").click()
    player.until(lambda: player.state["players"] == {"light": light, "dark": dark})
    player.until(lambda: light in page.locator("#name-light").inner_text())


def test_a_new_game_has_the_selected_options(player: PlayerPage) -> None:
    open_game_dialog(player.page)
    player.page.locator("#new-rules").select_option("murray")
    player.page.locator('[name="pieces"]').select_option("3")
    player.page.locator("#game-dialog .close").click()
    begin(player, "murray", "Ann", "Bob")
    assert player.state["rules"]["id"] == "murray"
    player.until(lambda: not player.page.locator("#game-dialog").is_visible())


def test_each_browser_offers_the_names_that_were_given_in_it(
    player: PlayerPage, browser: Browser, url: str
) -> None:
    def offered(one: PlayerPage) -> list[str]:
        open_game_dialog(one.page)
        names = [one.page.locator(f"#new-{side}").input_value() for side in ("light", "dark")]
        one.page.locator("#game-dialog .close").click()
        return names

    begin(player, "finkel", "Anna", "Šárka")
    other = open_player_page(browser, url, routes=True)
    assert offered(other) == ["Anna", "Šárka"], "without own names, those of the last game"
    begin(other, "finkel", "Bo", "李小龍")
    player.until(lambda: player.page.locator("#name-light").inner_text() == "Bo")
    assert offered(player) == ["Anna", "Šárka"]
    other.until(lambda: other.state["players"]["light"] == "Bo")
    assert offered(other) == ["Bo", "李小龍"]
    # The same people with swapped sides.
    player.begin_game("finkel", light="Šárka", dark="Anna")
    player.until(lambda: player.page.locator("#name-light").inner_text() == "Šárka")
    assert offered(player) == ["Šárka", "Anna"]
    other.page.context.close()


def test_the_dialog_offers_every_rule_set_with_its_options(player: PlayerPage) -> None:
    open_game_dialog(player.page)
    values = "fields => fields.map(field => field.value)"
    rules = player.page.locator("#new-rules option").evaluate_all(values)
    player.page.locator("#new-rules").select_option("blitz")
    pieces = player.page.locator('[name="pieces"] option').evaluate_all(values)
    player.page.locator("#game-dialog .close").click()
    assert rules == list(RULE_SETS)
    assert pieces == ["5", "3"]


@pytest.mark.parametrize(("width", "height"), [(390, 664), (1024, 600), (1920, 1080)])
def test_begin_is_in_the_window_and_covers_no_field_with_the_focus(
    player: PlayerPage, width: int, height: int
) -> None:
    page = player.page
    page.set_viewport_size({"width": width, "height": height})
    open_game_dialog(page)
    page.locator("#new-rules").select_option("masters")
    # The description of the rules moves the fields when it arrives.
    expect(page.locator("#new-about")).to_contain_text("Like Bell")
    assert page.evaluate(AT_BEGIN) == "new-begin"
    page.locator("#new-rules").focus()
    focus = page.locator(":focus")
    while focus.get_attribute("id") != "new-begin":
        assert focus.evaluate(IS_FREE), focus.evaluate("one => one.outerHTML")
        player.press("Tab")
    page.locator("#game-dialog .close").click()


AT_BEGIN = """() => {
  const { left, top, width, height } = document.querySelector("#new-begin").getBoundingClientRect();
  return document.elementFromPoint(left + width / 2, top + height - 2)?.id;
}"""
"""Returns the id of the element that is seen at the lower end of the button."""

IS_FREE = """(one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  const middle = (left + right) / 2;
  return [top + 3, bottom - 3].every((y) => document.elementFromPoint(middle, y) === one);
}"""
"""Returns whether an element is seen from its upper to its lower end."""


def test_changing_the_language_in_the_dialog_translates_it_and_keeps_the_input(
    player: PlayerPage,
) -> None:
    page = player.page
    open_game_dialog(page, more=True)
    page.locator("#new-dark-seat").select_option("engine:hard")
    page.locator("#new-light-coach").select_option("bad")
    page.locator("#new-throws").select_option("program")
    shown = "fields => fields.map(field => field.selectedOptions[0].textContent)"
    fields = page.locator("#new-dark-seat, #new-throws, #new-light-coach, #new-dark-coach")
    english = fields.evaluate_all(shown)
    assert player.post("settings", {"language": "ru"}).ok
    try:
        russian = [
            "бот, сильный",
            "Программа бросает",
            "Ошибки (4\N{NO-BREAK SPACE}%)",
            "Без тренера",
        ]
        player.until(lambda: fields.evaluate_all(shown) == russian)
    finally:
        assert player.post("settings", {"language": "en"}).ok
    player.until(lambda: fields.evaluate_all(shown) == english)


def test_the_fields_are_disabled_until_the_server_responds(player: PlayerPage) -> None:
    held: list[Route] = []
    player.page.route("**/api/rulesets", lambda route: held.append(route))  # noqa: PLW0108
    player.page.locator("#game-button").click()
    player.until(lambda: held)
    assert player.page.locator("#new-rules").is_disabled()
    assert player.page.get_by_label("Light's name").is_disabled()
    player.page.locator("#game-dialog .close").click()
    player.page.locator("#game-button").click()
    player.until(lambda: len(held) == 2)
    held[1].continue_()
    player.page.get_by_label("Light's name").fill("Ike")
    held[0].continue_()
    player.page.wait_for_timeout(10 * POLL_MS)
    assert player.page.get_by_label("Light's name").input_value() == "Ike"
    player.page.unroute("**/api/rulesets")
    player.page.locator("#game-dialog .close").click()


def test_the_dialog_shows_that_the_server_does_not_respond(player: PlayerPage) -> None:
    player.page.route("**/api/rulesets", lambda route: route.fulfill(status=503, body=""))
    player.page.locator("#game-button").click()
    player.until(
        lambda: player.page.locator("#game-error").inner_text() == "The table does not respond."
    )
    assert player.page.locator("#new-begin").is_disabled()
    player.page.unroute("**/api/rulesets")
    player.page.locator("#game-dialog .close").click()
    player.errors.clear()


def test_pressing_begin_twice_begins_one_game(player: PlayerPage) -> None:
    begin(player, "bell", "Jim", "Kay")
    requests: list[Route] = []
    player.page.route("**/api/new-game", lambda route: requests.append(route))  # noqa: PLW0108
    open_game_dialog(player.page)
    player.page.get_by_label("Light's name").fill("Lou")
    player.page.get_by_role("button", name="Begin", exact=True).click()
    player.page.get_by_role("button", name="Yes").click()
    player.until(lambda: requests)
    player.page.get_by_role("button", name="Begin", exact=True).click()
    expect(player.page.locator("#confirm")).to_be_hidden()
    requests[0].continue_()
    player.until(lambda: player.state["players"] == {"light": "Lou", "dark": "Kay"})
    assert len(requests) == 1
    player.page.unroute("**/api/new-game")


def test_a_throw_can_be_entered_instead_of_thrown(player: PlayerPage) -> None:
    begin(player, "bell", "Cid", "Dot")
    player.until_phase("throw")
    open_acts(player.page)
    for select in player.page.locator("#enter-dice select").all():
        select.select_option("g")
    player.page.get_by_role("button", name="Enter", exact=True).click()
    assert player.until_phase("move")["throw"] == {"faces": "ggg", "value": 3}


def test_giving_up_requires_a_confirmation(player: PlayerPage) -> None:
    begin(player, "bell", "Eve", "Fay")
    player.until_phase("throw", "move")
    open_acts(player.page)
    player.page.get_by_role("button", name="Light gives up").click()
    player.page.get_by_role("button", name="No", exact=True).click()
    assert player.state["outcome"] is None
    player.page.get_by_role("button", name="Light gives up").click()
    player.page.get_by_role("button", name="Yes").click()
    assert player.until_phase("over")["outcome"]["side"] == "dark"
    player.until(lambda: "Fay has won" in player.page.locator("#now").inner_text())


def test_a_rejected_request_is_shown_in_the_dialog(player: PlayerPage) -> None:
    begin(player, "bell", "Gil", "Hal")
    player.until_phase("throw", "move")
    rejected = {"error": "There is no throw to enter.", "code": "conflict"}
    player.page.route("**/api/answer", lambda route: route.fulfill(status=409, json=rejected))
    open_acts(player.page)
    player.page.get_by_role("button", name="Enter", exact=True).click()
    player.until(lambda: player.page.locator("#acts-error").inner_text() == rejected["error"])
    player.page.unroute("**/api/answer")
    player.errors.clear()
    player.page.locator("#acts-dialog .close").click()


def test_each_browser_has_its_own_language(browser: Browser, tmp_path: Path) -> None:
    with (
        # With a PIN: a spectator, too, reads the own language.
        served_table(tmp_path, pin=PIN) as table,
        open_viewer(browser, locale="hu-HU") as viewer,
        open_viewer(browser) as other,
    ):
        table.new_game()
        other.open(table.url)
        viewer.open(table.url)
        offer = viewer.page.get_by_role("button", name="magyar", exact=True)
        offer.click()
        viewer.page.wait_for_selector("html[lang=hu]", state="attached")
        expect(offer).to_be_hidden()
        table.play(1)
        logs = []
        for page in (viewer, other):
            page.wait_for_log(table)
            logs.append(set(page.page.locator("#log-list li").all_inner_texts()))
        assert not logs[0] & logs[1]
        # The table's own language is another matter, and the other pages are in the browser's.
        assert table.desk.words.language == "en"
        viewer.open(f"{table.url}games", "html[lang=hu]")
        viewer.open(table.url, "html[lang=hu]")
        viewer.page.locator("#view-button").click()
        viewer.page.locator("#view-language").select_option("")
        viewer.page.wait_for_selector("html[lang=en]", state="attached")
        expect(offer).to_be_visible()


def test_acting_requires_the_pin_and_a_wrong_one_is_rejected(
    browser: Browser, tmp_path: Path
) -> None:
    with served_table(tmp_path, pin=PIN) as table, open_viewer(browser) as viewer:
        table.new_game()
        viewer.open(table.url)
        viewer.until(lambda: "Ann" in viewer.text("#name-light"), "the game, which requires no PIN")
        open_settings(viewer.page)
        language = viewer.page.locator("#set-language option").last.get_attribute("value")
        viewer.page.locator("#set-language").select_option(language)
        viewer.until(lambda: viewer.page.locator("#pin-digits").is_visible(), "the PIN's dialog")
        assert table.desk.pins_shown[0][0] == PIN
        enter(viewer, WRONG)
        viewer.wait_for_text("#pin-wrong", "not the PIN")
        # The wrong one is selected, so that the next one replaces it.
        viewer.page.keyboard.type(PIN)
        viewer.page.keyboard.press("Enter")
        viewer.until(lambda: not viewer.page.locator("#pin").is_visible(), "the PIN to be accepted")
        viewer.until(lambda: table.desk.words.language == language, "the change of language")
        rejected = [line for line in viewer.errors if "401" in line or "403" in line]
        assert viewer.errors == rejected
        viewer.errors.clear()


def test_a_new_pin_is_begun_in_the_settings_and_shown_on_the_display(
    browser: Browser, tmp_path: Path
) -> None:
    with served_table(tmp_path, pin=PIN) as table, open_viewer(browser) as viewer:
        table.new_game()
        viewer.open(table.url)
        open_settings(viewer.page)
        viewer.page.locator("#new-pin").click()
        viewer.page.get_by_role("button", name="Yes", exact=True).click()
        viewer.until(lambda: viewer.page.locator("#pin-digits").is_visible(), "the PIN's dialog")
        enter(viewer, PIN)
        viewer.until(lambda: len(table.desk.pins_shown) == 2, "the new PIN on the display")
        expect(viewer.page.locator("#settings-dialog")).to_be_hidden()
        assert table.desk.pins_shown[1][0] != PIN
        assert viewer.page.evaluate("fetch('/api/state').then((one) => one.json())")["may_act"]
        assert all("401" in line for line in viewer.errors)
        viewer.errors.clear()


def enter(viewer: Viewer, pin: str) -> None:
    viewer.page.locator("#pin-digits").fill(pin)
    viewer.page.keyboard.press("Enter")


def test_cancelling_the_pin_dialog_keeps_the_page_open(browser: Browser, tmp_path: Path) -> None:
    with served_table(tmp_path, pin=PIN) as table, open_viewer(browser) as viewer:
        table.new_game()
        viewer.open(table.url)
        open_settings(viewer.page)
        viewer.page.locator("#set-language").select_option(index=1)
        viewer.page.get_by_role("button", name="Cancel").click()
        viewer.until(lambda: not viewer.page.locator("#pin").is_visible(), "the dialog to close")
        assert table.desk.words.language == "en"
        table.play_until_move()
        viewer.wait_for_text("#now", "move")
        viewer.errors.clear()


@pytest.mark.parametrize(("rules", "draws"), [("finkel", False), ("freecompany", True)])
def test_a_take_back_and_a_draw_are_offered_only_if_they_can_apply(
    table: ServedTable, viewer: Viewer, rules: str, draws: bool
) -> None:
    table.new_game(rules)
    viewer.open(table.url)
    viewer.until(lambda: viewer.page.locator("#agree").is_visible() is draws, "the state")
    expect(viewer.page.locator("#take-back")).to_be_disabled()
    # Only a program is offered one; persons agree.
    expect(viewer.page.locator("#offer-draw")).to_be_hidden()
    # No action has been repeated, so there is no draw to claim.
    expect(viewer.page.locator("#draw")).to_be_hidden()
    table.play_until_move()
    table.play(1)
    assert table.table.service.snapshot.takeback
    expect(viewer.page.locator("#take-back")).to_be_enabled()
