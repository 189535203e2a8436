"""Fairness tests of one or several dice."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urpi.journal.fairness import Tally, empty_tally, holm, judge, tally_of
from urpi.journal.fairness.fairness import ALPHA, faces_needed, smallest_face_bias

D4 = tuple("gs--")
D6 = tuple("123456")
P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=8)


def judge_one(counts, outcomes=D4):
    (judgement,) = judge([Tally(1, outcomes, counts)])
    return judgement


@pytest.mark.parametrize(
    ("ps", "adjusted"),
    [
        # statsmodels 0.15.0, multipletests(method="holm")
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.9, 0.8], [1.0, 1.0]),
        ([0.02], [0.02]),
        ([], []),
    ],
)
def test_holm_agrees_with_statsmodels(ps, adjusted):
    assert holm(ps) == pytest.approx(adjusted)


@given(P_VALUES)
def test_holm_never_decreases_a_p_value_and_keeps_the_order(ps):
    adjusted = holm(ps)
    assert all(p <= new <= 1.0 for p, new in zip(ps, adjusted, strict=True))
    assert sorted(range(len(ps)), key=lambda i: (ps[i], adjusted[i])) == sorted(
        range(len(ps)), key=lambda i: (adjusted[i], ps[i])
    )


@pytest.mark.parametrize(
    ("counts", "suspicious"),
    [
        ((80, 78, 70, 72), False),
        ((95, 95, 55, 55), True),
        ((110, 40, 75, 75), True),
        ((0, 0, 0, 0), False),
        ((3, 0, 0, 0), False),
    ],
)
def test_unfair_counts_are_suspicious(counts, suspicious):
    assert judge_one(counts).suspicious is suspicious


def test_balanced_marks_do_not_hide_a_frequent_face():
    judgement = judge_one((110, 40, 75, 75))
    assert judgement.marks is not None
    assert judgement.marks.p == pytest.approx(1.0)
    assert judgement.faces.p < 0.001


def test_p_values_are_adjusted_for_the_number_of_dice():
    odd = Tally(1, D4, (88, 88, 62, 62))
    even = [Tally(die, D4, (75, 75, 75, 75)) for die in (2, 3, 4)]
    single_p = judge([odd])[0].marks.holm
    adjusted_p = judge([odd, *even])[0].marks.holm
    assert adjusted_p == pytest.approx(4 * single_p)


def test_300_throws_are_not_enough_for_a_55_45_die():
    judgement = judge_one((80, 78, 70, 72))
    assert (judgement.needed, judgement.missing) == (820, 520)
    assert judgement.smallest_bias == pytest.approx(0.0823, abs=1e-4)


def test_with_four_dice_each_needs_more_throws():
    dice = [Tally(die, D4, (300, 300, 300, 300)) for die in (1, 2, 3, 4)]
    assert {judgement.needed for judgement in judge(dice)} == {1144}
    assert {judgement.missing for judgement in judge(dice)} == {0}


def test_a_d6_is_tested_by_its_faces_only():
    judgement = judge_one((70, 75, 85, 70, 110, 90), D6)
    assert judgement.marks is None
    assert judgement.needed == 713
    assert judgement.suspicious
    assert judgement.smallest_bias == pytest.approx(smallest_face_bias(500, (1,) * 6, ALPHA))


def test_a_die_with_one_marked_tip_has_a_fair_share_of_a_quarter():
    (judgement,) = judge([Tally(1, tuple("g---"), (25, 25, 25, 25))])
    assert judgement.marks is not None
    assert judgement.marks.fair == 0.25
    assert judgement.marks.p == pytest.approx(1.0)


def test_equal_faces_counted_together_have_the_same_marks_test():
    seen = tally_of(1, "gs--", {"g": 95, "s": 95, "-": 110})
    assert judge([seen])[0].marks == judge_one((95, 95, 55, 55)).marks


def test_no_dice_have_no_judgements():
    assert judge([]) == ()


def test_the_throws_needed_for_a_d6_are_the_first_that_detect_the_bias():
    weights = (1,) * 6
    needed = faces_needed(weights, ALPHA)
    assert (
        smallest_face_bias(needed, weights, ALPHA)
        <= 0.05
        < smallest_face_bias(needed - 1, weights, ALPHA)
    )


def test_false_alarms_are_as_rare_as_the_level():
    rng = Random(5)
    alarms = 0
    for _ in range(60):
        dice = []
        for die in (1, 2, 3):
            tally = empty_tally(die, "gs--")
            for _ in range(60):
                tally = tally.with_throw(rng.randrange(4))
            dice.append(tally)
        alarms += any(one.marks.holm <= ALPHA for one in judge(dice))
    # At most 60 * 5 % = 3 are expected; 10 or more occur in one of 1000 such runs.
    assert alarms < 10
