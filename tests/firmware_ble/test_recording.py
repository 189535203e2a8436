"""The recording that the test kernel plays is what the firmware of today sends."""

import json

import pytest

from urpi.hardware.advertisement import FIRMWARE, frame_of

from .recording import RECORDED, recording
from .verdicts import BODIES

SENT = json.loads(RECORDED.read_text("utf-8"))


def frames(lines):
    return [frame_of(b"Ur" + bytes.fromhex(line.split()[1])) for line in lines]


def told(lines):
    """Return the states and faces of the reports in their order."""
    reports = {frame.number: frame.line(0, 0) for frame in frames(lines)}
    return [(line.state, line.face) for line in reports.values()]


def test_recording_is_of_this_firmware_and_body():
    new, *sent = frames([SENT["new"], *SENT["sent"]])
    assert new.is_new
    assert {frame.firmware for frame in (new, *sent)} == {FIRMWARE}
    assert SENT["body"] == BODIES[0]


@pytest.mark.slow
def test_firmware_sends_what_was_recorded(image, motions):
    """But for the milliseconds, which another version of the compiler can change."""
    made = recording(image, motions)
    assert [made[name] for name in ("body", "key", "faces")] == [
        SENT[name] for name in ("body", "key", "faces")
    ]
    assert told(made["sent"]) == told(SENT["sent"])
    assert made["new"].split()[1] == SENT["new"].split()[1]
