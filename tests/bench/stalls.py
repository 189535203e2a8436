"""Stop and continue `urpi demo --auto` at random: `python -m tests.bench.stalls`.

The process of a game gets SIGSTOP and SIGCONT again and again, as a loaded laptop or a suspended
virtual machine stalls it. The game must finish with the record of the same seed without stalls and
without a speed limit, and no die may be reported as not answering.
"""

import argparse
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.output import print_line

URPI = (sys.executable, "-c", "from urpi.cli.main import main; main()", "demo", "--auto")
RULES = ("finkel", "skiryuk", "ravensburger", "coursework")
RUN_S = (0.3, 2.5)
"""Range of the time between two stalls."""
STALL_S = (0.5, 1.5)
SILENT_DIE = "does not respond"
RECORD_TAGS = ("[Date ", "[Time ", "[Game ", "[Clock ")
"""Tags of the record that differ between two runs of the same game."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game with stalls: `status` is None if it did not end within its limit."""

    status: int | None
    stalls: int
    stalled_s: float
    took_s: float
    silent_dice: int
    same_record: bool

    @property
    def passed(self) -> bool:
        """Whether it ended like the game without stalls."""
        return self.status == 0 and self.same_record and not self.silent_dice


def command(rules: str, seed: int, speed: float, journal: Path) -> list[str]:
    """Return the command line of a demo."""
    words = ["--rules", rules, "--seed", str(seed), "--speed", str(speed)]
    return [*URPI, *words, "--journal", str(journal)]


def comparable(output: str) -> list[str]:
    """Return the lines of a demo's output that a second run of the same game repeats."""
    return [
        line
        for line in output.splitlines()
        if not line.startswith(("Game ", *RECORD_TAGS)) and not is_picture(line)
    ]


def is_picture(line: str) -> bool:
    """Return whether a line belongs to the display's picture in Braille characters."""
    return any("\u2800" <= letter <= "\u28ff" for letter in line)


def stall(process: subprocess.Popen[str], rng: Random, limit_s: float) -> Iterator[float]:
    """Stop and continue the process until it ends or the limit is reached; yield each stall."""
    deadline = time.monotonic() + limit_s
    while time.monotonic() < deadline:
        try:
            process.wait(rng.uniform(*RUN_S))
            return
        except subprocess.TimeoutExpired:
            stalled_s = rng.uniform(*STALL_S)
            process.send_signal(signal.SIGSTOP)
            time.sleep(stalled_s)
            process.send_signal(signal.SIGCONT)
            yield stalled_s


def play(rules: str, seed: int, speed: float, limit_s: float, folder: Path) -> Outcome:
    """Play one game without stalls and one with them."""
    undisturbed = subprocess.run(
        command(rules, seed, 0, folder / "undisturbed.db"),
        capture_output=True,
        text=True,
        timeout=limit_s,
        check=True,
    ).stdout
    rng = Random(f"{seed} stalls")
    began = time.monotonic()
    with (
        (folder / "output.txt").open("w+", encoding="utf-8") as output,
        subprocess.Popen(
            command(rules, seed, speed, folder / "stalled.db"), stdout=output, text=True
        ) as process,
    ):
        try:
            stalls = list(stall(process, rng, limit_s))
            status = process.poll()
        finally:
            process.kill()
        output.seek(0)
        printed = output.read()
    return Outcome(
        status,
        len(stalls),
        sum(stalls),
        time.monotonic() - began,
        sum(SILENT_DIE in line for line in printed.splitlines()),
        comparable(printed) == comparable(undisturbed),
    )


def measure(games: int, speeds: Sequence[float], seed: int, limit_s: float) -> list[Outcome]:
    """Play the games in turn with each rule set and speed, and print the end of each."""
    outcomes = []
    for number in range(games):
        rules, speed = RULES[number % len(RULES)], speeds[number // len(RULES) % len(speeds)]
        with TemporaryDirectory(prefix="urpi-stalls-") as folder:
            found = play(rules, seed + number, speed, limit_s, Path(folder))
        outcomes.append(found)
        print_line(
            f"{rules:13} seed {seed + number:3}, speed {speed:g}: {found.stalls:4} stalls,"
            f" {found.stalled_s:.0f} of {found.took_s:.0f} s;"
            f" {'as without stalls' if found.passed else f'FAILED: {found}'}"
        )
    return outcomes


def main() -> None:
    """Play the games; the exit status is 1 if one did not end as it does without stalls."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.stalls", description=__doc__)
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--speed", type=float, action="append", help="may be repeated")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=900.0, help="seconds a game may take")
    given = parser.parse_args()
    outcomes = measure(given.games, given.speed or [8.0, 4.0, 32.0], given.seed, given.limit)
    print_line(f"{sum(found.stalls for found in outcomes)} stalls in {len(outcomes)} games")
    sys.exit(not all(found.passed for found in outcomes))


if __name__ == "__main__":
    main()
