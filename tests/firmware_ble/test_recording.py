"""The recording that the test kernel plays is what the firmware of today sends."""

import json
from itertools import pairwise

import pytest

from urpi.hardware.advertisement import FIRMWARE, frame_of

from .recording import RECORDED, recording
from .verdicts import BODIES

SENT = json.loads(RECORDED.read_text("utf-8"))


def frames(lines):
    return [frame_of(b"Ur" + bytes.fromhex(line.split()[1])) for line in lines]


def thrown(lines):
    """Return the faces of the throws that the reports tell."""
    reports = {frame.number: frame.line(0, 0) for frame in frames(lines)}
    return [
        late.face for soon, late in pairwise(reports.values())
        if (soon.state, late.state) == ("rolling", "settled")
    ]  # fmt: skip


def test_recording_is_of_this_firmware_and_body():
    new, *sent = frames([SENT["new"], *SENT["sent"]])
    assert new.is_new
    assert {frame.firmware for frame in (new, *sent)} == {FIRMWARE}
    assert SENT["body"] == BODIES[0]
    assert thrown(SENT["sent"]) == SENT["faces"]


@pytest.mark.slow
def test_firmware_still_sends_such_a_recording(image, motions):
    """A compiler of another version changes microseconds, and so the throws."""
    made = recording(image, motions)
    assert made["new"].split()[1] == SENT["new"].split()[1]
    assert thrown(made["sent"]) == made["faces"]
    assert len(made["faces"]) == len(SENT["faces"])
    assert made.keys() == SENT.keys()
