"""A page to work against: `python -m tests.web.live --port 8011 --speed 4`.

A virtual table with two simulated players who play one game after the other, and its page.
"""

import argparse
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from urpi.config import Config
from urpi.journal import Journal
from urpi.referee import Snapshot
from urpi.referee.decisions import Decision
from urpi.rules import parse_rules
from urpi.service.virtual import Setting, VirtualService
from urpi.simulation import PLAYERS, SimulatedPlayers, behaviour
from urpi.web.app import make_app
from urpi.web.desk import BoardDesk
from urpi.web.page import make_page
from urpi.web.proxies import Entrance
from urpi.web.server import Address, PageServer

ADMIRED_S = 5.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8011)
    parser.add_argument("--speed", type=float, default=1.0)
    parser.add_argument("--rules", default="finkel")
    parser.add_argument("--behaviour", default="lively")
    parser.add_argument("--journal", type=Path)
    args = parser.parse_args()
    players = SimulatedPlayers(PLAYERS["greedy"], behaviour(args.behaviour))
    setting = Setting(parse_rules(args.rules), 1, players, args.speed)
    with TemporaryDirectory() as folder:
        path = args.journal or Path(folder) / "journal.sqlite3"
        serve(setting, path, args.port)


def serve(setting: Setting, path: Path, port: int) -> None:
    tell = []

    def watch(snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        for one in tell:
            one(snapshot, decisions)

    with Journal.open(path) as journal, VirtualService(setting, Config(), journal, watch) as table:
        desk = BoardDesk(table.board, path, "virtual")
        page = make_page(desk, entrance=Entrance(trust_loopback=True))
        tell.append(lambda snapshot, decisions: page.feed.tell(desk.change(snapshot, decisions)))
        with PageServer(
            make_app(page), page.feed, Address("127.0.0.1", port), page.limits
        ) as server:
            sys.stdout.write(f"{server.url}\n")
            sys.stdout.flush()
            play(table)


def play(table: VirtualService) -> None:
    while True:
        table.begin()
        table.table.play()
        while not table.over:
            table.run()
        until = time.monotonic() + ADMIRED_S
        while time.monotonic() < until:
            table.run()


if __name__ == "__main__":
    main()
