"""Serve a page for manual tests: `python -m tests.page.live --port 8011 --speed 4`.

It belongs to a virtual table with two simulated players, who play one game after the other.
"""

import argparse
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from urpi.config import Config
from urpi.http.addresses import Address
from urpi.http.proxies import ProxySettings
from urpi.http.server import PageServer
from urpi.journal import Journal
from urpi.page.app import make_app
from urpi.page.site import make_site
from urpi.referee import Snapshot
from urpi.referee.decisions import Decision
from urpi.rules import parse_rules
from urpi.service.virtual import Setting, VirtualService
from urpi.simulation import PLAYERS, SimulatedPlayers, behaviour

PAUSE_S = 5.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8011)
    parser.add_argument("--speed", type=float, default=1.0)
    parser.add_argument("--rules", default="finkel")
    parser.add_argument("--behaviour", default="lively")
    parser.add_argument("--journal", type=Path)
    args = parser.parse_args()
    players = SimulatedPlayers(PLAYERS["greedy"], behaviour(args.behaviour))
    setting = Setting(parse_rules(args.rules), 1, args.speed, players=players)
    with TemporaryDirectory() as folder:
        path = args.journal or Path(folder) / "journal.sqlite3"
        serve(setting, path, args.port)


def serve(setting: Setting, path: Path, port: int) -> None:
    watchers = []

    def watch(snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        for watcher in watchers:
            watcher(snapshot, decisions)

    with Journal.open(path) as journal, VirtualService(setting, Config(), journal, watch) as table:
        desk = table.board
        site = make_site(desk, proxy=ProxySettings(trust_loopback=True))
        watchers.append(lambda *change: site.feed.publish(desk.change(*change)))
        with PageServer(
            make_app(site), site.feed, Address("127.0.0.1", port), site.limits
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
        until = time.monotonic() + PAUSE_S
        while time.monotonic() < until:
            table.run()


if __name__ == "__main__":
    main()
