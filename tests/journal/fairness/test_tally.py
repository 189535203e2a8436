"""Tallies as values and as lines."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urpi.core.errors import UrpiError
from urpi.journal.fairness import Tally, empty_tally, parse_tally, tally_of, tally_values

TALLIES = st.sampled_from([tuple("gs--"), ("g", "s", "--"), tuple("123456")]).flatmap(
    lambda shown: st.builds(
        Tally,
        st.integers(1, 8),
        st.just(shown),
        st.tuples(*[st.integers(0, 10_000)] * len(shown)),
    )
)


@given(TALLIES)
def test_a_line_round_trips(tally):
    assert parse_tally(json.dumps(tally_values(tally))) == tally


def test_unknown_keys_of_a_line_are_ignored():
    line = '{"die":3,"outcomes":["g","s","--"],"counts":[1,2,3],"p":0.4}'
    assert parse_tally(line) == Tally(3, ("g", "s", "--"), (1, 2, 3))


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"die": "two"}, "die in a die's counts is ['two']; allowed are whole numbers."),
        ({"counts": [1, 2, True, 4]}, "counts in a die's counts is [1, 2, True, 4]; allowed are"),
        ({"counts": "1234"}, "counts in a die's counts is '1234'; allowed are whole numbers."),
        ({"counts": [1, 2, 3]}, "die 2 have counts [1, 2, 3]; allowed are 4 numbers from 0 on."),
        (
            {"counts": [1, 2, 3, -4]},
            "die 2 have counts [1, 2, 3, -4]; allowed are 4 numbers from 0 on.",
        ),
        ({"outcomes": ["g", "s", "-", "x"]}, "allowed are tips of g s - or faces 1-6."),
        ({"outcomes": ["g", "1", "-", "-"]}, "allowed are tips of g s - or faces 1-6."),
        ({"outcomes": ["g", "s", "-", ""]}, "allowed are two or more, none empty."),
        ({"outcomes": ["g"] * 7}, "allowed are at most 6 faces."),
        ({"outcomes": ["1" * 7, "2"]}, "allowed are at most 6 faces."),
        ({"outcomes": [["g"], {}, None]}, 'allowed are texts such as "g".'),
        ({"counts": {"g": 1}}, "counts in a die's counts is {'g': 1}; allowed are whole numbers."),
        ({"die": 0}, "A die's number must be from 1 to 99; found 0."),
        ({"die": 10**4000}, "A die's number must be from 1 to 99; found 1000"),
        ({"outcomes": ["g"]}, "allowed are two or more, none empty."),
        ({"outcomes": "gs--"}, 'allowed are texts such as "g".'),
    ],
)
def test_the_error_for_an_invalid_line_names_the_fault(changed, sentence):
    right = {"die": 2, "outcomes": ["g", "s", "-", "-"], "counts": [1, 2, 3, 4]}
    with pytest.raises(UrpiError) as caught:
        parse_tally(json.dumps({**right, **changed}))
    assert sentence in str(caught.value)


@pytest.mark.parametrize("line", ["", "{", "[]", "12", "[" * 100_000, '{"die":' + "1" * 5000 + "}"])
def test_a_line_without_an_object_is_rejected(line):
    with pytest.raises(UrpiError, match="counts must be a JSON object"):
        parse_tally(line)


def test_throws_are_added_one_by_one():
    tally = empty_tally(2, "gs--").with_throw(0).with_throw(3).with_throw(3)
    assert tally == Tally(2, ("g", "s", "-", "-"), (1, 0, 0, 2))
    assert (tally.throws, tally.marked, tally.fair_share) == (3, 1, 0.5)


@pytest.mark.parametrize(
    ("shows", "share"), [("gs--", 0.5), ("g---", 0.25), ("gsgs", 1.0), ("123456", 0.0)]
)
def test_the_fair_share_is_that_of_the_marked_tips(shows, share):
    assert empty_tally(1, shows).fair_share == share


def test_equal_tips_are_one_outcome():
    tally = tally_of(4, "-g-s", {"-": 9, "s": 2})
    assert tally == Tally(4, ("--", "g", "s"), (9, 0, 2))
    assert tally.weights == (2, 1, 1)


def test_a_face_that_the_die_lacks_is_rejected():
    with pytest.raises(UrpiError, match="die 4 have \\['s'\\] seen; allowed are its faces"):
        tally_of(4, "g---", {"s": 2})


def test_a_die_number_with_many_digits_is_shortened_in_the_error_message() -> None:
    with pytest.raises(UrpiError) as error:
        parse_tally('{"die": 1' + "0" * 3000 + ', "outcomes": 1}')
    assert len(str(error.value)) < 300
