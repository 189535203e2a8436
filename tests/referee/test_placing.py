"""Placing: hands put any position on the board and answer only what switches cannot know."""

from random import Random
from typing import get_args

import pytest

from tests.referee.placing_hands import finish, in_any_order, right_press
from tests.referee.positions import reached
from tests.slow import mostly_slow, slow_except
from urpi.referee.fields import faces, pole
from urpi.referee.placing import (
    AskBegin,
    AskHeight,
    AskOff,
    AskPiece,
    AskPiles,
    AskTurn,
    Impossible,
    Placing,
    PlacingProblem,
)
from urpi.rules import (
    RULE_SETS,
    Position,
    Side,
    each_square,
    parse_position,
    parse_square,
    rule_set,
    squares_of,
)
from urpi.show.words.menu_words import IMPOSSIBLE

SEEDS = range(6)
BOTH_PRESSES = [(side, long) for side in Side for long in (False, True)]


def placed(rules: str, *names: str) -> Placing:
    """Return the placing after these squares were filled one after the other."""
    placing = Placing(rule_set(rules))
    for count in range(1, len(names) + 1):
        placing = placing.seen(squares_of(map(parse_square, names[:count])))
    return placing


def wanted_of(rules: str, seed: int) -> tuple[Position, Random]:
    rng = Random(f"{rules} {seed}")
    return reached(rules, rng, rng.randrange(90)), rng


@pytest.mark.parametrize("seed", mostly_slow(SEEDS, 2))
@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_position_is_found_by_at_most_one_press_a_square(rules: str, seed: int) -> None:
    wanted, rng = wanted_of(rules, seed)
    placing, squares = Placing(wanted.rules), 0
    for square in in_any_order(rng, wanted):
        squares |= 1 << square
        placing = placing.seen(squares)

    placing, presses = finish(placing, wanted)

    assert presses.get("AskPiece", 0) <= squares.bit_count()
    if all(len(pile) < 2 for pile in wanted.board):
        assert presses.get("AskPiles", 0) == wanted.rules.piles * bool(squares)


@pytest.mark.parametrize("seed", mostly_slow(SEEDS, 2))
@pytest.mark.parametrize("rules", RULE_SETS)
def test_hall_sensors_ask_for_no_side_where_pieces_have_one_face(rules: str, seed: int) -> None:
    wanted, rng = wanted_of(rules, seed)
    board, squares = faces(wanted), 0
    by_switches = by_poles = Placing(wanted.rules)
    for square in in_any_order(rng, wanted):
        squares |= 1 << square
        by_switches = by_switches.seen(squares)
        shown = [pole(pile[0]) if squares >> n & 1 else None for n, pile in enumerate(board)]
        # A finer reading of a weak magnet may leave its pole open again.
        by_poles = by_poles.seen(squares, tuple(shown)).seen(squares)
        if isinstance(by_poles.asks, AskPiece) and not wanted.rules.two_faced:
            assert len({Side.of_letter(each) for each in by_poles.asks.letters}) == 1

    _, expected = finish(by_switches, wanted)
    _, presses = finish(by_poles, wanted)

    assert sum(presses.values()) <= sum(expected.values())


def test_a_piece_of_the_other_side_that_takes_a_place_is_known_at_once() -> None:
    b1 = 1 << parse_square("B1")
    light, dark = (
        tuple(side if b1 >> square & 1 else None for square in range(20)) for side in Side
    )
    placing = Placing(rule_set("finkel")).seen(b1, light)
    assert placing.board[parse_square("B1")] == "L"
    assert placing.seen(0).seen(b1, dark).board[parse_square("B1")] == "D"


def test_a_pole_that_no_piece_can_have_there_decides_nothing() -> None:
    a1 = parse_square("A1")
    poles = tuple(Side.DARK if square == a1 else None for square in range(20))
    assert Placing(rule_set("finkel")).seen(1 << a1, poles).board[a1] == "L"


@pytest.mark.parametrize("seed", mostly_slow(SEEDS, 2))
@pytest.mark.parametrize("rules", RULE_SETS)
def test_clumsy_hands_correct_what_they_told_by_lifting_it(rules: str, seed: int) -> None:
    wanted, rng = wanted_of(rules, seed)
    placing = Placing(wanted.rules)
    todo = list(in_any_order(rng, wanted))
    # Pieces are put down and lifted, also on wrong squares, and the buttons are pressed blindly.
    for _ in range(60):
        match rng.randrange(4):
            case 0:
                placing = placing.seen(placing.occupied ^ 1 << rng.randrange(20))
            case 1 if todo:
                placing = placing.seen(placing.occupied | 1 << todo.pop())
            case _:
                side, long = rng.choice(BOTH_PRESSES)
                placing = placing.pressed(side, long=long)
    placing = placing.seen(wanted.occupancy)
    wrong = squares_of(
        square
        for square in each_square(wanted.occupancy)
        if square in placing.told and placing.told[square] != wanted.board[square]
    )
    # What is put down last ends what was told after all pieces seemed to stand.
    placing = placing.seen(wanted.occupancy & ~wrong).seen(wanted.occupancy ^ 1)

    finish(placing.seen(wanted.occupancy), wanted)


@pytest.mark.parametrize("seed", slow_except(SEEDS, SEEDS[0]))
@pytest.mark.parametrize(
    "rules", slow_except(RULE_SETS, "finkel", "skiryuk", "ravensburger", "freecompany")
)
def test_whatever_hands_do_the_game_begins_only_with_a_possible_position(
    rules: str, seed: int
) -> None:
    rng = Random(f"{rules} {seed}")
    placing, begun = Placing(rule_set(rules)), 0
    for _ in range(600):
        if rng.random() < 0.15:
            placing = placing.seen(placing.occupied ^ 1 << rng.randrange(20))
        else:
            side, long = rng.choice(BOTH_PRESSES)
            placing = placing.pressed(side, long=long)
        if isinstance(placing.asks, AskBegin):
            found = placing.asks.position
            assert parse_position(str(found)) == found
            assert found.occupancy == placing.occupied
            assert found.turn is not None
            begun += 1
    assert begun


def test_the_private_squares_of_a_side_need_no_press() -> None:
    placing = placed("finkel", "A1", "A4", "C2", "A8", "C7")

    assert isinstance(placing.asks, AskTurn)
    assert [pile for pile in placing.board if pile] == ["L", "L", "L", "D", "D"]


def test_a_square_is_asked_until_its_piece_is_lifted_whatever_else_is_put_down() -> None:
    placing = placed("finkel", "B4", "B2", "A1", "B3")
    assert placing.asks == AskPiece(parse_square("B4"), "LD")

    without = placing.seen(squares_of(map(parse_square, ("B2", "A1", "B3"))))
    assert without.asks == AskPiece(parse_square("B2"), "LD")


def test_once_a_side_has_placed_all_its_pieces_the_others_are_the_opponents() -> None:
    placing = Placing(rule_set("finkel", {"pieces": "3"}))
    placing = placing.seen(squares_of(map(parse_square, ("A1", "A2", "B1", "B2", "B3"))))
    placing = placing.pressed(Side.LIGHT, long=False)

    assert isinstance(placing.asks, AskTurn)
    assert [placing.board[parse_square(name)] for name in ("B1", "B2", "B3")] == ["L", "D", "D"]


@pytest.mark.parametrize(
    ("rules", "square", "side", "long", "piece"),
    [
        ("finkel", "B4", Side.DARK, False, "D"),
        ("finkel", "B4", Side.DARK, True, "D"),
        ("murray", "B4", Side.DARK, False, "D"),
        ("murray", "B4", Side.DARK, True, "d"),
        # Only light comes to A3, on both visits: either button will do.
        ("murray", "A3", Side.DARK, True, "l"),
        ("ravensburger", "B3", Side.LIGHT, True, "l"),
        # Only the player of its side has pieces on top of a refuge.
        ("ravensburger", "A8", Side.DARK, False, "L"),
    ],
)
def test_the_button_tells_the_owner_and_a_long_press_the_turned_face(
    rules: str, square: str, side: Side, *, long: bool, piece: str
) -> None:
    placing = placed(rules, square).pressed(side, long=long)

    assert placing.board[parse_square(square)] == piece


def test_a_pile_is_told_from_the_top_down() -> None:
    placing = placed("skiryuk", "B3").pressed(Side.DARK, long=False)
    placing = placing.pressed(Side.LIGHT, long=False)
    b3 = parse_square("B3")
    assert placing.asks == AskPiles((b3,))
    placing = placing.pressed(Side.LIGHT, long=False).pressed(Side.LIGHT, long=True)
    assert placing.asks == AskHeight(b3, 2, 4)
    placing = placing.pressed(Side.LIGHT, long=False).pressed(Side.LIGHT, long=True)
    assert placing.asks == AskPiece(b3, "LlDd", place=2, height=3)
    placing = placing.pressed(Side.LIGHT, long=True).pressed(Side.DARK, long=False)

    assert placing.board[b3] == "DlD"
    assert placing.asks == AskPiles((b3,))


def test_a_pile_of_which_all_is_known_is_only_counted() -> None:
    placing = placed("skiryuk", "A2").pressed(Side.LIGHT, long=False)
    for side, long in [(Side.LIGHT, False), (Side.LIGHT, True), (Side.DARK, False)]:
        placing = placing.pressed(side, long=long)
    assert placing.asks == AskHeight(parse_square("A2"), 1, 4)
    placing = placing.pressed(Side.DARK, long=False).pressed(Side.DARK, long=True)

    assert placing.board[parse_square("A2")] == "LLLL"


def test_pieces_that_left_the_game_are_asked_for_unless_all_stand_on_the_board() -> None:
    placing = Placing(rule_set("finkel", {"pieces": "3"}))
    placing = placing.seen(squares_of(map(parse_square, ("A1", "A2", "A3"))))
    placing = placing.pressed(Side.DARK, long=False)

    # All three of dark's cannot have left: dark would have won.
    assert placing.asks == AskOff(Side.DARK, (0, 1, 2))
    placing = placing.pressed(Side.DARK, long=False).pressed(Side.DARK, long=True)
    assert isinstance(placing.asks, AskBegin)
    assert str(placing.asks.position) == "finkel[pieces=3] A1:L,A2:L,A3:L L0D1 L0D2 D"


def test_a_short_press_at_the_end_asks_the_last_questions_again() -> None:
    placing = placed("freecompany", "A3").pressed(Side.LIGHT, long=False)
    placing = placing.pressed(Side.DARK, long=False)
    assert isinstance(placing.asks, AskBegin)

    assert isinstance(placing.pressed(Side.DARK, long=False).asks, AskTurn)


def test_the_extra_throw_of_the_modern_game_is_told_by_a_long_press() -> None:
    placing = placed("freecompany", "A1").pressed(Side.LIGHT, long=False)
    placing = placing.pressed(Side.LIGHT, long=True)

    assert isinstance(placing.asks, AskBegin)
    assert str(placing.asks.position).endswith(" L*")


def test_more_pieces_than_a_side_has_are_refused() -> None:
    placing = Placing(rule_set("finkel", {"pieces": "3"}))
    placing = placing.seen(squares_of(map(parse_square, ("A1", "A2", "A3", "A4"))))

    assert placing.asks == Impossible("too-many", Side.LIGHT)
    assert isinstance(placing.seen(7).asks, AskTurn)


def test_a_side_that_has_won_cannot_go_on() -> None:
    placing = placed("freecompany", "A1", "A7", "C1", "C7")
    for _ in range(4):
        placing = placing.pressed(Side.DARK, long=False)
    placing = placing.pressed(Side.LIGHT, long=False)

    assert placing.asks == Impossible("won", Side.DARK)


def test_a_change_of_the_board_ends_the_last_questions() -> None:
    placing = placed("finkel", "A1").pressed(Side.LIGHT, long=False)
    assert isinstance(placing.asks, AskOff)

    assert isinstance(placing.seen(3).asks, AskTurn)


def test_the_press_of_a_wanted_position_is_the_shorter_way_round() -> None:
    wanted = parse_position("finkel - L7D2 L0D5 L")
    ask = AskOff(Side.DARK, tuple(range(7)))

    assert right_press(ask, wanted.board, wanted) == (Side.DARK, False)
    assert right_press(AskPiles((6,)), wanted.board, wanted) == (Side.LIGHT, True)


@pytest.mark.parametrize(
    ("rules", "names", "problem"),
    [
        ("masters", ("A4",), "not-entered"),
        # Light may have entered there, and throws again.
        ("masters", ("A1",), None),
        ("masters", ("A4", "C4"), None),
    ],
)
def test_a_position_to_which_no_game_leads_is_refused(
    rules: str, names: tuple[str, ...], problem: PlacingProblem | None
) -> None:
    placing = placed(rules, *names).pressed(Side.LIGHT, long=False)
    while isinstance(placing.asks, AskOff):
        placing = placing.pressed(Side.LIGHT, long=True)

    if problem is None:
        assert isinstance(placing.asks, AskBegin)
    else:
        assert placing.asks == Impossible(problem, Side.DARK)


def test_there_is_a_text_for_every_problem() -> None:
    assert set(IMPOSSIBLE) == set(get_args(PlacingProblem))
