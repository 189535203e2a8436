"""The verdicts of the linked image on the motions of the other dice's table.

`python -m tests.firmware_ble.verdicts COUNT` measures that table (tests/bench_dice) from the sensor
to the program that receives the advertisements, with the same seeds, in this die's bodies or in
others (`--bodies`). A motion takes half a second to a second of a processor.
"""

import argparse
import os
import struct
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from tests.bench_dice.__main__ import measure_verdicts
from tests.bench_dice.settling_alone import Judged
from tests.bench_dice.through_images import faces_of
from urpi.hardware.advertisement import frame_of
from urpi.hardware.die_settings import settings_file
from urpi.hardware.protocol import DieLine
from urpi.hardware.throw_evidence import evidence_of

from .bodies import Body
from .bodies import build as build_motions
from .chip import COUNTERS_BYTES
from .conftest import build
from .die import KEY, Die, uf2_content

BODIES = ("tetrahedron-52", "cube-30")
"""Those of wiring/bodies with a bought board."""
FIRST_CHANNEL_MHZ = 2402
STEP_MS, STILL_MS, END_MS = 100, 1000, 7300
LIES_MS = 2500
"""From its start until it has reported its face and its sensor's interrupt is armed."""


def laid(image: bytes, motions: Any, name: str, seed: int) -> Die:
    """Return a calibrated die that lies in its body, and has been heard."""
    die = Die(image, b"", seed=seed)
    kind = faces_of(name)
    ups = [Body(motions, name, seed, face).felt(1e6, 16) for face in range(1, kind + 1)]
    shown = [
        tuple(round(1000 * (axis + off)) for axis, off in zip(up, die.sensor.offset_g, strict=True))
        for up in ups
    ]
    _, page = uf2_content(settings_file(2, kind, bytes.fromhex(KEY), shown))
    die.chip.pages[COUNTERS_BYTES : COUNTERS_BYTES + len(page)] = page
    die.body = Body(motions, name, seed, 0)
    die.sensor.source = die.body.felt
    die.run(LIES_MS + die.body.more_ms)
    die.before = set(lines_of(die))
    return die


def lines_of(die: Die) -> dict[int, tuple[float, DieLine]]:
    """Return when the reports since the last call were first sent, as a hub's lines, by number."""
    found: dict[int, tuple[float, DieLine]] = {}
    for ms, _, it in die.advertisements(FIRST_CHANNEL_MHZ):
        frame = frame_of(b"Ur\x01" + it.frame + struct.pack("<3h", *it.rest))
        assert frame is not None
        assert frame.is_genuine(bytes.fromhex(KEY))
        found.setdefault(frame.number, (ms, frame.line(0, 0)))
    return found


def play(image: bytes, motions: Any, name: str, action: str, ranges: tuple[str, ...], seed: int):
    """Return the outcome of a motion."""
    die = laid(image, motions, name, seed)
    wanted = die.body.act(die.chip.now, action, ranges)
    began, still_since = die.chip.now, None
    while die.chip.now < began + END_MS * 1e6:
        die.run(STEP_MS)
        if not die.body.is_still():
            still_since = None
        elif still_since is None:
            still_since = die.chip.now
        elif die.chip.now >= still_since + STILL_MS * 1e6:
            break
    # Not a sign of life of the report before the motion.
    lines = [one for number, one in lines_of(die).items() if number not in die.before]
    face, angle_deg = die.body.lies()
    last = lines[-1][1] if lines else None
    return Judged(
        face=face,
        angle_deg=angle_deg,
        reports=tuple(line.state for _, line in lines) or ("nothing",),
        reported_face=(last and last.face) or 0,
        thrown=last is not None and last.state == "settled" and last.thrown == 1,
        late_ms=lines[-1][0] - (still_since or 0) / 1e6 if lines else float("inf"),
        wanted_face=wanted,
        evidence=evidence_of(last) if last else None,
        tumbles=(last and last.tumbles) or 0,
        fall_ms=(last and last.fall_ms) or 0,
    )


@cache
def _built(folder: Path) -> tuple[bytes, Any]:
    return (build(folder) / "die.bin").read_bytes(), build_motions(folder)


def _play(folder: Path, name: str, action: str, ranges: tuple[str, ...], seed: int) -> Judged:
    return play(*_built(folder), name, action, ranges, seed)


def play_many(
    folder: Path, name: str, action: str, ranges: tuple[str, ...] = (), *, count: int, seed: int
) -> list[Judged]:
    """Return the outcomes of `count` motions, as `settling_alone.play_many` does."""
    _built(folder)  # before the processes are forked, which share it
    one = partial(_play, folder, name, action, ranges)
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(one, range(seed, seed + count)))


def main() -> int:
    """Measure the table; return 1 if a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.firmware_ble.verdicts")
    parser.add_argument("count", type=int, help="motions of each line")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bodies", nargs="+", default=BODIES)
    arguments = parser.parse_args()
    played = partial(play_many, Path(mkdtemp()))
    found = measure_verdicts(arguments.count, arguments.seed, arguments.bodies, played)
    return 0 if all([*found]) else 1


if __name__ == "__main__":
    sys.exit(main())
