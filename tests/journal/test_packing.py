"""What was packed comes back letter by letter, in few bytes, or not at all."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urpi.journal.packing import DICTIONARY, pack, unpack

LINES = st.lists(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n")), min_size=1
)
LIFT = [
    '{"t":11753,"type":"square","square":"C4","on":true}',
    '{"t":11755,"type":"square","square":"C4","on":false}',
    '{"t":11757,"type":"square","square":"C4","on":true}',
    '{"t":11907,"type":"time"}',
]
MOVE = (
    '{"t":11907,"type":"move","side":"dark","move":"+C4",'
    '"position":"finkel[pieces=3] C4:D L3D2 L0D0 L","confidence":"sensed"}'
)


@given(LINES)
def test_any_lines_come_back_as_they_were(lines: list[str]) -> None:
    assert unpack(pack(lines, DICTIONARY), DICTIONARY) == lines


@given(LINES, st.binary(max_size=100))
def test_with_any_words(lines: list[str], words: bytes) -> None:
    assert unpack(pack(lines, words), words) == lines


def test_what_a_move_leaves_takes_a_quarter_of_its_letters() -> None:
    lines = [*LIFT, MOVE]
    assert len(pack(lines, DICTIONARY)) < sum(map(len, lines)) / 4


@given(st.data())
def test_a_batch_cut_short_is_found(data: st.DataObject) -> None:
    packed = pack([*LIFT, MOVE], DICTIONARY)
    with pytest.raises(ValueError):  # noqa: PT011 - zlib's own words
        unpack(packed[: data.draw(st.integers(0, len(packed) - 1))], DICTIONARY)


def test_something_behind_a_batch_is_found() -> None:
    with pytest.raises(ValueError, match="too early or too late"):
        unpack(pack(LIFT, DICTIONARY) + b"x", DICTIONARY)


def test_the_words_are_no_more_than_the_packer_can_look_back() -> None:
    assert len(DICTIONARY) <= 8192


def test_the_lines_of_the_words_are_those_that_are_written() -> None:
    """Their commonest whole line is one of ours, so that a change of the format is noticed."""
    assert b',"type":"square","square":"B1","on":true}\n' in DICTIONARY
    assert json.loads(LIFT[0])["type"] == "square"
