"""The analysis of positions: the values of a review for every move and every throw."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.review.games import Arbitrary, random_game
from tests.slow import slow_except
from urpi.core.errors import UrpiError
from urpi.engine.analysis import analyse, evaluate
from urpi.engine.evaluator import expected_value, move_values
from urpi.engine.review import ReviewedThrow, best_and_loss, review_record
from urpi.engine.review.values import ReviewValues
from urpi.rules import RULE_SETS, parse_move, parse_position, rule_set

ARBITRARY = Arbitrary()
RULES = sorted(RULE_SETS)


SEEDS = given(seed=st.integers(0, 2**32))
FEW = settings(max_examples=3, deadline=None)


def reviewed(rules: str, seed: int) -> Iterator[ReviewedThrow]:
    """Yield some throws of a random game, with what a review found about each."""
    random = Random(seed)
    game = random_game(rule_set(rules), random, 60 if rules != "freecompany" else 25)
    throws = review_record(game, ARBITRARY).throws
    yield from random.sample(throws, min(len(throws), 8))


@pytest.mark.parametrize("rules", slow_except(RULES, "finkel", "freecompany"))
@FEW
@SEEDS
def test_a_move_has_the_value_that_a_review_gives_it(rules: str, seed: int) -> None:
    for each in reviewed(rules, seed):
        position, throw, played = each.position, each.throw, each.played
        assert played is not None
        found = evaluate(ARBITRARY, position, throw, played, plies=2)
        assert found.value == each.before
        best, loss = best_and_loss(ARBITRARY, position, throw, played)
        values = {one.move: one.value for one in found.moves}
        assert found.moves[0].move == each.best == best
        assert (found.moves[0].value, values[best] - values[played]) == (each.best_value, loss)
        legal = position.rules.legal_moves(position, throw)
        assert len(values) == len(found.moves) == max(len(legal), 1)
        assert set(legal) <= set(values)
        shown = [one.value for one in found.moves]
        assert shown == sorted(shown, reverse=True)


@pytest.mark.parametrize("rules", slow_except(RULES, "finkel", "freecompany"))
@FEW
@SEEDS
def test_every_throw_has_the_value_of_its_best_move(rules: str, seed: int) -> None:
    for each in list(reviewed(rules, seed))[:3]:
        position = each.position
        found = analyse(ReviewValues(ARBITRARY), position, each.throw)
        assert found.evaluation == evaluate(ARBITRARY, position, each.throw, plies=2)
        assert found.evaluation.value == expected_value(ARBITRARY, position)
        assert sum(one.chance for one in found.throws) == pytest.approx(1)
        for one in found.throws:
            best = evaluate(ARBITRARY, position, one.throw, plies=2).moves[0]
            assert (one.best, one.value) == (best.move, best.value)


@pytest.mark.parametrize("rules", slow_except(RULES, "finkel", "freecompany"))
@FEW
@SEEDS
def test_one_ply_has_the_evaluators_own_values(rules: str, seed: int) -> None:
    for each in reviewed(rules, seed):
        found = evaluate(ARBITRARY, each.position, each.throw)
        assert found.value == ARBITRARY.value(each.position)
        assert list(found.moves) == move_values(ARBITRARY, each.position, each.throw)


def test_a_document_has_moves_only_with_a_throw_and_the_luck_of_each_throw() -> None:
    position = parse_position("finkel A4:L,B2:D L6D6 L0D0 L")
    found = analyse(ReviewValues(ARBITRARY), position)
    document = found.document(None)
    assert "moves" not in document
    for each in document["throws"]:
        assert each["luck"] == pytest.approx(each["after"] - document["value"], abs=2e-6)
    throw = position.rules.dice.throw("g-s-")
    moves = analyse(ReviewValues(ARBITRARY), position, throw).document(throw)["moves"]
    assert sorted(each["move"] for each in moves) == ["+A3", "A4-A2"]


@pytest.mark.parametrize(
    ("position", "faces", "played", "named"),
    [
        ("finkel - L0D7 L7D0 =", "", "", "The game is over"),
        ("finkel - L7D7 L0D0 L", "", "+A4", "needs a throw"),
        ("finkel - L7D7 L0D0 L", "g-s-", "+A4", "not legal after the throw g-s-"),
        ("finkel - L7D7 L0D0 L", "----", "+A4", "not legal after the throw ----"),
    ],
)
def test_what_has_no_value_is_an_error(position: str, faces: str, played: str, named: str) -> None:
    where = parse_position(position)
    throw = where.rules.dice.throw(faces) if faces else None
    move = parse_move(played) if played else None
    with pytest.raises(UrpiError, match=named):
        analyse(ReviewValues(ARBITRARY), where, throw, move)
    with pytest.raises(UrpiError, match=named):
        evaluate(ARBITRARY, where, throw, move)
