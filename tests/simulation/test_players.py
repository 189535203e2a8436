"""The choices of simulated players."""

from random import Random

import pytest

from urpi.rules import parse_position
from urpi.simulation import PLAYERS


def choices(player, position, faces, seeds=range(20)):
    at = parse_position(position)
    throw = at.rules.dice.throw(faces)
    legal = at.rules.legal_moves(at, throw)
    return {PLAYERS[player](Random(seed), at, throw, legal).text for seed in seeds}


@pytest.mark.parametrize(
    ("position", "faces", "expected"),
    [
        ("finkel A7:L,B2:L,B3:D L4D6 L1D0 L", "g---", "A7-off"),
        ("finkel A3:L,B2:L,B3:D L5D6 L0D0 L", "g---", "B2xB3"),
        ("finkel A2:L,B2:L L5D7 L0D0 L", "g---", "A2-A1"),
    ],
)
def test_a_greedy_player_chooses_the_best_move(position, faces, expected):
    assert choices("greedy", position, faces) == {expected}


def test_a_random_player_may_choose_any_legal_move():
    assert choices("random", "finkel A2:L,B2:L L5D7 L0D0 L", "g---") == {"+A4", "A2-A1", "B2-B3"}
