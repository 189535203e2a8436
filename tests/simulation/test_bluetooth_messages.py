"""Simulated dice send messages that the parsers of the brands read as what the dice do."""

import pytest

from urpi.hardware import godice, pixels
from urpi.hardware.die_reports import FACES, Battery, Identity, Motion
from urpi.simulation.bluetooth_messages import PIXELS_BUILT, SimulatedDie
from urpi.simulation.virtual_dice import DieReport

BRANDS = ("pixels", "godice")
THROWN, TURNED, NUDGED = 5, 1, 0


def read(die, data):
    if die.brand == "pixels":
        return pixels.parse(data, die.faces, PIXELS_BUILT)
    return godice.parse(data, die.faces)


def settled(face, tumbles):
    return DieReport(1, "settled", face=face, tumbles=tumbles)


@pytest.mark.parametrize("brand", BRANDS)
@pytest.mark.parametrize("faces", [4, 6])
@pytest.mark.parametrize("tumbles", [THROWN, TURNED, NUDGED])
def test_every_face_is_read_as_it_lies(brand, faces, tumbles):
    die = SimulatedDie(1, brand, faces)
    state = "rolled" if tumbles == THROWN else "placed"
    read_back = [read(die, die.message(settled(face, tumbles))) for face in range(1, faces + 1)]
    assert read_back == [(Motion(state, face),) for face in range(1, faces + 1)]


@pytest.mark.parametrize(
    ("brand", "state", "motion"),
    [
        ("pixels", "rolling", "rolling"),
        ("pixels", "handled", "handled"),
        ("pixels", "cocked", "cocked"),
        ("godice", "rolling", "rolling"),
        # A GoDice reports that it rolls when it is picked up.
        ("godice", "handled", "rolling"),
        ("godice", "cocked", "cocked"),
    ],
)
def test_a_motion_is_read(brand, state, motion):
    die = SimulatedDie(1, brand, 4)
    assert read(die, die.message(DieReport(1, state))) == (Motion(motion),)


@pytest.mark.parametrize(
    ("motion", "expected"),
    [
        (settled(3, THROWN), Motion("rolled", 3)),
        (settled(2, TURNED), Motion("placed", 2)),
        (DieReport(1, "rolling"), Motion("rolling")),
    ],
)
def test_pixels_introduce_themselves_with_how_they_lie(motion, expected):
    die = SimulatedDie(1, "pixels", 4, percent=33)
    (identity,) = die.reply(pixels.WHO_ARE_YOU, motion)
    assert read(die, identity) == (Identity(4, PIXELS_BUILT), Battery(33), expected)


@pytest.mark.parametrize(
    ("brand", "request_message"),
    [("pixels", pixels.REQUEST_BATTERY), ("godice", godice.REQUEST_BATTERY)],
)
def test_the_battery_is_reported_on_request_and_on_change(brand, request_message):
    die = SimulatedDie(1, brand, 6)
    assert read(die, die.battery(4)) == (Battery(4),)
    (reply,) = die.reply(request_message, settled(1, NUDGED))
    assert read(die, reply) == (Battery(4),)


@pytest.mark.parametrize(
    ("brand", "blink"), [("pixels", pixels.blink(7)), ("godice", godice.pulse(7))]
)
def test_a_die_blinks_as_often_as_requested(brand, blink):
    die = SimulatedDie(1, brand, 4)
    assert die.reply(blink, settled(1, NUDGED)) == ()
    assert die.blinks == 7


@pytest.mark.parametrize("brand", BRANDS)
def test_an_unknown_message_has_no_reply(brand):
    die = SimulatedDie(1, brand, 4)
    assert die.reply(b"\xfe\x01", settled(1, NUDGED)) == ()


@pytest.mark.parametrize("faces", FACES)
def test_every_number_of_a_shell_has_positions(faces):
    numbers = range(10) if faces == 10 else range(1, faces + 1)
    for number in numbers:
        vectors = godice.accelerations(number, faces)
        assert vectors
        assert {godice.face_value(vector, faces) for vector in vectors} == {number}
