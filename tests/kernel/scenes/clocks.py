"""A whole game on real devices while the kernel's wall clock jumps between 1970 and 2039."""

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread
from typing import Final

from tests.bench.clocks import STAY_S
from tests.kernel.board import Place
from tests.kernel.findings import Findings, play
from tests.kernel.scenes.game import play_game
from tests.kernel.whole_game import check_journal
from urpi.journal import Journal, find_game

SEED: Final = 4
TIMES: Final = (
    # Linux refuses a time before its own start, in seconds since 1970.
    datetime(1970, 1, 2, tzinfo=UTC),
    datetime(1999, 12, 31, 23, 59, 59, tzinfo=UTC),
    datetime(2026, 11, 27, tzinfo=UTC),
    datetime(2038, 1, 19, 3, 14, 8, tzinfo=UTC),
    datetime(2039, 12, 31, 23, 59, 59, tzinfo=UTC),
)


@contextmanager
def jumping() -> Iterator[list[datetime]]:
    """Let the clock jump until the context is left; the times so far."""
    chance, jumps, stop = random.Random(SEED), list[datetime](), Event()

    def jump() -> None:
        while not stop.wait(chance.uniform(*STAY_S)):
            jumps.append(chance.choice(TIMES))
            time.clock_settime(time.CLOCK_REALTIME, jumps[-1].timestamp())

    thread = Thread(target=jump)
    thread.start()
    try:
        yield jumps
    finally:
        stop.set()
        thread.join()


def act(findings: Findings) -> None:
    """Play the game, then check its results."""
    place = Place(Path.cwd())
    with jumping() as jumps:
        played = play_game(place, findings)
    findings.figure("jumps of the clock", str(len(jumps)))
    findings.check("the clock jumped", set(jumps) == set(TIMES), jumps)
    with Journal.open(place.journal) as journal:
        check_journal(journal, 1, played, findings)
        summary = find_game(journal, 1)
    years = {one.year for one in TIMES} | {one.year + 1 for one in TIMES}
    dates = {each and each.year for each in (summary.started, summary.finished)}
    findings.check("the game has dates of the clock", dates <= years, dates)


if __name__ == "__main__":
    play("clocks", act)
