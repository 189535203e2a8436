"""GoDice's messages, as parsed and sent by the vendor's godice.js."""

from collections import Counter

import pytest

from urpi.hardware.die_reports import FACES, Battery, Motion
from urpi.hardware.godice import face_value, parse, pulse


def rest(prefix, x, y, z):
    return prefix + bytes(each & 0xFF for each in (x, y, z))


@pytest.mark.parametrize(
    ("message", "faces", "reports"),
    [
        (b"R", 6, (Motion("rolling"),)),
        (rest(b"S", -64, 0, 0), 6, (Motion("rolled", 1),)),
        (rest(b"S", 0, 0, 64), 6, (Motion("rolled", 2),)),
        (rest(b"S", 0, 64, 0), 6, (Motion("rolled", 3),)),
        (rest(b"S", 0, -64, 0), 6, (Motion("rolled", 4),)),
        (rest(b"S", 0, 0, -64), 6, (Motion("rolled", 5),)),
        (rest(b"S", 64, 0, 0), 6, (Motion("rolled", 6),)),
        (rest(b"S", 42, -42, 40), 20, (Motion("rolled", 2),)),
        (rest(b"S", 42, -42, 40), 10, (Motion("rolled", 2),)),
        (rest(b"S", 64, 0, -22), 10, (Motion("rolled", 0),)),
        (rest(b"S", 20, -60, -20), 4, (Motion("rolled", 3),)),
        (rest(b"S", -40, -40, 40), 8, (Motion("rolled", 6),)),
        (rest(b"S", -20, 60, 20), 12, (Motion("rolled", 12),)),
        (rest(b"TS", -64, 0, 0), 6, (Motion("cocked"),)),
        (rest(b"FS", -64, 0, 0), 6, (Motion("placed", 1),)),
        (rest(b"MS", 64, 0, 0), 6, (Motion("placed", 6),)),
        (b"Bat\x4b", 6, (Battery(75),)),
        (b"Bat\x00", 6, (Battery(0),)),
    ],
)
def test_a_documented_message_is_parsed(message, faces, reports):
    assert parse(message, faces) == reports


@pytest.mark.parametrize(
    "message", [b"", b"S", b"S\1\2", b"FS\1\2", b"Bat", b"Bat\xff", b"Col\2", b"Ba", b"XS\1\2\3"]
)
def test_a_truncated_or_unknown_message_is_ignored(message):
    assert parse(message, 6) == ()


@pytest.mark.parametrize("faces", FACES)
def test_every_face_of_a_shell_can_be_up_and_no_other(faces):
    shown = Counter(
        face_value((x, y, z), faces)
        for x in range(-64, 65, 8)
        for y in range(-64, 65, 8)
        for z in range(-64, 65, 8)
        if 50 <= (x * x + y * y + z * z) ** 0.5 <= 78
    )
    assert set(shown) == set(range(10) if faces == 10 else range(1, faces + 1))


def test_a_noisy_acceleration_still_shows_the_face():
    assert parse(rest(b"S", -58, 12, -9), 6) == (Motion("rolled", 1),)


def test_the_lamps_blink_as_documented():
    assert pulse(5) == bytes([16, 5, 50, 50, 0, 0, 255, 1, 0])
