"""What players read when a board is disturbed: swept, between two squares, or by both at once."""

from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.referee.playing import Desk
from tests.referee.positions import reached
from urpi.referee import Phase, snapshot
from urpi.referee.decisions import Moved, Seems, TakenBack
from urpi.referee.facts import Game, Occupancy
from urpi.referee.stages import Moving
from urpi.rules import (
    HAND,
    OFF,
    RULE_SETS,
    SQUARE_NAMES,
    Move,
    Side,
    each_square,
    names_of,
    owner,
    parse_position,
    squares_of,
)
from urpi.rules.layout import PATHS

SWEPT = "finkel A3:L,A7:L,B2:D,B5:L,B6:D,C1:D L4D4 L0D0 L"


def with_names(position: str, light: str = "Anna", dark: str = "Ben") -> Desk:
    desk = Desk(Game(0, parse_position(position).rules.id, light, dark, position=position))
    desk.do(Occupancy(0, parse_position(position).occupancy))
    return desk.wait(300)


def test_a_swept_board_is_set_up_again_by_side_and_ticked_off_at_once() -> None:
    desk = with_names(SWEPT).throw("gs--").wait(600)
    desk.lift("A3", "B2", "B5").put("B3").lift("B6", "C1").put("C3").wait(3000)
    text = "Set up the board again. Light: A3, B5. Dark: B2, B6, C1. Empty: B3, C3."
    assert desk.warning.text == text
    for square in ("A3", "B2", "C1"):
        desk.wait(4000).put(square).wait(10)
        assert not names_of(snapshot(desk.state).fill).count(square)
    assert names_of(snapshot(desk.state).clear) == ["B3", "C3"]
    desk.pop_decisions()
    desk.wait(4000).lift("B3", "C3").put("B5", "B6").wait(3000)
    assert desk.pop_decisions() == ["cleared"]
    assert desk.state.phase is Phase.MOVE


@pytest.mark.parametrize("rules", list(RULE_SETS))
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32), count=st.integers(3, 9))
def test_any_board_that_is_disturbed_before_the_throw_names_each_square_once(
    rules: str, seed: int, count: int
) -> None:
    rng = Random(seed)
    position = reached(rules, rng, rng.randrange(10, 80))
    desk = Desk.at(str(position)).wait(300)
    wrong = squares_of(rng.sample(range(20), count))
    desk.do(Occupancy(desk.t, position.occupancy ^ wrong))
    desk.wait(3000)
    assume(desk.state.warning is not None)
    warning = desk.warning
    assert warning.code == "disturbed"
    assert warning.fix.fill | warning.fix.clear == wrong
    for side in Side:
        own = [
            SQUARE_NAMES[each]
            for each in each_square(warning.fix.fill)
            if owner(position.board[each]) is side
        ]
        listed = warning.text.split(f"{side.value.title()}: ")[1].split(".")[0]
        assert listed == (", ".join(own) or "\N{EN DASH}")


@pytest.mark.parametrize("order", [("B7", "B6"), ("B6", "B7")])
@pytest.mark.parametrize("apart_ms", range(0, 390, 57))
def test_a_piece_between_two_squares_is_said_to_stand_there(
    order: tuple[str, str], apart_ms: int
) -> None:
    desk = with_names("finkel A3:L,B2:D,B5:L L5D6 L0D0 L", "").throw("gs--").wait(600)
    first, second = order
    desk.lift("B5").wait(500).put(first).wait(min(apart_ms, 140) if first == "B7" else apart_ms)
    desk.put(second).wait(3000)
    assert desk.warning.text == "The piece stands between B6 and B7. Empty B6."
    desk.pop_decisions()
    assert "move B5-B7" in desk.lift("B6").wait(1000).pop_decisions()


def test_of_both_players_who_move_at_once_only_one_is_asked_to_put_back() -> None:
    desk = with_names("finkel A3:L,C3:D L6D6 L0D0 L").throw("gg--").wait(600)
    desk.lift("A3", "C3").put("A1", "C1").wait(3000)
    assert desk.warning.text == "That piece is not Anna's to move. Put it back on C3."
    assert names_of(desk.warning.fix.fill | desk.warning.fix.clear) == ["C1", "C3"]
    desk.pop_decisions()
    assert "move A3-A1" in desk.lift("C1").put("C3").wait(1000).pop_decisions()


@pytest.mark.parametrize("name", ["Anna", "Šárka", "Nebuchadnezzar"])
def test_a_warning_calls_the_player_by_name(name: str) -> None:
    desk = with_names("finkel A3:L,C3:D L6D6 L0D0 L", name).throw("gg--").wait(600)
    desk.lift("C3").put("C2").wait(3000)
    called = name if len(name) <= 8 else "Nebucha\N{HORIZONTAL ELLIPSIS}"
    assert desk.warning.text == f"That piece is not {called}'s to move. Put it back on C3."


def test_a_move_that_seems_to_win_is_known_as_such_within_a_second_and_becomes_final() -> None:
    desk = with_names("finkel A7:L,C1:D L0D6 L6D0 L").throw("g---").wait(600).lift("A7")
    desk.wait(1100)
    shown = snapshot(desk.state)
    assert (shown.seems, shown.seems_won) == ("A7-off", True)
    desk.wait(12_000)
    assert desk.pop_decisions()[-1] == "won off"


@pytest.mark.parametrize("throws", range(1, 4))
def test_a_piece_taken_off_by_a_wrong_throw_is_never_laundered_as_another_one(throws: int) -> None:
    desk = with_names("finkel A7:L,A8:L,B2:D,B5:L,B6:D,C1:D L3D4 L1D0 L").throw("gs--").wait(600)
    assert "A8-off" in snapshot(desk.state).legal
    desk.lift("A7").wait(1_500)
    desk.pop_decisions()
    for _ in range(throws):
        desk.throw("g---").wait(2_500)
    decided = desk.pop_decisions()
    assert "warning inexact-exit" in decided[:2]
    assert not [one for one in decided if one.startswith(("question", "fault", "move"))]
    desk.put("A7").wait(300).lift("A8").wait(1_100)
    assert desk.pop_decisions() == ["cleared", "seems A8-off"]


RACES = ["finkel", "finkel3", "murray", "bell", "coursework", "masters", "blitz"]


def after_a_move(rules: str, rng: Random, wait_ms: int = 1500) -> tuple[Desk, Move]:
    """Return a table at which a piece has just been moved to an empty square, and its move."""
    while True:
        position = reached(rules, rng, rng.randrange(10, 60))
        throw = position.rules.dice.roll(rng.random())
        for move in position.rules.legal_moves(position, throw):
            part = move.parts[0]
            if part.origin != HAND and part.target != OFF and not position.board[part.target]:
                desk = Desk.at(str(position)).wait(300).throw(throw.faces).wait(600)
                desk.lift(SQUARE_NAMES[part.origin]).wait(300).put(SQUARE_NAMES[part.target])
                return desk.wait(wait_ms), move


@pytest.mark.parametrize("rules", RACES)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32), replied=st.booleans())
def test_any_move_that_is_undone_after_the_next_throw_was_undone_too_late(
    rules: str, seed: int, replied: bool
) -> None:
    rng = Random(seed)
    desk, move = after_a_move(rules, rng)
    part = move.parts[0]
    faces = desk.state.position.rules.dice.roll(rng.random()).faces
    desk.throw(faces).wait(600)
    legal = snapshot(desk.state).legal
    entries = [each[1:] for each in legal if each.startswith("+") and "x" not in each]
    if replied and entries and entries[0] != SQUARE_NAMES[part.origin]:
        desk.put(entries[0]).wait(1500)
    desk.pop_decisions()
    desk.lift(SQUARE_NAMES[part.target]).wait(300).put(SQUARE_NAMES[part.origin]).wait(3000)
    # It may be a legal move of the last throw in place of the one that was made.
    assume(not any(isinstance(each, TakenBack | Seems | Moved) for each in desk.decided))
    assert desk.warning.code == "too-late"
    fill, clear = names_of(desk.warning.fix.fill), names_of(desk.warning.fix.clear)
    assert (fill, clear) == ([SQUARE_NAMES[part.target]], [SQUARE_NAMES[part.origin]])


# The path of `murray` visits squares twice.
@pytest.mark.parametrize("rules", [each for each in RACES if each != "murray"])
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32), apart_ms=st.integers(160, 900))
def test_any_piece_that_slides_on_is_judged_as_one_move_and_goes_back_where_it_landed(
    rules: str, seed: int, apart_ms: int
) -> None:
    desk, move = after_a_move(rules, Random(seed), apart_ms)
    # Where another move may follow, it is not final yet.
    assume(desk.state.played)
    played = desk.state.played[-1]
    path = list(desk.state.position.rules.path(played.side))
    part = move.parts[0]
    further = [each for each in path if path.index(each) > path.index(part.target)]
    empty = [each for each in further if not desk.state.position.board[each]]
    assume(empty)
    went = path.index(empty[0]) - path.index(part.origin)
    desk.pop_decisions()
    desk.lift(SQUARE_NAMES[part.target]).wait(200).put(SQUARE_NAMES[empty[0]]).wait(3000)
    assert desk.warning.side is played.side
    back = f"Put it back on {SQUARE_NAMES[part.target]}"
    assert f"but moved it {went}. {back}" in desk.warning.text


@pytest.mark.parametrize("rules", list(RULE_SETS))
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32), tips_over_ms=st.integers(0, 300))
def test_a_piece_between_two_squares_is_named_also_once_its_move_counts(
    rules: str, seed: int, tips_over_ms: int
) -> None:
    rng = Random(seed)
    position = reached(rules, rng, rng.randrange(5, 60))
    desk = Desk.at(str(position)).wait(500)
    desk.throw(position.rules.dice.roll(rng.random()).faces).wait(1000)
    stage = desk.state.stage
    legal = stage.candidates if isinstance(stage, Moving) else ()
    occupancies = [each.occupancy for each in legal]
    choices = [
        (each, part.origin, part.target, other)
        for each in legal
        # Of two moves that look alike, a question decides.
        if occupancies.count(each.occupancy) == 1
        if len(each.move.parts) == 1 and not each.unfinished
        for part in each.move.parts
        if part.target != OFF and not position.board[part.target]
        # No switch shows what leaves a pile.
        if part.origin == HAND or len(position.board[part.origin]) == 1
        for other in PATHS["orthogonal"][part.target]
        if not each.occupancy >> other & 1 and each.occupancy | 1 << other not in occupancies
    ]
    assume(choices)
    made, origin, target, other = rng.choice(choices)
    # Hands that undo the last move, or leave a captured piece on a square, do the same.
    assume(not any(each.lifts & each.lands for each in legal))

    if origin != HAND:
        desk.lift(SQUARE_NAMES[origin]).wait(400)
    desk.put(SQUARE_NAMES[target]).wait(tips_over_ms).put(SQUARE_NAMES[other]).wait(3000)
    assert desk.warning.code == "between-squares"
    assert SQUARE_NAMES[target] in desk.warning.text
    assert SQUARE_NAMES[other] in desk.warning.text
    desk.lift(SQUARE_NAMES[other]).wait(4000)
    moved = [one.move for one in desk.decided if isinstance(one, Moved)]
    assert moved == [made.text]
    assert desk.state.warning is None


@pytest.mark.parametrize(("last", "decided"), [("A4", []), ("A2", ["move A4-A2"])])
def test_a_board_rebuilt_with_the_last_move_undone_or_with_another_one_counts_at_once(
    last: str, decided: list[str]
) -> None:
    """The warning asks for A4 and B7: a piece on B5 is no part of what it asks for."""
    desk = Desk.at("finkel A4:L,B2:D,B5:L,C1:D L5D5 L0D0 L").wait(300).throw("gs--").wait(600)
    desk.lift("B5").wait(300).put("B7").wait(1500).lift("A4", "B2", "B7").wait(3000)
    assert desk.warning.code == "disturbed"
    desk.pop_decisions()
    desk.wait(2000).put("B2").wait(500).put("B5").wait(400).put(last).wait(1500)
    assert desk.pop_decisions() == ["cleared", "takeback B5-B7", *decided]


@pytest.mark.parametrize("tips_over_ms", range(0, 390, 57))
def test_a_piece_between_two_squares_does_not_look_like_the_return_of_one_borne_off(
    tips_over_ms: int,
) -> None:
    """It comes from B7 to C7, which a piece left for good a turn ago, and closes both switches."""
    desk = borne_off_from_c7()
    desk.lift("B7").wait(900).put("C7").wait(tips_over_ms).put("B7").wait(3000)
    assert desk.warning.text == "The piece stands between B7 and C7. Empty B7."
    # If it tips over late, the move counts already.
    assert "move B7-C7" in desk.lift("B7").wait(1000).pop_decisions()


def test_the_return_of_a_piece_borne_off_is_too_late_after_the_next_throw() -> None:
    desk = borne_off_from_c7().put("C7").wait(3000)
    assert desk.warning.code == "too-late"
    assert names_of(desk.warning.fix.clear) == ["C7"]


def borne_off_from_c7() -> Desk:
    """Return a table where dark has borne off from C7, and may now move from B7 to C7."""
    desk = Desk.at("finkel3 A1:L,B1:D,B4:D,B6:L,B7:D,C2:D,C7:D L4D1 L1D1 D").wait(300)
    desk.throw("g--").wait(600).lift("C7").wait(1500).throw("sgg").wait(600)
    desk.lift("B6").wait(500).put("A8").wait(1500).throw("sss").wait(600)
    assert "B7-C7" in snapshot(desk.state).legal
    desk.pop_decisions()
    return desk


def test_an_own_piece_that_tips_over_after_a_capture_is_no_captured_piece() -> None:
    position = "freecompany A2:D,B1:D,B2:L,B6:L,C8:L L4D5 L0D0 L"
    desk = Desk.at(position).wait(300).throw("gg").wait(600)
    desk.lift("B1").wait(300).lift("B2").wait(300).put("B1").wait(700)
    desk.lift("B6").wait(300).put("B5").wait(120).put("B6").wait(3000)
    assert desk.warning.code == "between-squares"


def test_a_piece_of_a_finished_double_move_that_goes_on_is_not_judged_by_its_throw() -> None:
    position = "freecompany A2:L,A7:D,A8:D,B2:L,B3:L,B5:D,C3:L,C8:D L3D3 L0D0 L"
    desk = Desk.at(position).wait(300).throw("gg").wait(600)
    desk.lift("B2").wait(300).put("B1").wait(500).lift("C3").wait(300).put("C2").wait(400)
    desk.lift("B1").wait(200).put("C3").wait(3000)
    assert desk.warning.code in {"no-throw-yet", "not-your-turn", "two-moves"}
    fill, clear = names_of(desk.warning.fix.fill), names_of(desk.warning.fix.clear)
    assert (fill, clear) == (["B1"], ["C3"])


@pytest.mark.parametrize("wait_ms", range(400, 1000, 95))
def test_the_first_piece_of_a_double_move_that_goes_on_goes_back_where_it_landed(
    wait_ms: int,
) -> None:
    """The second piece stands where the first one began, so that no further square has filled."""
    position = "freecompany A2:L,A3:L,A4:L,B1:L,B2:D,C2:D,C3:D,C4:D L3D3 L0D0 D"
    desk = Desk.at(position).wait(300).throw("gg").wait(600)
    desk.lift("C2").wait(300).put("C1").wait(350).lift("C3").wait(700).put("C2").wait(wait_ms)
    desk.lift("C1").wait(900).put("B3").wait(3000)
    assert desk.warning.code in {"no-throw-yet", "two-moves"}
    fill, clear = names_of(desk.warning.fix.fill), names_of(desk.warning.fix.clear)
    assert (fill, clear) == (["C1"], ["B3"])


def test_a_knock_that_opens_a_contact_too_briefly_to_count_is_still_a_knock() -> None:
    """Otherwise the tower whose contacts it opened for longer would seem to have captured."""
    position = "ravensburger B2:D',B6:DDD'L,B7:LLLD'D'L'D',B8:L'LD,C7:D' L0D0 L3D1 L"
    desk = Desk.at(position).wait(300).throw("1").wait(900)
    assert "B6xB7" in snapshot(desk.state).legal
    desk.pop_decisions()
    for wait_ms, square, on in ((0, "B7", 0), (6, "B6", 0), (7, "B8", 0), (2, "B8", 1)):
        desk.t += wait_ms
        desk.edge(square, bool(on))
    for wait_ms, square in ((3, "B6"), (25, "B7")):
        desk.t += wait_ms
        desk.edge(square, True)
    assert desk.wait(500).pop_decisions() == []
