"""A missing piece may be in a hand: there is no warning during the first twelve seconds."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.referee.playing import Desk
from tests.referee.positions import reached
from urpi.rules import RULE_SETS, names_of
from urpi.rules.ruleset import RuleSet

LIFTED_MS = 12_000


def lifted(rules: str, seed: int, *, hands: int, throws: bool) -> Desk:
    """Return a game at a reached position, in which `hands` pieces have just been lifted."""
    rng = Random(seed)
    desk = Desk.at(str(reached(rules, rng, rng.randrange(5, 80)))).wait(300)
    if throws:
        desk.throw(desk.state.position.rules.dice.roll(rng.random()).faces).wait(1_000)
    desk.pop_decisions()
    standing = names_of(desk.state.position.occupancy)
    for square in rng.sample(standing, min(hands, len(standing))):
        desk.lift(square).wait(rng.randrange(400))
    return desk


def is_warning(decision: str) -> bool:
    return decision.startswith("warning")


@pytest.mark.parametrize("rules", list(RULE_SETS))
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32), hands=st.integers(1, 2), throws=st.booleans())
def test_a_lifted_piece_causes_no_warning_before_twelve_seconds(
    rules: str, seed: int, hands: int, throws: bool
) -> None:
    desk = lifted(rules, seed, hands=hands, throws=throws)
    desk.wait(LIFTED_MS - 600)
    assert not any(map(is_warning, desk.pop_decisions())), str(desk.state.position)


@pytest.mark.parametrize("rules", list(RULE_SETS))
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_lifted_piece_that_fits_no_legal_move_is_missing_after_twelve_seconds(
    rules: str, seed: int
) -> None:
    desk = lifted(rules, seed, hands=1, throws=True).wait(LIFTED_MS + 200)
    decisions = desk.pop_decisions()
    explained = {"seems", "move", "question"} & {one.split()[0] for one in decisions}
    warned = [one for one in decisions if is_warning(one)]
    allowed = allowed_after_twelve_seconds(desk.state.position.rules)
    assert explained or (warned and set(warned) <= allowed), (str(desk.state.position), decisions)


def allowed_after_twelve_seconds(rules: RuleSet) -> set[str]:
    """Return the warnings for a missing piece, which may have been borne off without the throw."""
    return {"warning piece-missing"} | ({"warning inexact-exit"} if rules.bears_off else set())
