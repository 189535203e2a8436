"""Benchmark of the page: `python -m tests.bench_page`, a few minutes.

It measures the bytes of the first view; 200 pages that watch, from the stored decision to the last
byte at each; the referee's latency with and without them; memory over 10,000 pages that are opened
and closed; and 10,000 pages at once. Pages run in processes of their own, as browsers do.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import Any

from tests.bench_page.crowd import open_all, open_and_close, raise_file_limit
from tests.bench_page.first_view import first_view
from tests.bench_page.full_house import Visits, among_slow_connections, among_watchers
from tests.bench_page.serving import PIN
from tests.output import print_line

MAX_SENT = 150_000
MAX_FIRST_VIEW_S = 1.0
MAX_P99_MS = 150.0
MAX_SLOWER_MS = 1.0
"""Allowed increase of the referee's median: less than the noise of the disk."""
MAX_GROWTH_KB = 1024
WATCHERS = 200
SLOW = 700
FULL = 400
"""Numbers of slow connections and of watching pages: more than the server admits, and as many."""


@dataclass
class Serving:
    """A running program and its decisions."""

    process: subprocess.Popen[str]
    host: str
    port: int
    decisions: list[dict[str, Any]] = field(default_factory=list)

    def listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.decisions.append(json.loads(line))

    def wait_for(self, count: int) -> list[dict[str, Any]]:
        """Wait for a number of further decisions and return them."""
        first = len(self.decisions)
        while len(self.decisions) < first + count:
            assert self.process.poll() is None, "the program has ended"
            time.sleep(0.05)
        return self.decisions[first : first + count]

    @property
    def rss_kb(self) -> int:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) for line in status.splitlines() if "VmRSS" in line)


@contextmanager
def serving(*options: str, settle: int = 20) -> Iterator[Serving]:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tests.bench_page.serving", folder, *options]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                where = json.loads(process.stdout.readline())
                one = Serving(process, where["host"], where["port"])
                Thread(target=one.listen, daemon=True).start()
                one.wait_for(settle)
                yield one
            finally:
                process.terminate()


def of(values: list[float], part: float) -> float:
    """Return a percentile of some values."""
    ordered = sorted(values)
    return ordered[min(int(part * len(ordered)), len(ordered) - 1)]


class Report:
    """The printed results; missed targets are marked."""

    def __init__(self) -> None:
        self.missed = False

    def add(self, what: str, kept: bool | None = None) -> None:
        mark = "" if kept is None else ("  kept" if kept else "  MISSED")
        self.missed |= kept is False
        print_line(f"{what}{mark}")


def measure_first_view(report: Report) -> None:
    with serving() as one:
        loaded, took_s = first_view(one.host, one.port)
    plain, sent = sum(file.plain for file in loaded), sum(file.sent for file in loaded)
    report.add(f"first view: {len(loaded)} files, {plain / 1000:.1f} kB, unpacked")
    report.add(
        f"first view: {sent / 1000:.1f} kB as sent, at most {MAX_SENT / 1000:.0f}",
        sent <= MAX_SENT,
    )
    report.add(
        f"first view: all of it in {took_s:.3f} s one after the other, at most {MAX_FIRST_VIEW_S}",
        took_s <= MAX_FIRST_VIEW_S,
    )
    for file in loaded[:5]:
        report.add(f"  {file.path}: {file.plain} bytes, {file.sent} sent")


def took_ms(decisions: list[dict[str, Any]]) -> list[float]:
    return [one["took_us"] / 1000 for one in decisions]


def summary(name: str, times: list[float]) -> str:
    return f"{name}: p50 {of(times, 0.5):.2f} ms, p99 {of(times, 0.99):.2f} ms ({len(times)})"


def measure_watchers(report: Report, count: int) -> None:
    with serving("--no-page") as one:
        alone = took_ms(one.wait_for(count))
    with serving() as one:
        unwatched = took_ms(one.wait_for(count))
        command = [sys.executable, "-m", "tests.bench_page.watchers", one.host, str(one.port)]
        with subprocess.Popen(
            [*command, str(WATCHERS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as watchers:
            assert watchers.stdout is not None
            assert watchers.stdout.readline() == "ready\n"
            decisions = one.wait_for(count)
            time.sleep(1)
            found, _ = watchers.communicate("")
    arrivals = {int(seq): times for seq, times in json.loads(found).items()}
    watched = took_ms(decisions)
    report.add(summary("referee, step and store, without a page", alone))
    report.add(summary("referee, page without watchers", unwatched))
    slower = of(watched, 0.5) - of(alone, 0.5)
    report.add(
        f"{summary(f'referee, {WATCHERS} watchers', watched)}; median {slower:+.2f} ms, "
        f"at most +{MAX_SLOWER_MS:.0f}",
        slower <= MAX_SLOWER_MS,
    )
    missing = [one["seq"] for one in decisions if len(arrivals.get(one["seq"], ())) != WATCHERS]
    report.add(f"decisions that did not arrive at every page: {len(missing)}", not missing)
    each = [(at - one["at_ns"]) / 1e6 for one in decisions for at in arrivals.get(one["seq"], ())]
    last = [
        (max(arrivals[one["seq"]]) - one["at_ns"]) / 1e6
        for one in decisions
        if one["seq"] in arrivals
    ]
    report.add(summary("stored to the last byte at a page", each))
    report.add(
        f"{summary('stored to the last byte at all pages', last)}, p99 at most {MAX_P99_MS:.0f}",
        of(last, 0.99) <= MAX_P99_MS,
    )


def measure_memory(report: Report, count: int) -> None:
    # The memory of a game grows with its record, so it is played at the pace of people.
    with serving("--pace", "3000", settle=1) as one:
        sizes = []
        for _ in range(5):
            open_and_close(one.host, one.port, count // 5)
            sizes.append(one.rss_kb)
    steps = ", ".join(f"{size / 1024:.1f}" for size in sizes)
    growth = sizes[-1] - sizes[0]
    report.add(
        f"memory, each {count // 5} pages: {steps} MB; grew by {growth} KB after the first, "
        f"at most {MAX_GROWTH_KB}",
        growth <= MAX_GROWTH_KB,
    )


def measure_crowd(report: Report, count: int) -> None:
    wanted = min(raise_file_limit(count), count)
    with serving() as one:
        before = took_ms(one.wait_for(50))
        first = len(one.decisions)
        begun = time.monotonic()
        outcome = open_all(one.host, one.port, wanted, lasting_s=5.0)
        lasted = time.monotonic() - begun
        during = took_ms(one.decisions[first:])
        loaded, _ = first_view(one.host, one.port)
    report.add(f"{wanted} pages at once: {dict(outcome)}")
    pace = len(during) / lasted
    report.add(
        f"{summary('referee before', before)}; {summary('while they come', during)}, "
        f"{pace:.1f} decisions a second of 10",
        pace >= 8,
    )
    report.add(f"and then a page is loaded: {len(loaded)} files", bool(loaded))


def measure_full_house(report: Report) -> None:
    with serving() as one:
        visits = among_slow_connections(one.host, one.port, SLOW, lasting_s=8.0, every_s=0.05)
    report_visits(report, f"new visitors beside {SLOW} slow connections", visits)
    with serving() as one:
        visits = among_watchers(one.host, one.port, FULL, PIN, count=20)
    report_visits(report, f"pages that may act beside {FULL} that watch", visits)


def report_visits(report: Report, name: str, visits: Visits) -> None:
    count = len(visits.outcomes)
    report.add(
        f"{summary(name, visits.took_ms)}; answered {visits.answered} of {count}",
        visits.answered == count,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=300)
    parser.add_argument("--connections", type=int, default=10_000)
    args = parser.parse_args()
    report = Report()
    measure_first_view(report)
    measure_watchers(report, args.decisions)
    measure_memory(report, args.connections)
    measure_crowd(report, args.connections)
    measure_full_house(report)
    sys.exit(1 if report.missed else 0)


if __name__ == "__main__":
    main()
