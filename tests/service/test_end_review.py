"""The review at the end of a game: when it is requested, and when the OLED shows it."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from threading import Event

import pytest

from tests.journal.games import store_game
from tests.service.test_board import Board
from urpi.config import Config
from urpi.config.sections import TableSection
from urpi.journal import Journal, find_game
from urpi.referee import Phase
from urpi.referee.facts import Abandon, Resign
from urpi.referee.orders import NewGame
from urpi.rules import Side, rule_set
from urpi.service.end_reviewer import RECENT, RESULT_MS, EndReviewer
from urpi.service.review_process import OnReview, ReviewProcess, review_command
from urpi.show.views import draw_end_review
from urpi.show.words import words_for
from urpi.show.words.end_review import EndReview

DEADLINE_S = 240.0


class Reviews:
    """A reviewer that keeps the requests, and answers when `arrive` is called."""

    def __init__(self) -> None:
        self.games: list[int] = []
        self._answers: list[OnReview] = []

    def request(self, game: int, on_review: OnReview) -> None:
        self.games.append(game)
        self._answers.append(on_review)

    def close(self) -> None:
        pass

    def arrive(self, number: int = -1) -> EndReview:
        """Deliver the review of a request, by default of the newest one."""
        review = EndReview(self.games[number], "", "", Side.DARK, 0.4, 0.1, (3, 1))
        self._answers[number](review)
        return review


@contextmanager
def opened(path: Path, reviews: Reviews, *, review: bool = True) -> Iterator[Board]:
    config = Config(table=TableSection(review=review))
    made = Board(path, config=config, reviewer=reviews)
    made.board.service.resume()
    with made.board:
        yield made


def play(table: Board, *, abandon: bool = False) -> None:
    """Begin a game, and end it at once."""
    service = table.board.service
    table.board.begin(NewGame(rule_set("finkel"), first=Side.LIGHT))
    table.wait(500)
    fact = Abandon if abandon else Resign
    service.process(fact(service.clock(), Side.LIGHT))
    assert service.snapshot.phase is Phase.OVER


def shows(table: Board, review: EndReview) -> bool:
    assert table.board.devices.screen is not None
    assert table.board.devices.screen.flush()
    # The strip of a notice covers the lines below.
    above = (0, 0, 128, 39)
    expected = draw_end_review(review, words_for("en")).crop(above)
    return table.bus.picture().crop(above).tobytes() == expected.tobytes()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


def test_the_winner_is_shown_first_and_then_the_review(path: Path) -> None:
    reviews = Reviews()
    with opened(path, reviews) as table:
        play(table)
        assert reviews.games == [1]
        review = reviews.arrive()
        table.wait(RESULT_MS - 500)
        assert not shows(table, review)
        assert table.board.end.shown is None
        table.wait(1000)
        assert shows(table, review)
        assert table.board.end.shown == review
        table.wait(60_000)
        assert reviews.games == [1]


@pytest.mark.slow
def test_a_review_that_is_late_is_shown_when_it_arrives(path: Path) -> None:
    reviews = Reviews()
    with opened(path, reviews) as table:
        play(table)
        table.wait(10 * RESULT_MS)
        review = reviews.arrive()
        table.wait(50)
        assert shows(table, review)


def test_the_next_game_ends_the_review_and_a_review_of_the_game_before_is_ignored(
    path: Path,
) -> None:
    reviews = Reviews()
    with opened(path, reviews) as table:
        play(table)
        reviews.arrive()
        table.wait(2 * RESULT_MS)
        assert table.board.end.shown is not None
        play(table)
        assert reviews.games == [1, 2]
        reviews.arrive(0)
        table.wait(2 * RESULT_MS)
        assert table.board.end.shown is None
        assert reviews.arrive() == EndReview(2, "", "", Side.DARK, 0.4, 0.1, (3, 1))
        table.wait(50)
        assert table.board.end.shown is not None
        table.board.begin(NewGame(rule_set("finkel"), first=Side.LIGHT))
        table.wait(50)
        assert table.board.end.shown is None


def test_an_abandoned_game_is_not_reviewed(path: Path) -> None:
    reviews = Reviews()
    with opened(path, reviews) as table:
        play(table, abandon=True)
        table.wait(RESULT_MS)
    assert not reviews.games


def test_no_game_is_reviewed_if_the_configuration_excludes_it(path: Path) -> None:
    reviews = Reviews()
    for _ in range(2):
        with opened(path, reviews, review=False) as table:
            play(table)
            table.wait(RESULT_MS)
    assert not reviews.games


def test_after_a_restart_the_review_of_the_last_game_is_shown(path: Path) -> None:
    with opened(path, Reviews()) as table:
        play(table)
    reviews = Reviews()
    with opened(path, reviews) as table:
        assert reviews.games == [1]
        review = reviews.arrive()
        table.wait(50)
        assert shows(table, review)
        table.board.begin(NewGame(rule_set("finkel"), first=Side.LIGHT))
        table.wait(50)
        assert table.board.end.shown is None


def test_a_game_that_ended_long_ago_is_not_reviewed_after_a_restart(path: Path) -> None:
    with opened(path, Reviews()) as table:
        play(table)
    with Journal.open(path) as journal:
        last = find_game(journal, 1)
    assert last.finished is not None
    reviews = Reviews()
    with opened(path, Reviews()) as table:
        reviewer = EndReviewer(table.board.service, reviews)
        second = timedelta(seconds=1)
        # The clock may have jumped, to years before the end too.
        for late in (RECENT, -RECENT, timedelta(days=-20_000)):
            reviewer.resume(last, last.finished + late)
        assert reviews.games == []
        reviewer.resume(last, last.finished + RECENT - second)
        reviewer.resume(last, last.finished - RECENT + second)
        assert reviews.games == [1, 1]


def reviewed(process: ReviewProcess, game: int) -> EndReview | None:
    """Return the review that a process computes, None if there is none before the next request."""
    found: list[EndReview] = []
    done = Event()

    def keep(review: EndReview) -> None:
        found.append(review)
        done.set()

    process.request(game, keep)
    assert done.wait(DEADLINE_S)
    return found[0]


def test_the_process_reviews_a_stored_game_and_stores_its_figures(path: Path) -> None:
    with Journal.open(path) as journal:
        store_game(journal, "blitz", seed=4)
        summary = find_game(journal, 1)
    process = ReviewProcess(review_command(path, nice=0))
    review = reviewed(process, 1)
    process.close()
    assert review is not None
    assert (review.game, review.light, review.dark) == (1, summary.light, summary.dark)
    assert review.winner is not None
    assert review.winner.value == summary.result
    assert sum(review.mistakes) > 0
    assert path.with_name(f"{path.name}.figures").exists()


@pytest.mark.parametrize(
    "code", ["raise SystemExit(1)", "print('no JSON')", "print('{\"game\": 1}')", ""]
)
def test_a_failing_process_is_reported_and_the_next_game_is_reviewed(
    path: Path, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    answer = (
        '{"game": 2, "light": "", "dark": "", "winner": null, "luck": 0, "loss": 0, '
        '"mistakes": [0, 0]}'
    )
    program = (
        f"import sys\nif sys.argv[1] == '1':\n    {code or 'pass'}\nelse:\n    print('{answer}')"
    )
    process = ReviewProcess((sys.executable, "-c", program))
    process.request(1, lambda _: pytest.fail("game 1 has no review"))
    assert reviewed(process, 2) == EndReview(2, "", "", None, 0, 0, (0, 0))
    process.close()
    assert ("Game 1 is not reviewed" in caplog.text) == bool(code)


def test_a_process_that_runs_is_ended_with_the_program() -> None:
    process = ReviewProcess((sys.executable, "-c", "import time; time.sleep(600)"))
    process.request(1, lambda _: pytest.fail("there is no review"))
    began = time.monotonic()
    process.close()
    assert time.monotonic() - began < DEADLINE_S
