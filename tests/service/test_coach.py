"""The coach at the board: when it speaks, what is stored, and when it is silent."""

from pathlib import Path

import pytest

from tests.service.test_engine import POSITION, Table, response_of
from tests.service_desk import STARTED
from urpi.journal import Journal, build_record, entries_of
from urpi.referee.decisions import Coached
from urpi.referee.facts import Answer, Coach, Die
from urpi.referee.orders import NewGame
from urpi.referee.seats import Coaches
from urpi.rules import Side, rule_set
from urpi.rules.record import record_text
from urpi.service.engine_process import EngineProcess, worker_command
from urpi.show.words import words_for
from urpi.show.words.decisions import announcements

LIGHT, DARK = Side


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


def begin(table: Table, coach: Coaches, seats=("person", "person")) -> None:
    """Begin a game, and throw so that light has two moves."""
    table.board.begin(NewGame(rule_set("finkel"), first=LIGHT, seats=seats, coach=coach))
    table.wait(500)
    table.throw("gsgs")
    play(table, "+A1")
    table.throw("g---")


def play(table: Table, move: str) -> None:
    table.board.service.submit(Answer(table.board.clock(), move=move))
    table.wait(50)


def judge(table: Table, best: str, loss: float) -> None:
    """Respond to the request to compare the last move."""
    request, on_response = next(each for each in table.fake.requests if "played" in each[0])
    assert request["faces"] == "g---"
    table.fake.requests.clear()
    on_response({"best": best, "loss": loss, "by": "exact"})
    table.wait(50)


def judged(table: Table) -> bool:
    return any("played" in request for request, _ in table.fake.requests)


def test_a_better_move_is_shown_until_the_move_is_taken_back(path: Path) -> None:
    def game(table: Table) -> None:
        begin(table, ("bad", "off"))
        play(table, "A1-B1")
        judge(table, "+A4", 0.051)
        assert table.shot.coached is not None
        assert (table.shot.coached.better, table.shot.coached.loss) == ("+A4", 5)
        assert str(table.shot.before).startswith("finkel A1:L ")
        table.board.service.submit(Answer(table.board.clock(), takeback=True))
        table.wait(50)
        assert table.shot.coached is None
        play(table, "+A4")
        judge(table, "+A4", 0.0)
        assert table.shot.coached is None

    Table(path).play(game)
    with Journal.open(path) as journal:
        record = record_text(build_record(entries_of(journal, 2), STARTED))
    assert "g--- A1-B1~ {coach} {answered} +A4 {answered}" in record


@pytest.mark.parametrize(
    ("coach", "loss", "speaks"),
    [
        ("doubtful", 0.02, True),
        ("doubtful", 0.019, False),
        ("bad", 0.04, True),
        ("bad", 0.039, False),
        ("very-bad", 0.08, True),
        ("very-bad", 0.079, False),
    ],
)
def test_the_thresholds_are_those_of_the_reviews_marks(
    path: Path, coach: str, loss: float, speaks: bool
) -> None:
    def game(table: Table) -> None:
        begin(table, (coach, "off"))
        play(table, "A1-B1")
        judge(table, "+A4", loss)
        assert (table.shot.coached is not None) is speaks

    Table(path).play(game)


def test_only_a_person_with_a_coach_is_coached(path: Path) -> None:
    def game(table: Table) -> None:
        begin(table, ("off", "doubtful"))
        play(table, "A1-B1")
        assert not judged(table)
        begin(table, ("doubtful", "off"), seats=("engine:best", "person"))
        table.fake.respond({"move": "A1-B1"})
        table.wait(50)
        play(table, "A1-B1")
        assert not judged(table)

    Table(path).play(game)


def test_the_next_throw_ends_the_coach_and_a_late_one_is_dropped(path: Path) -> None:
    def game(table: Table) -> None:
        begin(table, ("doubtful", "off"))
        play(table, "A1-B1")
        for die in (1, 2, 3, 4):
            table.board.service.submit(Die(table.board.clock(), die, "settled", "s"))
        table.board.service.submit(Die(table.board.clock(), 1, "rolling"))
        table.wait(50)
        judge(table, "+A4", 0.2)
        assert table.shot.coached is None
        begin(table, ("doubtful", "off"))
        play(table, "A1-B1")
        judge(table, "+A4", 0.2)
        assert table.shot.coached is not None
        table.throw("g---")
        assert table.shot.coached is None
        assert table.shot.throw is not None

    Table(path).play(game)
    with Journal.open(path) as journal:
        late, shown = ([e.line for e in entries_of(journal, n)] for n in (2, 3))
    assert not any('"type":"coached"' in line for line in late)
    assert sum('"type":"coached"' in line for line in shown) == 1


def test_a_coach_of_another_move_or_an_illegal_one_is_ignored(path: Path) -> None:
    def game(table: Table) -> None:
        begin(table, ("doubtful", "off"))
        play(table, "A1-B1")
        for fact in (
            Coach(table.board.clock(), LIGHT, "+A4", "A1-B1", 9),
            Coach(table.board.clock(), LIGHT, "A1-B1", "B1-B2", 9),
            Coach(table.board.clock(), LIGHT, "A1-B1", "A1-B1", 9),
            Coach(table.board.clock(), DARK, "A1-B1", "+A4", 9),
        ):
            table.board.service.submit(fact)
        table.wait(50)
        assert table.shot.coached is None

    Table(path).play(game)


def test_the_coach_of_a_stored_game_needs_no_engine(path: Path) -> None:
    def game(table: Table) -> None:
        begin(table, ("doubtful", "off"))
        play(table, "A1-B1")
        judge(table, "+A4", 0.2)
        table.wait(300)

    def resumed(table: Table) -> None:
        assert table.shot.coached == Coached(table.shot.coached.t, LIGHT, "A1-B1", "+A4", 20)
        assert table.shot.coach == ("doubtful", "off")

    Table(path).play(game)
    Table(path).play(resumed)


def test_the_engines_process_judges_a_move_as_a_review_does(tmp_path: Path) -> None:
    engine = EngineProcess(worker_command(tmp_path))
    try:
        request = {"position": POSITION, "faces": "gs--"}
        played = [{**request, "played": each} for each in ("+A3", "A1-B2")]
        responses = [response_of(engine, each) for each in played]
    finally:
        engine.close()
    # One of the two legal moves is the best.
    assert {each["best"] for each in responses} == {"+A3"}
    assert responses[0]["loss"] == 0
    assert 0 < responses[1]["loss"] < 1


def test_the_coach_speaks_kindly() -> None:
    text = announcements(words_for("en"), "Ann").text(Coached(0, LIGHT, "A1-B1", "+A4", 7))
    assert text == "Ann, a better move is possible: A new piece to A4."
