"""In a window of at least 1024x600, all that a player must see is visible without scrolling."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page

from tests.page.player_page import demo, open_player_page
from tests.page.served_table import ServedTable, open_viewer, served_table
from urpi.referee import Snapshot
from urpi.referee.decisions import Question
from urpi.referee.questions import MOST_CHOICES
from urpi.service.notices import Notice
from urpi.web.desk import TableChange
from urpi.words import languages, words_for

WINDOWS: Final = ((1024, 600), (1024, 768), (1280, 720), (1366, 768), (1920, 1080))
MUST_SEE: Final = (
    "body:not(.powerless) #now, #players, #warning, #notice, .no-power, "
    "#question-text, #question-choices button, #dice, .felt, .table-die, #value, .throw-all, "
    "#moves-button, #moves, #error, "
    ".top a, .top button, .oled, .push, .plate, .name, #board, .steps button, #slider, "
    ".tour, .tour button, .tour-offer, .tour-offer button"
)
MIN_BOARD: Final = 0.32
"""Minimum part of the window that the board covers with its trays; half of most windows."""

MIN_MOVES_PX: Final = 80
"""Minimum height of the list of moves, unless all moves fit in less."""

HIDDEN = """(all) => {
  const inside = (box, frame) =>
    box.left >= frame.left - 1 && box.top >= frame.top - 1 &&
    box.right <= frame.right + 1 && box.bottom <= frame.bottom + 1;
  const seen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  return all
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.width > 0 && box.height > 0)
    .filter(([one, box]) => {
      const panel = one.closest(".moves, .question, .replay .status");
      const frame = panel && panel !== one ? panel.getBoundingClientRect() : seen;
      if (!inside(box, seen) || !inside(box, frame)) return true;
      const top = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
      return !(top && (one.contains(top) || top.contains(one)));
    })
    .map(([one, { left, top, right, bottom }]) =>
      `${one.id || one.className} ${[left, top, right, bottom]}`);
}"""
"""Returns the elements that are outside the window or their panel, or covered by others."""

DRAWN: Final = """
new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
"""
"""Waits until the window is drawn, after what observes sizes has run."""
LATE_S: Final = 5


def check(page: Page, where: str) -> None:
    """Check that everything is visible in every window."""
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN)
        here = f"{where}, {width}x{height}"
        assert page.evaluate("[scrollX, scrollY]") == [0, 0], here
        assert page.evaluate("document.documentElement.scrollWidth") <= width, here
        wait_until_visible(page, MUST_SEE, here)
        # A long list of moves scrolls, but is always seen to be one.
        heights = page.locator("#moves").evaluate("one => [one.clientHeight, one.scrollHeight]")
        assert heights[0] >= min(MIN_MOVES_PX, heights[1]), here
        board = page.locator("#board").bounding_box()
        assert board is not None
        if not page.locator(".tour, .tour-offer").locator("visible=true").count():
            assert board["width"] * board["height"] >= MIN_BOARD * width * height, here


def wait_until_visible(page: Page, elements: str, where: str) -> None:
    """Wait until all of some elements are visible, which may be drawn with a later state."""
    deadline = time.monotonic() + LATE_S
    while hidden := page.locator(elements).evaluate_all(HIDDEN):
        assert time.monotonic() < deadline, (where, hidden)
        page.evaluate(DRAWN)


def check_end(page: Page, language: str) -> None:
    """Check that the result, its figures and buttons are visible beside the board, and close it."""
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN)
        shown = "#board, .plate, .end, #end-heading, .end td, .end button, .end a"
        wait_until_visible(page, shown, f"end, {language}, {width}x{height}")
    page.locator("#end-close").click()


LONG: Final = "A name of forty letters, which is a lot!"


def throwing(table: ServedTable) -> None:
    table.new_game("finkel", "Ann", "Bob")
    table.play(20)


def play_until_choice(table: ServedTable, count: int) -> None:
    """Play until there are this many legal moves, in a game that has such a throw."""
    for seed in range(1000):
        if len(table.table.service.snapshot.legal) >= count:
            return
        table.play(1, seed)
    raise AssertionError(count)


def moving(table: ServedTable) -> None:
    table.new_game("coursework", "Ann", LONG)
    play_until_choice(table, 5)


def warned(table: ServedTable) -> None:
    table.new_game("finkel", LONG, "Bob")
    table.play_until_move()
    for square in ("B5", "B7", "C8"):
        table.touch(square, on=True)


def asked(table: ServedTable) -> None:
    """Ask for the move, with as many choices as a question has at most."""
    table.new_game("freecompany", LONG, "Bob")
    play_until_choice(table, MOST_CHOICES)
    shot = table.table.service.snapshot
    assert shot.side is not None
    choices = shot.legal[:MOST_CHOICES]
    question = Question(0, shot.side, "move", choices)
    show(table, replace(shot, question=question, choices=choices))


def noticed(table: ServedTable) -> None:
    moving(table)
    show(table, table.table.service.snapshot, Notice("disk-full"))


def over(table: ServedTable) -> None:
    table.new_game("finkel", LONG, "Bob")
    table.play(900)


def show(table: ServedTable, snapshot: Snapshot, notice: Notice | None = None) -> None:
    """Show a snapshot and a notice, as if the table's program had them."""
    service = table.table.service
    for watch in table.table.watching:
        watch(TableChange(snapshot, (), service.game, service.seq, notice))


SITUATIONS: Final = (
    (throwing, "#now"),
    (moving, "#moves"),
    (warned, "#warning"),
    (asked, "#question"),
    (noticed, "#notice"),
    (over, ".plate-won"),
)


@pytest.mark.parametrize(
    ("situation", "element"), SITUATIONS, ids=lambda one: getattr(one, "__name__", "")
)
def test_all_of_a_table_is_in_the_window(
    browser: Browser,
    tmp_path: Path,
    shots: Path,
    situation: Callable[[ServedTable], None],
    element: str,
) -> None:
    with served_table(tmp_path) as table, open_viewer(browser) as viewer:
        for language in languages():
            table.desk.words = words_for(language)
            situation(table)
            viewer.open(table.url, f"html[lang={language}]")
            viewer.page.keyboard.press("m")
            viewer.until(lambda: viewer.page.locator(element).is_visible(), element)
            if situation is over:
                check_end(viewer.page, language)
            check(viewer.page, f"{situation.__name__}, {language}")
            viewer.page.screenshot(path=shots / f"window-{situation.__name__}-{language}.png")


def test_all_of_a_replay_is_in_the_window(browser: Browser, tmp_path: Path) -> None:
    with served_table(tmp_path) as table, open_viewer(browser) as viewer:
        over(table)
        for language in languages():
            table.desk.words = words_for(language)
            for path in ("games/1#9", "games/1#300"):
                viewer.page.goto("about:blank")
                viewer.open(table.url + path, f"html[lang={language}]")
                viewer.page.wait_for_selector("#turns [aria-current]")
                check(viewer.page, f"{path}, {language}")
                viewer.page.keyboard.press("m")
                check(viewer.page, f"{path} with moves, {language}")


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with demo(
        tmp_path_factory.mktemp("window"), "--first", "light", "--speed", "3", "--simulated", "dark"
    ) as url:
        yield url


@pytest.mark.parametrize("language", languages())
def test_all_of_a_virtual_table_is_in_the_window(
    browser: Browser, url: str, shots: Path, language: str
) -> None:
    player = open_player_page(browser, url, seen_tour=False)
    assert player.post("settings", {"language": language}).ok
    page = player.page
    page.wait_for_selector(f"html[lang={language}]", state="attached")
    check(page, f"offer, {language}")
    page.locator(".offer-sensors").click()
    page.wait_for_selector(".tour:not([hidden])")
    check(page, f"tour, {language}")
    page.screenshot(path=shots / f"window-tour-{language}.png")
    page.locator(".tour-skip").click()
    check(page, f"throw, {language}")
    page.keyboard.press("m")
    check(page, f"moves, {language}")
    assert player.post("table/power", {"on": False}).ok
    page.wait_for_selector(".no-power:not([hidden])")
    check(page, f"without power, {language}")
    page.screenshot(path=shots / f"window-power-{language}.png")
    assert player.post("table/power", {"on": True}).ok
    page.wait_for_selector(".no-power", state="hidden")
    assert player.post("settings", {"language": "en"}).ok
    player.page.context.close()
