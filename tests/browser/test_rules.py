"""The rules on the page: in the dialog for a new game, beside the board, and on the squares."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.accessibility import too_small, violations
from tests.browser.player_page import Screenshots, open_game_dialog
from tests.browser.served_table import ServedTable, Viewer, open_viewer, served_table
from tests.slow import slow_except
from urpi.page.rules import rules_sheet
from urpi.rules import RULE_SETS, rule_set
from urpi.show.words import languages, words_for

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SMALL = {"viewport": {"width": 1024, "height": 600}}
LAPTOP = {"viewport": {"width": 1366, "height": 768}}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedTable]:
    """A table with a game of blitz."""
    with served_table(tmp_path_factory.mktemp("rules")) as one:
        one.new_game("blitz")
        one.play(6)
        yield one


Open = Callable[..., Viewer]


@pytest.fixture
def open_page(browser: Browser, table: ServedTable) -> Iterator[Open]:
    """Return a function that opens the table's page."""
    opened = []

    def open_page(**options: Any) -> Viewer:
        opening = open_viewer(browser, **options)
        viewer = opening.__enter__()
        opened.append(opening)
        viewer.open(table.url)
        return viewer

    yield open_page
    for opening in opened:
        opening.__exit__(None, None, None)


def open_rules(viewer: Viewer) -> Locator:
    viewer.page.locator("#rules-button").click()
    viewer.page.wait_for_selector(".rules-text h3")
    return viewer.page.locator("#rules")


def shown(viewer: Viewer) -> list[str]:
    """Return the drawings in the dialog for a new game."""
    drawn = viewer.page.locator("#new-drawn [data-picture]")
    return [str(one.get_attribute("data-picture")) for one in drawn.all()]


def loaded(pictures: Locator) -> bool:
    """Whether pictures exist, and all of them could be loaded."""
    done = "all => all.length > 0 && all.every((one) => one.complete && one.naturalWidth > 0)"
    return bool(pictures.evaluate_all(done))


def test_the_dialog_shows_a_line_the_path_and_drawings_of_the_rules(open_page: Open) -> None:
    viewer = open_page()
    open_game_dialog(viewer.page, more=True)
    viewer.wait_for_text("#new-about", "A short game on the path of Masters")
    viewer.page.locator("#new-rules").select_option("finkel3")
    viewer.wait_for_text("#new-about", "one die fewer")
    viewer.until(lambda: "rosette-safe" in shown(viewer), "the drawing of the default")
    pictures = viewer.page.locator("#new-drawn img")
    viewer.until(lambda: loaded(pictures), "the pictures")
    viewer.page.locator('[name="safe_rosettes"]').select_option("no")
    viewer.page.locator('[name="pieces"]').select_option("3")
    viewer.until(lambda: {"rosette-open", "pieces-3"} <= set(shown(viewer)), "the options")
    assert "rosette-safe" not in shown(viewer)


def test_an_option_that_changes_the_path_changes_its_picture(open_page: Open) -> None:
    viewer = open_page()
    open_game_dialog(viewer.page, more=True)
    viewer.page.locator("#new-rules").select_option("murray")
    viewer.page.locator('[name="loop"]').select_option("own-first")
    path = viewer.page.locator("#new-drawn .rules-path")
    viewer.until(lambda: "own-first" in str(path.get_attribute("src")), "the other path")


@pytest.mark.parametrize("screen", [PHONE, SMALL, LAPTOP], ids=["phone", "small", "laptop"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_rules_of_the_game_are_readable_beside_the_board(
    open_page: Open, shots: Screenshots, screen: dict[str, Any], scheme: str
) -> None:
    viewer = open_page(**screen, color_scheme=scheme, bypass_csp=True)
    rules = open_rules(viewer)
    assert "Blitz" in rules.inner_text()
    assert "A capture gives an extra throw" in rules.inner_text()
    viewer.until(lambda: loaded(rules.locator("img")), "the drawings")
    width = screen["viewport"]["width"]
    shots(viewer.page, f"rules-{width}-{scheme}.png")
    box, board = rules.bounding_box(), viewer.page.locator("#board").bounding_box()
    assert box is not None
    assert board is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    if width > 1000:
        assert box["x"] >= board["x"] + board["width"] - 1, "the panel covers the board"
        for part in (".status", ".throw"):
            needed = viewer.page.locator(part).bounding_box()
            assert needed is not None
            assert box["y"] >= needed["y"] + needed["height"], f"the panel covers {part}"
        column = viewer.page.locator("#side").bounding_box()
        assert column is not None
        assert box["x"] == pytest.approx(column["x"], abs=1), "something looks out beside the panel"
        assert box["width"] == pytest.approx(column["width"], abs=1)
    assert too_small(viewer.page) == [] or width > 1000
    assert violations(viewer.page) == []


def test_the_rules_open_and_close_with_the_keyboard(open_page: Open) -> None:
    viewer = open_page(**LAPTOP)
    button, rules = viewer.page.locator("#rules-button"), viewer.page.locator("#rules")
    button.focus()
    viewer.page.keyboard.press("Enter")
    viewer.page.wait_for_selector(".rules-text h3")
    assert button.get_attribute("aria-expanded") == "true"
    viewer.page.keyboard.press("Tab")
    assert rules.evaluate("one => one.contains(document.activeElement)")
    viewer.page.keyboard.press("Escape")
    rules.wait_for(state="hidden")
    viewer.until(
        lambda: button.evaluate("one => one === document.activeElement"), "the button's focus"
    )


def test_the_panel_gives_way_to_a_warning(browser: Browser, tmp_path: Path) -> None:
    with served_table(tmp_path) as table, open_viewer(browser, **LAPTOP) as viewer:
        table.new_game()
        table.play_until_move()
        viewer.open(table.url)
        rules = open_rules(viewer)
        table.touch("B5", on=True)
        viewer.until(rules.is_hidden, "the panel to close")
        expect(viewer.page.locator("#warning")).to_be_visible()


def test_the_printable_page_is_of_the_game_s_rules(open_page: Open) -> None:
    viewer = open_page()
    rules = open_rules(viewer)
    with viewer.context.expect_page() as opening:
        rules.locator("#rules-print").click()
    sheet = opening.value
    expect(sheet).to_have_title(re.compile("Blitz"))
    expect(sheet.locator("figure svg").first).to_be_visible()


@pytest.mark.parametrize("language", slow_except(languages(), "ru"))
def test_the_rules_of_every_set_are_printed_on_two_sides(browser: Browser, language: str) -> None:
    words = words_for(language)
    page = browser.new_page()
    sides = {}
    for name in RULE_SETS:
        page.set_content(rules_sheet(rule_set(name), words))
        printed = page.pdf(prefer_css_page_size=True)
        sides[name] = len(re.findall(rb"/Type\s*/Page\b", printed))
    page.close()
    assert sides == dict.fromkeys(RULE_SETS, 2)


@pytest.mark.parametrize("language", languages())
def test_the_rules_are_in_the_page_s_language_without_clipped_words(
    browser: Browser, tmp_path: Path, language: str
) -> None:
    words = words_for(language)
    with served_table(tmp_path) as table, open_viewer(browser, **PHONE) as viewer:
        table.desk.words = words
        table.new_game("skiryuk")
        viewer.open(table.url)
        viewer.page.wait_for_selector(f"html[lang={language}]", state="attached")
        rules = open_rules(viewer)
        assert words.text("Special squares") in rules.inner_text()
        clipped = "one => one.scrollWidth > one.clientWidth"
        assert not rules.evaluate(clipped)
        assert not viewer.page.locator("html").evaluate(clipped)


def test_a_note_explains_a_square_under_the_mouse(open_page: Open) -> None:
    viewer = open_page(**LAPTOP)
    note = viewer.page.locator("#square-note")
    viewer.square("B4").hover(position={"x": 3, "y": 3})
    viewer.until(note.is_visible, "the note")
    assert "B4: rosette" in note.inner_text()
    assert "A piece on a rosette is not safe." in note.inner_text()
    viewer.square("B2").hover(position={"x": 3, "y": 3})
    viewer.until(lambda: "An ordinary square." in note.inner_text(), "the plain square")
    viewer.page.mouse.move(5, 5)
    viewer.until(note.is_hidden, "the note to disappear")


def test_no_note_covers_the_square_where_the_mouse_was_released(open_page: Open) -> None:
    viewer = open_page(**LAPTOP)
    note = viewer.page.locator("#square-note")
    viewer.square("B2").click(position={"x": 3, "y": 3})
    viewer.square("B2").hover(position={"x": 9, "y": 9})
    viewer.page.wait_for_timeout(900)
    expect(note).to_be_hidden()
    viewer.square("B4").hover(position={"x": 3, "y": 3})
    viewer.until(note.is_visible, "the note of another square")


def test_a_note_explains_the_square_with_the_focus(open_page: Open) -> None:
    viewer = open_page(**LAPTOP)
    note = viewer.page.locator("#square-note")
    viewer.page.locator(".skip").focus()
    for _ in range(30):
        viewer.page.keyboard.press("Tab")
        if viewer.page.evaluate("document.activeElement.dataset.square"):
            break
    viewer.until(note.is_visible, "the note")
    focused = viewer.page.evaluate("document.activeElement.getAttribute('aria-describedby')")
    assert focused == "square-note"
    viewer.page.keyboard.press("Escape")
    note.wait_for(state="hidden")


def test_a_touch_on_an_empty_square_shows_its_note_within_the_screen(
    open_page: Open, table: ServedTable
) -> None:
    viewer = open_page(**PHONE)
    note = viewer.page.locator("#square-note")
    position = table.table.service.snapshot.position
    assert position is not None
    pieces = viewer.piece_counts()
    for name in ("A8", "C1", "B8"):
        assert name not in pieces
        viewer.square(name).tap()
        viewer.until(lambda name=name: note.inner_text().startswith(name), "the note")
        box = note.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
