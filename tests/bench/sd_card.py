"""The cost of storing a decision if each sync takes as long as an SD card's.

`python -m tests.bench.sd_card`: a library that is loaded before the C library delays every fsync
and fdatasync (`--sync-ms`). Decisions with six edges are stored with the keeper's write-ahead log
and, for comparison, with SQLite's rollback journal in the same run. Use a folder on a memory disk,
so that only the delay is measured.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from tests.output import print_line
from urpi.journal import Journal, Keeper

NOW = datetime(2026, 11, 21, 19, 2, 11, tzinfo=UTC)
GAME = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"","dark":""}'
MAX_RATIO = 0.4
"""Allowed ratio of a decision's median time with the log to that with a rollback journal."""
DELAY = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static int delayed(const char *name, int file) {
    int (*own)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    usleep(1000 * atoi(getenv("SYNC_MS")));
    return own(file);
}

int fsync(int file) { return delayed("fsync", file); }
int fdatasync(int file) { return delayed("fdatasync", file); }
"""


def store(path: Path, commits: int, *, log_ahead: bool) -> None:
    """Store decisions, and print the time of one and of the pause after it, in ms."""
    keeper = Keeper.open(path, NOW) if log_ahead else Keeper(Journal.open(path))
    keeper.begin(GAME, NOW.isoformat(), "1", {}, NOW)
    stored, tended = [], []
    for t in range(commits):
        facts = [f'{{"t":{t},"type":"square","square":"B{n}","on":true}}' for n in range(1, 7)]
        began = time.perf_counter()
        keeper.append(facts, [f'{{"t":{t},"type":"pass","side":"light","code":"zero"}}'], NOW)
        shown = time.perf_counter()
        keeper.tick(t, NOW)
        stored.append(1000 * (shown - began))
        tended.append(1000 * (time.perf_counter() - shown))
    print_line(f"{median(stored):.1f} {sorted(stored)[commits * 99 // 100]:.1f} {max(tended):.1f}")


def measure(folder: Path, library: Path, sync_ms: int, commits: int, *, log_ahead: bool) -> float:
    """Measure in a process with slow syncs; print and return the median, in ms."""
    path = folder / ("log.db" if log_ahead else "rollback.db")
    command = [sys.executable, "-m", "tests.bench.sd_card", "--store", str(path)]
    command += ["--commits", str(commits), *(["--log-ahead"] if log_ahead else [])]
    environment = {**os.environ, "LD_PRELOAD": str(library), "SYNC_MS": str(sync_ms)}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    middle, late, pause = map(float, done.stdout.split())
    name = "write-ahead log" if log_ahead else "rollback journal"
    print_line(
        f"a sync of {sync_ms} ms, {name}: a decision is stored in {middle:.0f} ms (median), "
        f"{late:.0f} ms (p99); longest pause after it was shown {pause:.0f} ms"
    )
    return middle


def main() -> None:
    """Measure; the exit status is 1 if the log saves too little."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.sd_card", description=__doc__)
    parser.add_argument("--sync-ms", type=int, action="append", help="default: 10 and 30")
    parser.add_argument("--commits", type=int, default=200)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--store", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--log-ahead", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.store is not None:
        store(given.store, given.commits, log_ahead=given.log_ahead)
        return
    ratios = []
    with tempfile.TemporaryDirectory(prefix="urpi-card-", dir=given.folder) as name:
        folder = Path(name)
        library, source = folder / "delay.so", folder / "delay.c"
        source.write_text(DELAY)
        subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
        for sync_ms in given.sync_ms or (10, 30):
            place = folder / str(sync_ms)
            place.mkdir()
            log, rollback = (
                measure(place, library, sync_ms, given.commits, log_ahead=log_ahead)
                for log_ahead in (True, False)
            )
            ratios.append(log / rollback)
            print_line(f"a sync of {sync_ms} ms: ratio {log / rollback:.2f}")
    raise SystemExit(0 if max(ratios) <= MAX_RATIO else 1)


if __name__ == "__main__":
    main()
