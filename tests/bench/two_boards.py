"""From a decision on one board to the display of the other: `python -m tests.bench.two_boards`.

Two virtual tables, a process each, play games through mosquitto on loopback. Measured is the time
from the moment at which a throw or a move is decided and stored at one table, to the moment at
which the other one has sent the picture with it to its display. Both read the same clock.
"""

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path
from statistics import median

from tests.club_live.guest import Guest, play
from tests.club_live.running import Broker, shared_folder
from tests.club_live.two_boards import GuestTable, guests
from tests.kernel.latency import percentile
from tests.output import print_line
from tests.waiting import wait_until
from urpi.referee import Snapshot
from urpi.referee.decisions import Decision, Moved, Planned, Roll
from urpi.service.interactive import InteractiveService

TARGET_MS = 300
"""The target for the 99th percentile."""


class TimedTable(GuestTable):
    """A table that writes the times of its decisions and pictures to a file."""

    def command(self) -> list[str]:
        return [sys.executable, "-m", "tests.bench.two_boards", "--table", self.guest.arguments()]

    def times(self) -> dict[str, int]:
        """Return the times in nanoseconds, by what happened."""
        text = Path(f"{self.path}.times").read_text("utf-8")
        return dict(json.loads(line) for line in text.splitlines())


def record_times(guest: Guest) -> None:
    """Play, and write when own events were decided and those of the other table were shown."""
    counts: Counter[str] = Counter()
    with Path(f"{guest.journal}.times").open("a", encoding="utf-8", buffering=1) as file:

        def watch(service: InteractiveService) -> None:
            def on_change(snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
                if snapshot.shared is None:
                    return
                for decision in decisions:
                    if not isinstance(decision, Roll | Moved | Planned):
                        continue
                    own = decision.side.value == guest.side
                    if isinstance(decision, Moved) and not own:
                        continue
                    kind = "roll" if isinstance(decision, Roll) else "move"
                    name = f"{decision.side.value} {kind}"
                    counts[name] += 1
                    if not own:
                        assert service.board.devices.screen is not None
                        service.board.devices.screen.flush()
                    file.write(json.dumps((f"{name} {counts[name]}", time.monotonic_ns())) + "\n")

            service.subscribe(on_change)

        play(guest, watch)


def measure_game(tables: list[TimedTable]) -> list[float]:
    """Return the milliseconds of every event of a game."""
    try:
        for table in tables:
            table.start()
        wait_until(lambda: all(each.record() for each in tables), "the end of the game", 900)
    finally:
        for table in tables:
            table.kill()
    one, other = (each.times() for each in tables)
    assert one.keys() == other.keys()
    return [abs(one[key] - other[key]) / 1e6 for key in one]


def measure(seeds: range) -> list[float]:
    """Return the milliseconds of every event of some games."""
    found = []
    with shared_folder() as folder:
        broker = Broker(folder, ("lisbon", "porto"))
        broker.start()
        try:
            for seed in seeds:
                found += measure_game(
                    [TimedTable(folder, each.guest) for each in guests(folder, broker, seed)]
                )
        finally:
            broker.kill()
    return found


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=3)
    options.add_argument("--table", help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.table is not None:
        record_times(Guest(**json.loads(chosen.table)))
        return 0
    times = measure(range(chosen.games))
    worst = percentile(times, 0.99)
    print_line("| events | median | p99 | longest |")
    print_line("|---|---|---|---|")
    print_line(f"| {len(times)} | {median(times):.0f} ms | {worst:.0f} ms | {max(times):.0f} ms |")
    return int(worst > TARGET_MS)


if __name__ == "__main__":
    sys.exit(main())
