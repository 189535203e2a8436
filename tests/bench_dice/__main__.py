"""Benchmark of the dice: recognition and energy. `python -m tests.bench_dice`.

It measures the simulator's load in real time, 2,000 throws with every second packet lost, and for
every body of wiring/bodies the charge, 10,000 throws with the firmware's images and all noise, some
thousands of turns by hand and leaning dice, and the verdict on throws and tricks. The last ones are
measured with the classification of motion alone, compiled for this machine. It needs what
`make -C firmware` and `make -C firmware/sim` need, and takes an hour on two processors; `--count`
makes it shorter. The exit status is 1 if a target is missed.
"""

import argparse
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from tests.bench_dice import charge, settling_alone, through_images, verdict_cells
from tests.bench_dice.through_images import Outcome
from urpi.hardware.throw_evidence import Strictness

FIRMWARE = Path(__file__).parents[2] / "firmware"
LATEST_MS = 400
LEANS_DEG = (21, 25, 30)
MAX_REST_UA = 25
MIN_GAMES = 200
MAX_LOAD = 0.30
LOAD_S = 30
MIN_TURNS_DETECTED = 0.99
SHAPES = ("tetrahedron-57", "tetrahedron-80", "cube-42")
"""The dice of wiring/bodies that these images run in."""
BOUGHT_SHAPES = ("tetrahedron-52", "cube-30")
"""Those with a bought board: measured with the sensor of the others, which has the same rate."""
MIN_ACCEPTED, MIN_GENTLE, MAX_TRICKS, MAX_HELD = 0.98, 0.97, 0.02, 0.001


def report(name: str, found: str, *, reached: bool) -> bool:
    """Print a line of the report and return whether its target was reached."""
    sys.stdout.write(f"{name:46} {found}{'' if reached else '   MISSED'}\n")
    sys.stdout.flush()
    return reached


def share(outcomes: list[Outcome], good: Callable[[Outcome], bool]) -> tuple[str, float]:
    """Return how many outcomes are good, as text and as a fraction."""
    count = sum(map(good, outcomes))
    part = count / len(outcomes)
    return f"{count:6} of {len(outcomes):6}  {100 * part:7.3f} %", part


def wrong(outcomes: list[Outcome], good: Callable[[Outcome], bool]) -> str:
    """Return the most frequent sequences of reports of the other outcomes."""
    reports = Counter(" ".join(one.reports) for one in outcomes if not good(one))
    return "".join(
        f"\n{'':46}   {times} x {states or 'nothing'}" for states, times in reports.most_common(4)
    )


def judge(
    name: str, outcomes: list[Outcome], good: Callable[[Outcome], bool], target: float = 1.0
) -> bool:
    """Print the share of good outcomes and return whether it reaches the target."""
    found, part = share(outcomes, good)
    text = f"{found}  (target {100 * target:g} %){wrong(outcomes, good)}"
    return report(name, text, reached=part >= target)


def is_read(one: Outcome) -> bool:
    """Return whether a throw that ended flat was last reported so, with the face up."""
    return one.reports[-1:] == ("settled",) and one.thrown and one.reported_face == one.face


def has_one_end(one: Outcome) -> bool:
    """Return whether one end was reported; on an edge, a die is first reported as cocked."""
    return one.ends == 1


def is_cocked(one: Outcome) -> bool:
    """Return whether a leaning die was only reported as cocked, more than once if it creeps."""
    return one.reports[-1:] == ("cocked",) and "settled" not in one.reports


def is_turned_by_hand(one: Outcome) -> bool:
    """Return whether a die turned by hand was reported with its face and not as thrown."""
    return one.ends == 1 and not one.thrown and one.reported_face == one.face


def percentile(values: list[float], part: float) -> float:
    """Return a percentile of some values."""
    return sorted(values)[min(int(part * len(values)), len(values) - 1)]


def measure_lateness(name: str, outcomes: list[Outcome]) -> bool:
    """Report the time from rest to the line at the Pi."""
    late = [one.late_ms for one in outcomes if one.ends]
    p50, p99 = percentile(late, 0.5), percentile(late, 0.99)
    text = (
        f"p50 {p50:4.0f} ms, p99 {p99:4.0f} ms, worst {max(late):4.0f} ms  (p99 below {LATEST_MS})"
    )
    return report(f"{name}: rest to report", text, reached=p99 < LATEST_MS)


def measure_alone(count: int, seed: int) -> Iterator[bool]:
    """Measure every body with the classification of motion alone."""
    for name in SHAPES:
        play = partial(settling_alone.play_many, name, count=count, seed=seed)
        placed = play("place")
        yield judge(f"{name}, logic alone: by hand", placed, is_turned_by_hand, MIN_TURNS_DETECTED)
        for angle in LEANS_DEG:
            leant = [one for one in play("lean", (f"lean={angle}",)) if one.angle_deg > 20]
            yield judge(f"{name}, logic alone: {angle} degrees", leant, is_cocked)


def accepted(outcomes: list[settling_alone.Judged], strictness: Strictness) -> float:
    """Return the share that a table of this strictness accepts."""
    return sum(one.is_throw(strictness) for one in outcomes) / len(outcomes)


def reasons(outcomes: list[settling_alone.Judged], strictness: Strictness) -> str:
    """Return how often each reason is given for those that are refused."""
    given = Counter(filter(None, (one.refusal(strictness) for one in outcomes)))
    return ", ".join(f"{why} {times}" for why, times in given.most_common())


def measure_verdicts(
    count: int,
    seed: int,
    shapes: Sequence[str] = (*SHAPES, *BOUGHT_SHAPES),
    play_many: Callable[..., list[settling_alone.Judged]] = settling_alone.play_many,
) -> Iterator[bool]:
    """Measure the verdict on throws, the cells of all tricks, and calm hands for every body."""
    for name in shapes:
        play = partial(play_many, name, count=count, seed=seed)
        for action in verdict_cells.THROWS:
            played = play(action)
            home, club = accepted(played, "home"), accepted(played, "club")
            reached = home >= MIN_GENTLE if action == "gentle" else club >= MIN_ACCEPTED
            text = f"home {100 * home:5.1f} %, club {100 * club:5.1f} %"
            text += f"; refused by a club: {reasons(played, 'club')}"
            yield report(f"{name}: {action}", text, reached=reached)
        for cell in verdict_cells.tricks():
            played = play(cell.action, cell.ranges)
            home, club = accepted(played, "home"), accepted(played, "club")
            won = sum(one.is_throw("home") and one.is_wanted for one in played) / count
            text = (
                f"home {100 * home:5.1f} % ({100 * won:.1f} % as wanted), club {100 * club:5.1f} %"
                f"; refused at home: {reasons(played, 'home')}"
            )
            yield report(f"{name}: {cell.name}", text, reached=club <= MAX_TRICKS)
        held = sum(one.is_throw("home") for one in play("hold")) / count
        text = f"home {100 * held:5.1f} %"
        yield report(f"{name}: held", text, reached=held <= MAX_HELD)


def measure_bodies(count: int, seed: int) -> Iterator[bool]:
    """Measure throws, turns by hand and leaning dice of every body with the images."""
    for name in SHAPES:
        thrown = through_images.play_many(name, "throw {die}", count, seed)
        yield judge(f"{name}: thrown, face read", thrown, is_read)
        yield report(f"{name}: thrown, one report", share(thrown, has_one_end)[0], reached=True)
        yield measure_lateness(name, thrown)
        placed = through_images.play_many(name, "place {die} {face}", count // 5, seed + 1000)
        yield judge(f"{name}: turned by hand", placed, is_turned_by_hand, MIN_TURNS_DETECTED)
        for angle in LEANS_DEG:
            action = f"lean {{die}} {angle}"
            leant = through_images.play_many(name, action, count // 10, seed + 2000 + angle)
            far = [one for one in leant if one.angle_deg > 20]
            yield judge(f"{name}: leaning by {angle} degrees", far, is_cocked)


def measure_loss(count: int, seed: int) -> Iterator[bool]:
    """Measure throws with every second packet lost, in both directions."""
    outcomes = through_images.play_many(SHAPES[0], "throw {die}", count, seed + 3000, loss=0.5)
    yield judge("half the packets lost: one report", outcomes, has_one_end)
    yield measure_lateness("half the packets lost", outcomes)


def measure_charge(seed: int) -> Iterator[bool]:
    """Measure the charge at rest, of a throw, and of a game."""
    for name in SHAPES:
        found = charge.measure(name, seed)
        rest = f"{found.rest_ua:6.1f} uA  (below {MAX_REST_UA})"
        yield report(f"{name}: at rest", rest, reached=found.rest_ua < MAX_REST_UA)
        game = (
            f"{found.throw_uc:6.0f} uC a throw, {found.throws_a_game:.0f} throws and "
            f"{found.game_mc:.0f} mC a game: {found.games:,.0f} games on {charge.CELL_MAH} mAh"
            f"  (at least {MIN_GAMES})"
        )
        yield report(f"{name}: in play", game, reached=found.games >= MIN_GAMES)


def measure_load() -> Iterator[bool]:
    """Measure the load of one core in real time, with a throw of all dice every eight seconds."""
    load = charge.load_of_a_core(LOAD_S, 8, time.monotonic)
    text = f"{100 * load:5.1f} % of a core  (below {100 * MAX_LOAD:g} %)"
    yield report("hub and four dice in real time", text, reached=load < MAX_LOAD)


def main() -> int:
    """Measure everything; return 1 if a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench_dice", description=__doc__)
    parser.add_argument("--count", type=int, default=10_000, help="throws of each body")
    parser.add_argument("--lossy", type=int, default=2_000, help="throws with packets lost")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--verdicts", type=int, metavar="COUNT", help="measure only the verdict, on COUNT of each"
    )
    arguments = parser.parse_args()
    for folder in (FIRMWARE, FIRMWARE / "sim"):
        subprocess.run(["make", "-s", "-C", folder], check=True)
    if arguments.verdicts:
        return 0 if all([*measure_verdicts(arguments.verdicts, arguments.seed)]) else 1
    reached = [*measure_load(), *measure_charge(arguments.seed)]
    reached += measure_loss(arguments.lossy, arguments.seed)
    reached += measure_bodies(arguments.count, arguments.seed)
    reached += measure_alone(arguments.count, arguments.seed)
    reached += measure_verdicts(arguments.count // 10, arguments.seed)
    return 0 if all(reached) else 1


if __name__ == "__main__":
    sys.exit(main())
