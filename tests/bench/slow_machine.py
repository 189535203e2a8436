"""The page of `urpi serve` on a slow machine: `python -m tests.bench.slow_machine`, as root.

`urpi serve` runs as a process of its own in a control group that gives it a part of one core, with
a journal of some hundred games whose figures no request has read yet. First, one client requests
the pages after each other; then the program begins anew, and eight clients request the statistics
twice each at the same time, while another one requests the state every second.
"""

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Final

from tests.bench.games import play, store
from tests.cli.test_serve import URPI, configuration
from tests.output import print_line
from tests.waiting import wait_until
from tools.bench import Task
from urpi.cli.club_demo.programs import accepts, free_port
from urpi.journal import Journal

GROUPS: Final = Path("/sys/fs/cgroup/cpu")
"""The controller of processor time, version 1 of cgroups; version 2 has `cpu.max` above it."""
PERIOD_US: Final = 100_000
DISTINCT: Final = 24
"""Number of games that are played; they are stored several times, with other dates."""
CLIENTS: Final = 8
EACH: Final = 2
LIMIT_S: Final = 10.0
"""An answer that takes longer is too slow."""
PATIENCE_S: Final = 300.0
BEFORE: Final = ("/api/state", "/", "/api/games", "/games", "/api/stats", "/stats", "/api/stats")


@dataclass(frozen=True)
class Answer:
    """The answer to a request: its path, status (0 if the connection was cut), and time."""

    path: str
    status: int
    took_s: float
    retry: bool

    def __str__(self) -> str:
        """Return it as a line."""
        return f"{self.path:<14}{self.status}  {self.took_s:6.1f} s"


def get(port: int, path: str) -> Answer:
    """Send a request."""
    began, status, retry = time.monotonic(), 0, False
    try:
        with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)) as connection:
            connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
            response = connection.getresponse()
            retry = response.headers.get("retry-after") is not None
            response.read()
            status = response.status
    except (OSError, HTTPException):
        status = 0
    return Answer(path, status, time.monotonic() - began, retry)


@contextmanager
def slow_group(percent: float) -> Iterator[Path]:
    """Create a control group that gets a part of a core, and yield its file of processes."""
    first = GROUPS if GROUPS.exists() else GROUPS.parent
    group = first / f"urpi-slow-{os.getpid()}"
    group.mkdir()
    quota = round(PERIOD_US * percent / 100)
    try:
        if first == GROUPS:
            (group / "cpu.cfs_period_us").write_text(str(PERIOD_US))
            (group / "cpu.cfs_quota_us").write_text(str(quota))
        else:
            (group / "cpu.max").write_text(f"{quota} {PERIOD_US}")
        yield group / "cgroup.procs"
    finally:
        # The process that reviews games outlives the program for a moment.
        for process in (group / "cgroup.procs").read_text().split():
            os.kill(int(process), signal.SIGKILL)
        wait_until(lambda: not (group / "cgroup.procs").read_text(), "an empty control group")
        group.rmdir()


def make_journal(path: Path, games: int) -> None:
    """Store games of ordinary length."""
    tasks = [Task("finkel", "calm", "greedy", seed, 400) for seed in range(DISTINCT)]
    with ThreadPoolExecutor(1) as pool, Journal.open(path) as journal:
        journal.rows("PRAGMA synchronous = OFF")
        played = [stored for _, stored in pool.map(play, tasks)]
        for number in range(games):
            store(journal, number, played[number % DISTINCT])


@contextmanager
def serving(folder: Path, port: int, group: Path) -> Iterator[float]:
    """Run `urpi serve` in the group, and yield the seconds until it answered a request."""
    command = [*URPI, "--config", str(configuration(folder, listen=f"127.0.0.1:{port}")), "serve"]
    enter = ["sh", "-c", 'echo $$ > "$0" && exec "$@"', str(group)]
    began = time.monotonic()
    process = subprocess.Popen([*enter, *command], stdout=subprocess.DEVNULL)
    try:
        wait_until(lambda: accepts(port), "the page")
        yield time.monotonic() - began
    finally:
        process.kill()
        process.wait()


def requests_of_all(port: int) -> tuple[list[Answer], list[Answer]]:
    """Request the statistics from several clients at once, and the state meanwhile."""
    done = Event()

    def watch() -> list[Answer]:
        found = []
        while not done.wait(1.0):
            found.append(get(port, "/api/state"))
        return found

    with ThreadPoolExecutor(CLIENTS + 1) as pool:
        watching = pool.submit(watch)
        wanted = ["/api/stats"] * (CLIENTS * EACH)
        found = list(pool.map(lambda path: get(port, path), wanted))
        done.set()
        return found, watching.result()


def measure(folder: Path, percent: float) -> list[Answer]:
    """Print the figures and return all answers."""
    port = free_port()
    answers = []
    with slow_group(percent) as group:
        with serving(folder, port, group) as start_s:
            print_line(f"from the start to the page {start_s:.1f} s")
            for path in BEFORE:
                answers.append(get(port, path))
                print_line(str(answers[-1]))
        for file in folder.glob("*.figures*"):
            file.unlink()
        with serving(folder, port, group):
            found, states = requests_of_all(port)
            answered = [one for one in found if one.status == 200]
            refused = [one for one in found if one.status == 503 and one.retry]
            longest = max(one.took_s for one in found)
            print_line(
                f"{len(found)} requests of {CLIENTS} clients for /api/stats: {len(answered)}"
                f" answered, {len(refused)} refused with Retry-After,"
                f" {len(found) - len(answered) - len(refused)} without an answer;"
                f" the longest took {longest:.1f} s"
            )
            slowest = max(one.took_s for one in states)
            print_line(f"meanwhile {len(states)} of /api/state, at most {slowest:.1f} s")
            answers += found + states
            # What an open page does next.
            answers.append(get(port, "/api/stats"))
            print_line(str(answers[-1]))
    return answers


def main() -> None:
    """Measure; the exit status is 1 if an answer was missing or too slow."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.slow_machine", description=__doc__)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--percent", type=float, default=10, help="of a core")
    parser.add_argument("--journal", type=Path, help="an existing journal, which is copied")
    given = parser.parse_args()
    with TemporaryDirectory(prefix="urpi-slow-") as name:
        path = Path(name) / "games.db"
        if given.journal is None:
            make_journal(path, given.games)
        else:
            path.write_bytes(given.journal.read_bytes())
        print_line(f"{path.stat().st_size / 1e6:.1f} MB, {given.percent:g} % of a core")
        answers = measure(Path(name), given.percent)
    slow = [one for one in answers if one.took_s > LIMIT_S or one.status == 0]
    sys.exit(bool(slow))


if __name__ == "__main__":
    main()
