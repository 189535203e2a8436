"""The game clock: whose runs, what a move costs, and the end of a side's time."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.referee.playing import Desk
from urpi.core.errors import UrpiError
from urpi.referee import next_due, step
from urpi.referee.clock import TimeControl, parse_time_control
from urpi.referee.decisions import Decision, Fault, Moved, Passed, TakenBack, Won
from urpi.referee.facts import Answer, Edge, Fact, Game, Occupancy, Plan, Time
from urpi.referee.lines import parse_fact
from urpi.referee.seats import PERSONS, Seats
from urpi.referee.stages import Moving, Throwing
from urpi.referee.state import GameState
from urpi.referee.timekeeping import shown_clock
from urpi.rules import HAND, OFF, SQUARE_NAMES, Side, each_square, parse_position

MINUTE_MS = 60_000
LIGHT, DARK = Side.LIGHT, Side.DARK
POSITION = "finkel A3:L,B1:L,B4:D,B6:L,C4:D L4D5 L0D0 L"


def clocked(position: str = POSITION, clock: str = "1", **game: object) -> Desk:
    """Return a game with a clock in which light has thrown 1, at t=10,500."""
    parsed = parse_position(position)
    control = parse_time_control(clock)
    desk = Desk(Game(0, parsed.rules.id, position=position, clock=control, **game))
    desk.do(Occupancy(0, parsed.occupancy))
    desk.wait(10_000).throw("g---", roll_ms=500)
    return desk


def left(desk: Desk, side: Side) -> int:
    return desk.state.clock.left(side, desk.t)


def move(desk: Desk, origin: str, target: str, *, wait_ms: int = 200) -> int:
    """Move a piece, wait, and return when it landed."""
    desk.lift(origin).put(target)
    landed_at = desk.t
    desk.wait(wait_ms)
    return landed_at


@pytest.mark.parametrize(
    ("word", "control"),
    [
        ("10+5", TimeControl(10, 5)),
        ("10", TimeControl(10)),
        ("10+0", TimeControl(10)),
        ("1+180", TimeControl(1, 180)),
        ("180", TimeControl(180)),
    ],
)
def test_a_time_control_is_written_as_on_chess_clocks(word: str, control: TimeControl) -> None:
    assert parse_time_control(word) == control
    assert parse_time_control(str(control)) == control


@pytest.mark.parametrize(
    "word",
    [
        "",
        "0",
        "0+5",
        "181",
        "10+181",
        "10+",
        "+5",
        "10+-5",
        "10+5+5",
        " 10",
        "10 ",
        "10+5\n",
        "010",
        "10+05",
        "1e1",
        "10.5",
        "\u0661\u0660",
        "10\uff0b5",
        "off",
        "none",
        "999999999999",
        "10+5s",
    ],
)
def test_any_other_time_control_is_refused(word: str) -> None:
    with pytest.raises(UrpiError, match=r"^A clock must be minutes .* such as 10\+5, .*; found '"):
        parse_time_control(word)


@pytest.mark.parametrize("value", ['"10+"', "10", "null", '{"minutes":10}', '["10"]', "true"])
def test_a_line_with_another_clock_is_invalid(value: str) -> None:
    line = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"","dark":"","clock":%s}'
    with pytest.raises(UrpiError, match="minutes for each side"):
        parse_fact(line % value)


def test_a_game_of_two_tables_has_no_clock() -> None:
    line = (
        '{"t":0,"type":"game","rules":"finkel","options":{},"light":"","dark":"","clock":"5",'
        '"seats":{"light":"person","dark":"remote"},'
        '"shared":{"id":"1","table":"lisbon","date":"2026.11.20"}}'
    )
    with pytest.raises(UrpiError, match="a game of two tables has no clock"):
        parse_fact(line)


def test_the_clock_begins_with_the_first_throw() -> None:
    desk = clocked()
    assert (left(desk, LIGHT), left(desk, DARK)) == (MINUTE_MS, MINUTE_MS)
    desk.wait(4_000)
    assert (left(desk, LIGHT), left(desk, DARK)) == (56_000, MINUTE_MS)


def test_a_clock_stops_when_the_piece_lands_not_when_the_move_is_final() -> None:
    desk = clocked()
    begun = desk.t
    desk.wait(4_000)
    landed_at = move(desk, "A3", "A2", wait_ms=100)
    assert "move A3-A2" not in desk.pop_decisions()
    desk.wait(50)
    assert "move A3-A2" in desk.pop_decisions()
    assert left(desk, LIGHT) == MINUTE_MS - (landed_at - begun)
    # The time for which the referee waited is nobody's.
    assert left(desk, DARK) == MINUTE_MS
    desk.wait(1_000)
    assert left(desk, DARK) == MINUTE_MS - 1_000


def test_each_move_and_each_throw_without_a_move_adds_the_increment() -> None:
    desk = clocked(clock="1+5")
    move(desk, "A3", "A2")
    before = left(desk, LIGHT)
    assert before > MINUTE_MS + 4_000
    desk.throw("----")
    assert desk.pop_decisions()[-1] == "pass zero"
    # It threw 50 ms after the move was final, and the dice rolled for 500.
    assert left(desk, DARK) == MINUTE_MS + 5_000 - 550
    assert left(desk, LIGHT) == before


def test_an_extra_throw_does_not_restart_the_clock() -> None:
    desk = clocked("finkel A2:L,B4:D,C4:D L6D5 L0D0 L", "1+5")
    desk.wait(20_000)
    landed_at = move(desk, "A2", "A1", wait_ms=3_000)
    assert desk.state.position.turn is LIGHT
    assert left(desk, LIGHT) == MINUTE_MS - (landed_at - 10_500) + 5_000 - (3_000 - 150)


def test_a_side_whose_time_is_over_has_lost() -> None:
    desk = clocked()
    desk.wait(MINUTE_MS - 1)
    assert not [one for one in desk.decided if isinstance(one, Won)]
    desk.wait(1)
    assert desk.decided[-1] == Won(10_500 + MINUTE_MS, DARK, "time")
    assert left(desk, LIGHT) == 0
    # A throw or a move a millisecond later changes nothing.
    desk.pop_decisions()
    move(desk, "A3", "A2")
    assert not desk.pop_decisions()


def test_the_opponents_clock_falls_while_it_is_to_throw() -> None:
    desk = clocked()
    move(desk, "A3", "A2", wait_ms=150)
    desk.wait(MINUTE_MS + 1)
    won = desk.decided[-1]
    assert (won.side, won.code) == (LIGHT, "time")


def test_a_piece_that_landed_in_time_is_no_loss() -> None:
    desk = clocked()
    desk.wait(MINUTE_MS - 10)
    landed_at = move(desk, "A3", "A2", wait_ms=1_000)
    assert desk.pop_decisions()[-1] == "move A3-A2"
    assert left(desk, LIGHT) == MINUTE_MS - (landed_at - 10_500)


def test_a_piece_that_does_not_stay_where_it_landed_was_late() -> None:
    desk = clocked()
    desk.wait(MINUTE_MS - 10)
    desk.lift("A3").put("A2").wait(100)
    desk.pop_decisions()
    desk.edge("A2", False)
    assert desk.pop_decisions() == ["won time"]


def test_a_piece_that_landed_in_time_where_no_move_ends_is_a_loss_once_it_is_judged() -> None:
    desk = clocked()
    desk.wait(MINUTE_MS - 10)
    desk.lift("A3").put("C1")
    desk.wait(100)
    assert "won time" not in desk.pop_decisions()
    desk.wait(50)
    assert desk.pop_decisions()[-1] == "won time"


def test_a_clock_stands_while_its_sides_move_seems_made() -> None:
    desk = clocked("finkel A7:L,B4:D,C4:D L5D5 L1D0 L")
    desk.wait(30_000)
    desk.lift("A7")
    lifted_at = desk.t
    desk.wait(5_000)
    assert desk.state.seeming is not None or desk.state.position.turn is DARK
    spent = MINUTE_MS - shown_clock(desk.state).left(LIGHT, desk.t)
    assert spent == lifted_at - 10_500


def test_a_taken_back_move_restores_both_clocks() -> None:
    desk = clocked(clock="1+5")
    desk.wait(20_000)
    landed_at = move(desk, "A3", "A2")
    desk.wait(9_000)
    desk.lift("A2").put("A3").wait(1_000)
    assert desk.pop_decisions()[-1] == "takeback A3-A2"
    assert left(desk, LIGHT) == MINUTE_MS - (landed_at - 10_500)
    assert left(desk, DARK) == MINUTE_MS
    desk.wait(2_000)
    assert left(desk, LIGHT) == MINUTE_MS - (landed_at - 10_500) - 2_000


def test_a_warning_of_the_movers_hands_costs_the_mover_time() -> None:
    desk = clocked()
    desk.lift("A3").put("A8").wait(5_000)
    assert desk.state.warning.side is LIGHT
    before = left(desk, LIGHT)
    desk.wait(1_000)
    assert left(desk, LIGHT) == before - 1_000


def test_the_clocks_stand_while_the_board_is_disturbed() -> None:
    desk = clocked()
    desk.lift("A3", "B1", "B6", "B4").wait(5_000)
    assert desk.state.warning.code == "disturbed"
    before = left(desk, LIGHT), left(desk, DARK)
    desk.wait(100_000)
    assert (left(desk, LIGHT), left(desk, DARK)) == before
    desk.put("A3", "B1", "B6", "B4").wait(5_000)
    assert desk.state.warning is None
    assert left(desk, LIGHT) < before[0]


def test_the_clocks_stand_while_a_side_to_throw_must_correct_the_board() -> None:
    desk = clocked()
    move(desk, "A3", "A2")
    desk.lift("B6").put("B7").wait(5_000)
    assert desk.state.warning is not None
    before = left(desk, DARK)
    desk.wait(100_000)
    assert left(desk, DARK) == before


def test_a_broken_switch_costs_no_time() -> None:
    desk = clocked()
    desk.wait(3_000).lift("A3")
    lifted_at = desk.t
    desk.wait(25_000)
    assert desk.state.question is not None
    desk.press(LIGHT, "long")
    assert desk.pop_decisions()[-3:] == ["fault stuck-off A2", "cleared", "move A3-A2"]
    assert left(desk, LIGHT) == MINUTE_MS - (lifted_at - 10_500)


def test_the_clocks_stand_while_the_faces_of_dead_dice_are_asked_for() -> None:
    desk = clocked()
    move(desk, "A3", "A2")
    for die in (1, 2, 3, 4):
        desk.die(die, "lost")
    desk.wait(6_000)
    assert desk.state.question.ask == "faces"
    before = left(desk, DARK)
    desk.wait(100_000)
    assert left(desk, DARK) == before
    desk.do(Answer(desk.t, faces="g---"))
    desk.wait(1_000)
    assert left(desk, DARK) == before - 1_000


def test_where_players_enter_their_throws_their_clocks_run() -> None:
    desk = clocked(by_hand=True)
    desk.do(Answer(desk.t, faces="g---"))
    move(desk, "A3", "A2")
    assert desk.state.question.ask == "faces"
    before = left(desk, DARK)
    desk.wait(1_000)
    assert left(desk, DARK) == before - 1_000


def test_the_engine_has_no_clock() -> None:
    desk = clocked(seats=("person", "engine:easy"), clock="1+5")
    move(desk, "A3", "A2")
    desk.wait(100_000).throw("g---").wait(100_000)
    desk.do(Plan(desk.t, DARK, "C4-C3"))
    move(desk, "C4", "C3", wait_ms=3_000)
    assert "move C4-C3" in desk.pop_decisions()
    assert left(desk, DARK) == MINUTE_MS
    assert left(desk, LIGHT) < MINUTE_MS + 5_000


def test_a_move_entered_late_took_its_player_until_then() -> None:
    desk = clocked()
    desk.lift("A3").put("A3").wait(20_000)
    desk.do(Answer(desk.t, move="A3-A2"))
    assert left(desk, LIGHT) == MINUTE_MS - (desk.t - 10_500)


class Timed:
    """A game whose clocks are also kept by the test, which knows when each hand did what."""

    def __init__(self, clock: str) -> None:
        self.desk = clocked(clock=clock)
        self.control = parse_time_control(clock)
        self.turn_at = self.desk.t
        self.nobodys = 0
        self.used = {LIGHT: 0, DARK: 0}
        self.moves = {LIGHT: 0, DARK: 0}

    def move(self, number: int, think_ms: int) -> bool:
        """Play one of the legal moves; return whether it counted by itself."""
        stage = self.desk.state.stage
        legal = stage.moves.all
        chosen = legal[number % len(legal)]
        (part,) = chosen.move.parts
        side = stage.side
        self.desk.wait(think_ms)
        if part.target == OFF or (part.origin == HAND and "x" in chosen.text):
            return False
        if "x" in chosen.text:
            self.desk.lift(SQUARE_NAMES[part.target])
        if part.origin != HAND:
            self.desk.lift(SQUARE_NAMES[part.origin])
        self.desk.put(SQUARE_NAMES[part.target])
        landed_at = self.desk.t
        self.desk.pop_decisions()
        self.desk.t += 13_000
        decisions = self.desk.do(Time(self.desk.t))
        final = next((one for one in decisions if isinstance(one, Moved)), None)
        if final is None or final.move != chosen.text:
            return False
        self._count(side, landed_at, final.t)
        return True

    def throw(self, faces: str, think_ms: int) -> None:
        """Throw until there is a legal move."""
        side = self.desk.state.stage.side
        self.desk.wait(think_ms).throw(faces)
        if not isinstance(self.desk.state.stage, Moving):
            self._count(side, self.desk.t, self.desk.t)

    def _count(self, side: Side, done_at: int, final_at: int) -> None:
        self.used[side] += done_at - self.turn_at
        self.nobodys += final_at - done_at
        self.turn_at = final_at
        self.moves[side] += 1

    def check(self) -> None:
        state, now = self.desk.state, self.desk.t
        running = state.clock.running
        for side in Side:
            used = self.used[side] + (now - self.turn_at if side is running else 0)
            full = self.control.minutes * MINUTE_MS
            full += self.moves[side] * self.control.increment_s * 1000
            assert state.clock.left(side, now) == full - used
        assert sum(self.used.values()) + self.nobodys + (now - self.turn_at) == now - 10_500


@given(
    clock=st.sampled_from(["180", "60+5", "30+1"]),
    turns=st.lists(
        st.tuples(
            st.text("gs-", min_size=4, max_size=4),
            st.integers(0, 30),
            st.integers(1, 20_000),
            st.integers(1, 20_000),
        ),
        min_size=5,
        max_size=25,
    ),
)
@settings(max_examples=25, deadline=None)
def test_all_time_of_a_game_is_a_sides_or_the_referees(
    clock: str, turns: list[tuple[str, int, int, int]]
) -> None:
    game = Timed(clock)
    for faces, number, before_throw, before_move in turns:
        if isinstance(game.desk.state.stage, Moving) and not game.move(number, before_move):
            return
        game.check()
        if isinstance(game.desk.state.stage, Throwing):
            game.throw(faces, before_throw)
            game.check()


ACTS = ("think", "throw", "touch", "disturb", "restore", "move", "take back", "lose dice", "find")


def wild_facts(desk: Desk, act: str, number: int) -> None:
    """Do something at a table, sensible or not."""
    stage = desk.state.stage
    match act:
        case "throw":
            desk.throw(("g---", "gs--", "gsg-", "----")[number % 4])
        case "touch":
            desk.lift("B6").wait(number * 10).put("B6")
        case "disturb":
            desk.lift("A3", "B1", "B4")
        case "restore":
            desk.do(Occupancy(desk.t, desk.state.position.occupancy))
        case "move" if isinstance(stage, Moving) and stage.candidates:
            after = stage.candidates[number % len(stage.candidates)].occupancy
            for square in each_square(desk.state.contacts.raw ^ after):
                desk.do(Edge(desk.t, square, bool(after >> square & 1)))
        case "take back":
            desk.do(Answer(desk.t, takeback=True))
        case "lose dice" | "find":
            for die in (1, 2, 3, 4):
                desk.die(die, "lost" if act == "lose dice" else "found")


@given(
    acts=st.lists(
        st.tuples(st.sampled_from(ACTS), st.integers(0, 30), st.integers(0, 14_000)), max_size=40
    ),
    clock=st.sampled_from(["1", "1+5"]),
    seats=st.sampled_from([PERSONS, ("person", "engine:easy")]),
)
@settings(max_examples=60, deadline=None)
def test_no_clock_gains_or_loses_more_than_has_passed(
    acts: list[tuple[str, int, int]], clock: str, seats: Seats
) -> None:
    """Whatever hands and dice do; and with all timers, or with none, the end is the same."""
    desk = clocked(clock=clock, seats=seats)
    facts: list[Fact] = []
    do = desk.do

    def kept(fact: Fact) -> list[Decision]:
        before = desk.state
        decisions = do(fact)
        facts.append(fact)
        check_times(before, desk.state, decisions)
        return decisions

    desk.do = kept
    begun = desk.state
    for act, number, wait_ms in acts:
        wild_facts(desk, act, number)
        desk.wait(wait_ms)
    again = begun
    for fact in facts:
        while (due := next_due(again)) is not None and due < fact.t:
            again, _ = step(again, Time(max(due, again.t)))
        again, _ = step(again, fact)
    assert (again.clock, again.stage) == (desk.state.clock, desk.state.stage)
    last = begun
    for fact in facts:
        if not isinstance(fact, Time):
            last, _ = step(last, fact)
    last, _ = step(last, Time(desk.t))
    assert (last.clock, last.stage) == (desk.state.clock, desk.state.stage)


def check_times(before: GameState, after: GameState, decisions: list[Decision]) -> None:
    """Check the clocks of two states between which time has passed."""
    passed = after.t - before.t
    used = [before.clock.left(side, before.t) - after.clock.left(side, after.t) for side in Side]
    assert all(after.clock.left(side, after.t) >= 0 for side in Side)
    won = [one for one in decisions if isinstance(one, Won) and one.code == "time"]
    if won:
        assert after.clock.left(won[0].side.other, after.t) == 0
        assert won[0].t >= before.clock.falls_at
    gains = (Moved, Passed, TakenBack, Fault)
    if not any(isinstance(one, gains) for one in decisions):
        assert min(used) >= 0
        assert sum(used) <= passed
