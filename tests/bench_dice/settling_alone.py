"""Many throws with the classification of motion alone, compiled for this machine.

firmware/build/sim/throws runs common/settling.c, faces.c and lis3dh.c with the same bodies and the
same sensor, without processor and radio: thousands per second.
"""

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from tests.bench_dice.through_images import Outcome
from tests.firmware.simulator import BUILD
from urpi.hardware.protocol import DieLine
from urpi.hardware.throw_evidence import Evidence, Strictness, motion_refusal

PROGRAM = BUILD / "sim" / "throws"
PART = 500
NOT_HELD_DEG = 180


@dataclass(frozen=True)
class Judged(Outcome):
    """A motion with the face for which it was made, 0 for a throw, and the die's evidence."""

    wanted_face: int
    evidence: Evidence | None
    tumbles: int
    fall_ms: int

    @property
    def is_wanted(self) -> bool:
        """Whether a trick ended on the face for which it was made."""
        return self.face == self.wanted_face

    def is_throw(self, strictness: Strictness) -> bool:
        """Return whether a table of this strictness accepts it."""
        settled = self.reports[-1] == "settled"
        return settled and self.evidence is not None and self.evidence.is_throw(strictness)

    def refusal(self, strictness: Strictness) -> str | None:
        """Return what a table of this strictness says about it, None if it accepts it."""
        if self.reports[-1] != "settled":
            return self.reports[-1]
        if self.evidence is not None:
            return self.evidence.refusal(strictness)
        moved = DieLine(
            0,
            1,
            "settled",
            tumbles=self.tumbles,
            fall_ms=self.fall_ms,
            thrown=0,
            kind=6,
            face=1,
            t_ms=0,
        )
        return motion_refusal(moved) or "not-tumbled"


def outcome(line: str) -> Judged:
    """Return the outcome that a line of the program describes."""
    _, *pairs = line.split()
    value = dict(pair.split("=") for pair in pairs)
    before = [state for state in ("rolled", "handled") if value[state] == "1"]
    flight_ms, edges, turned = (int(value[key]) for key in ("flight", "edges", "turned"))
    held = turned < NOT_HELD_DEG
    return Judged(
        face=int(value["face"]),
        angle_deg=float(value["angle"]),
        reports=(*before, value["event"]),
        reported_face=int(value["read"]),
        thrown=value["event"] == "settled" and value["thrown"] == "1",
        late_ms=float(value["late_ms"]),
        wanted_face=int(value["wanted"]),
        tumbles=int(value["tumbles"]),
        fall_ms=int(value["fall"]),
        evidence=Evidence(flight_ms, edges, turned if held else None) if flight_ms else None,
    )


def _play(body: str, action: str, options: tuple[str, ...], seeds: range) -> list[Judged]:
    arguments = (body, action, str(len(seeds)), str(seeds.start), *options)
    output = subprocess.check_output([PROGRAM, *arguments], text=True)
    return [outcome(line) for line in output.splitlines()]


def play_many(
    body: str, action: str, options: tuple[str, ...] = (), *, count: int, seed: int
) -> list[Judged]:
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
        return [one for outcomes in played for one in outcomes]
