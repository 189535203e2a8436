"""Packing: lines round-trip in few bytes, and damage is detected."""

import json
import zlib

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
def test_any_lines_round_trip(lines: list[str]) -> None:
    assert unpack(pack(lines, DICTIONARY), DICTIONARY) == lines


@given(LINES, st.binary(max_size=100))
def test_lines_round_trip_with_any_dictionary(lines: list[str], dictionary: bytes) -> None:
    assert unpack(pack(lines, dictionary), dictionary) == lines


def test_the_lines_of_a_move_are_packed_to_a_quarter() -> None:
    lines = [*LIFT, MOVE]
    assert len(pack(lines, DICTIONARY)) < sum(map(len, lines)) / 4


@given(st.data())
def test_a_truncated_batch_is_detected(data: st.DataObject) -> None:
    packed = pack([*LIFT, MOVE], DICTIONARY)
    with pytest.raises(ValueError):  # noqa: PT011 - zlib's message
        unpack(packed[: data.draw(st.integers(0, len(packed) - 1))], DICTIONARY)


def test_bytes_after_a_batch_are_detected() -> None:
    with pytest.raises(ValueError, match="too early or too late"):
        unpack(pack(LIFT, DICTIONARY) + b"x", DICTIONARY)


def test_batches_are_raw_deflate_as_documented() -> None:
    unpacker = zlib.decompressobj(-13, DICTIONARY)
    assert unpacker.decompress(pack(LIFT, DICTIONARY)).decode().split("\n") == LIFT


@pytest.mark.parametrize("die", [1, 2, 3, 4])
def test_the_dictionary_contains_every_report_of_a_die(die: int) -> None:
    text = DICTIONARY.decode()
    assert f'"die":{die},"state":"rolling"' in text
    for face in "gs-":
        assert f'"die":{die},"state":"settled","face":"{face}"' in text


@pytest.mark.parametrize("face", [*"123456"])
def test_the_dictionary_contains_every_report_of_a_d6(face: str) -> None:
    assert f'"die":1,"state":"settled","face":"{face}"' in DICTIONARY.decode()


def test_the_dictionary_fits_into_the_window() -> None:
    assert len(DICTIONARY) <= 8192


def test_the_dictionary_contains_lines_in_their_current_format() -> None:
    """If the format of lines changes, the dictionary must change with it."""
    assert b',"type":"square","square":"B1","on":true}\n' in DICTIONARY
    assert json.loads(LIFT[0])["type"] == "square"
