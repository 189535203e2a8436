"""Whole games of two people at one page, by mouse, touch and keys, from what they see alone."""

import re
from collections.abc import Callable, Collection
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.seen_games import SQUARES, SeenGame, seen_game

FINKEL = ("--rules", "finkel", "--option", "pieces=3", "--seed", "1", "--simulated", "none")

PLACES = """() => [...document.querySelectorAll(".ur-piece")]
  .map(({ dataset, classList }) => `${dataset.place} ${classList.contains("ur-is-light")}`)
  .sort()"""

pytestmark = pytest.mark.timeout(900)


def assert_won(game: SeenGame, headline: str) -> None:
    """Check that the page shows the winner, all pieces home, and what is next."""
    winner = headline.partition(" ")[0]
    assert headline == f"{winner} has won. All pieces are home."
    end = game.page.locator("#game-end")
    expect(end).to_be_visible()
    home = end.get_by_role("row").filter(has_text=re.compile("^Home"))
    expect(home.get_by_role("cell").nth(0 if winner == "Light" else 1)).to_have_text("3")
    expect(game.page.get_by_role("button", name="Rematch")).to_be_visible()


@pytest.mark.slow
def test_a_whole_game_is_dragged_on_a_board_that_is_turned_round_in_between(
    browser: Browser, tmp_path: Path
) -> None:
    with seen_game(browser, tmp_path, "drag", *FINKEL) as game:
        game.play(until=lambda: game.moves == 10)
        before = game.page.locator('[data-square="A4"]').bounding_box()
        game.page.get_by_role("button", name="View").click()
        game.page.get_by_role("button", name="Turn the board round").click()
        game.page.get_by_role("dialog").get_by_role("button", name="Close").click()
        assert game.page.locator('[data-square="A4"]').bounding_box() != before
        assert_won(game, game.play())


@pytest.mark.slow
def test_a_whole_game_is_tapped_on_a_phone_and_a_move_taken_back(
    browser: Browser, tmp_path: Path
) -> None:
    # Long enough for the service worker to take over in the middle of the game.
    with seen_game(browser, tmp_path, "tap", *FINKEL, service_workers="allow") as game:
        take_back(game, lambda: game.page.get_by_role("button", name="Take back").tap())
        assert_won(game, game.play())


@pytest.mark.slow
def test_a_whole_game_is_played_with_keys_and_a_move_taken_back(
    browser: Browser, tmp_path: Path
) -> None:
    with seen_game(browser, tmp_path, "keys", *FINKEL) as game:
        take_back(game, lambda: game.player.press("u"))
        assert_won(game, game.play())


def take_back(game: SeenGame, act: Callable[[], None]) -> None:
    """Play five moves, take the last one back, and check that it can be made again."""
    game.play(until=lambda: game.moves == 4)
    game.look()
    # The headline may be new before the pieces are drawn.
    game.player.until(lambda: {one[:2] for one in places(game)} & SQUARES == set(squares(game)))
    lying = places(game)
    before = game.play(until=lambda: game.moves == 5)
    # The button acts once the move counts.
    expect(game.page.locator("#take-back")).to_have_attribute("aria-disabled", "false")
    game.player.until(lambda: places(game) != lying)
    act()
    expect(game.page.locator("#now")).to_have_text(before)
    game.player.until(lambda: places(game) == lying)


def places(game: SeenGame) -> list[str]:
    """Return the place and the side of every piece."""
    return list(game.page.evaluate(PLACES))


def squares(game: SeenGame) -> Collection[str]:
    """Return the squares on which the game has pieces."""
    found: Collection[str] = game.player.state["position"]["squares"]
    return found


def enter(game: SeenGame, faces: str) -> None:
    """Enter the throw of ordinary dice."""
    page = game.page
    page.get_by_role("button", name="More", exact=True).click()
    for number, face in enumerate(faces, 1):
        page.get_by_label(f"Die {number}", exact=True).select_option(face)
    page.get_by_role("button", name="Enter", exact=True).click()
    page.wait_for_selector("#acts-dialog:not([open])", state="attached")
    expect(page.locator("#now")).to_contain_text(": move a piece")


def move(game: SeenGame, origin: str, target: str) -> None:
    """Tap a piece, check that its target is marked, and tap that."""
    player = game.player
    player.tap(*player.centre(game.page.locator(f'.ur-pieces [data-place="{origin}"]').last))
    square = game.page.locator(f'[data-square="{target}"]')
    expect(square).to_have_attribute("aria-label", re.compile("the piece may go here"))
    player.tap(*player.centre(square))


def test_the_coach_offers_to_take_a_bad_move_back(browser: Browser, tmp_path: Path) -> None:
    words = ("--rules", "finkel", "--dice", "hand", "--light-coach", "doubtful")
    with seen_game(browser, tmp_path, "drag", *words) as game:
        now, coach = game.page.locator("#now"), game.page.locator("#coach")
        for faces, origin, target in (
            ("gsgs", "hand:light", "A1"),
            ("gsg-", "A1", "B3"),
            ("g---", "hand:dark", "C4"),
        ):
            enter(game, faces)
            move(game, origin, target)
            expect(now).to_contain_text("throw the dice")
        enter(game, "g---")
        move(game, "hand:light", "A4")
        expect(coach).to_be_visible()
        expect(coach).to_contain_text(re.compile("a better move is possible: .*B3 to B4"))
        game.page.get_by_role("button", name="Take it back").click()
        expect(now).to_have_text("Light threw 1: move a piece")
        expect(coach).to_be_hidden()
        move(game, "B3", "B4")
        expect(now).to_have_text("Light, throw the dice")
        expect(coach).to_be_hidden()


@pytest.mark.slow
def test_two_pieces_are_moved_in_one_turn(browser: Browser, tmp_path: Path) -> None:
    # The first move alone is legal too, and final after a second of the table's time: here 8 s.
    words = ("--rules", "freecompany", "--dice", "hand", "--speed", "0.12")
    with seen_game(browser, tmp_path, "tap", *words) as game:
        now = game.page.locator("#now")
        for faces, side, target in (
            ("gs", "light", "A3"),
            ("g-", "dark", "B1"),
            ("gs", "light", "C3"),
        ):
            enter(game, faces)
            move(game, f"hand:{side}", target)
            expect(now).to_contain_text("throw the dice")
        enter(game, "g-")
        move(game, "B1", "B2")
        expect(now).to_have_text("Light, throw the dice")
        enter(game, "gs")
        move(game, "A3", "A4")
        move(game, "C3", "C4")
        expect(now).to_have_text("Dark, throw the dice")
        expect(game.page.locator("#last")).to_have_text(re.compile("A3 to A4.+C3 to C4"))
