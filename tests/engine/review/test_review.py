"""The review of a game: its values, luck, losses, totals and result."""

from random import Random

import pytest

from tests.engine.review.balance import balance
from tests.engine.review.games import Arbitrary, random_game
from tests.engine.test_evaluator import PROGRESS
from tests.slow import mostly_slow
from urpi.core.errors import UrpiError
from urpi.engine.evaluator import Lookahead
from urpi.engine.review import Review, review_record
from urpi.rules import RULE_SETS, Side, parse_rules
from urpi.rules.record import parse_record

HOUSE_RULES = (
    "finkel[pieces=3]",
    "murray[exit_row=opponent]",
    "coursework[zero=0]",
    "freecompany[path=orthogonal]",
    "freecompany[decline=no]",
    "finkel[decline=yes]",
    "blitz[decline=yes]",
)


@pytest.mark.parametrize("rules", mostly_slow([*RULE_SETS, *HOUSE_RULES], 5))
def test_luck_and_losses_add_up_to_the_result_whatever_the_values_are(rules: str) -> None:
    random = Random(rules)
    for _ in range(2):
        record = random_game(parse_rules(rules), random, 40)
        review = review_record(record, Arbitrary())
        assert len(review.throws) == sum(len(turn.throws) for turn in record.turns)
        assert balance(review) == pytest.approx(0, abs=1e-9)
        assert all(each.loss >= 0 for each in review.throws)


def review(text: str) -> Review:
    """Review a game of finkel, whose values are `Progress` one throw ahead."""
    return review_record(parse_record(f'[Rules "finkel"]\n{text}'), PROGRESS)


def test_values_are_those_of_the_side_that_threw() -> None:
    found = review('[Start "light"]\n\n1. L gs-- +A3\n2. D g--- +C4\n')
    light, dark = found.throws
    assert (light.turn, light.side, dark.turn, dark.side) == (1, Side.LIGHT, 2, Side.DARK)
    deeper = Lookahead(PROGRESS)
    assert light.before == found.start == deeper.value(light.position)
    assert light.after == 1 - dark.before
    assert dark.before == deeper.value(dark.position)
    assert found.stop == 1 - dark.after
    assert (found.source, found.result, found.ending) == ("estimated", None, 0)


def test_a_throw_is_lucky_and_a_move_loses_against_the_best_one() -> None:
    found = review('[Position "finkel B5:L,B6:D L6D6 L0D0 L"]\n\n1. L g--- +A4\n')
    (throw,) = found.throws
    assert (throw.best.text, throw.legal, throw.unforced) == ("B5xB6", 2, True)
    # The capture sends a piece back ten squares, worth a hundredth each.
    assert throw.loss == pytest.approx(0.10, abs=0.03)
    assert (throw.mistake_mark, throw.mistake) == ("very-bad", "no-capture")
    assert throw.after == pytest.approx(throw.before + throw.luck - throw.loss)


def test_a_pass_and_a_single_move_are_no_decisions() -> None:
    found = review('[Position "finkel A4:L L6D7 L0D0 L"]\n\n1. L ---- pass\n2. D gs-- +C3\n')
    light, dark = found.totals
    assert (light.throws, light.decisions, light.loss) == (1, 0, 0)
    assert (dark.decisions, dark.errors_per_100, dark.loss_per_decision) == (0, None, None)
    assert found.throws[0].best.text == "pass"


def test_a_move_that_was_taken_back_does_not_count() -> None:
    start = '[Position "finkel B5:L,B6:D L6D6 L0D0 L"]\n\n'
    taken_back = review(f"{start}1. L g--- +A4~ B5xB6\n")
    assert taken_back.throws == review(f"{start}1. L g--- B5xB6\n").throws
    assert taken_back.totals[0].errors == 0


def test_an_extra_throw_belongs_to_the_same_turn_and_side() -> None:
    found = review("1. L gsgs +A1 ; g--- A1-B1\n2. D gs-- +C3\n")
    assert [(each.turn, each.side.value) for each in found.throws] == [
        (1, "light"),
        (1, "light"),
        (2, "dark"),
    ]
    first, second = found.throws[:2]
    assert second.before == first.after


def test_a_last_throw_without_a_move_is_luck_only() -> None:
    found = review("1. L gs--\n")
    (throw,) = found.throws
    assert (throw.played, throw.loss, throw.unforced) == (None, 0, False)
    assert found.stop == throw.best_value
    assert balance(found) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(("result", "value"), [("light", 1), ("dark", 0), ("draw", 0.5)])
def test_an_agreed_end_is_counted_apart_from_luck_and_moves(result: str, value: float) -> None:
    tags = f'[Result "{result}"]\n[Termination "resigned"]\n\n'
    found = review(f"{tags}1. L g--- +A4\n2. D g--- +C4\n3. L g--- A4-A3\n")
    assert found.result == value
    assert found.ending == value - found.stop != 0
    assert balance(found) == pytest.approx(0, abs=1e-12)


def test_a_game_without_result_has_no_adjusted_one() -> None:
    found = review('[Result "*"]\n[Termination "abandoned"]\n\n1. L gs-- +A3\n')
    assert (found.result, found.ending, found.luck_adjusted) == (None, 0, None)


def test_the_adjusted_result_leaves_the_moves() -> None:
    found = review_record(random_game(parse_rules("blitz"), Random(3), 10_000), PROGRESS)
    light, dark = found.totals
    assert found.result in {0, 1}
    assert found.luck_adjusted == pytest.approx(found.start - light.loss + dark.loss)


def test_a_game_without_throws_is_its_start() -> None:
    found = review('[Start "dark"]\n')
    assert (found.throws, found.stop, found.turning_point) == ((), found.start, None)
    assert [totals.throws for totals in found.totals] == [0, 0]


def test_progress_counts_the_reviewed_throws() -> None:
    done: list[int] = []
    record = parse_record('[Rules "finkel"]\n\n1. L gs-- +A3\n2. D g--- +C4\n')
    review_record(record, PROGRESS, done.append)
    assert done == [1, 2]


def test_a_record_against_the_rules_is_rejected_with_its_turn() -> None:
    with pytest.raises(UrpiError, match=r"Turn 1: \+A1 is not legal"):
        review("1. L gs-- +A1\n")
