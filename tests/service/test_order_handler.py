"""Orders from other threads during a game: a new game, another language, another sound."""

from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from tests.service.test_board import Board, opened
from tests.service_desk import STARTED
from urpi.core.errors import UrpiError
from urpi.journal import (
    GameSummary,
    Journal,
    anonymise_player,
    entries_of,
    list_games,
    read_answers,
)
from urpi.journal.consents import SHOWN, read_consents
from urpi.referee import Phase
from urpi.referee.facts import Game, Resign
from urpi.referee.lines import parse_fact
from urpi.referee.orders import (
    AnswerExercise,
    ChangeLanguage,
    ChangeSound,
    NewGame,
    Order,
    PublishName,
    ShowPlayer,
)
from urpi.rules import Side, given_position, parse_rules, parse_square, rule_set
from urpi.service.order_handler import chooser_of, random_side
from urpi.show.words import words_for

MURRAY = NewGame(rule_set("murray", {"pieces": "3"}), "Ann", "Bob", Side.DARK)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture
def board(path: Path) -> Iterator[Board]:
    with opened(path) as made:
        yield made


def ordered(board: Board, order: Order) -> int | None:
    """Give an order in another thread, and return its result."""
    given: list[Future[int | None]] = []
    thread = Thread(target=lambda: given.append(board.board.order(order)))
    thread.start()
    thread.join()
    board.board.service.work()
    return given[0].result(timeout=0)


def test_an_order_is_carried_out_in_the_services_thread(board: Board) -> None:
    done = board.board.order(MURRAY)
    assert not done.done()
    board.board.service.work()
    assert done.result(timeout=0) == 2


def test_a_new_game_ends_the_current_one(board: Board, path: Path) -> None:
    assert ordered(board, MURRAY) == 2
    with Journal.open(path) as journal:
        new, old = list_games(journal)
    assert (old.result, new.result) == ("abandoned", None)
    assert (new.rules, new.light, new.dark) == ("murray[pieces=3]", "Ann", "Bob")
    assert board.board.service.snapshot.side is Side.DARK


def test_the_table_is_prepared_between_the_current_game_and_an_ordered_one(path: Path) -> None:
    prepared: list[tuple[NewGame, int | None, Phase]] = []

    def prepare(order: NewGame) -> None:
        service = made.board.service
        prepared.append((order, service.game, service.snapshot.phase))

    made = Board(path, prepare=prepare)
    with made.board:
        made.board.begin(NewGame(rule_set("finkel"), first=Side.LIGHT))
        assert ordered(made, MURRAY) == 2
    assert prepared == [(MURRAY, 1, Phase.OVER)]


def consents(path: Path) -> dict[str, int]:
    with Journal.open(path) as journal:
        return read_consents(journal, "board")


def test_a_consent_is_stored_with_the_last_game_and_ends_when_it_is_withdrawn(
    board: Board, path: Path
) -> None:
    ordered(board, PublishName("Ann", True))
    assert consents(path) == {"Ann": 1}
    ordered(board, MURRAY)
    ordered(board, PublishName("Bob", True))
    assert consents(path) == {"Ann": 1, "Bob": 2}
    ordered(board, PublishName("Ann", False))
    assert consents(path) == {"Bob": 2}


def test_who_may_see_the_page_of_a_player_is_stored_apart_from_the_club(
    board: Board, path: Path
) -> None:
    ordered(board, ShowPlayer("Ann", True))
    ordered(board, ShowPlayer("Bob", True))
    ordered(board, PublishName("Zoë", True))
    ordered(board, ShowPlayer("Ann", False))
    with Journal.open(path) as journal:
        assert list(read_consents(journal, "board", SHOWN)) == ["Bob"]
        assert list(read_consents(journal, "board")) == ["Zoë"]


def test_the_answer_to_an_exercise_is_stored_with_its_time(board: Board, path: Path) -> None:
    ordered(board, AnswerExercise(1, 7, "+A4", good=True))
    with Journal.open(path) as journal:
        (answer,) = read_answers(journal)
    assert (answer.game, answer.throw, answer.move, answer.good) == (1, 7, "+A4", True)
    assert answer.at == board.board.service.now().isoformat(timespec="seconds")


def test_an_answer_about_a_game_that_is_gone_is_refused_and_ends_no_play(
    board: Board, path: Path
) -> None:
    with pytest.raises(UrpiError, match="has no game 9"):
        ordered(board, AnswerExercise(9, 7, "+A4", good=True))
    assert board.board.service.failing is None
    ordered(board, AnswerExercise(1, 7, "+A4", good=True))
    with Journal.open(path) as journal:
        assert len(read_answers(journal)) == 1


def test_a_consent_before_the_first_game_of_a_table_includes_that_game(path: Path) -> None:
    made = Board(path)
    with made.board:
        ordered(made, PublishName("Ann", True))
        assert consents(path) == {"Ann": 0}


def test_a_player_who_was_anonymised_does_not_return_with_the_next_order(
    board: Board, path: Path
) -> None:
    ordered(board, PublishName("Ann", True))
    ordered(board, MURRAY)
    ordered(board, replace(MURRAY, light="Zoë"))
    ordered(board, replace(MURRAY, light="Eve", dark="Eve"))
    ordered(board, PublishName("Zoë", True))
    with Journal.open(path) as journal:
        anonymise_player(journal, "Ann", "Player 1")
    ordered(board, ChangeLanguage("hu"))
    assert consents(path) == {"Zoë": 4}
    with Journal.open(path) as journal:
        assert "Ann" not in str(list(journal.preferences()))


def test_the_first_player_is_drawn_if_the_rules_require_it(path: Path) -> None:
    made = Board(path, draw_side=lambda: Side.DARK)
    with made.board:
        ordered(made, NewGame(rule_set("bell")))
        made.wait(500)
        assert made.board.service.snapshot.side is Side.DARK


def test_a_side_that_is_ordered_to_begin_is_not_drawn(path: Path) -> None:
    made = Board(path, draw_side=lambda: Side.DARK)
    with made.board:
        ordered(made, NewGame(rule_set("bell"), first=Side.LIGHT))
        made.wait(500)
        assert made.board.service.snapshot.side is Side.LIGHT


@pytest.mark.parametrize("rules", ["bell", "freecompany"])
def test_a_game_from_a_position_begins_with_its_side_without_draw_or_choice(
    path: Path, rules: str
) -> None:
    position = given_position(f"{rules} - L7D7 L0D0 L")
    made = Board(path, draw_side=lambda: Side.DARK)
    with made.board:
        ordered(made, NewGame(position.rules, "Ann", "Bob"))
        made.board.service.process(Resign(made.board.service.clock(), Side.LIGHT))
        number = ordered(made, NewGame(position.rules, "Ann", "Bob", position=position))
        made.wait(500)
        seen = made.board.service.snapshot
        assert (seen.phase, seen.side) == (Phase.THROW, Side.LIGHT)
    assert number is not None
    with Journal.open(path) as journal:
        fact = parse_fact(next(iter(entries_of(journal, number))).line)
    assert isinstance(fact, Game)
    assert (fact.position, fact.first, fact.chooser) == (str(position), None, None)


@pytest.mark.parametrize(
    ("result", "rules", "names", "chooser"),
    [
        ("light", "freecompany", ("Ann", "Bob"), Side.DARK),
        ("dark", "freecompany", ("Ann", "Bob"), Side.LIGHT),
        ("light", "freecompany", ("Bob", "Ann"), Side.LIGHT),
        ("dark", "freecompany", ("Bob", "Ann"), Side.DARK),
        ("light", "freecompany", ("Ann", "Zoë"), None),
        ("light", "freecompany", ("Zoë", "Bob"), None),
        ("light", "finkel", ("Ann", "Bob"), None),
        ("draw", "freecompany", ("Ann", "Bob"), None),
        ("abandoned", "freecompany", ("Ann", "Bob"), None),
        (None, "freecompany", ("Ann", "Bob"), None),
    ],
)
def test_the_loser_of_the_last_game_between_the_same_players_chooses_who_begins(
    result: str | None, rules: str, names: tuple[str, str], chooser: Side | None
) -> None:
    last = GameSummary(1, STARTED, "1.0", rules, "Ann", "Bob", 9, result, STARTED)

    assert chooser_of(last, rule_set("freecompany"), names) is chooser
    assert chooser_of(None, rule_set("freecompany"), names) is None


@pytest.mark.parametrize(
    ("rules", "start", "decline"),
    [
        ("finkel", None, False),
        ("murray", "higher", False),
        ("finkel3[start=one]", "one", False),
        ("freecompany", None, True),
        ("freecompany[decline=no]", None, False),
        ("bell[decline=yes]", None, True),
    ],
)
def test_a_new_game_names_how_it_begins_and_whether_throws_may_be_declined(
    board: Board, path: Path, rules: str, start: str | None, decline: bool
) -> None:
    number = ordered(board, NewGame(parse_rules(rules), first=Side.LIGHT))
    assert number is not None
    with Journal.open(path) as journal:
        fact = parse_fact(next(iter(entries_of(journal, number))).line)
    assert isinstance(fact, Game)
    assert (fact.start, fact.decline) == (start, decline)


def test_both_sides_are_drawn_without_a_passed_in_source() -> None:
    assert {random_side() for _ in range(200)} == set(Side)


def test_the_last_game_s_rules_and_names_are_the_next_default(board: Board, path: Path) -> None:
    ordered(board, MURRAY)
    again = Board(path).board.preferences.current
    assert (again.rules, again.light, again.dark) == ("murray[pieces=3]", "Ann", "Bob")


def test_an_unknown_language_is_refused_and_nothing_changes(board: Board) -> None:
    with pytest.raises(UrpiError, match="no translation for the language 'tlh'; choose one of en"):
        ordered(board, ChangeLanguage("tlh"))
    assert board.board.preferences.current.language == "en"
    assert board.board.service.snapshot.phase is Phase.THROW


def test_an_open_warning_is_translated(path: Path) -> None:
    with opened(path) as board:
        service = board.board.service
        board.pins.square(parse_square("B5"), True)
        board.pins.refresh()
        board.wait(6000)
        before = service.snapshot.warning
        assert before is not None
        ordered(board, ChangeLanguage("hu"))
        after = service.snapshot.warning
        assert after is not None
        assert after == replace(before, text=after.text)
        assert after.text != before.text
        assert words_for("hu").reason(before.code) in after.text


@pytest.mark.parametrize("language", ["en"])
def test_a_language_is_applied_and_stored(board: Board, path: Path, language: str) -> None:
    ordered(board, ChangeLanguage(language))
    assert board.board.preferences.words == words_for(language)
    assert Board(path).board.preferences.current.language == language


def test_a_sound_that_the_table_cannot_play_is_refused(board: Board) -> None:
    with pytest.raises(UrpiError, match="no sound 'tones'; choose one of off"):
        ordered(board, ChangeSound("tones"))


def test_a_configured_buzzer_may_be_switched_on_and_off(path: Path) -> None:
    wired = Board(path, buzzer_pin=14)
    with wired.board:
        assert wired.board.preferences.current.sound == "off"
        for sound in ("tones", "off", "tones"):
            ordered(wired, ChangeSound(sound))
            assert wired.board.preferences.current.sound == sound
    assert Board(path, buzzer_pin=14).board.preferences.current.sound == "tones"


def test_the_picture_equals_the_one_on_the_oled(board: Board) -> None:
    assert board.board.devices.screen is not None
    assert board.board.devices.screen.flush()
    assert board.board.picture().tobytes() == board.bus.picture().tobytes()


def test_an_order_is_cancelled_if_the_program_ends_first_and_refused_afterwards(path: Path) -> None:
    with opened(path) as board:
        before = board.board.order(MURRAY)
    after = board.board.order(MURRAY)
    with pytest.raises(CancelledError):
        before.result(timeout=0)
    with pytest.raises(UrpiError, match="power is off"):
        after.result(timeout=0)
