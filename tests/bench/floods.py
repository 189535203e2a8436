"""Floods on the wires during games: `python -m tests.bench.floods`.

Short games are played to the end at the virtual table through every real layer, while one of these
happens again and again: noise, broken lines and repeated reports on the serial line; contacts that
chatter at a kilohertz; the hub's cable pulled and plugged. Every throw and every move of the record
must be the true one. The exit status is 1 if one is not, or if the memory grows without bound.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.bench.rest import resident_mb
from tests.output import print_line
from tests.service.test_virtual import (
    play_to_the_end,
    played,
    recorded_plays,
    setting,
    true_plays,
)
from urpi.rules import ALL_SQUARES
from urpi.service.virtual import VirtualService
from urpi.simulation import VirtualRig
from urpi.simulation.schedule import Script

NOISE_EVERY_MS = (20, 400)
LINES_AT_ONCE = 20
CHATTER_EVERY_MS = (1500, 6000)
CHATTERS_MS = 140
"""Shorter than the time for which occupied squares must be stable: no chatter looks like a move."""
UNPLUGGED_MS = (50, 4000)
PLUGGED_MS = (3000, 9000)
MAX_GROWTH_MB = 20


@dataclass
class Flood:
    """A kind of flood at one table; `count` is the number of lines, edges or pulls so far."""

    service: VirtualService
    rng: Random
    count: int = 0

    def serial(self) -> Script:
        """Write noise, broken lines and repeated reports between the hub's own lines."""
        wire = self.service.table._outputs.wire
        assert wire is not None
        while True:
            yield self.rng.randint(*NOISE_EVERY_MS)
            for _ in range(self.rng.randint(1, LINES_AT_ONCE)):
                wire.write(self.line())
                self.count += 1

    def line(self) -> bytes:
        """Return a line that reports nothing new."""
        rig = self.service.table.rig
        assert isinstance(rig, VirtualRig)
        reports = [line for _, line in rig.hub._last.values()] or [b"$DIE\n"]
        report = self.rng.choice(reports)
        match self.rng.randrange(5):
            case 0:
                return self.rng.randbytes(self.rng.randint(1, 60)).replace(b"$", b"#") + b"\n"
            case 1:
                place = self.rng.randrange(1, len(report) - 1)
                return report[:place] + b"~" + report[place + 1 :]
            case 2:
                return report[: self.rng.randrange(1, len(report) - 1)] + b"\n"
            case 3:
                return report
            case _:
                return b"$" + b"A" * 500 + b"\n"

    def edges(self) -> Script:
        """Let some contacts chatter, and leave each as it was."""
        table = self.service.table
        while True:
            yield self.rng.randint(*CHATTER_EVERY_MS)
            squares = self.rng.sample(ALL_SQUARES, 5)
            for _ in range(CHATTERS_MS // 2):
                yield from self.toggled(squares, table.reeds.levels)

    def toggled(self, squares: list[int], levels: int) -> Script:
        """Toggle the contacts for a millisecond."""
        edge = self.service.table._outputs.edge
        for closed in (False, True):
            for square in squares:
                edge(square, bool(levels >> square & 1) is closed)
                self.count += 1
            yield 1

    def replugs(self) -> Script:
        """Pull the hub's cable and plug it in again."""
        while True:
            yield self.rng.randint(*PLUGGED_MS)
            self.service.table.unplug()
            yield self.rng.randint(*UNPLUGGED_MS)
            self.service.table.plug()
            self.count += 1


FLOODS: dict[str, Callable[[Flood], Script]] = {
    "serial lines": Flood.serial,
    "contact edges": Flood.edges,
    "cable pulls": Flood.replugs,
}


def flooded(kind: str, seed: int) -> tuple[int, int, int]:
    """Play a game with that flood; return floods, turns and wrong plays."""
    floods: list[Flood] = []

    def act(service: VirtualService) -> None:
        flood = Flood(service, Random(f"{seed} {kind}"))
        floods.append(flood)
        service.table.schedule.start(FLOODS[kind](flood))
        play_to_the_end(service)

    with TemporaryDirectory(prefix="urpi-floods-") as folder:
        game = played(Path(folder), setting(seed=seed), act)
    recorded, true = recorded_plays(game), true_plays(game)
    wrong = sum(one != other for one, other in zip_longest(recorded, true))
    return floods[0].count, len(true), wrong


def games(kind: str, wanted: int, seed: int) -> Iterator[tuple[int, int, int]]:
    """Play games until there was enough of that flood."""
    done = 0
    while done < wanted:
        found = flooded(kind, seed)
        yield found
        done += found[0]
        seed += 1


def measure(kind: str, wanted: int, seed: int) -> bool:
    """Play with that flood and print the figures; return whether all was right."""
    began, before_mb = time.monotonic(), resident_mb(os.getpid())
    found = list(games(kind, wanted, seed))
    floods, turns, wrong = (sum(column) for column in zip(*found, strict=True))
    grown_mb = resident_mb(os.getpid()) - before_mb
    print_line(
        f"{floods:7} {kind} in {len(found)} games of {turns} throws: {wrong} wrong;"
        f" {grown_mb:+.1f} MB; {time.monotonic() - began:.0f} s"
    )
    return not wrong and grown_mb < MAX_GROWTH_MB


def main() -> None:
    """Play with each flood; the exit status is 1 if something was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.floods", description=__doc__)
    parser.add_argument("--lines", type=int, default=20_000)
    parser.add_argument("--edges", type=int, default=100_000)
    parser.add_argument("--pulls", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    wanted = (given.lines, given.edges, given.pulls)
    good = [measure(kind, count, given.seed) for kind, count in zip(FLOODS, wanted, strict=True)]
    sys.exit(not all(good))


if __name__ == "__main__":
    main()
