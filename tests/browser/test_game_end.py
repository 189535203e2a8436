"""The end of a game: the result with its figures, and what to do next."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator

from tests.browser.accessibility import violations
from tests.browser.player_page import (
    PHONE,
    PlayerPage,
    Screenshots,
    demo,
    demo_link,
    open_player_page,
)
from tests.browser.served_table import open_viewer, served_table
from tests.browser.test_window import show
from urpi.referee.facts import Resign
from urpi.rules import Side
from urpi.show.words import languages

GAME = ("--rules", "finkel", "--speed", "3", "--simulated", "dark")
NAMES = {"light": "Ann", "dark": "Bob"}
LONG = "Wolfeschlegelsteinhausenbergerdorffwelch"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A table for all tests, each of which begins a new game."""
    with demo(tmp_path_factory.mktemp("table"), *GAME) as where:
        yield where


@pytest.fixture
def player(browser: Browser, url: str) -> Iterator[PlayerPage]:
    """A player whose game has just ended after one move."""
    player = open_player_page(browser, url)
    player.reset_table()
    assert player.post("table/players", {"light": "hands", "dark": "simulated"}).ok
    player.begin_game("finkel", options={"pieces": "3"}, first="light", **NAMES)
    target = player.throw_until_move()["legal"][0]["to"][0]
    player.drag("L1", target)
    # Dark has moved, too, if light's first throw was 0.
    player.until(lambda: player.state["position"]["hand"]["light"] == 2)
    end(player)
    yield player
    player.assert_no_errors()
    player.page.context.close()


def end(player: PlayerPage) -> None:
    assert player.post("resign", {"side": "dark"}).ok
    player.until(lambda: player.page.locator("#game-end").is_visible())


def press(player: PlayerPage, name: str) -> None:
    player.page.locator("#game-end").get_by_role("button", name=name, exact=True).click()


def test_the_result_and_its_figures_are_shown_beside_the_board(
    player: PlayerPage, shots: Screenshots
) -> None:
    panel = player.page.locator("#game-end")
    assert "Ann has won" in panel.locator("h2").inner_text()
    rows = panel.locator("tr").all_inner_texts()
    totals = player.state["totals"]
    assert totals["light"]["throws"] >= 1
    hand = player.state["position"]["hand"]
    assert hand["light"] == 2
    assert rows[1].split("\t") == ["Home", "0", "0"]
    assert rows[2].split("\t") == ["In hand", *(str(hand[side]) for side in NAMES)]
    assert rows[3].split() == ["Throws", *(str(totals[side]["throws"]) for side in NAMES)]
    assert rows[4].split() == ["Captures", "0", "0"]
    assert player.page.evaluate("document.activeElement.id") == "end-heading"
    board = player.page.locator(".ur-board").bounding_box()
    assert board["x"] + board["width"] < panel.bounding_box()["x"]
    shots(player.page, "end-desk.png")
    assert violations(player.page) == []


def test_a_rematch_has_the_same_rules_and_players(player: PlayerPage) -> None:
    before = player.state
    primary = player.page.locator("button.main:visible")
    player.until(lambda: primary.all_inner_texts() == ["Rematch"])
    press(player, "Rematch")
    now = player.until(lambda: (now := player.state)["game"] == before["game"] + 1 and now)
    assert now["rules"] == before["rules"]
    assert now["players"] == NAMES
    player.until(lambda: not player.page.locator("#game-end").is_visible())
    player.until(player.page.locator(".throw-all.main").count)


def test_the_players_swap_sides_with_their_names_and_seats(player: PlayerPage) -> None:
    before = player.state
    press(player, "Swap sides")
    now = player.until(lambda: (now := player.state)["game"] == before["game"] + 1 and now)
    assert now["players"] == {"light": "Bob", "dark": "Ann"}
    player.until(
        lambda: (
            player.page.locator('[data-player="light"]').input_value() == "simulated"
            and player.page.locator('[data-player="dark"]').input_value() == "hands"
        )
    )


def test_the_game_is_shared_its_result_closed_and_opened_and_its_replay_linked(
    player: PlayerPage,
) -> None:
    game = f"games/{player.state['game']}"
    press(player, "Share this game")
    dialog = player.page.locator("dialog.share")
    player.until(dialog.is_visible)
    assert game in dialog.inner_html()
    player.press("Escape")
    player.until(lambda: not dialog.is_visible())

    panel, result = player.page.locator("#game-end"), player.page.locator("#end-open")
    panel.press("Escape")
    player.until(lambda: not panel.is_visible() and result.is_visible())
    player.press("Enter")
    player.until(lambda: panel.is_visible() and not result.is_visible())
    player.page.locator("#end-replay").click()
    player.page.wait_for_url(f"{player.url}{game}")


@pytest.mark.parametrize("names", [("Ann", "Bob"), (LONG, LONG[::-1])], ids=["short", "long"])
def test_on_a_phone_the_result_does_not_cover_the_board(
    browser: Browser, tmp_path: Path, names: tuple[str, str]
) -> None:
    with served_table(tmp_path) as table, open_viewer(browser, "phone") as viewer:
        table.new_game("finkel", *names)
        table.play(20)
        table.table.submit(Resign(table.table.t, Side.DARK))
        viewer.open(table.url, "#game-end:not([hidden])")
        board, panel = viewer.page.locator(".ur-board"), viewer.page.locator("#game-end")
        lowest = panel.locator(".buttons > :visible").last
        for language in languages():
            show(table, viewer, table.table.change(), language)
            for width, height in ((360, 740), (390, 664), (390, 844)):
                viewer.page.set_viewport_size({"width": width, "height": height})
                viewer.until(lambda: bottom(board) <= panel.bounding_box()["y"], "a free board")
                viewer.until(lambda h=height: bottom(lowest) < h, "the buttons in the window")
        viewer.page.set_viewport_size({"width": 390, "height": 664})
        for scheme in ("light", "dark"):
            viewer.page.emulate_media(color_scheme=scheme)
            assert violations(viewer.page) == [], scheme


def bottom(element: Locator) -> float:
    box = element.bounding_box()
    return box["y"] + box["height"]


def test_spectators_see_the_result_the_replay_the_analysis_and_the_link(
    browser: Browser, tmp_path: Path, shots: Screenshots
) -> None:
    with demo_link(tmp_path, *GAME) as link:
        player = open_player_page(browser, link.partition("#")[0])
        player.page.goto(link)
        # The PIN disappears from the URL before the session has begun.
        player.page.wait_for_selector(".acts > #take-back")
        player.begin_game("finkel", options={"pieces": "3"}, first="light", **NAMES)
        options = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
        guest = open_player_page(browser, link.partition("#")[0], **options)
        end(player)
        panel = guest.page.locator("#game-end")
        guest.until(panel.is_visible)
        shown = panel.locator(".buttons > :visible").all_inner_texts()
        assert shown == ["Replay", "Analyse", "Share this game"]
        shots(guest.page, "end-spectator.png")
        assert violations(guest.page) == []
        guest.page.context.close()
        player.page.context.close()
