"""Many throws through the images: what was true, and what came out of the hub.

Several simulators of six dice each run side by side, one a processor, each with its own seed, so
that every batch has other specimens of dice and another room.
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
ROUND_MS = 3500  # longer than nearly every throw; who is not at rest then gets more
MORE_MS = 500
AFTER_MS = 1500  # for repeats, with every second packet lost
ROUNDS_A_BATCH = 20
THROWN_TUM = 2  # FORMATS.md, `tumbled`
THROWN_FF_MS = 80


@dataclass(frozen=True)
class Outcome:
    """One die in one round."""

    face: int  # true: what an eye sees
    angle_deg: float
    told: tuple[str, ...]  # the states of its reports, in order
    told_face: int  # 0 when it named none
    thrown: bool  # by its last report, as the Pi judges it
    late_ms: float  # from lying still to the last report at the Pi

    @property
    def ends(self) -> int:
        """How often it was told that it came to rest."""
        return sum(state in ("settled", "cocked") for state in self.told)


@dataclass(frozen=True)
class Batch:
    """What one simulator is to do."""

    kind: int
    deed: str  # a command, with {die} and {face} in it
    rounds: int
    seed: int
    loss: float


def _outcome(truth: dict[str, object], lines: list[Line]) -> Outcome:
    ends = [line for line in lines if line.state in ("settled", "cocked")]
    last = ends[-1] if ends else None
    value = last.value if last else {}
    thrown = int(value.get("tum", 0)) >= THROWN_TUM or int(value.get("ff", 0)) >= THROWN_FF_MS
    return Outcome(
        face=int(str(truth["face"])),
        angle_deg=float(str(truth["angle_deg"])),
        told=tuple(line.state for line in lines),
        told_face=int(value.get("face", 0)),
        thrown=thrown,
        late_ms=last.arrived_ms - float(str(truth["still_since_ms"])) if last else float("inf"),
    )


def _play_round(simulator: Simulator, batch: Batch, number: int) -> Iterator[Outcome]:
    for die in range(1, DICE + 1):
        face = 1 + (number + die) % batch.kind
        simulator.command(batch.deed.format(die=die, face=face))
    lines = simulator.reports(ROUND_MS)
    while not all(die["still"] for die in simulator.status()["dice"]):
        lines += simulator.reports(MORE_MS)
    lines += simulator.reports(AFTER_MS)
    for die, truth in enumerate(simulator.status()["dice"], start=1):
        yield _outcome(truth, [line for line in lines if line.die == die])


def play(batch: Batch) -> list[Outcome]:
    """Runs a batch to its end."""
    options = ("--dice", str(DICE), "--kind", str(batch.kind), "--seed", str(batch.seed))
    with Simulator(options=options) as simulator:
        simulator.run(START_MS)
        simulator.command(f"radio loss={batch.loss}")
        rounds = (_play_round(simulator, batch, number) for number in range(batch.rounds))
        return [outcome for outcomes in rounds for outcome in outcomes]


def play_many(kind: int, deed: str, count: int, seed: int, loss: float = 0.0) -> list[Outcome]:
    """`count` dice, thrown or whatever the deed is, spread over the processors."""
    batch = partial(Batch, kind, deed, ROUNDS_A_BATCH, loss=loss)
    batches = -(-count // (DICE * ROUNDS_A_BATCH))
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        played = pool.map(play, [batch(seed=seed + number) for number in range(batches)])
        return list(islice((outcome for outcomes in played for outcome in outcomes), count))
