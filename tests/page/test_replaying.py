"""Stored games: found, stepped through by every means, and shared as a file."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.page.served import Served, Visitor, served, visitor
from tests.page.test_watching import stands
from urpi.rules import parse_position

GAMES = (("finkel", "Ann", "Bob"), ("skiryuk", "Cid", "Dot"), ("finkel", "Ann", "Eve"))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Three games, each broken off by the next."""
    with served(tmp_path_factory.mktemp("library")) as table:
        for rules, light, dark in GAMES:
            table.new_game(rules, light, dark)
            table.play(60)
        yield table


def titles(guest: Visitor) -> list[str]:
    texts = guest.page.locator("#games .players").all_inner_texts()
    return [text.replace(" \N{EN DASH} ", ", ") for text in texts]


def test_games_are_listed_newest_first_and_searched(guest: Visitor, library: Served) -> None:
    guest.see(library.url + "games", "#games li")
    assert titles(guest) == ["Ann, Eve", "Cid, Dot", "Ann, Bob"]
    guest.page.get_by_label("Player").fill("Cid")
    guest.until(lambda: titles(guest) == ["Cid, Dot"], "Cid's game alone")
    assert "player=Cid" in guest.page.url
    guest.page.get_by_label("Player").fill("Nobody")
    guest.reads("#found", "No game was found.")
    guest.page.get_by_label("Player").fill("")
    guest.page.get_by_label("Rules").select_option("finkel")
    guest.until(lambda: titles(guest) == ["Ann, Eve", "Ann, Bob"], "both of Finkel's")
    guest.page.locator("#games a").last.click()
    guest.reads("#players", "Bob")


def at_step(guest: Visitor, step: int) -> None:
    guest.reads("#step", f"Step {step} of ")
    assert guest.page.evaluate("location.hash") == f"#{step}"


FEW_ADDRESSES = """
    const replace = history.replaceState.bind(history);
    let left = 3;
    history.replaceState = (...all) => {
        if (left-- <= 0) throw new DOMException("Too many in 30 seconds.", "SecurityError");
        replace(...all);
    };
"""


def test_where_a_browser_takes_no_more_addresses_the_steps_go_on(
    guest: Visitor, library: Served
) -> None:
    guest.page.add_init_script(FEW_ADDRESSES)
    guest.see(f"{library.url}games/2")
    for step in range(1, 7):
        guest.page.keyboard.press("ArrowRight")
        guest.reads("#step", f"Step {step} of ")


def test_a_game_that_is_not_there_is_told_and_nothing_is_to_be_pressed(
    guest: Visitor, library: Served
) -> None:
    guest.see(f"{library.url}games/999", "#notice:not([hidden])")
    assert guest.text("#notice") == "There is no game 999."
    assert not guest.page.locator("main :is(button, input, [download])").filter(visible=True).all()
    guest.wrong.clear()


def test_the_link_to_the_board_leaves_the_step_as_it_is(guest: Visitor, library: Served) -> None:
    guest.see(f"{library.url}games/2#5")
    at_step(guest, 5)
    guest.page.locator(".skip").press("Enter")
    guest.until(lambda: guest.page.evaluate("location.hash") == "#board", "the link is followed")
    guest.page.evaluate("new Promise(done => setTimeout(done))")
    assert guest.text("#step").startswith("Step 5 of ")
    assert guest.page.evaluate("location.hash") == "#board"


def test_a_game_is_stepped_through_by_keys_buttons_and_slider(
    guest: Visitor, library: Served
) -> None:
    guest.see(f"{library.url}games/2")
    at_step(guest, 0)
    for key, step in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("Home", 0)):
        guest.page.keyboard.press(key)
        at_step(guest, step)
    guest.page.get_by_role("button", name="A step on").click()
    at_step(guest, 1)
    guest.page.keyboard.press("End")
    last = int(guest.page.locator("#slider").get_attribute("max") or 0)
    at_step(guest, last)
    guest.page.locator("#slider").fill("5")
    at_step(guest, 5)
    assert guest.page.locator("#slider").get_attribute("aria-valuetext") == guest.text("#step")
    guest.page.keyboard.press("PageDown")
    guest.reads("#step", "turn")


def test_every_step_shows_the_stored_position(guest: Visitor, library: Served) -> None:
    guest.see(f"{library.url}games/2")
    frames = guest.page.evaluate("fetch('/api/games/2').then((answer) => answer.json())")["frames"]
    assert len(frames) > 30
    for step, frame in enumerate(frames):
        at_step(guest, step)
        assert guest.stands() == stands(parse_position(frame["position"])), step
        guest.page.keyboard.press("ArrowRight")


def test_a_game_plays_by_itself(guest: Visitor, library: Served) -> None:
    guest.page.clock.install()
    guest.see(f"{library.url}games/1#2")
    guest.page.get_by_role("button", name="Play").click()
    guest.page.clock.run_for(3400)
    at_step(guest, 5)
    guest.page.get_by_role("button", name="Pause").click()
    guest.page.clock.run_for(5000)
    at_step(guest, 5)


def test_what_the_board_saw_is_told_turn_by_turn(guest: Visitor, library: Served) -> None:
    guest.see(f"{library.url}games/1#9")
    assert guest.page.locator(".saw-throw").count() == 0
    guest.page.get_by_role("button", name="Show it").click()
    guest.page.wait_for_selector(".saw-throw")
    turn = guest.text("#step").rsplit(" ", 1)[1]
    stored = guest.page.evaluate(f"fetch('/api/games/1/turns/{turn}').then((one) => one.json())")
    texts = [event["text"] for one in stored["turns"][0]["throws"] for event in one["events"]]
    shown = guest.page.locator(".events li").evaluate_all(
        "all => all.map(x => x.lastChild.textContent)"
    )
    assert shown == texts
    before = guest.text("#saw-told")
    guest.page.keyboard.press("PageDown")
    guest.until(lambda: guest.text("#saw-told") != before, "the next turn's")


def test_a_game_is_shared_as_one_file(browser: Browser, library: Served, tmp_path: Path) -> None:
    with visitor(browser) as guest:
        guest.see(f"{library.url}games/2")
        with guest.page.expect_download() as download:
            guest.page.get_by_role("link", name="Replay as one file").click()
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
    assert file.suffix == ".html"
    with visitor(browser, offline=True) as friend:
        friend.see(file.as_uri(), ".step")
        friend.page.locator("input[type=radio]").first.focus()
        friend.page.keyboard.press("ArrowDown")
        friend.until(lambda: "Step 1 of" in friend.text(".step:visible .steps"), "the first step")
        assert friend.page.locator(".step:visible").count() == 1
        friend.page.locator(".step:visible label").last.click()
        assert friend.page.locator("input:checked").get_attribute("id") == "s2"


@pytest.mark.parametrize(
    ("link", "ending"),
    [("Record to read aloud", ".txt"), ("This turn", ".html"), ("Archive", ".jsonl")],
)
def test_a_game_can_be_kept_elsewhere(
    guest: Visitor, library: Served, link: str, ending: str
) -> None:
    guest.see(f"{library.url}games/1#5")
    with guest.page.expect_download() as download:
        guest.page.get_by_role("link", name=link).click()
    assert download.value.suggested_filename.endswith(ending)


def test_a_game_that_is_not_there_is_said_so(guest: Visitor, library: Served) -> None:
    guest.page.goto(f"{library.url}games/99")
    guest.reads("#notice", "99")
    guest.wrong.clear()
