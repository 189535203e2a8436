"""Benchmark of the analysis: `python -m tests.bench_page.analysis`, about two minutes.

It measures the processor time for a position that is not known yet, in every rule set, and the time
until the response, which depends on what else the machine does; in Chromium the time from a click
on a throw until its moves, with their values, are painted; and how long the page's other requests
take meanwhile, because no analysis may delay the referee.
"""

import http.client
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from threading import Event, Thread
from urllib.parse import urlencode, urlsplit

from tests.bench_page.__main__ import Report, of, summary
from tests.browser.player_page import chromium
from tests.browser.served_table import ServedTable, served_table
from urpi.rules import PASS, RULE_SETS, Position, Side, Throw, rule_set
from urpi.service.engine_worker import Worker

MAX_MS = 100.0
"""Longest median until a decision is shown: the engine's processor time, and the page's time."""
POSITIONS = 60
CLICKS = 60
ALONGSIDE = 200
PAINTED = """(row) => new Promise((resolve) => {
  const begun = performance.now();
  const end = () => resolve(performance.now() - begun);
  new MutationObserver((_, observer) => {
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(end));
  }).observe(document.getElementById("throws"), { childList: true });
  row.click();
})"""
"""Clicks on a row, and returns the milliseconds until the next change of the throws is painted."""


def decisions(rules: str, random: Random) -> Iterator[tuple[Position, Throw]]:
    """Yield decisions of random games without an end."""
    while True:
        position = rule_set(rules).start(random.choice(list(Side)))
        while position.turn is not None:
            throw = position.rules.dice.roll(random.random())
            legal = position.rules.legal_moves(position, throw)
            if len(legal) > 1 and random.random() < 0.3:
                yield position, throw
            position = position.rules.play(position, throw, random.choice(legal or (PASS,)))


def path_of(position: Position, throw: Throw | None = None) -> str:
    faces = {} if throw is None else {"faces": throw.faces}
    return f"/api/analysis?{urlencode({'position': str(position), **faces})}"


def fetcher(table: ServedTable) -> Callable[[str], float]:
    """Return a function that requests a path and returns the time in milliseconds."""
    address = urlsplit(table.url)
    connection = http.client.HTTPConnection(str(address.hostname), address.port or 80)

    def fetch(path: str) -> float:
        begun = time.perf_counter()
        connection.request("GET", path)
        response = connection.getresponse()
        response.read()
        assert response.status in {200, 429}, (path, response.status)
        return 1000 * (time.perf_counter() - begun)

    return fetch


def measure_server(report: Report, table: ServedTable) -> None:
    fetch = fetcher(table)
    report.add(f"the first analysis, which starts its process: {fetch('/api/analysis'):.0f} ms")
    for rules in RULE_SETS:
        found = decisions(rules, Random(rules))
        fetch(path_of(rule_set(rules).start(Side.LIGHT)))
        times = [fetch(path_of(*next(found))) for _ in range(POSITIONS)]
        report.add(summary(f"{rules}, until the response", times))


def measure_engine(report: Report, folder: Path) -> None:
    worker = Worker(folder)

    def used(position: Position) -> float:
        """Return the milliseconds of the processor for a position."""
        begun = time.process_time()
        response = worker.respond(json.dumps({"position": str(position), "analysis": True}))
        assert "error" not in response, response
        return 1000 * (time.process_time() - begun)

    for rules in RULE_SETS:
        found = decisions(rules, Random(rules))
        used(rule_set(rules).start(Side.LIGHT))
        times = [used(next(found)[0]) for _ in range(POSITIONS)]
        report.add(
            f"{summary(f'{rules}, processor time', times)}, median at most {MAX_MS:.0f}",
            of(times, 0.5) <= MAX_MS,
        )


def measure_page(report: Report, table: ServedTable) -> None:
    found = decisions("finkel", Random(8))
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1366, "height": 768})
        times = []
        for _ in range(CLICKS):
            position, throw = next(found)
            page.goto(f"{table.url}analysis?{urlencode({'position': str(position)})}")
            rows = page.locator("#throws tbody tr")
            rows.first.wait_for()
            outcomes = [one.meaning for one, _ in position.rules.dice.outcomes]
            times.append(rows.nth(outcomes.index(throw.meaning)).evaluate(PAINTED))
    report.add(
        f"{summary('a click on a throw until its moves are painted', times)}, median at most "
        f"{MAX_MS:.0f}",
        of(times, 0.5) <= MAX_MS,
    )


def measure_others(report: Report, table: ServedTable) -> None:
    fetch, stop = fetcher(table), Event()
    alone = [fetch("/api/state") for _ in range(ALONGSIDE)]

    def analyse(seed: int) -> None:
        own, found = fetcher(table), decisions("freecompany", Random(seed))
        while not stop.is_set():
            own(path_of(*next(found)))

    threads = [Thread(target=analyse, args=(seed,)) for seed in range(3)]
    for thread in threads:
        thread.start()
    time.sleep(1)
    beside = []
    for _ in range(ALONGSIDE):
        beside.append(fetch("/api/state"))
        time.sleep(0.02)
    stop.set()
    for thread in threads:
        thread.join()
    report.add(summary("the table's state, alone", alone))
    report.add(summary("the table's state, beside three that analyse without a pause", beside))


def main() -> None:
    report = Report()
    with tempfile.TemporaryDirectory() as folder, served_table(Path(folder)) as table:
        measure_engine(report, Path(folder))
        measure_server(report, table)
        measure_page(report, table)
        measure_others(report, table)
    sys.exit(1 if report.missed else 0)


if __name__ == "__main__":
    main()
