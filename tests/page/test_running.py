"""Running the table from the page: a new game, settings, ends, a throw entered; the PIN."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route

from tests.page.at_table import LOOK_MS, AtTable, demo, open_game_dialog, sat_down
from tests.page.served import Visitor, served, visitor
from urpi.words import words_for

PIN, WRONG = "314159", "271828"


@pytest.fixture(scope="module")
def at(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AtTable]:
    """A table of the demo's, with hands on both sides: what is ordered is really done."""
    folder = tmp_path_factory.mktemp("running")
    with demo(folder, "--simulated", "none", "--seed", "3", "--speed", "4") as url:
        at = sat_down(browser, url)
        yield at
        at.assert_nothing_went_wrong()
        at.page.context.close()


def begin(at: AtTable, rules: str, light: str, dark: str) -> None:
    page = at.page
    open_game_dialog(page)
    page.locator("#new-rules").select_option(rules)
    page.get_by_label("Light's name").fill(light)
    page.get_by_label("Dark's name").fill(dark)
    page.get_by_role("button", name="Begin", exact=True).click()
    if page.locator("body").get_attribute("data-phase") not in {"no-game", "over"}:
        page.get_by_role("button", name="Yes").click()
    at.until(lambda: at.state["players"] == {"light": light, "dark": dark})
    at.until(lambda: light in page.locator("#name-light").inner_text())


def test_a_game_is_begun_with_its_house_rules(at: AtTable) -> None:
    open_game_dialog(at.page)
    at.page.locator("#new-rules").select_option("murray")
    at.page.locator('[name="pieces"]').select_option("3")
    at.page.locator("#run .close").click()
    begin(at, "murray", "Ann", "Bob")
    assert at.state["rules"]["id"] == "murray"
    at.until(lambda: not at.page.locator("#run").is_visible())


def test_nothing_is_filled_in_before_the_server_has_answered(at: AtTable) -> None:
    held: list[Route] = []
    at.page.route("**/api/rulesets", lambda route: held.append(route))  # noqa: PLW0108
    at.page.get_by_role("button", name="Game", exact=True).click()
    at.until(lambda: held)
    assert at.page.locator("#new-rules").is_disabled()
    assert at.page.get_by_label("Light's name").is_disabled()
    assert at.page.locator("#set-sound").is_disabled()
    at.page.locator("#run .close").click()
    at.page.get_by_role("button", name="Game", exact=True).click()
    at.until(lambda: len(held) == 2)
    held[1].continue_()
    at.page.get_by_label("Light's name").fill("Ike")
    held[0].continue_()
    at.page.wait_for_timeout(10 * LOOK_MS)
    assert at.page.get_by_label("Light's name").input_value() == "Ike"
    at.page.unroute("**/api/rulesets")
    at.page.locator("#run .close").click()


def test_a_server_that_does_not_answer_is_told(at: AtTable) -> None:
    at.page.route("**/api/rulesets", lambda route: route.fulfill(status=503, body=""))
    at.page.get_by_role("button", name="Game", exact=True).click()
    at.until(lambda: at.page.locator("#run-wrong").inner_text() == "The table does not answer.")
    assert at.page.locator("#new-begin").is_disabled()
    at.page.unroute("**/api/rulesets")
    at.page.locator("#run .close").click()
    at.wrong.clear()


def test_begin_pressed_twice_begins_one_game(at: AtTable) -> None:
    begin(at, "bell", "Jim", "Kay")
    ordered: list[Route] = []
    at.page.route("**/api/new-game", lambda route: ordered.append(route))  # noqa: PLW0108
    open_game_dialog(at.page)
    at.page.get_by_label("Light's name").fill("Lou")
    at.page.get_by_role("button", name="Begin", exact=True).click()
    at.page.get_by_role("button", name="Yes").click()
    at.until(lambda: ordered)
    at.page.get_by_role("button", name="Begin", exact=True).click()
    assert not at.page.locator("#sure").is_visible()
    ordered[0].continue_()
    at.until(lambda: at.state["players"] == {"light": "Lou", "dark": "Kay"})
    assert len(ordered) == 1
    at.page.unroute("**/api/new-game")


def test_a_throw_is_entered_in_place_of_the_dice(at: AtTable) -> None:
    begin(at, "bell", "Cid", "Dot")
    at.until_phase("throw")
    open_game_dialog(at.page)
    for select in at.page.locator("#enter-dice select").all():
        select.select_option("g")
    at.page.get_by_role("button", name="Enter", exact=True).click()
    assert at.until_phase("move")["throw"] == {"faces": "ggg", "value": 3}


def test_who_gives_up_is_asked_first(at: AtTable) -> None:
    begin(at, "bell", "Eve", "Fay")
    at.until_phase("throw", "move")
    open_game_dialog(at.page)
    at.page.get_by_role("button", name="Light gives up").click()
    at.page.get_by_role("button", name="No", exact=True).click()
    assert at.state["outcome"] is None
    at.page.get_by_role("button", name="Light gives up").click()
    at.page.get_by_role("button", name="Yes").click()
    assert at.until_phase("over")["outcome"]["side"] == "dark"
    at.until(lambda: "Fay has won" in at.page.locator("#now").inner_text())


def test_what_the_referee_refuses_is_told_there(at: AtTable) -> None:
    begin(at, "bell", "Gil", "Hal")
    at.until_phase("throw", "move")
    open_game_dialog(at.page)
    at.page.get_by_role("button", name="Take the last move back").click()
    at.until(lambda: at.page.locator("#run-wrong").inner_text())
    assert at.page.locator("#run-wrong").inner_text() == "There is no move to take back."
    at.page.locator("#run .close").click()


def test_the_readers_own_language_is_offered_once(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as table, visitor(browser, locale="hu-HU") as guest:
        table.new_game()
        guest.see(table.url)
        offer = guest.page.get_by_role("button", name="magyar", exact=True)
        offer.click()
        guest.until(lambda: guest.page.evaluate("document.documentElement.lang") == "hu", "words")
        guest.until(lambda: not offer.is_visible(), "no offer any more")
        assert table.desk.words.language == "hu"
        table.desk.words = words_for("en")
        table.play(1)
        guest.page.reload()
        guest.reads("#name-light", "Ann")
        assert guest.page.evaluate("document.documentElement.lang") == "en"
        assert not offer.is_visible()


def test_who_only_watches_is_offered_no_language(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path, pin=PIN) as table, visitor(browser, locale="hu-HU") as guest:
        table.new_game()
        with guest.page.expect_response("**/api/languages"):
            guest.see(table.url)
        guest.reads("#name-light", "Ann")
        assert guest.page.locator("#own-language").is_hidden()


def test_who_acts_needs_the_pin_and_is_told_when_it_is_wrong(
    browser: Browser, tmp_path: Path
) -> None:
    with served(tmp_path, pin=PIN) as table, visitor(browser) as guest:
        table.new_game()
        guest.see(table.url)
        guest.until(lambda: "Ann" in guest.text("#name-light"), "the game: who watches may watch")
        open_game_dialog(guest.page)
        language = guest.page.locator("#set-language option").last.get_attribute("value")
        guest.page.locator("#set-language").select_option(language)
        guest.until(lambda: guest.page.locator("#pin-digits").is_visible(), "the PIN's dialog")
        assert table.desk.pins_shown[0][0] == PIN
        enter(guest, WRONG)
        guest.reads("#pin-wrong", "not the PIN")
        enter(guest, PIN)
        guest.until(lambda: not guest.page.locator("#pin").is_visible(), "the PIN is taken")
        guest.until(lambda: table.desk.words.language == language, "the order was carried out")
        refused = [line for line in guest.wrong if "401" in line or "403" in line]
        assert guest.wrong == refused
        guest.wrong.clear()


def enter(guest: Visitor, pin: str) -> None:
    guest.page.locator("#pin-digits").fill(pin)
    guest.page.get_by_role("button", name="Go on").click()


def test_who_does_not_know_the_pin_goes_on_watching(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path, pin=PIN) as table, visitor(browser) as guest:
        table.new_game()
        guest.see(table.url)
        open_game_dialog(guest.page)
        guest.page.locator("#set-language").select_option(index=1)
        guest.page.get_by_role("button", name="Cancel").click()
        guest.until(lambda: not guest.page.locator("#pin").is_visible(), "the dialog is closed")
        assert table.desk.words.language == "en"
        table.play_until_a_move()
        guest.reads("#now", "move")
        guest.wrong.clear()
