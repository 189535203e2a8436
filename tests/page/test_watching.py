"""Watching a table: what the page shows is what the referee says, and nothing is ever missed."""

import json
import re

import pytest
from playwright.sync_api import Browser

from tests.page.served import EVIL, Served, Visitor, visitor
from urpi.referee import Phase
from urpi.referee.facts import Answer
from urpi.rules import SQUARE_NAMES, Position
from urpi.words import languages, words_for
from urpi.words.page_words import PAGE_WORDS

BUDGET_BYTES = 150_000
KEPT = 40
"""So many lines of what happened stay on the page."""


def stands(position: Position) -> dict[str, int]:
    """How many pieces a position has in each place, as the page names them."""
    places = {name: len(pile) for name, pile in zip(SQUARE_NAMES, position.board, strict=True)}
    for number, side in enumerate(("light", "dark")):
        places |= {f"hand:{side}": position.hand[number], f"home:{side}": position.off[number]}
    return {place: count for place, count in places.items() if count}


def shows_the_position(guest: Visitor, table: Served) -> None:
    position = table.table.service.snapshot.position
    assert position is not None
    guest.until(lambda: guest.stands() == stands(position), str(position))


@pytest.mark.parametrize("rules", ["finkel", "skiryuk", "murray"])
def test_the_board_shows_the_position(guest: Visitor, table: Served, rules: str) -> None:
    table.new_game(rules)
    guest.see(table.url)
    shows_the_position(guest, table)
    for _ in range(6):
        table.play(9)
        shows_the_position(guest, table)


def test_a_page_that_is_loaded_anew_in_mid_turn_shows_the_same(
    guest: Visitor, table: Served
) -> None:
    table.new_game()
    table.play(12)
    table.play_until_a_move()
    guest.see(table.url)
    now = guest.text("#now")
    assert re.match(r"(Ann|Bob), move \d", now)
    before = guest.stands(), guest.text("#value"), guest.text("#record-body")
    guest.page.reload()
    guest.reads("#now", now)
    shows_the_position(guest, table)
    assert (guest.stands(), guest.text("#value"), guest.text("#record-body")) == before
    guest.until(lambda: guest.page.locator("#happened-list li").count(), "what happened before")


def test_a_page_that_was_offline_catches_up_without_a_gap(guest: Visitor, table: Served) -> None:
    table.new_game()
    table.play(5)
    guest.see(table.url)
    shows_the_position(guest, table)
    first = len(table.table.lines("decision"))
    items = guest.page.locator("#happened-list li")
    guest.until(lambda: items.count() == min(first, KEPT), "what happened before")
    guest.context.set_offline(True)
    guest.reads("#connection", "Not connected")
    decided = len(table.table.decided)
    table.play(20)
    told = len(table.table.decided) - decided
    guest.context.set_offline(False)
    guest.reads("#connection", "")
    shows_the_position(guest, table)
    guest.until(lambda: items.count() == min(first + told, KEPT), "every decision")
    seqs = items.evaluate_all("all => all.map(x => Number(x.dataset.seq))")
    assert seqs == sorted(set(seqs), reverse=True)
    assert guest.page.locator("#connection").inner_text() == ""


def test_a_warning_says_and_marks_what_to_put_right(guest: Visitor, table: Served) -> None:
    table.new_game()
    table.play_until_a_move()
    guest.see(table.url)
    assert guest.page.locator("#warning").is_hidden()
    table.touch("B5", on=True)
    guest.until(lambda: guest.page.locator("#warning").is_visible(), "the warning")
    assert guest.text(".warning-text") == table.table.service.snapshot.warning.text
    assert "B5" in guest.text(".warning-text")
    assert guest.page.locator(".ur-mark-clear").count() == 1
    assert "to be cleared" in str(guest.square("B5").get_attribute("aria-label"))
    table.touch("B5", on=False)
    guest.until(lambda: guest.page.locator("#warning").is_hidden(), "the board is right again")
    assert guest.page.locator(".ur-mark-clear").count() == 0


def test_legal_moves_are_shown_on_request_alone(guest: Visitor, table: Served) -> None:
    table.new_game()
    table.play(10)
    table.play_until_a_move()
    guest.see(table.url)
    guest.reads("#now", "move")
    assert guest.page.locator(".ur-way").count() == 0
    guest.page.keyboard.press("m")
    moves = guest.page.locator("#moves-list li")
    legal = table.table.service.snapshot.legal
    guest.until(lambda: moves.count() == len(legal), "the moves")
    assert sorted(moves.evaluate_all("all => all.map(x => x.dataset.move)")) == sorted(legal)
    assert guest.page.locator(".ur-way").count() == len(legal)
    guest.page.get_by_role("button", name="Show the moves").click()
    assert guest.page.locator("#moves").is_hidden()
    assert guest.page.locator(".ur-way").count() == 0


def test_the_board_is_a_grid_for_the_keyboard_and_the_screen_reader(
    guest: Visitor, table: Served
) -> None:
    table.new_game()
    guest.see(table.url)
    guest.square("A4").focus()
    for key, name in (("ArrowLeft", "A3"), ("ArrowUp", "B3"), ("ArrowRight", "B4")):
        guest.page.keyboard.press(key)
        assert guest.page.evaluate("document.activeElement.dataset.square") == name
    assert guest.square("B4").get_attribute("aria-label") == "B4, rosette"
    assert guest.page.locator('[data-square][tabindex="0"]').count() == 1
    grid = guest.page.get_by_role("grid", name="Board")
    assert grid.get_by_role("gridcell").count() == 20


def test_a_piece_is_said_where_it_stands(guest: Visitor, table: Served) -> None:
    table.new_game()
    table.play(14)
    guest.see(table.url)
    shows_the_position(guest, table)
    position = table.table.service.snapshot.position
    assert position is not None
    for name, pile in zip(SQUARE_NAMES, position.board, strict=True):
        said = str(guest.square(name).get_attribute("aria-label"))
        assert ("Light's piece" in said) == (pile == "L"), name
        assert ("Dark's piece" in said) == (pile == "D"), name


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("finkel", "in hand 7, home 0"),
        ("ravensburger", "in hand 10, lost 0"),
        ("freecompany", "in hand 7"),
    ],
)
def test_what_left_the_board_is_called_what_the_rules_make_it(
    guest: Visitor, table: Served, rules: str, said: str
) -> None:
    table.new_game(rules)
    guest.see(table.url)
    guest.until(lambda: guest.text("#score-light") == said, said)


def test_a_question_is_asked_with_its_answers(guest: Visitor, table: Served) -> None:
    table.new_game("freecompany")
    assert table.table.service.snapshot.phase is Phase.CHOOSE_FIRST
    guest.see(table.url)
    guest.until(lambda: guest.page.locator("#question").is_visible(), "the question")
    assert guest.text("#question-said") == "Who begins?"
    buttons = guest.page.locator("#question-choices button")
    assert buttons.all_inner_texts() == ["Ann", "Bob"]
    assert buttons.nth(0).get_attribute("aria-current") == "true"


def test_what_was_thrown_for_who_begins_stands_with_the_name(guest: Visitor, table: Served) -> None:
    table.new_game()
    table.table.take(Answer(table.table.t, faces="gg--"))
    guest.see(table.url)
    guest.reads("#turn-light", "threw 2")
    guest.reads("#turn-dark", "to play")


def test_a_script_in_a_name_stays_a_text(guest: Visitor, table: Served) -> None:
    table.new_game(light=EVIL, dark="<script>window.hurt=1</script>")
    table.play(4)
    guest.see(table.url)
    guest.reads("#name-light", EVIL)
    table.play(600)
    guest.reads("#now", "has won")
    for page in ("games", f"games/{table.table.service.game}"):
        guest.page.goto(table.url + page)
        guest.reads("main", "onerror")
    assert guest.page.evaluate("window.hurt") is None
    assert guest.page.locator("main img[src=x]").count() == 0


@pytest.mark.parametrize("ratio", [1, 1.5, 2, 3])
def test_every_dot_of_the_display_is_whole(browser: Browser, table: Served, ratio: float) -> None:
    table.new_game()
    with visitor(browser, device_scale_factor=ratio) as guest:
        guest.see(table.url)
        box = guest.page.locator("#oled").bounding_box()
        assert box is not None
        scale = box["width"] * ratio / 128
        assert scale == pytest.approx(round(scale), abs=0.01)
        assert scale >= 1
        assert box["height"] * 2 == pytest.approx(box["width"])
        natural = guest.page.locator("#oled").evaluate("x => [x.naturalWidth, x.naturalHeight]")
        assert natural == [128, 64]


def test_the_first_view_is_small(guest: Visitor, table: Served) -> None:
    table.new_game()
    table.play(60)
    taken = []
    guest.page.on("requestfinished", lambda one: taken.append(one.sizes()["responseBodySize"]))
    guest.see(table.url)
    shows_the_position(guest, table)
    assert 10_000 < sum(taken) < BUDGET_BYTES


def translated(language: str) -> str | None:
    """A heading of the page that this language says otherwise, None when it has none."""
    words = words_for(language)
    shown = ("Record", "Chances", "Devices", "What happened")
    return next((one for one in shown if words.text(one) != one and one in PAGE_WORDS), None)


def test_the_page_speaks_the_tables_language(guest: Visitor, table: Served) -> None:
    spoken = [language for language in languages() if translated(language)]
    if not spoken:
        pytest.skip("no catalogue has the page's words yet")
    heading = translated(spoken[0])
    table.new_game()
    guest.see(table.url)
    guest.reads("aside", str(heading))
    table.desk.words = words_for(spoken[0])
    table.play(1)
    guest.reads("aside", words_for(spoken[0]).text(str(heading)))
    assert guest.page.evaluate("document.documentElement.lang") == spoken[0]


def test_the_stream_is_the_journals(guest: Visitor, table: Served) -> None:
    table.new_game()
    guest.see(table.url)
    table.play(30)
    shows_the_position(guest, table)
    lines = [json.loads(line)["type"] for line in table.table.lines("decision")]
    told = guest.page.locator("#happened-list li")
    guest.until(lambda: told.count() == min(len(lines), KEPT), "every decision")
    shown = told.evaluate_all("all => all.map(x => x.className.replace('told told-', ''))")
    assert shown == lines[::-1][: len(shown)]
