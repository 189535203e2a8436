"""The latency of the virtual table on the page, and its cost at rest.

`python -m tests.bench.table`: a separate `urpi demo` on loopback, a hand that lifts and puts down a
piece and turns a die, and one page's event stream. It measures the time from the POST to the event
that shows the piece on the table, and to the one with the referee's decision (which includes the
150 ms for which a switch must be stable).
"""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from queue import Empty, SimpleQueue
from statistics import median
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from tests.output import print_line

ROUNDS = 20
AT_REST_S = 20.0
DEADLINE_S = 20.0
TARGET_AT_REST = 0.05
URPI = (sys.executable, "-c", "from urpi.cli.main import main; main()", "demo")


@dataclass
class Demo:
    """A running demo: orders are sent, and events received with their times."""

    process: subprocess.Popen[str]
    host: str
    events: SimpleQueue[tuple[float, str, Any]] = field(default_factory=SimpleQueue)

    def __post_init__(self) -> None:
        Thread(target=self._listen, daemon=True).start()

    def post(self, path: str, body: object) -> float:
        """Send a POST and return the time at which it was sent."""
        headers = {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}
        connection = HTTPConnection(self.host, timeout=DEADLINE_S)
        sent = time.perf_counter()
        connection.request("POST", f"/api/{path}", json.dumps(body), headers)
        answer = connection.getresponse()
        reply = answer.read()
        connection.close()
        assert answer.status == 200, reply
        return sent

    def wait_for(self, matches: Callable[[str, Any], bool]) -> float:
        """Return the time of the first event from now on that matches."""
        while True:
            came, name, data = self.events.get(timeout=DEADLINE_S)
            if matches(name, data):
                return came

    def drain(self, for_s: float) -> None:
        """Skip events until none has arrived for some seconds."""
        while True:
            try:
                self.events.get(timeout=for_s)
            except Empty:
                return

    def cpu_s(self) -> float:
        """The processor time of the process."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(") ")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _listen(self) -> None:
        connection = HTTPConnection(self.host)
        connection.request("GET", "/api/events")
        answer, name = connection.getresponse(), ""
        while line := answer.readline():
            came = time.perf_counter()
            if line.startswith(b"event: "):
                name = line[7:].strip().decode()
            elif line.startswith(b"data: "):
                self.events.put((came, name, json.loads(line[6:])))


@contextmanager
def demo(*words: str) -> Iterator[Demo]:
    """Run a demo with a game in which light has thrown."""
    with TemporaryDirectory() as folder:
        table = ("--no-browser", "--listen", "127.0.0.1:0", "--journal", f"{folder}/games.db")
        process = subprocess.Popen(
            [*URPI, *table, *words],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"URPI_PAGE_TRUST_LOOPBACK": "true"},
        )
        assert process.stdout is not None
        address = re.search(r"http://(\S+)/", process.stdout.readline())
        assert address is not None
        try:
            yield Demo(process, address[1])
        finally:
            process.terminate()
            process.wait(DEADLINE_S)
            process.stdout.close()


def main() -> None:
    with demo("--rules", "bell", "--first", "light", "--simulated", "none") as table:
        table.wait_for(lambda name, data: name == "state" and data["phase"] == "throw")
        table.drain(2.0)
        used = table.cpu_s()
        time.sleep(AT_REST_S)
        at_rest = (table.cpu_s() - used) / AT_REST_S
        print_line(f"at rest: {100 * at_rest:.1f} % of a core (target: under {TARGET_AT_REST:.0%})")
        table.post("table/throw", {})
        target = _move_to_make(table)
        for what, times_s in _times(table, target).items():
            _print_times(what, times_s)
    sys.exit(at_rest >= TARGET_AT_REST)


def _times(table: Demo, target: str) -> dict[str, list[float]]:
    """Measure a move by hand, its take-back, and a die turned by hand, again and again."""
    times: dict[str, list[float]] = {"put, seen": [], "put, decided": [], "die taken up, seen": []}
    for _ in range(ROUNDS):
        _hand(table, "lift", {"from": "hand:light"})
        sent = _hand(table, "put", {"to": target})
        shows = table.wait_for(lambda name, data: name == "table" and _at(data, target))
        decided = table.wait_for(lambda name, data: name == "decision" and data["type"] == "move")
        _hand(table, "lift", {"from": target})
        _hand(table, "put", {"to": "hand:light"})
        table.wait_for(lambda name, data: name == "decision" and data["type"] == "takeback")
        table.drain(0.2)
        taken = table.post("table/throw", {"dice": [1], "how": "turned"})
        rolls = table.wait_for(lambda name, data: name == "table" and _first_die(data) == "rolls")
        table.wait_for(lambda name, data: name == "table" and _first_die(data) == "lies")
        for one, time_s in zip(
            times.values(), (shows - sent, decided - sent, rolls - taken), strict=True
        ):
            one.append(time_s)
    return times


def _hand(table: Demo, act: str, about: dict[str, str]) -> float:
    table.drain(0.3)
    return table.post("table/hand", {"do": act, "hand": "me", **about})


def _first_die(document: Any) -> str:
    return str(document["dice"][0]["state"])


def _move_to_make(table: Demo) -> str:
    found: list[str] = []

    def legal(name: str, data: Any) -> bool:
        if name == "state" and data["legal"]:
            found.append(data["legal"][0]["to"][0])
        return bool(found)

    table.wait_for(legal)
    return found[0]


def _at(document: Any, place: str) -> bool:
    return any(piece["at"] == place for piece in document["pieces"])


def _print_times(what: str, times_s: list[float]) -> None:
    ordered = sorted(1000 * one for one in times_s)
    p99 = ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]
    print_line(f"{what}: p50 {median(ordered):.0f} ms, p99 {p99:.0f} ms ({len(ordered)} times)")


if __name__ == "__main__":
    main()
