"""Jumps of the system clock during games: `python -m tests.bench.clocks`.

Each game of `urpi demo --auto` is played twice with the same seed: once undisturbed, and once under
a wall clock that jumps about between 1970 and 2039, up to twenty times a second (`clock_shim.c`,
built with gcc and preloaded). Both must print the same throws, moves and record, and `urpi games
check` must decide the stored games the same. The exit status is 1 otherwise.
"""

import argparse
import os
import struct
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Event, Thread

from tests.bench.stalls import command, comparable
from tests.output import print_line

SHIM = Path(__file__).with_name("clock_shim.c")
RULES = ("finkel", "skiryuk", "ravensburger", "coursework")
GAMES = (sys.executable, "-c", "from urpi.cli.main import main; main()", "games")
TIMES = (
    datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC),
    datetime(1999, 12, 31, 23, 59, 59, tzinfo=UTC),
    datetime(2038, 1, 19, 3, 14, 7, tzinfo=UTC),
    datetime(2038, 1, 19, 3, 14, 8, tzinfo=UTC),
    datetime(2039, 12, 31, 23, 59, 59, tzinfo=UTC),
)
STAY_S = (0.05, 0.5)
"""Range of the time between two jumps."""
LIMIT_S = 900.0


def build(folder: Path) -> Path:
    """Compile the shim; return the library."""
    library = folder / "clock_shim.so"
    subprocess.run(
        ["gcc", "-shared", "-fPIC", "-O2", "-o", library, SHIM, "-ldl"], check=True, timeout=60
    )
    return library


def offsets(rng: Random) -> Iterator[int]:
    """Yield offsets of the wall clock in seconds: to each of the times, to now, by a day."""
    while True:
        target = rng.choice([*TIMES, None, 86_400, -86_400])
        if isinstance(target, datetime):
            yield int(target.timestamp() - time.time())
        else:
            yield target or 0


@contextmanager
def jumping(file: Path, rng: Random) -> Iterator[list[int]]:
    """Let the offset in a file jump until the context is left; the offsets so far."""
    jumps: list[int] = []
    stop = Event()
    file.write_bytes(bytes(8))
    descriptor = os.open(file, os.O_WRONLY)

    def jump() -> None:
        for offset in offsets(rng):
            # In place: a reader must never find the file empty.
            os.pwrite(descriptor, struct.pack("=q", offset), 0)
            jumps.append(offset)
            if stop.wait(rng.uniform(*STAY_S)):
                return

    thread = Thread(target=jump)
    thread.start()
    try:
        yield jumps
    finally:
        stop.set()
        thread.join()
        os.close(descriptor)


def run(words: list[str], environment: Mapping[str, str] | None = None) -> str:
    """Run a command that must succeed; return what it printed."""
    done = subprocess.run(
        words, capture_output=True, text=True, timeout=LIMIT_S, check=False, env=environment
    )
    if done.returncode or done.stderr:
        sys.exit(f"{' '.join(words[3:])} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def play(rules: str, seed: int, library: Path, folder: Path) -> tuple[int, bool]:
    """Play a game without jumps and with them; the number of jumps, and whether all is the same."""
    undisturbed = run(command(rules, seed, 0, folder / "undisturbed.db"))
    offset, journal = folder / "offset", folder / "jumped.db"
    shim = {"LD_PRELOAD": str(library), "URPI_CLOCK_OFFSET": str(offset)}
    with jumping(offset, Random(f"{seed} jumps")) as jumps:
        printed = run(command(rules, seed, 0, journal), {**os.environ, **shim})
    checked = run([*GAMES, "--journal", str(journal), "check", "--jobs", "1"])
    same = comparable(printed) == comparable(undisturbed)
    print_line(
        f"{rules:13} seed {seed:3}: {len(jumps):4} jumps; {checked.strip().splitlines()[-1]}"
    )
    return len(jumps), same


def main() -> None:
    """Play and print; the exit status is 1 if a game with jumps is another one."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.clocks", description=__doc__)
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    total, differ = 0, 0
    with TemporaryDirectory(prefix="urpi-clocks-") as folder:
        library = build(Path(folder))
        for number in range(given.games):
            with TemporaryDirectory(dir=folder) as game:
                rules = RULES[number % len(RULES)]
                jumps, same = play(rules, given.seed + number, library, Path(game))
            total, differ = total + jumps, differ + (not same)
    print_line(
        f"{total} jumps in {given.games} games; {differ} games differ from those without jumps"
    )
    sys.exit(bool(differ))


if __name__ == "__main__":
    main()
