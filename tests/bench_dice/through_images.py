"""Many throws with the images: the truth, and the hub's reports.

One simulator of six dice runs on each processor, each with its own seed, so that every batch has
dice with other tolerances and another room.
"""

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice

from tests.firmware.simulator import Line, Simulator

DICE = 6
START_MS = 4000
ROUND_MS = 3500  # longer than nearly every throw; extended while a die is not at rest
MORE_MS = 500
AFTER_MS = 1500  # for repeats, with every second packet lost
ROUNDS_A_BATCH = 20


@dataclass(frozen=True)
class Outcome:
    """One die in one round."""

    face: int  # the true face, as players see it
    angle_deg: float
    reports: tuple[str, ...]  # the states of its reports, in order
    reported_face: int  # 0 if none
    thrown: bool  # according to its last report, as the Pi decides
    late_ms: float  # from rest to the last report at the Pi

    @property
    def ends(self) -> int:
        """The number of reports that it came to rest."""
        return sum(state in ("settled", "cocked") for state in self.reports)


def faces_of(body: str) -> int:
    """Return the number of faces of a body, such as ``cube-42``."""
    return 6 if body.startswith("cube") else 4


@dataclass(frozen=True)
class Batch:
    """The work of one simulator."""

    body: str
    action: str  # a command, with {die} and {face} in it
    rounds: int
    seed: int
    loss: float


def _outcome(truth: dict[str, object], lines: list[Line]) -> Outcome:
    ends = [line for line in lines if line.state in ("settled", "cocked")]
    last = ends[-1] if ends else None
    value = last.value if last else {}
    return Outcome(
        face=int(str(truth["face"])),
        angle_deg=float(str(truth["angle_deg"])),
        reports=tuple(line.state for line in lines),
        reported_face=int(value.get("face", 0)),
        thrown=value.get("thr") == "1",
        late_ms=last.arrived_ms - float(str(truth["still_since_ms"])) if last else float("inf"),
    )


def _play_round(simulator: Simulator, batch: Batch, number: int) -> Iterator[Outcome]:
    for die in range(1, DICE + 1):
        face = 1 + (number + die) % faces_of(batch.body)
        simulator.command(batch.action.format(die=die, face=face))
    lines = simulator.reports(ROUND_MS)
    while not all(die["still"] for die in simulator.status()["dice"]):
        lines += simulator.reports(MORE_MS)
    lines += simulator.reports(AFTER_MS)
    for die, truth in enumerate(simulator.status()["dice"], start=1):
        yield _outcome(truth, [line for line in lines if line.die == die])


def play(batch: Batch) -> list[Outcome]:
    """Return the outcomes of a batch."""
    options = ("--dice", str(DICE), "--body", batch.body, "--seed", str(batch.seed))
    with Simulator(options=options) as simulator:
        simulator.run(START_MS)
        simulator.command(f"radio loss={batch.loss}")
        rounds = (_play_round(simulator, batch, number) for number in range(batch.rounds))
        return [outcome for outcomes in rounds for outcome in outcomes]


def play_many(body: str, action: str, count: int, seed: int, loss: float = 0.0) -> list[Outcome]:
    """Return the outcomes of an action on `count` dice, distributed over the processors."""
    batch = partial(Batch, body, action, ROUNDS_A_BATCH, loss=loss)
    batches = -(-count // (DICE * ROUNDS_A_BATCH))
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        played = pool.map(play, [batch(seed=seed + number) for number in range(batches)])
        return list(islice((outcome for outcomes in played for outcome in outcomes), count))
