"""Orders from other threads: a new game, another language, other sound, while a game is on."""

from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from pathlib import Path
from threading import Thread

import pytest

from tests.service.test_board import Board, opened
from urpi.errors import UrpiError
from urpi.journal import Journal, list_games
from urpi.orders import ChangeLanguage, ChangeSound, NewGame, Order
from urpi.referee import Phase
from urpi.rules import Side, rule_set
from urpi.words import words_for

MURRAY = NewGame(rule_set("murray", {"pieces": "3"}), "Ann", "Bob", Side.DARK)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture
def board(path: Path) -> Iterator[Board]:
    with opened(path) as made:
        yield made


def ordered(board: Board, order: Order) -> int | None:
    """What came of an order that another thread gave."""
    given: list[Future[int | None]] = []
    thread = Thread(target=lambda: given.append(board.board.order(order)))
    thread.start()
    thread.join()
    board.board.service.work()
    return given[0].result(timeout=0)


def test_an_order_waits_for_the_thread_that_works(board: Board) -> None:
    done = board.board.order(MURRAY)
    assert not done.done()
    board.board.service.work()
    assert done.result(timeout=0) == 2


def test_a_new_game_breaks_the_running_one_off(board: Board, path: Path) -> None:
    assert ordered(board, MURRAY) == 2
    with Journal.open(path) as journal:
        new, old = list_games(journal)
    assert (old.result, new.result) == ("abandoned", None)
    assert (new.rules, new.light, new.dark) == ("murray[pieces=3]", "Ann", "Bob")
    assert board.board.service.snapshot.side is Side.DARK


def test_a_new_game_may_be_begun_by_whoever_made_the_board(path: Path) -> None:
    made = Board(path)
    begun: list[NewGame] = []

    def begin(order: NewGame) -> int:
        begun.append(order)
        return made.board.begin(order.rules, order.first)

    made = Board(path, begin=begin)
    with made.board:
        assert ordered(made, MURRAY) == 1
    assert begun == [MURRAY]


def test_where_the_rules_draw_the_first_player_is_drawn(path: Path) -> None:
    made = Board(path, lots=lambda: Side.DARK)
    with made.board:
        ordered(made, NewGame(rule_set("bell")))
        made.wait(500)
        assert made.board.service.snapshot.side is Side.DARK


def test_the_next_start_offers_what_was_played_last(board: Board, path: Path) -> None:
    ordered(board, MURRAY)
    again = Board(path).board.preferences
    assert (again.rules, again.light, again.dark) == ("murray[pieces=3]", "Ann", "Bob")


def test_a_language_that_nobody_speaks_here_is_refused_and_nothing_changes(board: Board) -> None:
    with pytest.raises(UrpiError, match="no words for the language 'tlh'; choose one of en"):
        ordered(board, ChangeLanguage("tlh"))
    assert board.board.preferences.language == "en"
    assert board.board.service.snapshot.phase is Phase.THROW


@pytest.mark.parametrize("language", ["en"])
def test_a_language_is_kept_and_shown(board: Board, path: Path, language: str) -> None:
    ordered(board, ChangeLanguage(language))
    assert board.board.words == words_for(language)
    assert Board(path).board.preferences.language == language


def test_a_sound_that_the_table_lacks_is_refused(board: Board) -> None:
    with pytest.raises(UrpiError, match="no sound 'tones'; choose one of off"):
        ordered(board, ChangeSound("tones"))


def test_a_buzzer_that_is_wired_may_be_switched_on_and_off(path: Path) -> None:
    wired = Board(path, buzzer_pin=14)
    with wired.board:
        assert wired.board.preferences.sound == "off"
        for sound in ("tones", "off", "tones"):
            ordered(wired, ChangeSound(sound))
            assert wired.board.preferences.sound == sound
    assert Board(path, buzzer_pin=14).board.preferences.sound == "tones"


def test_the_picture_is_the_one_on_the_oled(board: Board) -> None:
    assert board.board.screen is not None
    assert board.board.screen.flush()
    assert board.board.picture().tobytes() == board.bus.picture().tobytes()


def test_an_order_is_cancelled_when_the_program_ends_before(path: Path) -> None:
    with opened(path) as board:
        before = board.board.order(MURRAY)
    behind = board.board.order(MURRAY)
    for done in (before, behind):
        with pytest.raises(CancelledError):
            done.result(timeout=0)
