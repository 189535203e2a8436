"""Positions that players give to begin a game with."""

import pytest
from hypothesis import assume, given

from tests.rules.test_properties import games, rule_sets, seeds, unhurried
from urpi.core.errors import UrpiError
from urpi.rules import Side, given_position, parse_rules

LEFT = "finkel B4:L,B7:D L6D5 L0D1 D"


@unhurried
@given(rule_sets, seeds)
def test_every_position_of_a_game_in_which_a_side_is_to_throw_is_accepted(rules, seed):
    played = list(games(rules, seed))
    assume(played)
    for position, *_ in played:
        assert given_position(str(position), rules, position.turn) == position


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
