"""Memory of `urpi demo` over hours of play: `python -m tests.bench.soak --minutes 60`.

Two simulated players play one game after another on a page's table, many times as fast as in
reality, while a page reads the event stream. The resident memory of the process is read after equal
parts of the run. The exit status is 1 if it grows by more than `MAX_GROWTH_MB` in the second half:
SQLite's caches take some megabytes to fill, and the running game is kept in memory.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from queue import Empty
from typing import Any

from tests.bench.rest import resident_mb
from tests.bench.table import DEADLINE_S, Demo, demo
from tests.output import print_line

MAX_GROWTH_MB = 2.0
RULES = ("finkel", "ravensburger", "skiryuk", "coursework")
PARTS = 10


@dataclass
class Soak:
    """A running demo and the number of its throws."""

    table: Demo
    games: int = 0
    throws: int = 0

    def play(self, seconds: float) -> None:
        """Play for a time."""
        until = time.monotonic() + seconds
        while (left_s := until - time.monotonic()) > 0:
            try:
                _, name, data = self.table.events.get(timeout=min(left_s, DEADLINE_S))
            except Empty:
                assert left_s < DEADLINE_S, "the demo has stopped playing"
                continue
            self._count(name, data)

    def _count(self, name: str, data: Any) -> None:
        if name == "decision" and data["type"] == "roll":
            self.throws += 1
        elif name == "decision" and data["type"] in {"won", "drawn"}:
            self.games += 1
            self.table.post("new-game", {"rules": RULES[self.games % len(RULES)]})


def parts(soak: Soak, minutes: float) -> Iterator[tuple[int, float]]:
    """Yield throws and resident memory in megabytes after each part of the run."""
    for _ in range(PARTS):
        soak.play(60 * minutes / PARTS)
        yield soak.throws, resident_mb(soak.table.process.pid)


def main() -> None:
    """Play and print; the exit status is 1 if the memory grows."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--speed", type=float, default=50.0)
    given = parser.parse_args()
    words = ("--simulated", "both", "--rules", RULES[0], "--speed", str(given.speed))
    with demo(*words) as table:
        soak = Soak(table)
        found = []
        for throws, megabytes in parts(soak, given.minutes):
            found.append((throws, megabytes))
            print_line(f"{throws:7} throws, {soak.games:4} games: {megabytes:.1f} MB resident")
    grown_mb = found[-1][1] - found[len(found) // 2 - 1][1]
    print_line(f"second half: {grown_mb:+.1f} MB (target: under {MAX_GROWTH_MB})")
    sys.exit(grown_mb > MAX_GROWTH_MB)


if __name__ == "__main__":
    main()
