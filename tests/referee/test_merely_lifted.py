"""A piece that is gone may be in a hand: nothing is wrong for the first twelve seconds."""

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
    """A desk at a reached position, where `hands` pieces have just been lifted."""
    rng = Random(seed)
    desk = Desk.at(str(reached(rules, rng, rng.randrange(5, 80)))).wait(300)
    if throws:
        desk.throw(desk.state.now.rules.dice.roll(rng.random()).faces).wait(1_000)
    desk.news()
    standing = names_of(desk.state.now.occupancy)
    for square in rng.sample(standing, min(hands, len(standing))):
        desk.lift(square).wait(rng.randrange(400))
    return desk


def is_warning(news: str) -> bool:
    return news.startswith("warning")


@pytest.mark.parametrize("rules", list(RULE_SETS))
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32), hands=st.integers(1, 2), throws=st.booleans())
def test_a_merely_lifted_piece_is_no_reason_for_a_warning_before_twelve_seconds(
    rules: str, seed: int, hands: int, throws: bool
) -> None:
    desk = lifted(rules, seed, hands=hands, throws=throws)
    desk.wait(LIFTED_MS - 600)
    assert not any(map(is_warning, desk.news())), str(desk.state.now)


@pytest.mark.parametrize("rules", list(RULE_SETS))
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_lifted_piece_that_no_legal_move_explains_is_missing_after_twelve_seconds(
    rules: str, seed: int
) -> None:
    desk = lifted(rules, seed, hands=1, throws=True).wait(LIFTED_MS + 200)
    news = desk.news()
    explained = {"seems", "move", "question"} & {one.split()[0] for one in news}
    warned = [one for one in news if is_warning(one)]
    allowed = allowed_after_twelve_seconds(desk.state.now.rules)
    assert explained or (warned and set(warned) <= allowed), (str(desk.state.now), news)


def allowed_after_twelve_seconds(rules: RuleSet) -> set[str]:
    """What a piece that stays away is called: it may have been borne off without the throw."""
    return {"warning piece-missing"} | ({"warning inexact-exit"} if rules.bears_off else set())
