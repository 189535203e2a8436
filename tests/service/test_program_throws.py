"""The program's throws for the engine: when they come, and how they are stored and shown."""

import time
from pathlib import Path

import pytest

from tests.service.test_engine import BEST, DEADLINE_S, EngineTable
from tests.service_desk import STARTED
from urpi.config import Config
from urpi.journal import Journal, build_record, entries_of
from urpi.referee import Phase
from urpi.referee.decisions import Moved, Roll, RollRefused
from urpi.referee.facts import Button, Coach, Die, ProgramThrow, ReportedState
from urpi.referee.orders import NewGame
from urpi.referee.seats import Seats
from urpi.rules import Side, parse_square, rule_set
from urpi.rules.record import record_text
from urpi.service.engine_player import COACHED_MS, ENTERED_MS, LOOK_MS, PAUSE_MS
from urpi.service.interactive import InteractiveService, InteractiveSetting
from urpi.show.stats_report.reading import figures_of_game
from urpi.show.words import words_for
from urpi.show.words.decisions import announcements

LIGHT, DARK = Side
AGAINST: Seats = ("engine:best", "person")
SET_UP_MS = 500


class Table(EngineTable):
    """A table at which the program throws four marked tips for the engine."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, chance=lambda: 0.0)

    def begin(self, seats: Seats, first: Side | None, **more: object) -> None:
        more = {"engine_throws": "program", **more}
        self.board.begin(NewGame(rule_set("finkel"), first=first, seats=seats, **more))
        self.wait(SET_UP_MS)

    @property
    def shot(self):
        return self.board.service.snapshot

    @property
    def has_thrown(self) -> bool:
        return self.shot.rolled is not None


@pytest.fixture
def table(tmp_path: Path):
    with Table(tmp_path / "games.sqlite") as made:
        yield made


def lines(table: Table) -> list[str]:
    table.board.service.close()
    with Journal.open(table.board.service.path) as journal:
        return [entry.line for entry in entries_of(journal, journal.latest_game())]


def test_the_program_throws_after_a_pause(table: Table) -> None:
    table.begin(AGAINST, LIGHT)
    table.wait(PAUSE_MS - SET_UP_MS)
    assert not table.has_thrown
    table.wait(SET_UP_MS + 2 * LOOK_MS)
    assert table.shot.rolled.program
    assert table.shot.rolled.faces == "gggg"
    stored = lines(table)
    assert any('"type":"program-throw","side":"light","faces":"gggg"' in line for line in stored)
    assert any('"type":"roll"' in line and '"program":true' in line for line in stored)


@pytest.mark.parametrize(
    ("seats", "first", "throws"),
    [
        (AGAINST, DARK, "program"),
        (AGAINST, LIGHT, "dice"),
        (("person", "person"), LIGHT, "program"),
    ],
)
def test_it_throws_for_the_engine_alone(
    table: Table, seats: Seats, first: Side, throws: str
) -> None:
    table.begin(seats, first, engine_throws=throws)
    table.wait(3 * PAUSE_MS)
    assert not table.has_thrown
    for side in Side:
        table.board.service.submit(ProgramThrow(table.board.clock(), side, "gggg"))
    table.wait(50)
    assert table.has_thrown is (throws == "program" and seats[first.number] != "person")


def test_it_waits_while_the_board_is_wrong(table: Table) -> None:
    table.begin(AGAINST, LIGHT)
    table.pins.square(parse_square("B4"), True)
    table.wait(4 * PAUSE_MS)
    assert not table.has_thrown
    table.pins.square(parse_square("B4"), False)
    table.wait(2 * PAUSE_MS)
    assert table.has_thrown


def test_it_waits_while_a_person_uses_the_menu(table: Table) -> None:
    table.begin(AGAINST, LIGHT)
    table.board.submit(Button(table.board.clock(), LIGHT, "both"))
    table.wait(2 * PAUSE_MS)
    assert table.board.menu.is_open
    assert not table.has_thrown


def test_it_leaves_time_to_read_the_coach(table: Table) -> None:
    table.begin(("person", "engine:best"), LIGHT, coach=("bad", "off"))
    table.answer(faces="gsgs")
    table.answer(move="+A1")
    table.answer(faces="g---")
    table.answer(move="A1-B1")
    table.board.service.submit(Coach(table.board.clock(), LIGHT, "A1-B1", "+A4", 5))
    # The moves were entered; their piece is put on the board.
    table.pins.square(parse_square("B1"), True)
    table.wait(COACHED_MS - PAUSE_MS)
    assert table.shot.coached is not None
    assert table.shot.side is DARK
    assert table.shot.phase is Phase.THROW
    table.wait(2 * PAUSE_MS)
    assert table.shot.rolled.side is DARK


def test_it_throws_for_the_start_and_a_person_may_throw_in_its_place(table: Table) -> None:
    table.begin(BEST, None)
    table.answer(faces="g---")
    table.wait(2 * PAUSE_MS)
    assert table.shot.side is DARK
    assert table.shot.phase in {Phase.THROW, Phase.MOVE}


def test_the_record_and_the_announcement_name_the_program(table: Table) -> None:
    table.begin(AGAINST, LIGHT)
    table.wait(2 * PAUSE_MS)
    texts = announcements(words_for("en"), table.shot.light)
    assert texts.text(table.shot.rolled) == "The program throws 4 for urpi best."
    table.answer(move="+A1")
    table.board.service.close()
    with Journal.open(table.board.service.path) as journal:
        record = record_text(build_record(entries_of(journal, 1), STARTED))
    assert "1. L gggg {program} +A1 {answered}" in record


@pytest.mark.slow
def test_two_engines_play_with_the_programs_throws_at_the_virtual_table(tmp_path: Path) -> None:
    setting = InteractiveSetting(
        rule_set("finkel", {"pieces": "3"}), 5, 50.0, LIGHT, seats=BEST, engine_throws="program"
    )
    decided: list[object] = []
    deadline = time.monotonic() + DEADLINE_S
    with InteractiveService(setting, Config(), tmp_path / "games.sqlite") as service:
        service.subscribe(lambda _, decisions: decided.extend(decisions))
        while sum(isinstance(one, Moved) for one in decided) < 4:
            assert time.monotonic() < deadline, decided
            service.run()
    rolls = [one for one in decided if isinstance(one, Roll)]
    assert rolls
    assert all(roll.program for roll in rolls)
    with Journal.open(tmp_path / "games.sqlite") as journal:
        figures = figures_of_game(journal, 1)
    assert figures is not None
    assert figures.throws == len(rolls)
    assert figures.faces == {}, "no dice were thrown"


REPORTS = [
    pytest.param((("rolling", False),), id="rolls for ever"),
    pytest.param((("rolling", False), ("settled", True)), id="is thrown"),
    pytest.param((("handled", False), ("settled", False)), id="is put down"),
    pytest.param((("rolling", False), ("cocked", False)), id="leans"),
    pytest.param((("lost", False),), id="is lost"),
]


@pytest.mark.parametrize(
    "dice",
    [
        pytest.param((1,), marks=pytest.mark.slow),
        (2, 4),
        pytest.param((1, 2, 3, 4), marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("reports", REPORTS)
def test_dice_that_move_do_not_delay_it(
    table: Table, reports: tuple[tuple[ReportedState, bool], ...], dice: tuple[int, ...]
) -> None:
    table.begin(AGAINST, LIGHT)
    for die in range(1, 5):
        table.board.submit(Die(table.board.clock(), die, "settled", "s"))
    for state, tumbled in reports:
        for die in dice:
            face = "g" if state == "settled" else None
            table.board.submit(Die(table.board.clock(), die, state, face, tumbled))
        table.wait(100)
        assert (table.shot.rolling, table.shot.waiting, table.shot.settled) == ((), (), ())
    table.wait(PAUSE_MS + 2 * LOOK_MS)
    assert table.has_thrown
    assert table.shot.rolled.program


def test_dice_thrown_by_hand_in_its_place_are_refused(table: Table) -> None:
    decided: list[object] = []
    table.board._parts._watch = lambda _, decisions: decided.extend(decisions)
    table.begin(AGAINST, LIGHT)
    for state, face in (("settled", "s"), ("rolling", None), ("settled", "g")):
        for die in range(1, 5):
            tumbled = state == "settled" and face == "g"
            table.board.submit(Die(table.board.clock(), die, state, face, tumbled))
        table.wait(50)
    (refused,) = (one for one in decided if isinstance(one, RollRefused))
    assert (refused.side, refused.code) == (DARK, "not-your-turn")
    assert not table.has_thrown
    table.wait(PAUSE_MS)
    assert table.shot.rolled.program


def test_it_throws_although_a_dead_switch_contradicts_an_entered_move(table: Table) -> None:
    table.begin(("person", "engine:best"), LIGHT)
    table.answer(faces="g---")
    table.answer(move="+A4")
    table.wait(ENTERED_MS - PAUSE_MS)
    assert table.shot.side is DARK
    assert table.shot.rolled.side is LIGHT, "the piece may still be put on the board"
    table.wait(2 * PAUSE_MS)
    assert table.shot.rolled.side is DARK
    assert [(fault.device, fault.code) for fault in table.shot.faults] == [("A4", "stuck-off")]


def test_it_throws_after_a_restart_with_a_die_that_has_moved(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with Table(path) as before:
        before.begin(AGAINST, LIGHT)
        before.board.submit(Die(before.board.clock(), 1, "settled", "s"))
        before.board.submit(Die(before.board.clock(), 1, "rolling"))
        before.board.submit(Die(before.board.clock(), 1, "settled", "g", True))
        before.wait(50)
    after = Table(path)
    after.board.service.resume()
    with after:
        after.wait(PAUSE_MS + SET_UP_MS)
        assert after.shot.rolled.program
