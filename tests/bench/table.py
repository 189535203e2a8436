"""How soon what a hand does on the page is seen, and what the virtual table costs at rest.

`python -m tests.bench.table`: an `urpi demo` of its own on loopback, a hand that lifts and puts a
piece and turns a die, and one page's event stream. What is timed is from the POST to the event that
shows it: the piece on the table, and what the referee made of it (a switch is to stand still for
150 ms before a picture counts, which is part of that time).
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
URPI = (sys.executable, "-c", "from urpi.cli import main; main()", "demo")


@dataclass
class Demo:
    """A running demo: orders go in, events come out with the time at which they came."""

    process: subprocess.Popen[str]
    host: str
    events: SimpleQueue[tuple[float, str, Any]] = field(default_factory=SimpleQueue)

    def __post_init__(self) -> None:
        Thread(target=self._listen, daemon=True).start()

    def post(self, path: str, body: object) -> float:
        """Post that; when it was sent."""
        headers = {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}
        connection = HTTPConnection(self.host, timeout=DEADLINE_S)
        sent = time.perf_counter()
        connection.request("POST", f"/api/{path}", json.dumps(body), headers)
        answer = connection.getresponse()
        told = answer.read()
        connection.close()
        assert answer.status == 200, told
        return sent

    def seen(self, wanted: Callable[[str, Any], bool]) -> float:
        """When the first event from now on comes that is wanted."""
        while True:
            came, name, data = self.events.get(timeout=DEADLINE_S)
            if wanted(name, data):
                return came

    def quiet(self, for_s: float) -> None:
        """Pass over events until none has come for so long."""
        while True:
            try:
                self.events.get(timeout=for_s)
            except Empty:
                return

    def cpu_s(self) -> float:
        """What the process has used of the processor so far."""
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
    """A demo with a game on in which light has thrown."""
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
        table.seen(lambda name, data: name == "state" and data["phase"] == "throw")
        table.quiet(2.0)
        used = table.cpu_s()
        time.sleep(AT_REST_S)
        at_rest = (table.cpu_s() - used) / AT_REST_S
        print_line(f"at rest: {100 * at_rest:.1f} % of a core (target: under {TARGET_AT_REST:.0%})")
        table.post("table/throw", {})
        target = _move_to_make(table)
        for what, times_s in _times(table, target).items():
            _tell(what, times_s)
    sys.exit(at_rest >= TARGET_AT_REST)


def _times(table: Demo, target: str) -> dict[str, list[float]]:
    """A move made by hand, put back, and a die turned, over and over."""
    times: dict[str, list[float]] = {"put, seen": [], "put, decided": [], "die taken up, seen": []}
    for _ in range(ROUNDS):
        _hand(table, "lift", {"from": "hand:light"})
        sent = _hand(table, "put", {"to": target})
        shows = table.seen(lambda name, data: name == "table" and _at(data, target))
        decided = table.seen(lambda name, data: name == "decision" and data["type"] == "move")
        _hand(table, "lift", {"from": target})
        _hand(table, "put", {"to": "hand:light"})
        table.seen(lambda name, data: name == "decision" and data["type"] == "takeback")
        table.quiet(0.2)
        taken = table.post("table/throw", {"dice": [1], "how": "turned"})
        rolls = table.seen(lambda name, data: name == "table" and _first_die(data) == "rolls")
        table.seen(lambda name, data: name == "table" and _first_die(data) == "lies")
        for one, time_s in zip(
            times.values(), (shows - sent, decided - sent, rolls - taken), strict=True
        ):
            one.append(time_s)
    return times


def _hand(table: Demo, deed: str, about: dict[str, str]) -> float:
    table.quiet(0.3)
    return table.post("table/hand", {"do": deed, "hand": "me", **about})


def _first_die(document: Any) -> str:
    return str(document["dice"][0]["state"])


def _move_to_make(table: Demo) -> str:
    found: list[str] = []

    def legal(name: str, data: Any) -> bool:
        if name == "state" and data["legal"]:
            found.append(data["legal"][0]["to"][0])
        return bool(found)

    table.seen(legal)
    return found[0]


def _at(document: Any, place: str) -> bool:
    return any(piece["at"] == place for piece in document["pieces"])


def _tell(what: str, times_s: list[float]) -> None:
    ordered = sorted(1000 * one for one in times_s)
    p99 = ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]
    print_line(f"{what}: p50 {median(ordered):.0f} ms, p99 {p99:.0f} ms ({len(ordered)} times)")


if __name__ == "__main__":
    main()
