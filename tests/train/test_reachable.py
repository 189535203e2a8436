"""Exact values of all positions that can be reached: equal to those one throw ahead."""

import numpy as np
import pytest

from tools.train.reachable import RESIDUAL, Exact, key_of, solve, state_with
from urpi.engine.evaluator import expected_value
from urpi.rules import PASS, Position, Side
from urpi.rules.notation import rule_set
from urpi.rules.race import Race
from urpi.solver.compiled_rules import MINE_IN_HAND, OTHERS_IN_HAND, STATE, game_of, state_of

PIECES = 1


def reached(rules: Race) -> set[Position]:
    """Return every position that can be reached and is not over."""
    found, new = set[Position](), [rules.start(Side.LIGHT)]
    while new:
        position = new.pop()
        if position in found or position.turn is None:
            continue
        found.add(position)
        for throw, _ in rules.dice.outcomes:
            moves = rules.legal_moves(position, throw) or (PASS,)
            new.extend(rules.play(position, throw, move) for move in moves)
    return found


@pytest.mark.parametrize("name", ["murray", "skiryuk"])
def test_every_value_follows_from_those_after_each_throw_of_the_rules(name: str) -> None:
    # A game with one piece on each side, which is small enough to play every move.
    rules = rule_set(name, {"pieces": "3"}).__class__({"pieces": "3"})
    assert isinstance(rules, Race)
    rules.pieces = PIECES
    solved = solve(game_of(rules), 1 << 16)
    exact = Exact(solved)
    positions = reached(rules)
    seen = {key_of(state_of(position)) for position in positions}
    assert seen == set(solved.keys.tolist())
    assert solved.residual <= RESIDUAL
    for position in positions:
        assert exact.value(position) == pytest.approx(expected_value(exact, position), abs=1e-11)


def test_a_key_belongs_to_one_state() -> None:
    rules = rule_set("skiryuk", {"pieces": "3"})
    position = rules.start(Side.LIGHT)
    state, again = state_of(position), np.zeros(STATE, np.int64)
    state[7], state[0] = 0b011_101_001, 0b001
    state[MINE_IN_HAND], state[OTHERS_IN_HAND] = 0, 2
    state_with(key_of(state), 3, again)
    assert again.tolist() == state.tolist()
