"""Mishaps at the virtual table as the page shows them; screenshots are saved for review."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, ViewportSize
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from tests.browser.player_page import DESK, PHONE, PlayerPage, Screenshots, demo, open_player_page
from urpi.show.words import display_languages
from urpi.show.words.sentences import CONTEXT_END

GAME = ("--rules", "bell", "--option", "pieces=3", "--first", "light", "--speed", "3")


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A table for all tests, each of which begins a new game."""
    with demo(tmp_path_factory.mktemp("table"), *GAME, "--simulated", "none") as where:
        yield where


@pytest.fixture
def player(browser: Browser, url: str) -> Iterator[PlayerPage]:
    player = open_player_page(browser, url)
    player.reset_table()
    new_game(player)
    # A throw of the test before would be lost with the hub's power, and the table would ask for it.
    player.until(lambda: player.dice_at_rest and not player.state["dice"]["rolling"])
    yield player
    player.assert_no_errors()
    player.page.context.close()


def new_game(player: PlayerPage) -> None:
    """Begin a new game with light to throw and all pieces in hand."""
    player.begin_game("bell", options={"pieces": "3"}, first="light")


def to_move(player: PlayerPage) -> dict[str, Any]:
    """Throw until light has a legal move, and return the state."""
    return player.throw_until_move()


def target_of(state: dict[str, Any]) -> str:
    return state["legal"][0]["to"][0]


def enter(player: PlayerPage) -> str:
    """Make light's first move by hand, and return its target."""
    target = target_of(to_move(player))
    player.drag("L1", target)
    player.until(lambda: player.state["record"])
    return target


def do(player: PlayerPage, what: str) -> None:
    """Press a button in the drawer of mishaps."""
    drawer = player.page.locator(".mishaps")
    if drawer.get_attribute("open") is None:
        drawer.locator("summary").click()
    player.page.locator(f'[data-do="{what}"]').click()


def test_an_illegal_move_is_warned_of_on_page_and_oled_and_corrected(
    player: PlayerPage, shots: Screenshots
) -> None:
    target = target_of(to_move(player))
    before = player.oled()
    player.drag("L1", "B8")
    player.until(lambda: player.page.locator("#warning").is_visible())
    assert "B8" in player.page.locator("#warning").inner_text()
    assert player.page.locator('[data-square="B8"]').get_attribute("aria-label").endswith("cleared")
    player.until(lambda: player.oled() != before)
    shots(player.page, "table-warning.png")
    player.drag("L1", target)
    player.until(lambda: player.state["record"])

    assert [line["move"] for line in player.state["record"]] == [f"+{target}"]
    player.until(lambda: not player.page.locator("#warning").is_visible())


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
def test_the_board_does_not_move_when_a_warning_appears(
    player: PlayerPage, screen: ViewportSize
) -> None:
    player.page.set_viewport_size(screen)
    to_move(player)
    before = player.centre(player.place("A1"))
    player.drag("L1", "B8")
    player.until(lambda: player.page.locator("#warning").is_visible())

    assert player.centre(player.place("A1")) == before


def test_a_page_that_is_reloaded_during_a_turn_continues(player: PlayerPage) -> None:
    target = target_of(to_move(player))
    player.open()
    player.drag("L1", target)
    player.until(lambda: player.state["record"])
    player.wait_for_place("L1", target)


def test_a_page_that_is_closed_with_a_held_piece_puts_it_back(
    player: PlayerPage, browser: Browser, url: str
) -> None:
    x, y = player.centre(player.piece("L1"))
    player.page.mouse.move(x, y)
    player.page.mouse.down()
    player.page.mouse.move(x + 150, y - 150, steps=4)
    player.wait_for_place("L1", "free")
    other = open_player_page(browser, url)
    other.until(lambda: other.piece("L1").get_attribute("data-place") == "free")
    player.page.context.close()
    other.wait_for_place("L1", "hand:light")
    other.assert_no_errors()
    other.page.context.close()
    # The fixture checks the closed page, which has logged errors.
    player.errors.clear()


def test_the_game_continues_after_a_power_cut_with_moved_pieces(
    player: PlayerPage, shots: Screenshots
) -> None:
    target = enter(player)
    do(player, "power")
    player.until(lambda: player.page.locator(".no-power").is_visible())
    player.until(player.oled_is_dark)
    player.drag("L1", "B6")
    player.wait_for_place("L1", "B6")
    shots(player.page, "table-power.png")
    player.page.locator(".no-power button").click()
    player.until(lambda: player.state["fill"] == [target] and player.state["clear"] == ["B6"])
    player.until(lambda: not player.oled_is_dark())
    shots(player.page, "table-resumed.png")
    player.drag("L1", target)
    player.until(lambda: not player.state["fill"] + player.state["clear"])

    assert len(player.state["record"]) == 1


def test_an_unplugged_hub_is_shown_and_detected_again(player: PlayerPage) -> None:
    do(player, "hub")
    player.until(lambda: not player.state["devices"]["hub"]["alive"])
    player.until(lambda: player.page.locator("#notice").is_visible())
    do(player, "hub")
    player.until(lambda: player.state["devices"]["hub"]["alive"])
    to_move(player)


def test_a_stuck_switch_is_shown_and_can_be_repaired(player: PlayerPage) -> None:
    enter(player)
    player.page.locator(".mishaps summary").click()
    player.page.locator('[data-of="square"]').select_option("B4")
    do(player, "stick")
    player.until(lambda: player.page.locator('[data-repair="B4"]').is_visible())
    player.until(lambda: "B4" in player.state["clear"] or player.state["faults"])
    player.page.locator('[data-repair="B4"]').click()
    player.until(lambda: player.page.locator('[data-repair="B4"]').count() == 0)
    player.until(lambda: not player.state["clear"])


def test_the_table_s_own_hands_restore_a_swept_board(player: PlayerPage) -> None:
    target = enter(player)
    target_of(player.throw_until_move("light", "dark"))
    do(player, "sweep")
    player.wait_for_place("L1", "free")
    do(player, "restore")
    player.until(lambda: player.page.locator(f'.ur-pieces [data-place="{target}"]').count() == 1)


def test_a_bump_changes_nothing(player: PlayerPage) -> None:
    target = enter(player)
    before = player.state
    do(player, "bump")
    player.throw_until_move("light", "dark")

    assert player.state["record"] == before["record"]
    player.wait_for_place("L1", target)


@pytest.mark.parametrize("how", ["cocked", "turned"])
def test_a_bad_throw_of_a_die_does_not_count(player: PlayerPage, how: str) -> None:
    for die in ("1", "2"):
        player.page.locator(f'[data-die="{die}"]').press("Enter")
    player.until(lambda: set(player.state["dice"]["settled"]) == {"1", "2"})
    player.page.locator(".mishaps summary").click()
    player.page.locator('[data-of="die"]').select_option("3")
    do(player, how)
    # On a busy machine it has been missed before.
    player.until(lambda: (player.state["last"] or {}).get("code") not in {None, "missing-die"})
    player.until(lambda: player.dice_at_rest)
    player.page.locator('[data-die="3"]').press("Enter")
    player.until(lambda: player.state["throw"])


def test_dragging_dice_throws_them(player: PlayerPage) -> None:
    x, y = player.centre(player.page.locator('[data-die="1"]'))
    player.page.mouse.move(x, y)
    player.page.mouse.down()
    player.page.mouse.move(x + 120, y - 60, steps=5)
    player.page.mouse.up()
    player.until(lambda: list(player.state["dice"]["settled"]) == ["1"])
    box = player.page.locator(".felt").bounding_box()
    player.page.mouse.move(box["x"] + 4, box["y"] + 4)
    player.page.mouse.down()
    player.page.mouse.move(box["x"] + 160, box["y"] - 60, steps=5)
    player.page.mouse.up()
    player.until_phase("move")


DRAWN_MS = 3000


def test_the_buttons_of_the_board_are_drawn_as_down(player: PlayerPage) -> None:
    player.page.locator('[data-button="light"]').click()
    down = player.page.locator(".push.is-down")

    # Pages receive only the newest state of a table: a busy machine may send none in which the
    # buttons are down.
    def pressed() -> bool:
        menu_of(player).click()
        with suppress(PlaywrightTimeoutError):
            down.nth(1).wait_for(state="attached", timeout=DRAWN_MS)
            return True
        return False

    player.until(pressed)
    player.until(lambda: down.count() == 0)


def menu_of(player: PlayerPage) -> Locator:
    return player.page.get_by_role("button", name="Menu", exact=True)


def test_both_buttons_open_the_menu_on_the_display(player: PlayerPage, shots: Screenshots) -> None:
    before = player.oled()
    # A press that follows at once waits until both buttons are up.
    menu_of(player).click()
    player.until(lambda: player.oled() != before)
    menu = player.oled()
    shots(player.page, "table-menu.png")
    player.page.locator('[data-button="light"]').click()
    player.until(lambda: player.oled() not in {menu, before})


def test_on_a_phone_a_touch_drags_a_piece_and_scrolls_elsewhere(
    browser: Browser, url: str, shots: Screenshots
) -> None:
    player = open_player_page(browser, url, viewport=PHONE, has_touch=True, is_mobile=True)
    new_game(player)
    target = target_of(to_move(player))
    shots(player.page, "table-phone.png")
    before = player.page.evaluate("scrollY")
    player.swipe(player.centre(player.piece("L1")), player.centre(player.place(target)))
    player.until(lambda: player.state["record"])

    assert player.page.evaluate("scrollY") == before
    player.swipe(player.centre(player.page.locator("#name-light")), (100, 100))
    player.until(lambda: player.page.evaluate("scrollY") > before)
    wide = player.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert wide
    player.assert_no_errors()
    player.page.context.close()


def test_the_controls_of_the_virtual_table_are_translated(player: PlayerPage) -> None:
    other = next(one for one in display_languages() if one != "en")
    throw = player.page.locator(".throw-all")
    assert player.post("settings", {"language": other}).ok
    text = player.get(f"words?language={other}")[f"button{CONTEXT_END}Throw"]
    assert text != "Throw"
    player.until(lambda: throw.inner_text() == text)
    assert player.post("settings", {"language": "en"}).ok
    player.until(lambda: throw.inner_text() == "Throw")
