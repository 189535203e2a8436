"""Many throws with the classification of motion alone, compiled for this machine.

firmware/build/sim/throws runs common/settling.c, faces.c and lis3dh.c with the same bodies and the
same sensor, without processor and radio: thousands per second.
"""

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from tests.bench_dice.through_images import Outcome
from tests.firmware.simulator import BUILD

PROGRAM = BUILD / "sim" / "throws"
PART = 500


def _outcome(line: str) -> Outcome:
    _, *pairs = line.split()
    value = dict(pair.split("=") for pair in pairs)
    before = [state for state in ("rolled", "handled") if value[state] == "1"]
    return Outcome(
        face=int(value["face"]),
        angle_deg=float(value["angle"]),
        reports=(*before, value["event"]),
        reported_face=int(value["read"]),
        thrown=value["event"] == "settled" and value["thrown"] == "1",
        late_ms=float(value["late_ms"]),
    )


def _play(body: str, action: str, options: tuple[str, ...], seeds: range) -> list[Outcome]:
    arguments = (body, action, str(len(seeds)), str(seeds.start), *options)
    output = subprocess.check_output([PROGRAM, *arguments], text=True)
    return [_outcome(line) for line in output.splitlines()]


def play_many(
    body: str, action: str, options: tuple[str, ...] = (), *, count: int, seed: int
) -> list[Outcome]:
    """Return the outcomes of `count` actions, distributed over the processors.

    Args:
        body: The die's name in wiring/bodies.
        action: The motion.
        options: Its other arguments, such as ``lean=25`` or ``tilt=0..15``.
        count: How many.
        seed: That of the first one.
    """
    end = seed + count
    parts = [range(at, min(at + PART, end)) for at in range(seed, end, PART)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        played = pool.map(partial(_play, body, action, options), parts)
        return [outcome for outcomes in played for outcome in outcomes]
