"""The table under manual control, and players who follow the display."""

import pytest

from urpi.core.errors import UrpiError
from urpi.referee.decisions import Passed, Roll, RollRefused
from urpi.rules import Side, each_square, parse_position, parse_square, rule_set
from urpi.simulation import (
    Behaviour,
    CaptureOrder,
    Outputs,
    ReedFault,
    SimulatedPlayers,
    VirtualTable,
)
from urpi.simulation.display_state import DisplayState

FINKEL = rule_set("finkel")
LIGHT_BEGINS = SimulatedPlayers(first=Side.LIGHT)
PASSED = Passed(0, Side.LIGHT, "zero")


def rolled(faces):
    return Roll(0, Side.LIGHT, faces, faces.count("g"), ())


def table(seed=1, players=LIGHT_BEGINS, rules=FINKEL, **outputs):
    return VirtualTable(rules, seed, Outputs(**outputs), players=players)


def settle(table):
    while table.busy:
        table.run_next()


def thrown(table):
    """Return the table after throws until a move is legal."""
    while not table.game.legal:
        table.throw()
        settle(table)
    return table


def test_the_side_to_throw_throws():
    at = table()
    at.throw()
    settle(at)

    assert at.game.throw is not None or at.game.turns[-1].move == "pass"


def test_a_legal_move_is_made_by_hand():
    at = thrown(table())
    move = at.game.legal[0].text
    at.move(move)
    settle(at)

    assert at.game.turns[-1].move == move
    assert at.pieces.shows(at.game.position)


def test_simultaneous_acts_are_done_one_after_another():
    at = table()
    at.throw()
    at.restore_board()
    at.press(Side.LIGHT, "short")
    settle(at)

    assert at.pieces.shows(at.game.position)


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda at: at.move("A7-off"), "is not a legal move now"),
        (lambda at: at.lift(parse_square("B4")), "No hand can lift 1 from B4"),
        (lambda at: at.throw(), "No side may throw"),
    ],
)
def test_impossible_acts_are_errors(act, message):
    with pytest.raises(UrpiError, match=message):
        act(thrown(table()))


def test_a_missing_first_side_is_an_error():
    with pytest.raises(UrpiError, match="set first to a side"):
        table(rules=rule_set("bell"), players=SimulatedPlayers())


def test_a_hand_can_put_a_piece_anywhere_and_restore_the_board():
    at = table()
    at.put(parse_square("B4"), Side.DARK)
    at.put(parse_square("C8"), Side.LIGHT)
    at.lift(parse_square("C8"))
    assert at.pieces.occupancy == 1 << parse_square("B4")
    at.restore_board()
    settle(at)

    assert at.pieces.shows(at.game.position)


@pytest.mark.parametrize(("press", "held_ms"), [("short", 150), ("long", 1100)])
def test_a_press_ends_after_its_duration(press, held_ms):
    edges = []
    at = table(button=lambda side, down: edges.append((at.schedule.now, side, down)))
    at.press(Side.DARK, press)
    at.advance(5000)

    assert edges == [(0, Side.DARK, True), (held_ms, Side.DARK, False)]


def test_a_bump_opens_several_switches_and_moves_no_piece():
    edges = []
    at = table(edge=lambda square, on: edges.append((square, on)))
    for name in ("A1", "A2", "B4", "C1"):
        at.put(parse_square(name), Side.LIGHT)
    at.advance(100)
    before, edges[:] = at.pieces.occupancy, []
    at.bump()
    at.advance(400)

    assert len({square for square, _ in edges}) >= 3
    assert at.reeds.levels == at.pieces.occupancy == before


def test_a_broken_switch_and_a_repaired_one():
    at = table()
    at.break_switch(parse_square("B4"), ReedFault.STUCK_ON)
    assert at.reeds.levels == 1 << parse_square("B4")
    at.break_switch(parse_square("B4"), None)
    at.advance(10)

    assert at.reeds.levels == 0


def test_players_select_the_move_they_made_with_the_movers_button():
    presses = []
    at = thrown(table(button=lambda side, down: presses.append((side, down, at.schedule.now))))
    side, move = at.game.position.turn, at.game.legal[0].text
    at.show(DisplayState(ask="move", choices=("A1-A2", move)))
    at.move(move)
    settle(at)

    downs = [(who, t) for who, down, t in presses if down]
    ups = [(who, t) for who, down, t in presses if not down]
    assert [who for who, _ in downs] == [side, side]
    assert [up - down for (_, down), (_, up) in zip(downs, ups, strict=True)] == [150, 1100]


def test_players_asked_before_their_move_answer_after_it():
    presses = []
    at = thrown(table(button=lambda side, down: presses.append(side) if down else None))
    side, move = at.game.position.turn, at.game.legal[0].text
    at.show(DisplayState(ask="move", choices=(move, "A1-A2")))
    at.follow_display()
    settle(at)
    assert presses == []

    at.move(move)
    settle(at)

    assert presses == [side]


def test_players_answer_the_display_before_they_throw():
    events = []
    at = thrown(
        table(
            button=lambda _side, down: events.append("press") if down else None,
            die=lambda report: events.append(report.state),
        )
    )
    move = at.game.legal[0].text
    at.move(move)
    settle(at)
    at.show(DisplayState(ask="move", choices=(move, "A1-A2")))
    events.clear()
    at.throw()
    settle(at)

    assert events[:2] == ["press", "rolling"]


def test_players_answer_the_display_after_the_game():
    presses = []
    at = table(button=lambda _side, down: presses.append(down))
    at.play_out()
    at.show(DisplayState(ask="move", choices=(at.game.turns[-1].move,)))
    at.advance(at.schedule.now + 5000)

    assert presses == [True, False]


def test_players_correct_the_board_after_the_game():
    at = table()
    at.play_out()
    square = next(each_square(at.pieces.occupancy))
    at.lift(square)
    at.show(DisplayState(fill=1 << square, clear=0))
    at.advance(at.schedule.now + 10_000)

    assert at.pieces.shows(at.game.position)


@pytest.mark.parametrize("act", [VirtualTable.play, VirtualTable.throw])
def test_what_players_do_while_hands_put_up_another_game_belongs_to_that_game(act):
    at = table()
    wanted = parse_position("finkel A4:L,B1:L,B4:D,B6:D,C3:D L3D4 L2D0 D")
    at.change_game(FINKEL, wanted)
    act(at)
    settle(at)

    before = at.game.turns[0].before if at.game.turns else at.game.position
    assert before == wanted
    assert at.throws[0].side is Side.DARK


def test_players_controlled_by_single_acts_do_not_answer_by_themselves():
    presses = []
    at = thrown(table(button=lambda _side, down: presses.append(down)))
    at.show(DisplayState(ask="move", choices=(at.game.legal[0].text,)))
    at.advance(at.schedule.now + 5000)

    assert presses == []


def test_players_touch_a_piece_that_the_display_misses():
    edges = []
    at = thrown(table(edge=lambda square, on: edges.append((square, on))))
    move = next(move for move in at.game.legal if move.text.startswith("+"))
    target = move.parts[0].target
    at.reeds.break_down(target, ReedFault.LOST_EDGE)
    at.show(DisplayState(fill=1 << target, clear=0))
    at.move(move.text)
    settle(at)
    at.advance(at.schedule.now + 10)

    assert at.reeds.levels >> target & 1


def test_a_rejected_throw_is_repeated():
    at = table()
    at.throw()
    at.advance(1600)
    first = [at.dice._bodies[die].throws for die in at.dice_of[0]]
    at.show(DisplayState(), [RollRefused(0, Side.LIGHT, "too-soon", (1,))])
    settle(at)

    assert [at.dice._bodies[die].throws for die in at.dice_of[0]] == [n + 1 for n in first]


@pytest.mark.parametrize("order", CaptureOrder)
def test_a_capture_returns_the_enemys_piece(order):
    captures = []
    players = SimulatedPlayers(behaviour=Behaviour(captures=(order,)), first=Side.LIGHT)
    at = table(seed=3, players=players, edge=lambda *edge: captures.append(edge))
    at.play_out()

    assert any("x" in turn.move for turn in at.game.turns)
    assert at.pieces.shows(at.game.position)


def test_a_move_taken_back_is_marked_and_its_throw_played_again():
    players = SimulatedPlayers(behaviour=Behaviour(takes_back=1.0), first=Side.LIGHT)
    at = table(players=players)
    at.play_out(max_turns=40)

    pairs = [
        (turn, at.game.turns[number + 1])
        for number, turn in enumerate(at.game.turns[:-1])
        if turn.taken_back
    ]
    assert pairs
    for turn, again in pairs:
        assert (turn.side, turn.faces, turn.before) == (again.side, again.faces, again.before)
        assert turn.move != again.move


@pytest.mark.parametrize("habit", ["takes_back", "changes_mind"])
@pytest.mark.parametrize("seed", range(3))
def test_no_move_is_taken_back_once_the_opponent_has_thrown(habit, seed):
    behaviour = Behaviour(**{habit: 1.0}, throws_early=0.5)
    at = table(seed, SimulatedPlayers(behaviour=behaviour, first=Side.LIGHT))
    at.play(max_turns=60)
    taken_back = 0
    while at.busy:
        at.run_next()
        number = sum(turn.taken_back for turn in at.game.turns)
        if number > taken_back:
            taken_back = number
            assert at.throws[-1].side is at.game.turns[-1].side

    assert taken_back


def test_the_throw_that_counts_is_played_although_another_one_was_made_in_its_place():
    at = table()
    at.throw()
    at.advance(1600)
    other = next(faces for faces in ("gggg", "ggg-") if faces != at.dice.faces(at.dice_of[0]))
    at.show(DisplayState(), [rolled(other)])
    settle(at)

    assert at.game.throw.faces == other


def test_a_pass_with_dice_thrown_before_the_turn_counts_as_the_sides_throw():
    at = table()
    at.show(DisplayState(position=parse_position("finkel - L7D7 L0D0 D")), [rolled("----"), PASSED])
    at.throw()
    settle(at)

    (turn,) = at.game.turns
    assert (turn.side, turn.faces, turn.move) == (Side.LIGHT, "----", "pass")
    assert at.game.to_throw is Side.DARK


def test_a_pass_that_is_already_recorded_is_not_the_next_sides_throw():
    at = table()
    at.dice.prepare("----")
    at.throw()
    settle(at)
    at.show(DisplayState(position=at.game.position), [rolled("----"), PASSED])
    at.dice.prepare("ggg-")
    at.throw()
    settle(at)

    assert [turn.faces for turn in at.game.turns] == ["----"]
    assert at.game.throw.faces == "ggg-"


def test_players_who_wait_for_the_display_continue_when_it_shows_their_throw_and_move():
    players = SimulatedPlayers(first=Side.LIGHT, wait_for_display=True)
    at = table(players=players)
    at.dice.prepare("ggg-")
    at.play(max_turns=2)

    at.advance(60_000)
    assert at.game.throw is None
    at.show(DisplayState(), [rolled("ggg-")])
    at.advance(120_000)
    assert [turn.faces for turn in at.game.turns] == ["ggg-"]
    throws = [at.dice._bodies[die].throws for die in at.dice_of[0]]
    at.advance(180_000)
    assert [at.dice._bodies[die].throws for die in at.dice_of[0]] == throws
    at.show(DisplayState(position=at.game.position))
    at.advance(240_000)
    assert [at.dice._bodies[die].throws for die in at.dice_of[0]] == [n + 1 for n in throws]


def test_players_who_wait_for_the_display_enter_a_throw_that_it_asks_for():
    pressed = []
    players = SimulatedPlayers(first=Side.LIGHT, wait_for_display=True)
    at = table(players=players, button=lambda side, down: down and pressed.append(side))
    at.dice.prepare("ggg-")
    at.play(max_turns=1)
    at.advance(60_000)
    # The die rolled before it was connected again.
    at.show(DisplayState(ask="faces", choices=("gggg", "ggg-", "gg--")))
    at.advance(61_000)
    at.show(DisplayState(ask="faces", choices=("ggg-", "gg--", "g---")))
    at.advance(65_000)
    assert pressed == [Side.LIGHT] * 2
    assert at.game.throw is None
    at.show(DisplayState(), [rolled("ggg-")])
    at.advance(120_000)
    assert [turn.faces for turn in at.game.turns] == ["ggg-"]


def test_players_who_wait_for_the_display_correct_the_board_when_it_asks_for_it():
    players = SimulatedPlayers(first=Side.LIGHT, wait_for_display=True)
    at = table(players=players)
    at.dice.prepare("ggg-")
    at.play(max_turns=1)
    at.advance(60_000)
    at.pieces.put(parse_square("B4"), at.pieces.pick_up(Side.DARK))
    at.show(DisplayState(fill=0, clear=1 << parse_square("B4")))
    at.advance(120_000)

    assert at.pieces.shows(at.game.position)
    assert at.game.throw is None
