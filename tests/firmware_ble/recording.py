"""Writes what the linked firmware sends, for the scene `bluetooth_built` of the test kernel.

python -m tests.firmware_ble.recording > tests/kernel/built_die.json
"""

import json
import struct
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .bodies import Body
from .bodies import build as build_motions
from .conftest import build
from .die import KEY, Die, settings
from .verdicts import BODIES

FIRST_CHANNEL_MHZ = 2402
THROWS = 3
RECORDED = Path(__file__).parents[1] / "kernel" / "built_die.json"


def sent(die: Die) -> list[str]:
    """Return when in ms and which manufacturer data was sent on the first channel."""
    return [
        f"{ms:.0f} {it.firmware:02x}{it.frame.hex()}{struct.pack('<3h', *it.rest).hex()}"
        for ms, mhz, it in die.advertisements()
        if mhz == FIRST_CHANNEL_MHZ
    ]


def recording(image: bytes, motions: Any) -> dict[str, Any]:
    """Return what a new die sends, and of one with settings body, key, throws and what it sends."""
    new = Die(image, b"", seed=3)
    new.run(1000)
    die = Die(image, settings(kind=4, set_number=0), seed=3)
    die.body = Body(motions, BODIES[0], 3)
    die.sensor.source = die.body.felt
    die.run(3000)
    faces = []
    for _ in range(THROWS):
        die.body.do(die.chip.now, "throw")
        die.run(6000)
        faces.append(die.body.face())
    return {
        "body": BODIES[0],
        "key": KEY,
        "new": sent(new)[0],
        "faces": faces,
        "sent": sent(die),
    }


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        built = build(Path(folder) / "ble")
        found = recording((built / "die.bin").read_bytes(), build_motions(Path(folder)))
    sys.stdout.write(json.dumps(found, indent=0) + "\n")
