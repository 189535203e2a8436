"""Throw the same dice in the simulator's bodies and in MuJoCo's, and compare what happens.

`python -m tools.body_comparison [COUNT]` needs requirements.txt in this folder and gcc. It prints
the 10th, 50th and 90th percentile of each measure in both, and the largest distance between both
distributions (Kolmogorov and Smirnov's), with that which 1 of 20 comparisons of equal ones exceeds.
"""

import argparse
import subprocess
import sys
from dataclasses import fields
from importlib.util import find_spec
from pathlib import Path
from typing import get_args

from tools.body_comparison.falls import Fall, Kind, measure, own_bodies, starts

BODIES = ("tetrahedron-57", "tetrahedron-80")
FIRMWARE = Path(__file__).parents[2] / "firmware"


def distance(ours: list[float], others: list[float]) -> float:
    """Return the largest difference between the shares of values up to any limit."""
    return max(
        abs(
            sum(value <= limit for value in ours) / len(ours)
            - sum(value <= limit for value in others) / len(others)
        )
        for limit in {*ours, *others}
    )


def percentiles(values: list[float]) -> str:
    """Return the 10th, 50th and 90th percentile."""
    ordered = sorted(values)
    chosen = (ordered[int(part * (len(ordered) - 1))] for part in (0.1, 0.5, 0.9))
    return " / ".join(f"{value:.3g}" for value in chosen)


def compare(body: str, kind: Kind, count: int, seed: int) -> None:
    """Print the comparison of one kind of fall."""
    from tools.body_comparison.mujoco_bodies import (  # noqa: PLC0415 - may be missing
        mujoco_bodies,
        read_shape,
    )

    shape = read_shape(body)
    begun = list(starts(kind, shape.ups[0], count, seed))
    ours = [measure(fall, shape.ups) for fall in own_bodies(body, begun)]
    others = [measure(fall, shape.ups) for fall in mujoco_bodies(shape, begun)]
    chance = 1.36 * (2 / count) ** 0.5
    for field in fields(Fall):
        mine, theirs = ([getattr(fall, field.name) for fall in falls] for falls in (ours, others))
        far = distance(mine, theirs)
        sys.stdout.write(
            f"| {body} | {kind} | {field.name} | {percentiles(mine)} | {percentiles(theirs)} "
            f"| {far:.2f} ({chance:.2f}) |\n"
        )
        sys.stdout.flush()


def main() -> int:
    """Compare all bodies and kinds of falls."""
    parser = argparse.ArgumentParser(prog="python -m tools.body_comparison", description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=200, help="falls of each kind")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if find_spec("mujoco") is None:
        sys.stderr.write(
            "MuJoCo is not installed; run `pip install -r tools/body_comparison/requirements.txt` "
            "in an environment of its own.\n"
        )
        return 2
    command: list[str | Path] = ["make", "-s", "-C", FIRMWARE / "sim", "../build/sim/falls"]
    subprocess.run(command, check=True)  # noqa: S603 - our own build
    for body in BODIES:
        for kind in get_args(Kind):
            compare(body, kind, arguments.count, arguments.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
