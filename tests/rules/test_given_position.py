"""Positions that players give to begin a game with."""

from random import Random

import pytest
from hypothesis import assume, given

from tests.rules.test_properties import games, rule_sets, seeds, unhurried
from urpi.core.errors import UrpiError
from urpi.rules import (
    ALL_SQUARES,
    RULE_SETS,
    Side,
    check_given,
    given_position,
    parse_rules,
    rule_set,
)
from urpi.rules.impossible import ImpossiblePositionError
from urpi.rules.piece_places import LETTERS, piece_places
from urpi.rules.position import position_of

LEFT = "finkel B4:L,B7:D L6D5 L0D1 D"


@unhurried
@given(rule_sets, seeds)
def test_every_position_of_a_game_in_which_a_side_is_to_throw_is_accepted(rules, seed):
    played = list(games(rules, seed))
    assume(played)
    for position, *_ in played:
        assert given_position(str(position), rules, position.turn) == position


def changed(position, *, board=None, off=None, turn=None):
    """Return a position with other piles, other pieces off or another turn; the hands stay."""
    return position_of(
        position.rules,
        position.board if board is None else board,
        position.hand,
        position.off if off is None else off,
        position.turn if turn is None else turn,
    )


def with_another_piece(position, random):
    """Return a position with one piece more than a side has."""
    places = piece_places(position.rules).squares
    board = list(position.board)
    square, letter = random.choice(
        [
            (square, one)
            for square, use in places.items()
            for one in use.letters
            if not board[square]
        ]
    )
    board[square] = letter
    return changed(position, board=board), {"count", "top-piece"}


def with_a_piece_elsewhere(position, random):
    """Return a position with a piece on a square where such a one never is."""
    places = piece_places(position.rules).squares
    moved = random.choice([square for square in ALL_SQUARES if position.board[square]])
    square, letter = random.choice(
        [
            (square, letter)
            for square in ALL_SQUARES
            for letter in LETTERS
            if letter not in places[square].letters
            and letter.upper() == position.board[moved][-1].upper()
        ]
    )
    board = list(position.board)
    board[moved] = board[moved][:-1]
    board[square] = letter
    return changed(position, board=board), {"not-here", "count", "one-side", "top-piece"}


def with_pieces_off(position, random):
    """Return a position in which a side has more pieces off the board than it has at all."""
    light, dark = position.off
    more = random.randint(1, 9)
    off = random.choice([(light + more, dark), (light, dark + more)])
    return changed(position, off=off), {"count", "both-home", "stay"}


@unhurried
@given(rule_sets, seeds)
def test_an_impossible_change_of_a_position_of_a_game_is_refused_with_its_reason(rules, seed):
    random = Random(seed)
    played = [one[0] for one in games(rules, seed) if any(one[0].board)]
    assume(played)
    for change in (with_another_piece, with_a_piece_elsewhere, with_pieces_off):
        position, codes = change(random.choice(played), random)
        with pytest.raises(ImpossiblePositionError) as refused:
            given_position(str(position))
        assert refused.value.code in codes, position
        assert "\n" not in str(refused.value)


@pytest.mark.slow
@pytest.mark.parametrize("name", RULE_SETS)
def test_no_position_of_200_games_is_refused(name):
    rules = rule_set(name)
    for seed in range(200):
        for position, *_ in games(rules, seed):
            check_given(position)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        # Dark's throw is at least a 1, and enters a piece.
        ("coursework A4:L L6D7 L0D0 L", "not-entered"),
        ("bell A2:L,A4:L L5D7 L0D0 L", "not-entered"),
        ("masters C2:D L7D6 L0D0 D", "not-entered"),
        ("skiryuk A2:LL L5D7 L0D0 L", "not-entered"),
        ("freecompany B4:L L6D7 L0D0 L", "not-entered"),
        ("freecompany B1:D,B2:D L7D5 L0D0 D", "not-entered"),
        ("freecompany B1:D,B4:L L6D6 L0D0 L*", "no-fort"),
        ("ravensburger A4:L,C4:D L8D9 L1D0 L", "no-red"),
        ("ravensburger A4:L,B3:L',C4:D L7D9 L1D0 L", "no-red"),
    ],
)
def test_a_position_to_which_no_game_leads_is_refused(text, code):
    with pytest.raises(ImpossiblePositionError) as refused:
        given_position(text)
    assert refused.value.code == code
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        # A throw can be 0.
        "finkel A4:L L6D7 L0D0 L",
        "coursework[zero=0] A4:L L6D7 L0D0 L",
        # Light has just entered on a rosette, with a 4, or captured, and throws again.
        "masters A1:L L6D7 L0D0 L",
        "bell A1:L,A4:L L5D7 L0D0 L",
        "masters B4:L L6D7 L0D0 L",
        # Light was the first to bear a piece off, dark has just borne off its only one.
        "bell A4:L L5D6 L1D1 L",
        # Dark could not capture the only piece on the Entrance.
        "freecompany B1:L L6D7 L0D0 L",
        "freecompany A1:L,B1:D L6D6 L0D0 L*",
        "ravensburger A4:L,B3:D',C4:D L8D8 L1D0 L",
    ],
)
def test_a_position_that_looks_like_an_impossible_one_is_accepted(text):
    assert str(given_position(text)) == text


@unhurried
@given(rule_sets, seeds)
def test_every_square_can_hold_what_it_holds_in_games(rules, seed):
    places = piece_places(rules)
    for position, *_ in games(rules, seed):
        for square, pile in enumerate(position.board):
            use = places.squares[square]
            assert set(pile) <= set(use.letters), (position, square)
            assert len(pile) < 2 or use.piles
        assert places.leave or position.off == (0, 0)
        assert places.extra or not position.extra_used


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("finkel - L0D3 L7D4 =", "the game is over; a game can begin from one in which L or D"),
        ("finkel A4:D L7D6 L0D0 D", "a piece D cannot be on A4"),
        ("finkel A4:L L7D7 L0D0 D", "light has 7 pieces; found 1 on the board, 7 in hand"),
        ("finkel B4:L L6D7 L0D0", "must be five words"),
        ("chess - L7D7 L0D0 L", "There is no rule set 'chess'"),
    ],
)
def test_a_position_from_which_no_game_can_begin_is_refused(text, reason):
    with pytest.raises(UrpiError, match=reason) as refused:
        given_position(text)
    assert "\n" not in str(refused.value)


def test_the_rules_and_the_side_that_begins_are_those_of_the_position():
    with pytest.raises(
        UrpiError, match=r"rules are finkel\[pieces=3\], but its position .* finkel;"
    ):
        given_position(LEFT, parse_rules("finkel[pieces=3]"))
    with pytest.raises(UrpiError, match="dark is to throw; found light as the side that begins"):
        given_position(LEFT, first=Side.LIGHT)
    assert given_position(LEFT, parse_rules("finkel"), Side.DARK).turn is Side.DARK
