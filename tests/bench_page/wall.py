"""Delay from a table's decision until the wall shows it: `python -m tests.bench_page.wall`.

mosquitto, PostgreSQL, the club and Chromium with its wall run on loopback; this process is a table
with its journal. Measured is the time from a throw's fact until the wall has drawn the throw: it is
refereed, stored, published, sent by the broker to the club, by the club to the page, and drawn.
Other tables play at the same time.
"""

import argparse
import sys
import time
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from random import Random
from statistics import median
from typing import Final

from playwright.sync_api import Page

from tests.browser.player_page import CHROMIUM, chromium
from tests.club_live.running import Broker, Club, Database, Table, accepts, shared_folder
from tests.kernel.latency import percentile
from tests.output import print_line
from tests.waiting import wait_until
from urpi.journal import Keeper
from urpi.link.broker.club_link import ClubLink
from urpi.link.broker.state_message import TableState
from urpi.referee import Phase, Settings, Snapshot, Timing
from urpi.referee.decisions import Decision
from urpi.referee.facts import Answer, Game, Occupancy
from urpi.rules import Side
from urpi.service.service import Service

TABLE: Final = "hall"
PAUSE_S: Final = 0.7
"""The time between a move and the next throw; players leave more."""
STEP_MS: Final = 5000
"""How far the table's clock advances before each fact."""
MAX_MS: Final = 1000.0
"""The target for the median."""

WATCH: Final = """(table) => {
  const card = [...document.querySelectorAll(".live")]
    .find((one) => one.querySelector(".live-table").textContent === table);
  const value = card.querySelector(".throw-value");
  window.thrown = null;
  new MutationObserver(() => {
    if (!value.textContent) return (window.thrown = null);
    requestAnimationFrame(() => (window.thrown = performance.timeOrigin + performance.now()));
  }).observe(value, { childList: true, characterData: true, subtree: true });
}"""
"""Stores when a throw of a table was drawn last, in milliseconds since 1970; null without one."""


class LiveTable:
    """A table whose facts are entered here, with a clock that is advanced by each of them."""

    def __init__(self, path: Path, link: ClubLink) -> None:
        self.link, self.clock = link, 0
        settings = Settings(lambda code, _details: code, Timing())
        keeper = Keeper.open(path, _now())
        self.service = Service(
            keeper, settings, lambda: self.clock, self._show, language="en", now=_now
        )

    def _show(self, snapshot: Snapshot, _decisions: tuple[Decision, ...]) -> None:
        if self.link.is_open:
            self.link.publish(TableState(self.service.game, snapshot))

    def begin(self) -> None:
        """Begin a game with an empty board."""
        self.service.new_game(Game(self.clock, "finkel", "Ann", "Bob", first=Side.LIGHT))
        self._look()

    def _look(self) -> None:
        """See the board as it must be, so that there is no warning."""
        position = self.service.snapshot.position
        self.clock += STEP_MS
        assert position is not None
        self.service.process(Occupancy(self.clock, position.occupancy))

    def throw(self, rng: Random) -> bool:
        """Enter a throw, and return whether it must be played."""
        if self.service.snapshot.phase is Phase.OVER:
            self.begin()
        shot = self.service.snapshot
        self.clock += STEP_MS
        assert shot.position is not None
        faces = shot.position.rules.dice.roll(rng.random()).faces
        self.service.process(Answer(self.clock, faces=faces))
        return self.service.snapshot.phase is Phase.MOVE

    def move(self, rng: Random) -> None:
        """Enter a move."""
        self.clock += STEP_MS
        self.service.process(Answer(self.clock, move=rng.choice(self.service.snapshot.legal)))
        self._look()


def _now() -> datetime:
    return datetime.now().astimezone()


def delays(table: LiveTable, page: Page, count: int, seed: int) -> list[float]:
    """Return the milliseconds of a number of throws."""
    rng, found = Random(seed), list[float]()
    while len(found) < count:
        began = time.time()
        if table.throw(rng):
            wait_until(lambda: page.evaluate("window.thrown"), "the throw on the wall")
            found.append(page.evaluate("window.thrown") - 1000 * began)
            table.move(rng)
            wait_until(lambda: not page.evaluate("window.thrown"), "the move on the wall")
        time.sleep(PAUSE_S)
    return found


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--throws", type=int, default=60)
    options.add_argument("--others", type=int, default=3, help="number of other tables")
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    others = [f"other-{number + 1}" for number in range(chosen.others)]
    with ExitStack() as stack:
        folder = stack.enter_context(shared_folder())
        broker, database = Broker(folder, [TABLE, *others]), Database(folder)
        club = Club(folder, broker, database)
        tables = [Table(folder, broker, name, n) for n, name in enumerate(others)]
        for one in (broker, database, club, *tables):
            stack.callback(one.kill)
            one.start()
        wait_until(lambda: accepts(club.page_port), "the club's page")
        path = folder / f"{TABLE}.db"
        link = ClubLink(broker.section(TABLE), path, "board")
        table = LiveTable(path, link)
        stack.callback(table.service.close)
        stack.enter_context(link.opened())
        table.begin()
        page = stack.enter_context(chromium(CHROMIUM)).new_page()
        page.goto(f"http://127.0.0.1:{club.page_port}/")
        page.get_by_text(TABLE, exact=True).wait_for()
        page.evaluate(WATCH, TABLE)
        found = delays(table, page, chosen.throws, chosen.seed)
    print_line("| throws | median | p95 | longest |")
    print_line("|---|---|---|---|")
    values = (median(found), percentile(found, 0.95), max(found))
    print_line(f"| {len(found)} | " + " | ".join(f"{one:.0f} ms" for one in values) + " |")
    print_line(f"Target of the median: {MAX_MS:.0f} ms")
    return 0 if values[0] <= MAX_MS else 1


if __name__ == "__main__":
    sys.exit(main())
