"""The menu joined with a board: what it knows of the table, and what comes of it there."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.test_board import Board, opened
from urpi.journal import Journal, entries_of, list_games
from urpi.menu import Listing, PageAccess
from urpi.menu.machine import OPEN_MS
from urpi.orders import ChangeSound
from urpi.referee import Phase
from urpi.referee.decisions import Roll
from urpi.referee.facts import Answer, Button, Resign
from urpi.referee.lines import parse_fact
from urpi.rules import Side, rule_set
from urpi.service.board import BoardService
from urpi.service.last_minute import last_minute
from urpi.views import draw_menu, draw_pin
from urpi.words import words_for

LIGHT, DARK = Side
DEADLINE_S = 240.0
MODERN = rule_set("freecompany")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture
def board(path: Path) -> Iterator[Board]:
    with opened(path) as made:
        yield made


def press(board: Board, side: Side, press: str = "short") -> None:
    board.board.heard(Button(board.board.clock(), side, press))
    board.board.service.work()


def take(board: Board, name: str, side: Side = LIGHT) -> None:
    for _ in range(20):
        screen = board.board.menu.screen
        assert isinstance(screen, Listing)
        if screen.item.name == name:
            press(board, side, "long")
            return
        press(board, side)
    raise AssertionError(name)


def lines(board: Board) -> list[str]:
    screen = board.board.menu.screen
    assert isinstance(screen, Listing)
    return [item.value for item in screen.items]


def buttons_stored(path: Path, game: int) -> int:
    with Journal.open(path) as journal:
        facts = [entry.line for entry in entries_of(journal, game) if entry.kind == "fact"]
    return sum(isinstance(parse_fact(line), Button) for line in facts)


def test_presses_that_the_menu_takes_are_no_facts(board: Board, path: Path) -> None:
    for side, what in ((LIGHT, "both"), (LIGHT, "short"), (DARK, "both"), (DARK, "short")):
        press(board, side, what)
    board.wait(1_000)
    assert buttons_stored(path, 1) == 0


def test_presses_that_answer_the_referee_are(path: Path) -> None:
    made = Board(path)
    with made.board:
        made.pins.refresh()
        made.board.begin(MODERN, None)
        made.wait(500)
        assert made.board.service.snapshot.phase is Phase.CHOOSE_FIRST
        press(made, LIGHT)
        press(made, LIGHT, "long")
        assert made.board.service.snapshot.side is DARK
        made.wait(500)
    assert buttons_stored(path, 1) == 2


def test_the_menu_goes_away_by_itself_and_the_game_is_shown_again(board: Board) -> None:
    press(board, LIGHT, "both")
    board.wait(OPEN_MS)
    assert board.board.menu.screen is None
    assert board.shows("No dice hub", 1)


def test_the_menu_keeps_its_last_line_from_what_stays_wrong(board: Board) -> None:
    board.wait(6_000)
    press(board, LIGHT, "both")
    screen = board.board.menu.screen
    assert screen is not None
    view = draw_menu(screen, board.board.service.snapshot, words_for("en"))
    assert board.board.picture().tobytes() == view.tobytes()


def test_an_agreed_new_game_ends_this_one_as_agreed(board: Board, path: Path) -> None:
    press(board, DARK, "both")
    take(board, "new-game", DARK)
    take(board, "begin", DARK)
    press(board, LIGHT, "long")
    board.wait(500)
    assert board.board.service.game == 2
    with Journal.open(path) as journal:
        (new, old) = list_games(journal)
        told = [entry.line for entry in entries_of(journal, 1)]
    assert (old.result, new.result) == ("abandoned", None)
    assert sum('"agreed":true' in line for line in told) == 1


def test_names_are_those_who_have_played_here(board: Board) -> None:
    begin = board.board.begin
    for light, dark in (("Ann", "Bob"), ("Zoë", "Ann")):
        begin(rule_set("finkel"), LIGHT, light=light, dark=dark)
    press(board, LIGHT, "both")
    take(board, "new-game")
    take(board, "light")
    assert lines(board) == ["", "Zoë", "Ann", "Bob", ""]


def test_the_page_is_told_where_and_with_which_pin(board: Board) -> None:
    board.board.page = lambda: PageAccess("192.168.1.20:8011", "471100")
    press(board, LIGHT, "both")
    take(board, "about")
    assert lines(board) == ["", "192.168.1.20:8011", "471100", ""]


def test_the_pin_is_shown_at_the_board_alone_when_the_page_asks_for_it(board: Board) -> None:
    board.board.show_pin("471100", "192.168.1.20:8011")
    board.board.service.work()
    assert board.board.screen is not None
    assert board.board.screen.flush()
    view = draw_pin("471100", "192.168.1.20:8011", words_for("en"))
    assert board.bus.picture().tobytes() == view.tobytes()
    assert board.board.picture().tobytes() != view.tobytes()


def test_an_offer_is_heard_by_whoever_has_to_answer(path: Path) -> None:
    made = Board(path, buzzer_pin=14)
    with made.board:
        made.pins.refresh()
        made.board.begin(rule_set("finkel"), LIGHT)
        made.wait(500)
        done = made.board.order(ChangeSound("tones"))
        made.board.service.work()
        assert done.result(timeout=0) is None
        buzzer = made.factory.pin(14)
        silent = list(buzzer.states)
        press(made, LIGHT, "long")
        take(made, "abandon")
        deadline = time.monotonic() + DEADLINE_S
        while list(buzzer.states) == silent:
            assert time.monotonic() < deadline
            time.sleep(0.001)


class TestWhoSaysWhoBegins:
    def begun(self, board: BoardService, *names: str) -> Side | None:
        board.begin(MODERN, None, light=names[0], dark=names[1])
        board.service.work()
        question = board.service.snapshot.question
        assert question is not None
        assert question.ask == "first"
        return board.service.snapshot.chooser

    def finished(self, path: Path) -> None:
        """A first game, which Ann (light) has lost."""
        first = Board(path)
        with first.board:
            first.pins.refresh()
            assert self.begun(first.board, "Ann", "Bob") is None
            first.board.heard(Answer(first.board.clock(), first=LIGHT))
            first.board.heard(Resign(first.board.clock(), LIGHT))
            first.board.service.work()

    @pytest.mark.parametrize(
        ("names", "chooser"),
        [
            (("Ann", "Bob"), LIGHT),
            (("Bob", "Ann"), DARK),
            (("Ann", "Zoë"), None),
        ],
    )
    def test_is_the_loser_of_the_last_game_of_the_same_two(
        self, path: Path, names: tuple[str, str], chooser: Side | None
    ) -> None:
        self.finished(path)
        again = Board(path)
        with again.board:
            again.pins.refresh()
            assert self.begun(again.board, *names) is chooser

    def test_is_nobody_in_particular_after_a_game_of_other_rules(self, path: Path) -> None:
        self.finished(path)
        again = Board(path)
        with again.board:
            again.pins.refresh()
            again.board.begin(rule_set("finkel"), LIGHT, light="Ann", dark="Bob")
            assert self.begun(again.board, "Ann", "Bob") is None


class TestLastMinute:
    def test_it_says_where_all_of_it_stands_and_then_what_happened(self, path: Path) -> None:
        with opened(path) as board:
            board.wait(500)
            told = last_minute(path, 1, words_for("en"), "pi.local:8011")
        assert told[0].text == "Press: earlier. Hold: back. All of it: pi.local:8011/games/1"
        assert [entry.heading for entry in told[1:]] == ["0 s"] * (len(told) - 1)
        assert any("begins" in entry.text for entry in told[1:])

    def test_a_game_that_is_not_on_the_disk_says_so(self, path: Path) -> None:
        Journal.open(path).close()
        (told,) = last_minute(path, 7, words_for("en"), "")
        assert "has no game 7" in told.text


def test_a_throw_and_a_move_are_known_again_after_the_program_has_ended(path: Path) -> None:
    with opened(path) as first:
        first.board.heard(Answer(first.board.clock(), faces="gs--"))
        first.board.service.work()
    with opened(path) as again:
        rolled = again.board.service.snapshot.rolled
    assert isinstance(rolled, Roll)
    assert rolled.faces == "gs--"
