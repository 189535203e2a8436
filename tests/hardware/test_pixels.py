"""Pixels' messages, as in the tables of the vendor's CommunicationsProtocol.md."""

import pytest

from urpi.hardware.die_reports import Battery, Identity, Motion
from urpi.hardware.pixels import WHO_ARE_YOU, blink, face_value, parse

NEWER_BUILD = 1_720_000_000
OLDER_BUILD = 1_700_200_000
"""17 November 2023."""


def old_identity(kind=2, leds=6, state=1, face=4, percent=80, built=NEWER_BUILD):
    """IAmADie: Id, LEDs, colour, type, hash, Pixel id, flash, build, state, face, battery."""
    return (
        bytes([2, leds, 7, kind])
        + bytes(4)
        + bytes.fromhex("78563412")
        + bytes(2)
        + built.to_bytes(4, "little")
        + bytes([state, face, percent, 0])
    )


def new_identity(kind=1, state=5, face=2, percent=55):
    """IAmADie of newer firmware: chunks that begin with their size."""
    version = bytes([15, 1, 0]) + NEWER_BUILD.to_bytes(4, "little") + bytes(8)
    die = bytes([9]) + bytes.fromhex("78563412") + bytes([1, kind, 6, 3])
    names = bytes([2, 0]) + bytes([6]) + b"Anna\0"
    settings = bytes([13]) + bytes(12)
    return bytes([2]) + version + die + names + settings + bytes([5, percent, 0, state, face])


@pytest.mark.parametrize(
    ("message", "faces", "reports"),
    [
        ("03 03 02", 6, (Motion("rolling"),)),
        ("03 01 02", 6, (Motion("rolled", 3),)),
        ("03 01 00", 20, (Motion("rolled", 1),)),
        ("03 01 13", 20, (Motion("rolled", 20),)),
        ("03 01 00", 10, (Motion("rolled", 0),)),
        ("03 02 02", 6, (Motion("handled"),)),
        ("03 04 02", 6, (Motion("cocked"),)),
        ("03 05 03", 4, (Motion("placed", 4),)),
        ("03 00 02", 6, ()),
        ("22 5a 00", 6, (Battery(90),)),
        ("22 03 01", 6, (Battery(3),)),
    ],
)
def test_a_documented_message_is_parsed(message, faces, reports):
    assert parse(bytes.fromhex(message), faces) == reports


def test_the_identity_contains_type_battery_and_state():
    assert parse(old_identity(), 6) == (Identity(6, NEWER_BUILD), Battery(80), Motion("rolled", 5))
    assert parse(new_identity(), 4) == (Identity(4, NEWER_BUILD), Battery(55), Motion("placed", 3))


@pytest.mark.parametrize(
    ("kind", "leds", "faces"), [(0, 20, 20), (0, 21, 6), (8, 21, 6), (5, 10, None), (99, 6, None)]
)
def test_the_number_of_faces_comes_from_the_type_or_the_leds(kind, leds, faces):
    assert parse(old_identity(kind, leds), 6)[0] == Identity(faces, NEWER_BUILD)


@pytest.mark.parametrize(("faces", "values"), [(4, [1, 1, 3, 2, 1, 4]), (6, [1, 5, 4, 3, 2, 6])])
def test_old_firmware_numbers_the_faces_otherwise(faces, values):
    assert [face_value(index, faces, OLDER_BUILD) for index in range(6)] == values
    assert face_value(6, faces, OLDER_BUILD) is None
    assert parse(old_identity(face=3, built=OLDER_BUILD), faces)[-1] == Motion("rolled", values[3])


@pytest.mark.parametrize(
    "message",
    ["", "03", "03 01", "22", "02 06 07", "03 09 01", "03 01 06", "22 c8 00", "7f 01 02 03", "01"],
)
def test_a_truncated_or_unknown_message_is_ignored(message):
    assert parse(bytes.fromhex(message), 6) == ()


def test_an_identity_without_its_last_bytes_is_ignored():
    whole = new_identity()
    assert [parse(whole[:size], 4) for size in range(len(whole)) if size != 22] == [()] * (
        len(whole) - 1
    )
    assert parse(whole + b"\x04abc", 4) == parse(whole, 4)


def test_the_requests_are_those_of_the_tables():
    assert WHO_ARE_YOU == b"\x01"
    message = blink(3)
    assert (message[0], message[1], len(message)) == (29, 3, 14)
    assert int.from_bytes(message[2:4], "little") == 1500
