"""A program that referees and serves the page: `python -m tests.bench_page.serving FOLDER`.

A game is played by answers, one every `--pace` milliseconds, through the real service, journal and
page. It prints JSON lines: the address of the page, and for each decision when it was stored and
how long that took.
"""

import argparse
import json
import time
from pathlib import Path
from random import Random
from typing import Any

from tests.output import print_line
from tests.page.table import PageDesk, Table
from urpi.http.addresses import Address
from urpi.http.limits import Limits
from urpi.http.server import PageServer
from urpi.page.app import make_app
from urpi.page.site import make_site

PIN = "314159"


def print_json(content: dict[str, Any]) -> None:
    print_line(json.dumps(content))


def play(table: Table, pace_s: float) -> None:
    """Play until the program is terminated."""
    rng = Random(1)
    due = time.monotonic()
    while True:
        due += pace_s
        time.sleep(max(due - time.monotonic(), 0))
        if table.over:
            table.new_game("finkel")
            table.begin_thrown()
        begun = time.monotonic_ns()
        decided = len(table.decided)
        stored_at: list[int] = []
        table.watching.append(lambda _change, at=stored_at: at.append(time.monotonic_ns()))
        table.play_on(rng)
        table.watching.pop()
        if len(table.decided) > decided:
            took_us = (stored_at[0] - begun) / 1000
            print_json({"seq": table.service.seq, "at_ns": stored_at[0], "took_us": took_us})
        # These lists are not read here, and the benchmark measures memory.
        del table.decided[:], table.shown[:]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pace", type=float, default=100.0, help="milliseconds a decision")
    parser.add_argument("--no-page", action="store_true", help="the referee alone")
    args = parser.parse_args()
    table = Table.at(args.folder / "games.sqlite")
    table.begin()
    if args.no_page:
        print_json({"host": "", "port": 0})
        play(table, args.pace / 1000)
    page = make_site(PageDesk(table), pin=PIN)
    table.watching.append(page.feed.publish)
    with PageServer(make_app(page), page.feed, Address("127.0.0.1", 0), Limits()) as server:
        print_json({"host": server.address.host, "port": server.address.port})
        play(table, args.pace / 1000)


if __name__ == "__main__":
    main()
