"""Recordings of dice with Bluetooth: their format, and what is left out of them."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urpi.core.errors import UrpiError
from urpi.hardware import pixels
from urpi.hardware.die_faces import DieFaces
from urpi.hardware.die_reports import FACES, Battery, Identity, Motion, numbers_of
from urpi.hardware.recording import (
    LONGEST_MESSAGE,
    About,
    Message,
    RecordedDie,
    Recording,
    entry_line,
    firmware_of,
    parse_recording,
    replay,
    without_personal_details,
)
from urpi.simulation.bluetooth_messages import PIXELS_BUILT, SimulatedDie
from urpi.simulation.virtual_dice import DieReport

ABOUT, DIE = About("2026-11-27"), RecordedDie(1, "godice", 4)
THROW = Message(40, 1, b"TS" + bytes([61, 1, 22]), shows=1)


def text(*entries):
    return "".join(entry_line(entry) + "\n" for entry in entries)


@st.composite
def recordings(draw):
    """Draw the entries of a valid recording."""
    dice = [
        RecordedDie(
            number, draw(st.sampled_from(["pixels", "godice"])), draw(st.sampled_from(FACES))
        )
        for number in draw(st.lists(st.integers(1, 99), unique=True, max_size=4))
    ]
    times = sorted(draw(st.lists(st.integers(0, 2**31), max_size=8 if dice else 0)))
    messages = []
    for t in times:
        die = draw(st.sampled_from(dice))
        shows = draw(st.none() | st.sampled_from(numbers_of(die.faces)))
        data = draw(st.binary(min_size=1, max_size=LONGEST_MESSAGE))
        messages.append(Message(t, die.die, data, shows))
    source = draw(st.text(st.characters(exclude_categories=["Cs"]), max_size=500))
    return [About("2026-11-27", source), *dice, *messages]


@given(recordings())
def test_what_is_written_is_read_back(entries):
    found = parse_recording(text(*entries))
    assert [found.about, *found.dice.values(), *found.messages] == entries


@pytest.mark.parametrize(
    ("entries", "error"),
    [
        ([], "Line 1: a line must be one JSON object"),
        ([DIE], "Line 1: the first line, and no other, must be of type recording"),
        ([ABOUT, DIE, ABOUT], "Line 3: the first line"),
        ([ABOUT, THROW], "Line 2: die must be one of an earlier line of type die; found 1"),
        ([ABOUT, DIE, replace(THROW, shows=5)], "Line 3: shows must be 1 to 4; found 5"),
        ([ABOUT, DIE, THROW, replace(THROW, t=39)], "t must not decrease; found 39 after 40"),
    ],
)
def test_an_invalid_recording_is_refused_with_its_line(entries, error):
    with pytest.raises(UrpiError, match=error):
        parse_recording(text(*entries))


@pytest.mark.parametrize(
    "data", ["", "5", "5g", "53\n", "5 3", 83, None, "00" * (LONGEST_MESSAGE + 1)]
)
def test_bytes_that_no_die_can_send_are_refused(data):
    line = json.dumps({"type": "message", "t": 0, "die": 1, "data": data})
    with pytest.raises(UrpiError, match="data of a line of type message must be 1 to 244 bytes"):
        parse_recording(text(ABOUT, DIE) + line)


@given(
    st.integers(1, 2**32 - 1),
    st.text(st.characters(codec="ascii", min_codepoint=33), min_size=1, max_size=13),
    st.sampled_from([4, 6]),
    st.integers(0, 100),
)
def test_a_new_pixels_die_keeps_its_kind_but_neither_serial_number_nor_name(
    serial, name, faces, percent
):
    die = SimulatedDie(1, "pixels", faces, percent=percent)
    (sent,) = die.reply(pixels.WHO_ARE_YOU, DieReport(1, "settled", face=2, tumbles=5))
    named = bytes([len(name) + 1]) + name.encode()
    sent = sent.replace(bytes([6]) + b"urpi\0", named)
    sent = sent.replace(
        (1).to_bytes(4, "little") + bytes([1]), serial.to_bytes(4, "little") + b"\1"
    )
    kept = without_personal_details("pixels", sent)
    assert len(kept) == len(sent)
    assert named not in kept
    assert pixels.parse(kept, faces) == (
        Identity(faces, PIXELS_BUILT), Battery(percent), Motion("rolled", 2),
    )  # fmt: skip
    recording = Recording(ABOUT, {1: RecordedDie(1, "pixels", faces)}, (Message(0, 1, kept),))
    assert firmware_of(recording, 1) == "2024-07-03"


@given(st.binary(min_size=8, max_size=8).filter(any), st.integers(0, 3))
def test_an_old_pixels_die_loses_its_serial_number(private, face):
    built = PIXELS_BUILT.to_bytes(4, "little")
    sent = bytes([2, 4, 0, 1]) + private + bytes(2) + built + bytes([1, face, 77, 0])
    kept = without_personal_details("pixels", sent)
    assert kept == sent.replace(private, bytes(8))
    assert pixels.parse(kept, 4) == pixels.parse(sent, 4)


@given(
    st.sampled_from(["pixels", "godice"]),
    st.binary(max_size=LONGEST_MESSAGE - 6).map(b"~Anna!".__add__),
)
def test_of_an_unknown_message_only_the_first_byte_is_kept(brand, sent):
    assert without_personal_details(brand, sent) == sent[:1] + bytes(len(sent) - 1)


@pytest.mark.parametrize("brand", ["pixels", "godice"])
@pytest.mark.parametrize("faces", [4, 6])
@given(state=st.sampled_from(["rolling", "handled", "cocked", "settled"]),
       throws=st.integers(0, 255), tumbles=st.integers(0, 5))  # fmt: skip
def test_a_motion_is_recorded_as_it_was_sent(brand, faces, state, throws, tumbles):
    report = DieReport(1, state, throws, face=faces, tumbles=tumbles)
    sent = SimulatedDie(1, brand, faces).message(report)
    assert without_personal_details(brand, sent) == sent


def test_a_number_that_a_person_read_otherwise_differs():
    throws = [replace(THROW, shows=shows) for shows in (1, 2, None)]
    found = parse_recording(text(ABOUT, DIE, *throws, Message(50, 1, b"R", shows=3)))
    assert [one.differs for one in replay(found, DieFaces())] == [False, True, False, True]
