"""Many more throws through the settling logic alone, compiled for this machine.

firmware/build/sim/throws runs common/settling.c, faces.c and lis3dh.c over the same bodies and
the same sensor, without a processor and a radio: thousands a second.
"""

import subprocess

from tests.bench_dice.through_images import THROWN_FF_MS, THROWN_TUM, Outcome
from tests.firmware.simulator import BUILD

PROGRAM = BUILD / "sim" / "throws"


def _outcome(line: str) -> Outcome:
    _, *pairs = line.split()
    value = dict(pair.split("=") for pair in pairs)
    before = [state for state in ("rolled", "handled") if value[state] == "1"]
    return Outcome(
        face=int(value["face"]),
        angle_deg=float(value["angle"]),
        told=(*before, value["told"]),
        told_face=int(value["read"]),
        thrown=int(value["tum"]) >= THROWN_TUM or int(value["ff"]) >= THROWN_FF_MS,
        late_ms=float(value["late_ms"]),
    )


def play_many(kind: int, deed: str, count: int, seed: int, angle_deg: int = 0) -> list[Outcome]:
    """`count` throws, or whatever the deed is."""
    arguments = (str(kind), deed, str(count), str(seed), str(angle_deg))
    told = subprocess.check_output([PROGRAM, *arguments], text=True)
    return [_outcome(line) for line in told.splitlines()]
