"""Illegal acts are illegal at every moment, and leave no trace when undone."""

from random import Random

import pytest

from tests.slow import mostly_slow, slow_except
from urpi.rules import RULE_SETS, Position, Side, parse_position, parse_square, rule_set
from urpi.simulation import BEHAVIOURS, Behaviour, Outputs, SimulatedPlayers, VirtualTable
from urpi.simulation.display_state import DisplayState
from urpi.simulation.illegal_acts import (
    KINDS,
    Shift,
    codes_as_second_part,
    hides_capture,
    illegal_act,
    moments,
    right_codes,
)
from urpi.simulation.last_turns import codes_of_the_last_turn

# Light may capture on B2 and on B5; dark is safe on B4, and light on B7.
FULL = "finkel A1:L,A4:L,B2:D,B4:D,B5:D,B7:L,C2:D L3D3 L1D0 L"
TWO = "gs--"


def legal_occupancies(position: Position, faces: str):
    throw = position.rules.dice.throw(faces)
    legal = position.rules.legal_moves(position, throw)
    return legal, {position.rules.play(position, throw, move).occupancy for move in legal}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_illegal_act_can_be_done(kind):
    position = parse_position(FULL)
    legal, _ = legal_occupancies(position, TWO)

    assert any(kind(Random(seed), position, legal) for seed in range(10))


@pytest.mark.parametrize("seed", slow_except(range(100), *range(25)))
def test_an_illegal_act_never_occupies_the_squares_of_a_legal_move(seed):
    position = parse_position(FULL)
    legal, occupancies = legal_occupancies(position, TWO)
    act = illegal_act(Random(seed), position, legal, occupancies)

    assert act
    assert occupancies.isdisjoint(moments(position, act))


@pytest.mark.parametrize("seed", slow_except(range(100), *range(25)))
def test_an_illegal_act_lifts_no_piece_that_could_seem_captured_by_entering(seed):
    # Dark is on B1, where light may enter.
    position = parse_position("freecompany A1:L,B1:D,B6:D L6D5 L0D0 L")
    legal, occupancies = legal_occupancies(position, "--")
    act = illegal_act(Random(seed), position, legal, occupancies)

    assert "+xB1" in [move.text for move in legal]
    assert all(origin != 6 for origin, _ in act)


@pytest.mark.parametrize(
    ("move", "act", "hides"),
    [
        # After A1xB2 it is the capturing piece that moves, or another one stands where that was.
        ("A1xB2", [("B2", "B3")], True),
        ("A1xB2", [("B7", "A1")], True),
        ("A1xB2", [("B7", "B6")], False),
        # No capture.
        ("A1-B1", [("B1", "B3")], False),
    ],
)
def test_an_act_that_hides_a_capture_is_told_from_others(move, act, hides):
    before = parse_position(FULL)
    faces = "gs--" if "x" in move else "g---"
    throw = before.rules.dice.throw(faces)
    (made,) = (one for one in before.rules.legal_moves(before, throw) if one.text.startswith(move))
    after = before.rules.play(before, throw, made)
    shifts = tuple(Shift(parse_square(begin), parse_square(end)) for begin, end in act)
    assert hides_capture(before, after, shifts) is hides


@pytest.mark.parametrize("name", mostly_slow(RULE_SETS, 4))
def test_illegal_acts_do_not_change_the_game(name):
    act = Behaviour(illegal=1.0, early=1.0)
    players = SimulatedPlayers(behaviour=act, first=Side.LIGHT)
    table = VirtualTable(rule_set(name), 5, Outputs(), players=players)
    table.play_out(max_turns=60)

    assert table.pieces.shows(table.game.position)
    assert not any(turn.taken_back for turn in table.game.turns)


@pytest.mark.parametrize(
    ("act", "codes"),
    [
        # The piece of the first part goes on, a second piece goes too far, an enemy's piece moves.
        (("A2", "B3"), {"wrong-distance"}),
        (("B5", "B8"), {"wrong-distance"}),
        (("C3", "C4"), {"not-your-piece"}),
    ],
)
def test_an_act_after_the_first_part_of_a_turn_is_explained_as_a_part_of_it(act, codes):
    position = parse_position("freecompany A3:L,B5:L,B7:D,C3:D L5D5 L0D0 L")
    throw = position.rules.dice.throw("gs")
    first = next(m for m in position.rules.legal_moves(position, throw) if m.text == "A3-A2")
    shift = Shift(*map(parse_square, act))

    assert codes_as_second_part(position, throw, first, (shift,)) == codes


@pytest.mark.parametrize(
    ("act", "disturbed"),
    [
        ([("A4", "A3")], False),
        ([("B5", Side.DARK), ("A4", "B5")], False),
        ([("B5", "C3"), ("A4", Side.LIGHT)], True),
        ([("B2", "A2"), ("A4", "C3")], True),
    ],
)
def test_before_the_throw_three_changed_squares_are_a_disturbed_board(act, disturbed):
    shifts = [Shift(*(p if isinstance(p, Side) else parse_square(p) for p in s)) for s in act]

    codes = right_codes(parse_position(FULL), None, tuple(shifts))

    assert ("disturbed" in codes) == disturbed


def test_an_act_after_a_move_that_is_not_known_yet_may_be_a_disturbed_board():
    at = VirtualTable(rule_set("finkel"), 5, Outputs(), players=SimulatedPlayers(first=Side.LIGHT))
    while not at.game.turns or at.game.turns[-1].move == "pass":
        at.game.record_throw("g---")
        at.game.play(at.game.legal[0])
    entered = at.game.turns[-1].move[-2:]

    def codes(*act):
        return codes_of_the_last_turn(at.game, at.pieces.board, None, act)

    from_hand, further = Shift(Side.LIGHT, parse_square("B8")), Shift(parse_square(entered), 4)

    assert "disturbed" not in codes(from_hand)
    assert "disturbed" not in codes(further)
    assert "disturbed" in codes(from_hand, Shift(Side.DARK, parse_square("C7")))


def test_an_act_with_the_opponents_piece_follows_the_move_that_the_display_shows():
    """Nobody made it, but for the switches the opponent now moves before its throw."""
    position = parse_position("skiryuk A8:D,B3:LL,B7:L,C2:D L4D5 L0D0 L")
    throw = position.rules.dice.throw("---")
    at = VirtualTable(position.rules, 5, Outputs(), players=SimulatedPlayers(first=Side.LIGHT))
    act = (Shift(parse_square("A8"), parse_square("C1")),)

    for seems, codes in ((None, set()), ("B3-B7", {"no-throw-yet"})):
        at.show(DisplayState("move", Side.LIGHT, position, throw, seems=seems))
        assert at._conductor._codes_after_what_seems_made(act) == codes


def test_calm_and_lively_players_do_nothing_illegal():
    for name in ("calm", "lively"):
        chances = BEHAVIOURS[name]
        assert chances.illegal == chances.early == chances.takes_back == 0
        assert chances.die_turned == chances.die_forgotten == 0
