"""Moving pieces by taps and clicks, turning them over, and the keys for it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Route

from tests.browser.accessibility import violations
from tests.browser.player_page import (
    AT_REST,
    DESK,
    PHONE,
    PlayerPage,
    Screenshots,
    demo,
    open_player_page,
)

TOUCH = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
MOUSE = {"viewport": DESK}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A table for all tests, each of which begins a new game."""
    folder = tmp_path_factory.mktemp("table")
    with demo(folder, "--rules", "skiryuk", "--speed", "3", "--simulated", "none") as where:
        yield where


@pytest.fixture(params=[MOUSE, TOUCH], ids=["mouse", "touch"])
def player(browser: Browser, url: str, request: pytest.FixtureRequest) -> Iterator[PlayerPage]:
    player = open_player_page(browser, url, routes=True, **request.param)
    player.reset_table()
    player.begin_game("skiryuk", options={"pieces": "3"}, first="light")
    yield player
    player.assert_no_errors()
    player.page.context.close()


def tap(player: PlayerPage, place: str) -> None:
    """Tap the top piece of a place, or the place if it is empty."""
    pieces = player.page.locator(f'.ur-pieces [data-place="{place}"]')
    spot = player.piece(player.piece_on(place)) if pieces.count() else player.place(place)
    player.tap(*player.centre(spot))


def with_mouse(test: Callable[..., None]) -> Callable[..., None]:
    """Let a test that has nothing to do with fingers run on one device only."""
    only = pytest.mark.parametrize("player", [MOUSE], ids=["mouse"], indirect=True)
    return only(test)


def selected(player: PlayerPage) -> list[str]:
    return player.page.locator(".ur-piece.selected").evaluate_all(
        "all => all.map(x => x.dataset.key)"
    )


def targets(player: PlayerPage) -> Locator:
    return player.page.locator(".ur-mark-legal")


def to_move(player: PlayerPage) -> str:
    """Throw until light can enter a piece, and return the square it enters."""
    now = player.throw_until_move()
    return str(now["legal"][0]["to"][0])


def turned(player: PlayerPage, name: str) -> bool:
    return "ur-turned" in str(player.piece(name).get_attribute("class"))


def press_key(player: PlayerPage, key: str, code: str) -> None:
    """Press a key of a keyboard layout that the browser under test does not have."""
    player.page.evaluate(
        "([key, code]) => document.body.dispatchEvent("
        "new KeyboardEvent('keydown', {key, code, bubbles: true}))",
        [key, code],
    )


def test_a_tap_selects_a_piece_and_another_one_moves_it(
    player: PlayerPage, shots: Screenshots
) -> None:
    target = to_move(player)
    tap(player, "hand:light")
    player.until(lambda: len(selected(player)) == 1)
    player.until(lambda: targets(player).count() == 1)
    label = player.place(target).get_attribute("aria-label")
    assert str(label).endswith("the piece may go here")
    width = player.page.viewport_size["width"]
    shots(player.page, f"selected-{width}.png")
    assert violations(player.page) == []
    tap(player, target)
    player.until(lambda: [line["move"] for line in player.state["record"]] == [f"+{target}"])
    player.until(lambda: selected(player) == [] and targets(player).count() == 0)


def test_a_second_tap_on_the_piece_or_esc_ends_the_selection(player: PlayerPage) -> None:
    to_move(player)
    for end in (lambda: tap(player, "hand:light"), lambda: player.press("Escape")):
        tap(player, "hand:light")
        player.until(lambda: selected(player))
        end()
        player.until(lambda: selected(player) == [])
    assert player.state["record"] == []


def test_a_tap_on_another_own_piece_selects_that(player: PlayerPage) -> None:
    target = to_move(player)
    player.drag("L1", target)
    player.until(lambda: player.state["record"])
    # A change of the turn ends a selection.
    player.until_shown()
    tap(player, target)
    player.until(lambda: selected(player) == ["L1"])
    tap(player, "hand:light")
    player.until(lambda: selected(player) and selected(player) != ["L1"])


def hold_first_put(player: PlayerPage) -> list[Route]:
    """Hold back the request that puts a piece down first; return the list in which it arrives."""
    puts: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.post_data_json["do"] == "put" and not puts:
            puts.append(route)
        else:
            route.continue_()

    player.page.route("**/api/table/hand", hold)
    return puts


def until_on(player: PlayerPage, *squares: str) -> None:
    """Wait until pieces are drawn on these squares, and on no others."""
    pieces = player.page.locator(".ur-pieces [data-place]")
    shown = "all => all.map(x => x.dataset.place).filter(x => /^[A-C][1-8]$/.test(x)).sort()"
    player.until(lambda: pieces.evaluate_all(shown) == list(squares))


def test_taps_during_a_put_count_once_it_is_done(player: PlayerPage) -> None:
    to_move(player)
    puts = hold_first_put(player)
    tap(player, "hand:light")
    tap(player, "B5")
    player.until(lambda: puts)
    tap(player, "hand:light")
    tap(player, "B6")
    assert len(puts) == 1
    puts[0].continue_()
    until_on(player, "B5", "B6")


@with_mouse
def test_a_put_for_which_the_server_is_too_busy_is_sent_again(player: PlayerPage) -> None:
    target = to_move(player)
    rejected: list[Route] = []

    def reject_once(route: Route) -> None:
        if route.request.post_data_json["do"] == "put" and not rejected:
            rejected.append(route)
            route.fulfill(status=429, json={"error": "Too many requests."})
        else:
            route.continue_()

    player.page.route("**/api/table/hand", reject_once)
    tap(player, "hand:light")
    tap(player, target)
    player.until(lambda: [line["move"] for line in player.state["record"]] == [f"+{target}"])
    assert len(rejected) == 1
    # Chromium logs the response.
    player.errors.clear()


@with_mouse
@pytest.mark.parametrize(("name", "squares"), [("L1", ["B6"]), ("L2", ["B5", "B6"])])
def test_a_drag_during_a_put_is_made_once_it_is_done(
    player: PlayerPage, name: str, squares: list[str]
) -> None:
    to_move(player)
    puts = hold_first_put(player)
    player.drag("L1", "B5")
    player.until(lambda: puts)
    player.drag(name, "B6")
    assert len(puts) == 1
    puts[0].continue_()
    until_on(player, *squares)


@with_mouse
def test_a_piece_that_was_held_over_its_target_for_long_completes_its_move(
    player: PlayerPage,
) -> None:
    target = to_move(player)
    puts: list[dict[str, Any]] = []
    player.page.on(
        "request",
        lambda one: one.url.endswith("table/hand") and puts.append(one.post_data_json),
    )
    player.page.evaluate("scrollTo(0, 0)")
    x, y = player.centre(player.piece(player.piece_on("hand:light")))
    player.page.mouse.move(x, y)
    player.page.mouse.down()
    player.page.mouse.move(*player.centre(player.place(target)), steps=6)
    player.until(lambda: player.state["record"])
    player.until_shown()
    player.page.mouse.up()
    player.until(lambda: player.page.locator(".in-hand").count() == 0)

    (put,) = (one for one in puts if one["do"] == "put")
    assert (put["to"], put["move"]) == (target, f"+{target}")


def test_an_illegal_square_can_be_tapped_and_the_way_back_is_shown(player: PlayerPage) -> None:
    target = to_move(player)
    tap(player, "hand:light")
    (name,) = player.until(lambda: selected(player))
    tap(player, "B8")
    player.until(lambda: player.page.locator("#warning").is_visible())
    tap(player, "B8")
    player.until(lambda: selected(player) == [name])
    # The square of the legal move, and the row in which the piece is missing.
    player.until(lambda: targets(player).count() == 2)
    tap(player, target)
    player.until(lambda: [line["move"] for line in player.state["record"]] == [f"+{target}"])
    player.until(lambda: not player.page.locator("#warning").is_visible())


def test_a_listed_move_is_played_by_one_tap(player: PlayerPage) -> None:
    target = to_move(player)
    player.page.locator("#moves-button").click()
    item = player.page.locator(f'[data-move="+{target}"] button')
    item.scroll_into_view_if_needed()
    player.tap(*player.centre(item))
    player.until(lambda: [line["move"] for line in player.state["record"]] == [f"+{target}"])


@with_mouse
def test_a_listed_move_is_played_with_the_keyboard(player: PlayerPage) -> None:
    target = to_move(player)
    press_key(player, "\u044c", "KeyM")
    player.page.locator(f'[data-move="+{target}"] button').press("Enter")
    player.until(lambda: [line["move"] for line in player.state["record"]] == [f"+{target}"])


def on_board(player: PlayerPage) -> str:
    """Move a light piece to the board and return its square."""
    target = to_move(player)
    player.drag("L1", target)
    player.until(lambda: player.state["record"])
    player.wait_for_place("L1", target)
    # A change of the turn ends a selection.
    player.until_shown()
    return target


def test_a_selected_piece_is_turned_over_with_the_button(player: PlayerPage) -> None:
    button = player.page.get_by_role("button", name="Turn over")
    assert button.get_attribute("aria-disabled") == "true"
    tap(player, on_board(player))
    player.until(lambda: selected(player) == ["L1"])
    box: Any = button.bounding_box()
    assert min(box["width"], box["height"]) >= 44
    button.click()
    player.until(lambda: turned(player, "L1"))
    button.click()
    player.until(lambda: not turned(player, "L1"))


@with_mouse
def test_the_letter_t_turns_a_selected_piece_on_every_layout(player: PlayerPage) -> None:
    button = player.page.get_by_role("button", name="Turn over")
    tap(player, on_board(player))
    player.until(lambda: selected(player) == ["L1"])
    # Another letter at its place turns nothing.
    press_key(player, "y", "KeyT")
    player.page.wait_for_timeout(200)
    assert not turned(player, "L1")
    keys = (("t", "KeyT"), ("T", "KeyT"), ("\u0435", "KeyT"), ("t", "KeyK"))
    for is_turned, (key, code) in zip((True, False, True, False), keys, strict=True):
        # As the button shows, a piece that is being put down cannot be turned.
        player.until(lambda: button.get_attribute("aria-disabled") == "false")
        press_key(player, key, code)
        player.until(lambda is_turned=is_turned: turned(player, "L1") is is_turned)


def test_more_pieces_of_a_pile_are_selected_with_the_button(player: PlayerPage) -> None:
    square = on_board(player)
    for name in ("L2", "L3"):
        player.drag(name, square)
        player.wait_for_place(name, square)
    tap(player, square)
    player.until(lambda: selected(player) == ["L3"])
    more = player.page.get_by_role("button", name="One more piece")
    for count in (2, 3, 1):
        more.click()
        player.until(lambda count=count: len(selected(player)) == count)
    more.click()
    tap(player, "B8")
    player.wait_for_place("L2", "B8")
    player.wait_for_place("L3", "B8")
    player.wait_for_place("L1", square)


def test_a_tap_on_the_top_of_a_pile_selects_it_where_it_covers_the_next_square(
    player: PlayerPage,
) -> None:
    square = on_board(player)
    for name in ("L2", "L3"):
        player.drag(name, square)
        player.wait_for_place(name, square)
    player.page.wait_for_function(AT_REST)
    x, y = player.centre(player.piece("L3"))
    unit = player.place("B1").bounding_box()["width"] / 40
    player.tap(x, y - 12.5 * unit)
    player.until(lambda: selected(player) == ["L3"])


def test_hints_for_keys_are_shown_only_with_a_keyboard(player: PlayerPage) -> None:
    touches = player.page.evaluate("navigator.maxTouchPoints") > 0
    assert player.page.locator(".keys-hint").is_visible() == (not touches)


WAITS_FOR_THROW = """async (state) => {
  const { waitsForThrow } = await import("/static/js/headline.js");
  const after = (seems, count) => {
    const off = { ...state.position.off, [state.side]: count };
    return waitsForThrow({ ...state, seems, position: { ...state.position, off } });
  };
  return [after(null, 0), after("A7-off", 0), after("A7-off", state.rules.pieces - 1)];
}"""
"""Returns it for a throw to play, and after two moves that seem made, the second one winning."""


@with_mouse
def test_the_next_throw_is_offered_while_a_move_only_seems_made(player: PlayerPage) -> None:
    state = player.throw_until_move("light", "dark")
    assert player.page.evaluate(WAITS_FOR_THROW, state) == [False, True, False]
