"""Stored games: the list, the replay, and the files to download."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.served_table import ServedTable, Viewer, open_viewer, served_table
from tests.browser.test_watching import piece_counts
from urpi.rules import parse_position
from urpi.show.words import languages

LINES = """all => all.filter((one) => one.checkVisibility()).map((one) => {
  const text = document.createRange();
  text.selectNodeContents(one);
  return text.getClientRects().length;
})"""
"""Returns in how many lines the texts of the visible elements are."""
GAMES = (("finkel", "Ann", "Bob"), ("skiryuk", "Cid", "Dot"), ("finkel", "Ann", "Eve"))


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedTable]:
    """A table with three games, each ended early by the next."""
    with served_table(tmp_path_factory.mktemp("library")) as table:
        for rules, light, dark in GAMES:
            table.new_game(rules, light, dark)
            table.play(60)
        yield table


def titles(viewer: Viewer) -> list[str]:
    texts = viewer.page.locator("#games .players").all_inner_texts()
    return [text.replace(" \N{EN DASH} ", ", ") for text in texts]


def test_games_are_listed_newest_first_and_can_be_filtered(
    viewer: Viewer, stored: ServedTable
) -> None:
    viewer.open(stored.url + "games", "#games li")
    assert titles(viewer) == ["Ann, Eve", "Cid, Dot", "Ann, Bob"]
    viewer.page.get_by_label("Player").fill("Cid")
    viewer.until(lambda: titles(viewer) == ["Cid, Dot"], "Cid's game alone")
    assert "player=Cid" in viewer.page.url
    viewer.page.get_by_label("Player").fill("Nobody")
    viewer.wait_for_text("#found", "No games found.")
    viewer.page.get_by_label("Player").fill("")
    viewer.page.get_by_label("Rules").select_option("finkel")
    viewer.until(lambda: titles(viewer) == ["Ann, Eve", "Ann, Bob"], "both of Finkel's")
    viewer.page.get_by_role("button", name="Clear the filters").click()
    viewer.until(lambda: len(titles(viewer)) == len(GAMES), "all games")
    assert viewer.page.url == stored.url + "games"
    viewer.page.locator("#games a").last.click()
    viewer.wait_for_text("#players", "Bob")
    viewer.wait_for_text("#about", " · Game 1 · ")


def wait_for_step(viewer: Viewer, step: int) -> None:
    viewer.wait_for_text("#step", f"Step {step} of ")
    assert viewer.page.evaluate("location.hash") == f"#{step}"


def test_the_wheel_over_the_board_goes_through_the_steps(
    viewer: Viewer, stored: ServedTable
) -> None:
    viewer.open(f"{stored.url}games/1#3", ".ur-piece")
    wait_for_step(viewer, 3)
    # `Locator.hover` may scroll.
    box: Any = viewer.page.locator("#board").bounding_box()
    viewer.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    viewer.page.mouse.wheel(0, 200)
    wait_for_step(viewer, 5)
    viewer.page.mouse.wheel(0, -100)
    wait_for_step(viewer, 4)
    assert viewer.page.evaluate("scrollY") == 0


LIMITED_HISTORY = """
    const replace = history.replaceState.bind(history);
    let left = 3;
    history.replaceState = (...all) => {
        if (left-- <= 0) throw new DOMException("Too many in 30 seconds.", "SecurityError");
        replace(...all);
    };
"""


def test_no_label_below_the_slider_is_broken(viewer: Viewer, stored: ServedTable) -> None:
    for language in languages():
        cookie = {"name": "urpi-language", "value": language, "url": stored.url}
        viewer.context.add_cookies([cookie])
        viewer.page.goto("about:blank")
        viewer.open(f"{stored.url}games/1#9", f"html[lang={language}] #turns li")
        for width, height in ((1000, 768), (1024, 600), (1366, 768), (390, 844)):
            viewer.page.set_viewport_size({"width": width, "height": height})
            labels = viewer.page.locator(".under-slider :is(button, a)")
            assert set(labels.evaluate_all(LINES)) == {1}, (language, width)
            panel = viewer.page.locator(".under-slider")
            assert panel.evaluate("one => one.scrollWidth <= one.clientWidth"), (language, width)


def test_the_steps_work_when_the_browser_rejects_further_urls(
    viewer: Viewer, stored: ServedTable
) -> None:
    viewer.page.add_init_script(LIMITED_HISTORY)
    viewer.open(f"{stored.url}games/2")
    viewer.wait_for_text("#step", "Step 0 of ")
    for step in range(1, 7):
        viewer.page.keyboard.press("ArrowRight")
        viewer.wait_for_text("#step", f"Step {step} of ")


def test_for_an_unknown_game_the_page_shows_an_error_and_no_controls(
    viewer: Viewer, stored: ServedTable
) -> None:
    viewer.open(f"{stored.url}games/999", "#notice:not([hidden])")
    assert viewer.text("#notice") == "There is no such game."
    assert not viewer.page.locator("main :is(button, input, [download])").filter(visible=True).all()
    viewer.errors.clear()


def test_the_link_to_the_board_does_not_change_the_step(
    viewer: Viewer, stored: ServedTable
) -> None:
    viewer.open(f"{stored.url}games/2#5")
    wait_for_step(viewer, 5)
    viewer.page.locator(".skip").press("Enter")
    viewer.until(
        lambda: viewer.page.evaluate("location.hash") == "#board", "the link to be followed"
    )
    viewer.page.evaluate("new Promise(done => setTimeout(done))")
    assert viewer.text("#step").startswith("Step 5 of ")
    assert viewer.page.evaluate("location.hash") == "#board"


def test_keys_buttons_and_slider_change_the_step(viewer: Viewer, stored: ServedTable) -> None:
    viewer.open(f"{stored.url}games/2")
    wait_for_step(viewer, 0)
    for key, step in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("Home", 0)):
        viewer.page.keyboard.press(key)
        wait_for_step(viewer, step)
    viewer.page.get_by_role("button", name="A step on").click()
    wait_for_step(viewer, 1)
    viewer.page.keyboard.press("End")
    last = int(viewer.page.locator("#slider").get_attribute("max") or 0)
    wait_for_step(viewer, last)
    viewer.page.locator("#slider").fill("5")
    wait_for_step(viewer, 5)
    assert viewer.page.locator("#slider").get_attribute("aria-valuetext") == viewer.text("#step")
    viewer.page.keyboard.press("PageDown")
    viewer.wait_for_text("#step", "turn")


@pytest.mark.parametrize(("key", "code"), [("p", "KeyP"), ("P", "KeyP"), ("\u0437", "KeyP")])
def test_the_letter_p_plays_on_every_layout(
    viewer: Viewer, stored: ServedTable, key: str, code: str
) -> None:
    viewer.open(f"{stored.url}games/1#2")
    wait_for_step(viewer, 2)
    viewer.page.evaluate(
        "([key, code]) => document.body.dispatchEvent("
        "new KeyboardEvent('keydown', {key, code, bubbles: true}))",
        [key, code],
    )
    viewer.until(viewer.page.get_by_role("button", name="Pause").count, "the pause button")


def test_every_step_shows_the_stored_position(viewer: Viewer, stored: ServedTable) -> None:
    viewer.open(f"{stored.url}games/2")
    frames = viewer.page.evaluate("fetch('/api/games/2').then((answer) => answer.json())")["frames"]
    assert len(frames) > 30
    for step, frame in enumerate(frames):
        wait_for_step(viewer, step)
        assert viewer.piece_counts() == piece_counts(parse_position(frame["position"])), step
        viewer.page.keyboard.press("ArrowRight")


def test_a_replay_plays_automatically(viewer: Viewer, stored: ServedTable) -> None:
    viewer.page.clock.install()
    viewer.open(f"{stored.url}games/1#2")
    wait_for_step(viewer, 2)
    # Otherwise the clock would go on during the clicks and the waiting.
    viewer.page.clock.pause_at(viewer.page.evaluate("Date.now()") / 1000 + 1)
    viewer.page.get_by_role("button", name="Play").click()
    viewer.page.clock.run_for(3400)
    wait_for_step(viewer, 5)
    viewer.page.get_by_role("button", name="Pause").click()
    viewer.page.clock.run_for(5000)
    wait_for_step(viewer, 5)


def test_the_page_lists_what_the_board_saw_in_each_turn(
    viewer: Viewer, stored: ServedTable
) -> None:
    viewer.open(f"{stored.url}games/1#9")
    assert viewer.page.locator(".events-throw").count() == 0
    viewer.page.get_by_role("button", name="Show it").click()
    viewer.page.wait_for_selector(".events-throw")
    turn = viewer.text("#step").rsplit(" ", 1)[1]
    stored = viewer.page.evaluate(f"fetch('/api/games/1/turns/{turn}').then((one) => one.json())")
    texts = [event["text"] for one in stored["turns"][0]["throws"] for event in one["events"]]
    shown = viewer.page.locator(".events li").evaluate_all(
        "all => all.map(x => x.lastChild.textContent)"
    )
    assert shown == texts
    before = viewer.text("#turn-events")
    viewer.page.keyboard.press("PageDown")
    viewer.until(lambda: viewer.text("#turn-events") != before, "the next turn's")


def test_a_replay_is_downloaded_as_one_file_that_works_offline(
    browser: Browser, stored: ServedTable, tmp_path: Path
) -> None:
    with open_viewer(browser) as viewer:
        viewer.open(f"{stored.url}games/2")
        with viewer.page.expect_download() as download:
            viewer.page.get_by_role("link", name="Replay as one file").click()
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
    assert file.suffix == ".html"
    with open_viewer(browser, offline=True) as friend:
        friend.open(file.as_uri(), ".step")
        friend.page.locator("input[type=radio]").first.focus()
        friend.page.keyboard.press("ArrowDown")
        friend.until(lambda: "Step 1 of" in friend.text(".step:visible .steps"), "the first step")
        assert friend.page.locator(".step:visible").count() == 1
        friend.page.locator(".step:visible label").last.click()
        assert friend.page.locator("input:checked").get_attribute("id") == "s2"


@pytest.mark.parametrize(
    ("link", "ending"),
    [
        ("Record to read aloud", ".txt"),
        ("This turn", ".html"),
        ("Archive", ".jsonl"),
        ("record.rgn", "1-record.rgn"),
        ("turns.tsv", "1-turns.tsv"),
    ],
)
def test_other_files_can_be_downloaded(
    viewer: Viewer, stored: ServedTable, link: str, ending: str
) -> None:
    viewer.open(f"{stored.url}games/1#5")
    with viewer.page.expect_download() as download:
        viewer.page.get_by_role("link", name=link).click()
    assert download.value.suggested_filename.endswith(ending)
