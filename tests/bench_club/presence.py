"""Who can be invited, and who is online: `python -m tests.bench_club.presence`.

Every table is the connection of a running program (`urpi.link.broker.connection`) with a journal of
its own, in a few processes; mosquitto has the configuration that `urpi club broker-files` writes.
Measured are the time until tables that look for others know all of them, the time until the wall
shows all tables after the club was restarted, and the broker's work.
"""

import argparse
import json
import resource
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final
from urllib.request import urlopen

from tests.bench_club.programs import Usage, processes_of
from tests.club_live.running import Broker, Club, Database, accepts, shared_folder
from tests.output import print_line
from tests.waiting import wait_until
from urpi.journal import Journal
from urpi.link.broker.broker_settings import BrokerSettings, read_password
from urpi.link.broker.connection import ClubConnection

DEADLINE_S: Final = 300.0
LOOKING: Final = 5
"""Tables that look for others, one after another."""
AT_ONCE: Final = 50
"""Tables that connect before the next ones do: the broker computes a hash for each."""
EMPTY: Final = "empty.db"
"""The journal of which each table has a copy."""
Ask = Callable[[str], object]


def tables(settings: list[BrokerSettings], folder: Path, pipe: Connection) -> None:
    """Run tables until the pipe is closed, and answer what is asked about the first of them."""
    opened = []
    for one in settings:
        # Copied, because creating one waits for the disk several times.
        journal = shutil.copy(folder / EMPTY, folder / f"{one.user}.db")
        opened.append(
            ClubConnection(
                one,
                journal,
                "board",
                clock=lambda: time.monotonic_ns() // 1_000_000,
                now=lambda: datetime.now().astimezone(),
            )
        )
    for number, table in enumerate(opened):
        table.announce_free(True)
        table.open()
        if number % AT_ONCE == AT_ONCE - 1:
            wait_until(lambda table=table: table.is_connected, "the broker", DEADLINE_S)  # type: ignore[misc]
    try:
        while True:
            match pipe.recv():
                case "connected":
                    pipe.send(sum(table.is_connected for table in opened))
                case "look":
                    pipe.send(len(opened[0].look_for_tables()))
    except EOFError:
        for table in opened:
            table.close()


@contextmanager
def process_of(settings: list[BrokerSettings], folder: Path) -> Iterator[Ask]:
    """Run tables in a process of their own, and yield a function that asks it something."""
    here, there = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=tables, args=(settings, folder, there))
    process.start()
    there.close()

    def ask(what: str) -> object:
        here.send(what)
        return here.recv()

    try:
        yield ask
    finally:
        here.close()
        process.join(DEADLINE_S)
        process.kill()


def online(port: int) -> Iterator[int]:
    """Yield the number of tables that a wall shows online, after each of its events."""
    found: set[str] = set()
    with urlopen(f"http://127.0.0.1:{port}/api/events", timeout=DEADLINE_S) as stream:
        for line in stream:
            if line.startswith(b'data: {"table"'):
                event = json.loads(line.removeprefix(b"data: "))
                (found.add if event["online"] else found.discard)(event["table"])
                yield len(found)


def main() -> int:
    """Run it, print the figures, and return 1 if a table is missing."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench_club.presence", description=__doc__
    )
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=4)
    args = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 16 * args.tables + 1024), hard))
    names = [f"table-{number}" for number in range(args.tables)]
    with ExitStack() as stack:
        folder = stack.enter_context(shared_folder())
        broker, database = Broker(folder, names), Database(folder)
        club = Club(folder, broker, database, "club")
        for program in (broker, database, club):
            stack.callback(program.kill)
            program.start()
        wait_until(lambda: accepts(club.page_port), "the club's page")
        Journal.open(folder / EMPTY).close()
        began = time.monotonic()
        asks = []
        for first in range(args.processes):
            settings = [
                BrokerSettings(
                    "127.0.0.1",
                    broker.port,
                    tls=False,
                    ca_file=None,
                    user=name,
                    password=read_password(broker.files / f"{name}.password"),
                )
                for name in names[first :: args.processes]
            ]
            asks.append(stack.enter_context(process_of(settings, folder)))
        wait_until(
            lambda: sum(int(str(ask("connected"))) for ask in asks) == args.tables,
            "all tables",
            DEADLINE_S,
        )
        print_line(f"{args.tables} tables connected after {time.monotonic() - began:.1f} s")
        usage = Usage({"mosquitto": processes_of(broker)})
        for number in range(LOOKING):
            ask, began = asks[number % args.processes], time.monotonic()
            first = int(str(ask("look")))
            wait_until(lambda ask=ask: ask("look") == args.tables - 1, "all tables", DEADLINE_S)  # type: ignore[misc]
            print_line(
                f"look {number + 1}: {args.tables - 1} tables can be invited after "
                f"{1000 * (time.monotonic() - began):.0f} ms (known before: {first})"
            )
        club.kill()
        club.start()
        wait_until(lambda: accepts(club.page_port), "the club's page")
        began = time.monotonic()
        shown = next(count for count in online(club.page_port) if count == args.tables)
        print_line(
            f"{shown} tables are shown online {time.monotonic() - began:.1f} s after the restart"
        )
        print_line(f"cores: {usage.load()}; {usage.memory()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
