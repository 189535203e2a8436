"""The game clock on the page: both times beside the names, counted down by the browser."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.accessibility import violations
from tests.browser.player_page import (
    Screenshots,
    demo,
    open_game_dialog,
    open_player_page,
)
from tests.browser.served_table import FORMS, ServedTable, Viewer, open_viewer, served_table
from urpi.referee.clock import parse_time_control
from urpi.referee.facts import Answer, Game, Occupancy
from urpi.rules import Side

STILL_MS = 6000


@contextmanager
def clocked(browser: Browser, folder: Path, form: str, **options: object) -> Iterator[tuple]:
    """Open the page of a game with a clock in which light has thrown."""
    with served_table(folder) as table, open_viewer(browser, form, **options) as viewer:
        control = parse_time_control("1+5")
        game = Game(table.table.t, "finkel", "Ann", "Bob", first=Side.LIGHT, clock=control)
        table.table.service.new_game(game)
        table.table.submit(Occupancy(table.table.t, 0))
        table.table.wait(STILL_MS)
        table.table.submit(Answer(table.table.t, faces="gs--"))
        yield table, viewer


def shown(viewer: Viewer, side: str) -> Locator:
    return viewer.page.locator(f"#clock-{side}")


def test_the_running_clock_is_counted_down_without_messages(
    browser: Browser, tmp_path: Path
) -> None:
    with clocked(browser, tmp_path, "desk") as (table, viewer):
        # Less than 40 s pass below, after which the page would open its silent stream again.
        table.table.wait(25_000)
        viewer.page.clock.install()
        viewer.open(table.url)
        expect(shown(viewer, "light")).to_have_class(re.compile("clock-runs"))
        expect(shown(viewer, "light")).to_have_role("timer")
        # From here on the browser's time passes with the test's.
        viewer.page.clock.pause_at(viewer.page.evaluate("Date.now() / 1000 + 1"))
        begun = int(viewer.text("#clock-light").removeprefix("0:"))
        for ms, left in ((1_000, begun - 1), (1_000 * (begun - 25), 24)):
            viewer.page.clock.run_for(ms)
            expect(shown(viewer, "light")).to_have_text(f"0:{left:02}")
        expect(shown(viewer, "light")).to_have_class("clock clock-runs clock-low")
        viewer.page.clock.run_for(15_300)
        expect(shown(viewer, "light")).to_have_text(re.compile(r"^0:0[78]\.\d$"))
        viewer.page.clock.run_for(9_000)
        expect(shown(viewer, "light")).to_have_text("0:00.0")
        expect(shown(viewer, "dark")).to_have_text("1:00")


def test_a_state_that_follows_corrects_the_clocks(browser: Browser, tmp_path: Path) -> None:
    with clocked(browser, tmp_path, "desk") as (table, viewer):
        viewer.open(table.url)
        table.table.wait(20_000)
        table.table.submit(Answer(table.table.t, move="+A3"))
        expect(shown(viewer, "light")).to_have_text("0:45")
        expect(shown(viewer, "dark")).to_have_class("clock clock-runs")


def test_a_game_without_a_clock_shows_none(viewer: Viewer, table: ServedTable) -> None:
    table.new_game()
    viewer.open(table.url)
    for side in ("light", "dark"):
        expect(shown(viewer, side)).to_be_hidden()


@pytest.mark.parametrize("face", ["play", "console"])
@pytest.mark.parametrize("form", FORMS)
def test_clocks_and_names_have_room(
    browser: Browser, tmp_path: Path, form: str, face: str, shots: Screenshots
) -> None:
    with clocked(browser, tmp_path, form, face=face) as (table, viewer):
        table.table.wait(40_000)
        viewer.open(table.url)
        boxes = []
        for side in ("light", "dark"):
            expect(shown(viewer, side)).to_be_in_viewport(ratio=1)
            plate = viewer.page.locator(f"#plate-{side}").bounding_box()
            box = shown(viewer, side).bounding_box()
            assert plate is not None
            assert box is not None
            assert box["y"] >= plate["y"]
            assert box["y"] + box["height"] <= plate["y"] + plate["height"] + 1
            name = viewer.page.locator(f"#name-{side}").bounding_box()
            assert name is not None
            assert name["width"] > 20
            boxes.append(box)
        shots(viewer.page, f"clock-{form}-{face}.png")
        assert violations(viewer.page) == []


def test_a_game_is_begun_with_a_clock_and_lost_on_time(browser: Browser, tmp_path: Path) -> None:
    words = ("--simulated", "none", "--seed", "3", "--speed", "20", "--clock", "1+2")
    with demo(tmp_path, *words) as url:
        player = open_player_page(browser, url, face="play")
        page = player.page
        assert player.state["clock"]["control"] == "1+2"
        open_game_dialog(page, more=True)
        expect(page.locator("#new-clock")).to_have_value("1+2")
        page.get_by_label("Clock").select_option("5")
        page.get_by_role("button", name="Begin", exact=True).click()
        page.get_by_role("button", name="Yes").click()
        player.until(lambda: player.state["clock"]["control"] == "5")
        player.until(lambda: player.state["phase"] in {"start-throw", "throw"})
        while player.state["phase"] != "over":
            # The game may end before the button is pressed.
            if player.state["phase"] in {"start-throw", "throw"} and player.may_throw:
                player.throw()
            page.wait_for_timeout(200)
        won = player.state["outcome"]
        assert won["code"] == "time"
        expect(page.locator("#now")).to_contain_text("The opponent's time was over.")
        loser = "dark" if won["side"] == "light" else "light"
        expect(page.locator(f"#clock-{loser}")).to_have_text("0:00.0")
        # Rematch: the same game, with the same clock.
        page.get_by_role("button", name="Rematch").click()
        player.until(lambda: player.state["phase"] != "over")
        assert player.state["clock"]["control"] == "5"
        player.assert_no_errors()
        page.context.close()
