"""The menu of a board: the table's status that it shows, and the outputs carried out."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.test_board import Board, opened
from tests.waiting import wait_until
from urpi.journal import Journal, entries_of, list_games
from urpi.referee import Phase
from urpi.referee.decisions import Roll
from urpi.referee.facts import Answer, Button, Resign
from urpi.referee.lines import parse_fact
from urpi.referee.orders import ChangeSound, NewGame
from urpi.referee.seats import SEATS
from urpi.rules import Side, rule_set
from urpi.service.board import BoardService
from urpi.service.last_minute import last_minute
from urpi.show.menu import Listing, PageAccess
from urpi.show.menu.state_machine import OPEN_MS
from urpi.show.views import draw_menu, draw_pin
from urpi.show.words import words_for

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
    board.board.submit(Button(board.board.clock(), side, press))
    board.board.service.work()


def select(board: Board, name: str, side: Side = LIGHT) -> None:
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


def test_presses_for_the_menu_are_not_stored(board: Board, path: Path) -> None:
    for side, what in ((LIGHT, "both"), (LIGHT, "short"), (DARK, "both"), (DARK, "short")):
        press(board, side, what)
    board.wait(1_000)
    assert buttons_stored(path, 1) == 0


def test_presses_that_answer_the_referee_are_stored(path: Path) -> None:
    made = Board(path)
    with made.board:
        made.pins.refresh()
        made.board.begin(NewGame(MODERN))
        made.wait(500)
        assert made.board.service.snapshot.phase is Phase.CHOOSE_FIRST
        press(made, LIGHT)
        press(made, LIGHT, "long")
        assert made.board.service.snapshot.side is DARK
        made.wait(500)
    assert buttons_stored(path, 1) == 2


@pytest.mark.slow
def test_the_menu_closes_after_a_timeout_and_the_game_is_shown(board: Board) -> None:
    press(board, LIGHT, "both")
    board.wait(OPEN_MS)
    assert board.board.menu.screen is None
    assert board.shows("No dice hub", 1)


def test_a_lasting_notice_does_not_cover_the_menu_s_last_line(board: Board) -> None:
    board.wait(6_000)
    press(board, LIGHT, "both")
    screen = board.board.menu.screen
    assert screen is not None
    view = draw_menu(screen, board.board.service.snapshot, words_for("en"))
    assert board.board.picture().tobytes() == view.tobytes()


def test_an_accepted_new_game_abandons_the_current_one(board: Board, path: Path) -> None:
    press(board, DARK, "both")
    select(board, "new-game", DARK)
    select(board, "begin", DARK)
    press(board, LIGHT, "long")
    board.wait(500)
    assert board.board.service.game == 2
    with Journal.open(path) as journal:
        (new, old) = list_games(journal)
        stored = [entry.line for entry in entries_of(journal, 1)]
    assert (old.result, new.result) == ("abandoned", None)
    assert sum('"agreed":true' in line for line in stored) == 1


def test_the_names_offered_are_those_of_earlier_players(board: Board) -> None:
    begin = board.board.begin
    for light, dark in (("李雷", "Bob"), ("Ann", "Bob"), ("Zoë", "Ann")):
        begin(NewGame(rule_set("finkel"), light, dark, LIGHT))
    press(board, LIGHT, "both")
    select(board, "new-game")
    select(board, "light")
    assert lines(board) == ["", "Zoë", "Ann", "Bob", *SEATS[1:], ""]


def test_the_page_s_address_and_pin_are_shown(path: Path) -> None:
    board = Board(path, page=lambda: PageAccess("192.168.1.20:8011", "471100"))
    with board.board:
        press(board, LIGHT, "both")
        select(board, "about")
        assert lines(board) == ["", "192.168.1.20:8011", "471100", ""]


def test_a_requested_pin_is_shown_only_on_the_display(board: Board) -> None:
    board.board.show_pin("471100", "192.168.1.20:8011")
    board.board.service.work()
    assert board.board.devices.screen is not None
    assert board.board.devices.screen.flush()
    view = draw_pin("471100", "192.168.1.20:8011", words_for("en"))
    assert board.bus.picture().tobytes() == view.tobytes()
    assert board.board.picture().tobytes() != view.tobytes()


def test_an_offer_is_announced_by_the_buzzer(path: Path) -> None:
    made = Board(path, buzzer_pin=14)
    with made.board:
        made.pins.refresh()
        made.board.begin(NewGame(rule_set("finkel"), first=LIGHT))
        made.wait(500)
        done = made.board.order(ChangeSound("tones"))
        made.board.service.work()
        assert done.result(timeout=0) is None
        buzzer = made.factory.pin(14)
        silent = list(buzzer.states)
        press(made, LIGHT, "long")
        select(made, "abandon")
        wait_until(lambda: list(buzzer.states) != silent, "the buzzer's tone")


class TestChooserOfTheFirstPlayer:
    def begun(self, board: BoardService, *names: str) -> Side | None:
        board.begin(NewGame(MODERN, *names))
        board.service.work()
        question = board.service.snapshot.question
        assert question is not None
        assert question.ask == "first"
        return board.service.snapshot.chooser

    def finished(self, path: Path) -> None:
        """Play a first game, which Ann (light) loses."""
        first = Board(path)
        with first.board:
            first.pins.refresh()
            assert self.begun(first.board, "Ann", "Bob") is None
            first.board.submit(Answer(first.board.clock(), first=LIGHT))
            first.board.submit(Resign(first.board.clock(), LIGHT))
            first.board.service.work()

    @pytest.mark.parametrize(
        ("names", "chooser"),
        [
            (("Ann", "Bob"), LIGHT),
            (("Bob", "Ann"), DARK),
            (("Ann", "Zoë"), None),
        ],
    )
    def test_is_the_loser_of_the_last_game_between_the_same_players(
        self, path: Path, names: tuple[str, str], chooser: Side | None
    ) -> None:
        self.finished(path)
        again = Board(path)
        with again.board:
            again.pins.refresh()
            assert self.begun(again.board, *names) is chooser

    def test_is_open_after_a_game_by_other_rules(self, path: Path) -> None:
        self.finished(path)
        again = Board(path)
        with again.board:
            again.pins.refresh()
            again.board.begin(NewGame(rule_set("finkel"), "Ann", "Bob", LIGHT))
            assert self.begun(again.board, "Ann", "Bob") is None


class TestLastMinute:
    def test_it_begins_with_instructions_and_continues_with_events(self, path: Path) -> None:
        with opened(path) as board:
            board.wait(500)
            pages = last_minute(path, 1, words_for("en"), "pi.local:8011")
        assert pages[0].text == "Press: earlier. Hold: back. Full record: pi.local:8011/games/1"
        assert [page.heading for page in pages[1:]] == ["0 s"] * (len(pages) - 1)
        assert any("begins" in page.text for page in pages[1:])

    def test_only_the_newest_events_are_listed(self, path: Path) -> None:
        with opened(path) as board:
            for faces in ("gs--", "nonsense", "also nonsense"):
                board.wait(1_000)
                board.board.submit(Answer(board.board.clock(), faces=faces))
            board.wait(500)
            heading, *events = last_minute(path, 1, words_for("en"), "")
            assert heading.text == "Press: earlier. Hold: back."
            ages = [int(page.heading.removesuffix(" s")) for page in events]
            assert ages == sorted(ages, reverse=True)
            assert ages[0] == 0 > ages[-1]
            for most in (1, 2, len(events)):
                pages = last_minute(path, 1, words_for("en"), "", max_events=most)
                assert list(pages[1:]) == events[:most]

    def test_a_game_that_is_not_stored_is_an_error_page(self, path: Path) -> None:
        Journal.open(path).close()
        (page,) = last_minute(path, 7, words_for("en"), "")
        assert "has no game 7" in page.text


def test_the_last_throw_is_known_after_a_restart(path: Path) -> None:
    with opened(path) as first:
        first.board.submit(Answer(first.board.clock(), faces="gs--"))
        first.board.service.work()
    with opened(path) as again:
        rolled = again.board.service.snapshot.rolled
    assert isinstance(rolled, Roll)
    assert rolled.faces == "gs--"
