"""What goes wrong at the virtual table, as somebody sees it on the page; each picture is kept."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.page.at_table import PHONE, AtTable, demo, sat_down

GAME = ("--rules", "bell", "--option", "pieces=3", "--first", "light", "--speed", "3")

pytestmark = pytest.mark.timeout(150)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One table for all: each test begins a new game at it."""
    with demo(tmp_path_factory.mktemp("table"), *GAME, "--simulated", "none") as where:
        yield where


@pytest.fixture
def at(browser: Browser, url: str) -> Iterator[AtTable]:
    at = sat_down(browser, url)
    new_game(at)
    yield at
    at.assert_nothing_went_wrong()
    at.page.context.close()


def new_game(at: AtTable) -> None:
    """A new game that light begins, with everything in its row."""
    at.begin_game("bell", options={"pieces": "3"}, first="light")


def to_move(at: AtTable) -> dict[str, Any]:
    """The state when light has thrown and has a move to make."""
    return at.throw_until_a_move()


def target_of(state: dict[str, Any]) -> str:
    return state["legal"][0]["to"][0]


def enter(at: AtTable) -> str:
    """Make light's first move by hand; where its piece lies then."""
    target = target_of(to_move(at))
    at.drag("L1", target)
    at.until(lambda: at.state["record"])
    return target


def do(at: AtTable, what: str) -> None:
    """Press a button in the drawer of mishaps."""
    drawer = at.page.locator(".mishaps")
    if drawer.get_attribute("open") is None:
        drawer.locator("summary").click()
    at.page.locator(f'[data-do="{what}"]').click()


def test_an_illegal_move_is_warned_of_on_page_and_oled_and_mended(at: AtTable, shots: Path) -> None:
    target = target_of(to_move(at))
    before = at.oled()
    at.drag("L1", "B8")
    at.until(lambda: at.page.locator("#warning").is_visible())
    assert "B8" in at.page.locator("#warning").inner_text()
    assert at.page.locator('[data-square="B8"]').get_attribute("aria-label").endswith("cleared")
    at.until(lambda: at.oled() != before)
    at.page.screenshot(path=shots / "table-warning.png")
    at.drag("L1", target)
    at.until(lambda: at.state["record"])

    assert [line["move"] for line in at.state["record"]] == [f"+{target}"]
    at.until(lambda: not at.page.locator("#warning").is_visible())


def test_the_board_does_not_move_under_a_hand_when_a_warning_comes(at: AtTable) -> None:
    to_move(at)
    before = at.middle(at.place("A1"))
    at.drag("L1", "B8")
    at.until(lambda: at.page.locator("#warning").is_visible())

    assert at.middle(at.place("A1")) == before


def test_a_page_that_is_loaded_anew_in_mid_turn_goes_on(at: AtTable) -> None:
    target = target_of(to_move(at))
    at.open()
    at.drag("L1", target)
    at.until(lambda: at.state["record"])
    at.lies("L1", target)


def test_a_page_that_is_closed_with_a_piece_in_its_hand_lets_it_go_back(
    at: AtTable, browser: Browser, url: str
) -> None:
    x, y = at.middle(at.piece("L1"))
    at.page.mouse.move(x, y)
    at.page.mouse.down()
    at.page.mouse.move(x + 150, y - 150, steps=4)
    at.lies("L1", "free")
    other = sat_down(browser, url)
    other.until(lambda: other.piece("L1").get_attribute("data-place") == "free")
    at.page.context.close()
    other.lies("L1", "hand:light")
    other.assert_nothing_went_wrong()
    other.page.context.close()
    # The fixture looks at a page in its end.
    at.wrong.clear()


def test_the_power_is_cut_pieces_are_moved_and_the_game_goes_on(at: AtTable, shots: Path) -> None:
    target = enter(at)
    do(at, "power")
    at.until(lambda: at.page.locator(".no-power").is_visible())
    at.until(at.oled_is_dark)
    at.drag("L1", "B6")
    at.lies("L1", "B6")
    at.page.screenshot(path=shots / "table-power.png")
    at.page.locator(".no-power button").click()
    at.until(lambda: at.state["fill"] == [target] and at.state["clear"] == ["B6"])
    at.until(lambda: not at.oled_is_dark())
    at.page.screenshot(path=shots / "table-resumed.png")
    at.drag("L1", target)
    at.until(lambda: not at.state["fill"] + at.state["clear"])

    assert len(at.state["record"]) == 1


def test_a_hub_that_is_unplugged_is_told_and_heard_again(at: AtTable) -> None:
    do(at, "hub")
    at.until(lambda: not at.state["devices"]["hub"]["alive"])
    at.until(lambda: at.page.locator("#notice").is_visible())
    do(at, "hub")
    at.until(lambda: at.state["devices"]["hub"]["alive"])
    to_move(at)


def test_a_switch_that_sticks_is_named_and_can_be_repaired(at: AtTable) -> None:
    enter(at)
    at.page.locator(".mishaps summary").click()
    at.page.locator('[data-of="square"]').select_option("B4")
    do(at, "stick")
    at.until(lambda: at.page.locator('[data-repair="B4"]').is_visible())
    at.until(lambda: "B4" in at.state["clear"] or at.state["faults"])
    at.page.locator('[data-repair="B4"]').click()
    at.until(lambda: at.page.locator('[data-repair="B4"]').count() == 0)
    at.until(lambda: not at.state["clear"])


def test_a_board_brushed_clean_is_put_right_by_the_tables_own_hands(at: AtTable) -> None:
    target = enter(at)
    target_of(at.throw_until_a_move("light", "dark"))
    do(at, "sweep")
    at.lies("L1", "free")
    do(at, "mend")
    at.until(lambda: at.page.locator(f'.ur-pieces [data-place="{target}"]').count() == 1)


def test_a_bump_changes_nothing(at: AtTable) -> None:
    target = enter(at)
    before = at.state
    do(at, "bump")
    at.throw_until_a_move("light", "dark")

    assert at.state["record"] == before["record"]
    at.lies("L1", target)


@pytest.mark.parametrize("how", ["cocked", "turned"])
def test_a_die_thrown_badly_does_not_count_until_it_is_thrown_well(at: AtTable, how: str) -> None:
    for die in ("1", "2"):
        at.page.locator(f'[data-die="{die}"]').press("Enter")
    at.until(lambda: set(at.state["dice"]["settled"]) == {"1", "2"})
    at.page.locator(".mishaps summary").click()
    at.page.locator('[data-of="die"]').select_option("3")
    do(at, how)
    at.until(lambda: (at.state["last"] or {}).get("type") == "roll-refused")
    at.until(lambda: at.rests)
    at.page.locator('[data-die="3"]').press("Enter")
    at.until(lambda: at.state["throw"])


def test_dice_are_thrown_by_dragging_them(at: AtTable) -> None:
    x, y = at.middle(at.page.locator('[data-die="1"]'))
    at.page.mouse.move(x, y)
    at.page.mouse.down()
    at.page.mouse.move(x + 120, y - 60, steps=5)
    at.page.mouse.up()
    at.until(lambda: list(at.state["dice"]["settled"]) == ["1"])
    box = at.page.locator(".felt").bounding_box()
    at.page.mouse.move(box["x"] + 4, box["y"] + 4)
    at.page.mouse.down()
    at.page.mouse.move(box["x"] + 160, box["y"] - 60, steps=5)
    at.page.mouse.up()
    at.until_phase("move")


def test_a_button_of_the_board_is_pressed(at: AtTable) -> None:
    at.page.locator('[data-button="light"]').click()
    at.until(lambda: at.page.locator('.push-light.is-down, [data-button="light"]').count())
    at.page.get_by_role("button", name="Both, long").click()
    at.until(lambda: at.page.locator(".push.is-down").count() == 2)
    at.until(lambda: at.page.locator(".push.is-down").count() == 0)


def test_both_buttons_open_the_menu_on_the_display(at: AtTable, shots: Path) -> None:
    before = at.oled()
    at.page.get_by_role("button", name="Both, long").click()
    at.until(lambda: at.oled() != before)
    menu = at.oled()
    at.page.screenshot(path=shots / "table-menu.png")
    at.page.locator('[data-button="light"]').click()
    at.until(lambda: at.oled() not in {menu, before})


def test_on_a_phone_a_finger_drags_a_piece_and_scrolls_beside_it(
    browser: Browser, url: str, shots: Path
) -> None:
    at = sat_down(browser, url, viewport=PHONE, has_touch=True, is_mobile=True)
    new_game(at)
    target = target_of(to_move(at))
    at.page.screenshot(path=shots / "table-phone.png")
    before = at.page.evaluate("scrollY")
    at.swipe(at.middle(at.piece("L1")), at.middle(at.place(target)))
    at.until(lambda: at.state["record"])

    assert at.page.evaluate("scrollY") == before
    at.swipe(at.middle(at.page.locator("#name-light")), (100, 100))
    at.until(lambda: at.page.evaluate("scrollY") > before)
    wide = at.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert wide
    at.assert_nothing_went_wrong()
    at.page.context.close()


def test_a_language_is_spoken_by_the_tables_controls_too(at: AtTable) -> None:
    other = next(one for one in at.get("languages")["languages"] if one != "en")
    throw = at.page.locator(".throw-all")
    assert at.post("settings", {"language": other}).ok
    said = at.get(f"words?language={other}")["Throw"]
    assert said != "Throw"
    at.until(lambda: throw.inner_text() == said)
    assert at.post("settings", {"language": "en"}).ok
    at.until(lambda: throw.inner_text() == "Throw")
