"""A real game at a virtual table in a thread, with two simulated players."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread

from tests.waiting import wait_until
from urpi.config import Config
from urpi.http.addresses import Address
from urpi.http.limits import Limits
from urpi.http.proxies import ProxySettings
from urpi.http.server import PageServer
from urpi.journal import Journal
from urpi.page.app import make_app
from urpi.page.site import Site, make_site
from urpi.referee import Snapshot
from urpi.referee.decisions import Decision
from urpi.rules import parse_rules
from urpi.service.virtual import Setting, VirtualService
from urpi.simulation import PLAYERS, SimulatedPlayers, behaviour

DEADLINE_S = 240.0
SPEED = 10.0


@dataclass
class RunningGame:
    """A running game and its page."""

    site: Site
    server: PageServer
    decided: list[Decision]
    failed: list[BaseException]

    def wait_for_decisions(self, count: int = 3) -> None:
        """Wait until `count` further decisions have been taken, stored and shown."""
        wanted = len(self.decided) + count
        wait_until(lambda: self.failed or len(self.decided) >= wanted, "the next decisions")
        assert self.failed == []


@contextmanager
def running_game(
    folder: Path, limits: Limits | None = None, speed: float = SPEED
) -> Iterator[RunningGame]:
    """Run a game until the test ends, with its page on loopback."""
    decided: list[Decision] = []
    failed: list[BaseException] = []
    site: Site | None = None

    def watch(snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        decided.extend(decisions)
        if site is not None:
            site.feed.publish(site.desk.change(snapshot, decisions))

    players = SimulatedPlayers(PLAYERS["greedy"], behaviour("lively"))
    setting = Setting(parse_rules("finkel"), 7, speed, players=players)
    stop, ready = Event(), Event()
    tables: list[VirtualService] = []
    path = folder / "games.sqlite"

    def play() -> None:
        try:
            with (
                Journal.open(path) as journal,
                VirtualService(setting, Config(), journal, watch) as table,
            ):
                tables.append(table)
                ready.set()
                while not stop.is_set():
                    # On a busy machine the hub may be silent for a moment.
                    while not table.dice_health.available and not stop.is_set():
                        table.run()
                    table.begin()
                    table.table.play()
                    while not table.over and not stop.is_set():
                        table.run()
        except BaseException as error:
            failed.append(error)
            raise
        finally:
            ready.set()

    thread = Thread(target=play, name="table")
    thread.start()
    try:
        assert ready.wait(DEADLINE_S)
        site = make_site(tables[0].board, limits=limits, proxy=ProxySettings(trust_loopback=True))
        app = make_app(site)
        with PageServer(app, site.feed, Address("127.0.0.1", 0), limits) as server:
            game = RunningGame(site, server, decided, failed)
            game.wait_for_decisions()
            yield game
    finally:
        stop.set()
        thread.join(DEADLINE_S)
