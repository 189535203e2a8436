"""In a window of at least 1024x600, all that a player must see is visible without scrolling."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.player_page import (
    DEADLINE_S,
    PlayerPage,
    Screenshots,
    activate,
    demo,
    open_player_page,
)
from tests.browser.served_table import ServedTable, Viewer, open_viewer, served_table
from urpi.referee.decisions import Question
from urpi.referee.facts import Resign
from urpi.referee.questions import MAX_CHOICES
from urpi.rules import Side
from urpi.service.notices import Notice
from urpi.service.table_state import TableChange
from urpi.show.words import languages, words_for

SMALLEST: Final = (1024, 600)
OTHERS: Final = ((1024, 768), (1280, 720), (1366, 768), (1920, 1080))
MUST_SEE: Final = (
    "body:not(.powerless) #now, #players, #warning, #notice, .no-power, "
    "#question-text, #question-choices button, #dice, .felt, .table-die, #value, .throw-all, "
    "#moves-button, #moves, #error, "
    ".top a, .top button, .oled, .push, .plate, .name, #board, .steps button, #slider, "
    ".tour, .tour button, .tour-offer, .tour-offer button"
)
MIN_BOARD: Final = 0.32
"""Minimum part of the window that the board covers with its trays; half of most windows."""

END: Final = "#board, .plate, .oled, .end, #end-heading, .end td, .end button, .end a"
"""What must be visible at the end of a game: its result, figures, buttons, board and display."""

MIN_MOVES_PX: Final = 80
"""Minimum height of the list of moves, unless all moves fit in less."""

SEEN: Final = """async (mustSee) => {
  const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
  await frame();
  await frame();  // after what observes sizes has run
  const inside = (box, frame) =>
    box.left >= frame.left - 1 && box.top >= frame.top - 1 &&
    box.right <= frame.right + 1 && box.bottom <= frame.bottom + 1;
  const window = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const isVisible = (one) => one.checkVisibility({ visibilityProperty: true });
  const hidden = [...document.querySelectorAll(mustSee)]
    .filter(isVisible)
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.width > 0 && box.height > 0)
    .filter(([one, box]) => {
      const panel = one.closest(".moves, .question, .replay .status");
      const frame = panel && panel !== one ? panel.getBoundingClientRect() : window;
      if (!inside(box, window) || !inside(box, frame)) return true;
      const top = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
      return !(top && (one.contains(top) || top.contains(one)));
    })
    .map(([one, { left, top, right, bottom }]) =>
      `${one.id || one.className} ${[left, top, right, bottom]}`);
  const moves = document.querySelector("#moves");
  const { width, height } = document.querySelector("#board").getBoundingClientRect();
  return {
    hidden,
    scrolled: [scrollX, scrollY],
    width: document.documentElement.scrollWidth,
    moves: [moves.clientHeight, moves.scrollHeight],
    board: (width * height) / (innerWidth * innerHeight),
    covered: [...document.querySelectorAll(".tour, .tour-offer, .end")].some(isVisible),
  };
}"""
"""Returns the elements that are outside the window or their panel, or covered by others, and sizes.

All in one call: some hundred windows are checked."""


def check(page: Page, where: str, must_see: str = MUST_SEE) -> None:
    """Check that everything is visible in the smallest window and in one of the others.

    Which one depends on what is seen, so that every language and every state is seen in each.
    """
    for width, height in (SMALLEST, OTHERS[crc32(where.encode()) % len(OTHERS)]):
        page.set_viewport_size({"width": width, "height": height})
        here = f"{where}, {width}x{height}"
        # All may be drawn with a later state.
        deadline = time.monotonic() + DEADLINE_S
        while not is_in_window(seen := page.evaluate(SEEN, must_see), width):
            assert time.monotonic() < deadline, (here, seen)


def is_in_window(seen: dict[str, Any], width: int) -> bool:
    """Whether everything is visible in a window."""
    # A long list of moves scrolls, but is always seen to be one.
    shown, whole = seen["moves"]
    return (
        not seen["hidden"]
        and seen["scrolled"] == [0, 0]
        and seen["width"] <= width
        and shown >= min(MIN_MOVES_PX, whole)
        and (seen["covered"] or seen["board"] >= MIN_BOARD)
    )


LONG: Final = "A name of forty letters, which is a lot!"


def throwing(table: ServedTable) -> TableChange:
    table.new_game("finkel", "Ann", "Bob")
    table.play(20)
    return table.table.change()


def play_until_choice(table: ServedTable, count: int) -> None:
    """Play until there are this many legal moves, in a game that has such a throw."""
    for seed in range(1000):
        if len(table.table.service.snapshot.legal) >= count:
            return
        table.play(1, seed)
    raise AssertionError(count)


def moving(table: ServedTable) -> TableChange:
    table.new_game("coursework", "Ann", LONG)
    play_until_choice(table, 5)
    return table.table.change()


def warned(table: ServedTable) -> TableChange:
    table.new_game("finkel", LONG, "Bob")
    table.play_until_move()
    for square in ("B5", "B7", "C8"):
        table.touch(square, on=True)
    return table.table.change()


def asked(table: ServedTable) -> TableChange:
    """Ask for the move, with as many choices as a question has at most."""
    table.new_game("freecompany", LONG, "Bob")
    play_until_choice(table, MAX_CHOICES)
    shot = table.table.service.snapshot
    assert shot.side is not None
    choices = shot.legal[:MAX_CHOICES]
    question = Question(0, shot.side, "move", choices)
    return table.table.change(snapshot=replace(shot, question=question, choices=choices))


def noticed(table: ServedTable) -> TableChange:
    return replace(moving(table), notice=Notice("disk-full"))


def over(table: ServedTable) -> TableChange:
    table.new_game("finkel", LONG, "Bob")
    table.play(120)
    table.table.submit(Resign(table.table.t, Side.DARK))
    return table.table.change()


def show(table: ServedTable, viewer: Viewer, change: TableChange, language: str) -> None:
    """Show a change in a language, as if the table's program had just switched to it."""
    table.desk.words = words_for(language)
    for watch in table.table.watching:
        watch(change)
    viewer.page.wait_for_selector(f"html[lang={language}]", state="attached")


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
    shots: Screenshots,
    situation: Callable[[ServedTable], TableChange],
    element: str,
) -> None:
    with served_table(tmp_path) as table, open_viewer(browser) as viewer:
        change, page = situation(table), viewer.page
        viewer.open(table.url)
        page.keyboard.press("m")
        for language in languages():
            show(table, viewer, change, language)
            viewer.until(lambda: page.locator(element).is_visible(), element)
            if situation is over:
                check(page, f"end, {language}", END)
                activate(page, "#end-close")
            check(page, f"{situation.__name__}, {language}")
            shots(page, f"window-{situation.__name__}-{language}.png")
            if situation is over:
                activate(page, "#end-open")


def test_all_of_a_replay_is_in_the_window(browser: Browser, tmp_path: Path) -> None:
    with served_table(tmp_path) as table, open_viewer(browser) as viewer:
        over(table)
        page = viewer.page
        for language in languages():
            table.desk.words = words_for(language)
            page.goto("about:blank")
            for step in ("#9", "#100"):
                viewer.open(f"{table.url}games/1{step}", f"html[lang={language}]")
                page.wait_for_selector("#turns [aria-current]")
                for moves in ("", "with moves"):
                    check(page, f"replay {step} {moves}, {language}")
                    page.keyboard.press("m")


def test_all_of_a_reviewed_replay_is_in_the_window(
    browser: Browser, tmp_path: Path, shots: Screenshots
) -> None:
    with served_table(tmp_path) as table, open_viewer(browser) as viewer:
        table.new_game("finkel", LONG, "Bob")
        table.play(60)
        page = viewer.page
        for language in languages():
            table.desk.words = words_for(language)
            page.goto("about:blank")
            page.set_viewport_size({"width": 1366, "height": 768})
            viewer.open(f"{table.url}games/1", f"html[lang={language}]")
            activate(page, "#review-button")
            page.locator("#mistakes").wait_for(timeout=200_000)
            activate(page, "#mistake-on")
            check(page, f"review, {language}", f"{MUST_SEE}, #worth p, #curve")
        shots(page, "window-review.png")


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with demo(
        tmp_path_factory.mktemp("window"), "--first", "light", "--speed", "3", "--simulated", "dark"
    ) as url:
        yield url


@pytest.fixture
def player(browser: Browser, url: str) -> Iterator[PlayerPage]:
    player = open_player_page(browser, url, seen_tour=False)
    yield player
    player.reset_table()
    player.page.context.close()


@pytest.mark.parametrize("language", languages())
def test_all_of_a_virtual_table_is_in_the_window(
    player: PlayerPage, shots: Screenshots, language: str
) -> None:
    player.show_language(language)
    page = player.page
    check(page, f"offer, {language}")
    activate(page, ".tour-sensors")
    page.wait_for_selector(".tour:not([hidden])")
    check(page, f"tour, {language}")
    shots(page, f"window-tour-{language}.png")
    activate(page, ".tour-skip")
    check(page, f"throw, {language}")
    page.keyboard.press("m")
    check(page, f"moves, {language}")
    assert player.post("table/power", {"on": False}).ok
    page.wait_for_selector(".no-power:not([hidden])")
    check(page, f"without power, {language}")
    expect(page.locator("button.main:visible")).to_have_count(0)
    shots(page, f"window-power-{language}.png")
