"""Watching a table: the page shows the referee's state and every decision."""

import json
import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.served_table import EVIL, MAX_ENTRIES, ServedTable, Viewer, open_viewer
from urpi.referee import Phase
from urpi.referee.facts import Answer
from urpi.rules import SQUARE_NAMES, Position
from urpi.show.words import languages, page_messages, words_for

BUDGET_BYTES = 150_000


def piece_counts(position: Position) -> dict[str, int]:
    """Return the number of pieces on each place of a position, by the page's names."""
    places = {name: len(pile) for name, pile in zip(SQUARE_NAMES, position.board, strict=True)}
    for number, side in enumerate(("light", "dark")):
        places |= {f"hand:{side}": position.hand[number], f"home:{side}": position.off[number]}
    return {place: count for place, count in places.items() if count}


def wait_for_position(viewer: Viewer, table: ServedTable) -> None:
    position = table.table.service.snapshot.position
    assert position is not None
    viewer.until(lambda: viewer.piece_counts() == piece_counts(position), str(position))


@pytest.mark.parametrize("rules", ["finkel", "skiryuk", "murray"])
def test_the_board_wait_for_position(viewer: Viewer, table: ServedTable, rules: str) -> None:
    table.new_game(rules)
    viewer.open(table.url)
    wait_for_position(viewer, table)
    for _ in range(6):
        table.play(9)
        wait_for_position(viewer, table)


def test_the_record_draws_only_what_has_changed(viewer: Viewer, table: ServedTable) -> None:
    table.new_game()
    table.play(60)
    viewer.open(table.url)
    rows = viewer.page.locator("#record-body tr")
    before = viewer.until(rows.count, "the earlier moves")
    rows.evaluate_all("all => all.forEach((row) => (row.drawnBefore = true))")
    table.play(6)
    viewer.until(lambda: rows.count() > before, "the new moves")
    kept = "all => all.map((row) => Boolean(row.drawnBefore))"
    drawn_before = rows.evaluate_all(kept)
    assert drawn_before == [at < before for at in range(len(drawn_before))]
    viewer.until(
        lambda: viewer.page.locator("#record-frame").evaluate(
            "({ scrollTop, scrollHeight, clientHeight }) =>"
            " scrollTop > 0 && scrollHeight - scrollTop - clientHeight <= 1"
        ),
        "the last line in view",
    )
    table.table.submit(Answer(table.table.t, takeback=True))
    viewer.until(lambda: viewer.page.locator("#record-body .taken-back").count(), "the take-back")
    assert sum(rows.evaluate_all(kept)) <= before


def test_a_page_that_is_reloaded_during_a_turn_shows_the_same(
    viewer: Viewer, table: ServedTable
) -> None:
    table.new_game()
    table.play(12)
    table.play_until_move()
    viewer.open(table.url)
    viewer.wait_for_text("#now", "move a piece")
    now = viewer.text("#now")
    assert re.match(r"(Ann|Bob) threw \d: move a piece", now)
    viewer.until(lambda: viewer.text("#record-body"), "the record")
    wait_for_position(viewer, table)
    before = viewer.piece_counts(), viewer.text("#value"), viewer.text("#record-body")
    viewer.page.reload()
    viewer.wait_for_text("#now", now)
    viewer.until(
        lambda: (
            (viewer.piece_counts(), viewer.text("#value"), viewer.text("#record-body")) == before
        ),
        "the same as before",
    )
    viewer.until(lambda: viewer.page.locator("#log-list li").count(), "the earlier decisions")


def test_a_page_that_was_offline_receives_all_missed_decisions(
    viewer: Viewer, table: ServedTable
) -> None:
    table.new_game()
    table.play(5)
    viewer.open(table.url)
    wait_for_position(viewer, table)
    first = len(table.table.lines("decision"))
    items = viewer.page.locator("#log-list li")
    viewer.wait_for_log(table)
    viewer.context.set_offline(True)
    viewer.wait_for_text("#connection", "Not connected")
    decided = len(table.table.decided)
    table.play(20)
    missed = len(table.table.decided) - decided
    viewer.context.set_offline(False)
    viewer.wait_for_text("#connection", "")
    wait_for_position(viewer, table)
    viewer.until(lambda: items.count() == min(first + missed, MAX_ENTRIES), "every decision")
    seqs = items.evaluate_all("all => all.map(x => Number(x.dataset.seq))")
    assert seqs == sorted(set(seqs), reverse=True)
    assert viewer.page.locator("#connection").inner_text() == ""


def test_a_warning_is_shown_and_its_squares_are_marked(viewer: Viewer, table: ServedTable) -> None:
    table.new_game()
    table.play_until_move()
    viewer.open(table.url)
    expect(viewer.page.locator("#warning")).to_be_hidden()
    table.touch("B5", on=True)
    viewer.until(lambda: viewer.page.locator("#warning").is_visible(), "the warning")
    assert viewer.text("#warning .warning-text") == table.table.service.snapshot.warning.text
    assert "B5" in viewer.text("#warning .warning-text")
    assert viewer.text("#now") == "Please correct the board"
    assert viewer.page.locator(".ur-mark-clear").count() == 1
    assert "to be cleared" in str(viewer.square("B5").get_attribute("aria-label"))
    table.touch("B5", on=False)
    viewer.until(
        lambda: viewer.page.locator("#warning").is_hidden(), "the board to be correct again"
    )
    viewer.wait_for_text("#now", "move a piece")
    assert viewer.page.locator(".ur-mark-clear").count() == 0


def test_legal_moves_are_shown_only_on_request(viewer: Viewer, table: ServedTable) -> None:
    table.new_game()
    table.play(10)
    table.play_until_move()
    viewer.open(table.url)
    viewer.wait_for_text("#now", "move")
    assert viewer.page.locator(".ur-way").count() == 0
    viewer.page.keyboard.press("m")
    moves = viewer.page.locator("#moves-list li")
    legal = table.table.service.snapshot.legal
    viewer.until(lambda: moves.count() == len(legal), "the moves")
    assert sorted(moves.evaluate_all("all => all.map(x => x.dataset.move)")) == sorted(legal)
    assert viewer.page.locator(".ur-way").count() == len(legal)
    viewer.page.get_by_role("button", name="Moves").click()
    expect(viewer.page.locator("#moves")).to_be_hidden()
    assert viewer.page.locator(".ur-way").count() == 0


def test_the_board_is_a_grid_for_the_keyboard_and_the_screen_reader(
    viewer: Viewer, table: ServedTable
) -> None:
    table.new_game()
    viewer.open(table.url)
    viewer.square("A4").focus()
    for key, name in (("ArrowLeft", "A3"), ("ArrowUp", "B3"), ("ArrowRight", "B4")):
        viewer.page.keyboard.press(key)
        assert viewer.page.evaluate("document.activeElement.dataset.square") == name
    assert viewer.square("B4").get_attribute("aria-label") == "B4, rosette"
    assert viewer.page.locator('[data-square][tabindex="0"]').count() == 1
    grid = viewer.page.get_by_role("grid", name="Board")
    assert grid.get_by_role("gridcell").count() == 20


def test_the_label_of_a_square_names_its_piece(viewer: Viewer, table: ServedTable) -> None:
    table.new_game()
    table.play(14)
    viewer.open(table.url)
    wait_for_position(viewer, table)
    position = table.table.service.snapshot.position
    assert position is not None
    for name, pile in zip(SQUARE_NAMES, position.board, strict=True):
        label = str(viewer.square(name).get_attribute("aria-label"))
        assert ("Light's piece" in label) == (pile == "L"), name
        assert ("Dark's piece" in label) == (pile == "D"), name


@pytest.mark.parametrize(
    ("rules", "score"),
    [
        ("finkel", "in hand 7, home 0"),
        ("ravensburger", "in hand 10, lost 0"),
        ("freecompany", "in hand 7"),
    ],
)
def test_pieces_off_the_board_are_named_according_to_the_rules(
    viewer: Viewer, table: ServedTable, rules: str, score: str
) -> None:
    table.new_game(rules)
    viewer.open(table.url)
    viewer.until(lambda: viewer.text("#score-light") == score, score)
    # The table stores it as the next game begins.
    table.new_game("finkel")
    viewer.open(f"{table.url}games/1#0")
    viewer.until(lambda: viewer.text("#score-light") == score, score)


def test_a_question_is_shown_with_its_answers(viewer: Viewer, table: ServedTable) -> None:
    table.new_game("freecompany")
    assert table.table.service.snapshot.phase is Phase.CHOOSE_FIRST
    viewer.open(table.url)
    viewer.until(lambda: viewer.page.locator("#question").is_visible(), "the question")
    assert viewer.text("#question-text") == "Who begins?"
    buttons = viewer.page.locator("#question-choices button")
    assert buttons.all_inner_texts() == ["Ann", "Bob"]
    assert buttons.nth(0).get_attribute("aria-current") == "true"


def test_a_throw_for_the_start_is_shown_beside_the_name(viewer: Viewer, table: ServedTable) -> None:
    table.new_game()
    table.table.submit(Answer(table.table.t, faces="gg--"))
    viewer.open(table.url)
    viewer.wait_for_text("#turn-light", "threw 2")
    viewer.wait_for_text("#turn-dark", "to play")


def test_a_script_in_a_name_is_escaped(viewer: Viewer, table: ServedTable) -> None:
    table.new_game(light=EVIL, dark="<script>window.hurt=1</script>")
    table.play(4)
    viewer.open(table.url)
    viewer.wait_for_text("#name-light", EVIL)
    table.play(600)
    viewer.wait_for_text("#now", "has won")
    for page in ("games", f"games/{table.table.service.game}"):
        viewer.page.goto(table.url + page)
        viewer.wait_for_text("main", "onerror")
    assert viewer.page.evaluate("window.hurt") is None
    assert viewer.page.locator("main img[src=x]").count() == 0


@pytest.mark.parametrize("ratio", [1, 1.5, 2, 3])
def test_each_pixel_of_the_display_is_a_whole_number_of_screen_pixels(
    browser: Browser, table: ServedTable, ratio: float
) -> None:
    table.new_game()
    with open_viewer(browser, device_scale_factor=ratio) as viewer:
        viewer.open(table.url)
        box = viewer.page.locator("#oled").bounding_box()
        assert box is not None
        scale = box["width"] * ratio / 128
        assert scale == pytest.approx(round(scale), abs=0.01)
        assert scale >= 1
        assert box["height"] * 2 == pytest.approx(box["width"])
        natural = "x => [x.naturalWidth, x.naturalHeight]"
        viewer.until(
            lambda: viewer.page.locator("#oled").evaluate(natural) == [128, 64], "the picture"
        )


def test_the_first_view_is_small(viewer: Viewer, table: ServedTable) -> None:
    table.new_game()
    table.play(60)
    taken = []
    viewer.page.on("requestfinished", lambda one: taken.append(one.sizes()["responseBodySize"]))
    viewer.open(table.url)
    wait_for_position(viewer, table)
    assert 10_000 < sum(taken) < BUDGET_BYTES


def translated(language: str) -> str | None:
    """Return a heading that is translated in a language, None if there is none."""
    words = words_for(language)
    shown = ("Record", "Chances of each throw", "Devices", "What happened")
    return next((one for one in shown if words.text(one) != one and one in page_messages()), None)


def test_the_page_is_translated_into_the_table_s_language(
    viewer: Viewer, table: ServedTable
) -> None:
    available = [language for language in languages() if translated(language)]
    if not available:
        pytest.skip("no catalogue has the page's texts")
    heading = translated(available[0])
    table.new_game()
    viewer.open(table.url)
    viewer.wait_for_text("aside", str(heading))
    table.desk.words = words_for(available[0])
    table.play(1)
    viewer.wait_for_text("aside", words_for(available[0]).text(str(heading)))
    assert viewer.page.evaluate("document.documentElement.lang") == available[0]


def test_the_log_contains_the_decisions_of_the_journal(viewer: Viewer, table: ServedTable) -> None:
    table.new_game()
    viewer.open(table.url)
    table.play(30)
    wait_for_position(viewer, table)
    lines = [json.loads(line)["type"] for line in table.table.lines("decision")]
    entries = viewer.page.locator("#log-list li")
    viewer.until(lambda: entries.count() == min(len(lines), MAX_ENTRIES), "every decision")
    shown = entries.evaluate_all("all => all.map(x => x.className.replace('entry entry-', ''))")
    assert shown == lines[::-1][: len(shown)]
