"""Who can be invited, who is online, and comparing: `python -m tests.bench_club.presence`.

Every table is the connection of a running program (`urpi.link.broker.connection`) with a journal of
its own, in a few processes; mosquitto has the configuration that `urpi club broker-files` writes.
Measured are the time until tables that look for others know all of them, the time until the wall
shows all tables after the club was restarted, and the broker's work. With `--games`, each table
has as many earlier games, which the club has, and compares them after the restart; with
`--no-digest` it names each of them.
"""

import argparse
import json
import math
import re
import resource
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final
from urllib.request import urlopen

from tests.bench_club.programs import Usage, processes_of
from tests.club_live.running import Broker, Club, Database, accepts, shared_folder
from tests.journal.games import store_game
from tests.output import print_line
from tests.waiting import wait_until
from urpi.club.server.database import connect, store_of
from urpi.club.server.migrations import migrate
from urpi.journal import Journal
from urpi.link.broker.broker_settings import BrokerSettings, read_password
from urpi.link.broker.connection import ClubConnection
from urpi.link.broker.ledger import LedgerFile, ledger_path
from urpi.link.broker.published_games import PublishedGames
from urpi.link.protocol import outbox
from urpi.link.protocol.archive import receive
from urpi.link.protocol.messages import MAX_OFFERED
from urpi.link.protocol.outbox import Outbox

DEADLINE_S: Final = 300.0
LOOKING: Final = 5
"""Tables that look for others, one after another."""
AT_ONCE: Final = 50
"""Tables that connect before the next ones do: the broker computes a hash for each."""
FIRST: Final = "first.db"
"""The journal of which each table has a copy."""
COPIED: Final = """
WITH added AS (INSERT INTO tables (id) SELECT unnest(%s::text[]) RETURNING id)
INSERT INTO histories (table_id, key, game, started, head, lines, chain, finished, current, verdict)
SELECT added.id, key, game, started, head, lines, chain, finished, current, verdict
FROM added, histories"""
Ask = Callable[[str], object]


def tables(settings: list[BrokerSettings], folder: Path, digest: bool, pipe: Connection) -> None:
    """Run tables until the pipe is closed, and answer what is asked about the first of them."""
    opened = []
    if not digest:
        outbox.MAX_BLOCKS = 0  # type: ignore[misc]
    for one in settings:
        # Copied, because creating one waits for the disk several times.
        journal = shutil.copy(folder / FIRST, folder / f"{one.user}.db")
        shutil.copy(ledger_path(folder / FIRST), ledger_path(journal))
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
def process_of(settings: list[BrokerSettings], folder: Path, digest: bool) -> Iterator[Ask]:
    """Run tables in a process of their own, and yield a function that asks it something."""
    here, there = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=tables, args=(settings, folder, digest, there))
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


def store_games(path: Path, url: str, names: list[str], count: int) -> None:
    """Store games in the journal, and at the club as those of all tables."""
    with Journal.open(path) as journal:
        for seed in range(count):
            number = store_game(journal, seed=seed, longest=3)
            journal.rewrite(number, lambda entry: entry.line, settings={"table": "board"})
    published, ledger = PublishedGames(path, "board"), LedgerFile(ledger_path(path))
    sender = Outbox(published, ledger, "first")
    sender.connect()
    with closing(connect(url)) as connection, published.opened():
        migrate(connection)
        with store_of(connection, names[0]) as store:
            while (message := sender.next_message(0)) is not None:
                sender.receive(receive(store, message))
        # Refereeing them is another benchmark's work.
        connection.execute("UPDATE histories SET verdict = 'pruned'")
        connection.execute(COPIED, (names[1:],))
        connection.execute("ANALYZE")
    ledger.close()


def stored_messages(port: int) -> int:
    """The number of messages that the club has stored or recognised since its start."""
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=DEADLINE_S) as answer:
        text: str = answer.read().decode()
    (found,) = re.findall(r"^urpi_club_messages_stored_total (\S+)", text, re.MULTILINE)
    return round(float(found))


def messages(games: int, *, digest: bool) -> int:
    """The number of messages in which a table compares its games, if the club has all of them."""
    return 2 if digest and games > MAX_OFFERED else math.ceil(games / MAX_OFFERED)


def main() -> int:
    """Run it, print the figures, and return 1 if a table is missing."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench_club.presence", description=__doc__
    )
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--digest", action=argparse.BooleanOptionalAction, default=True)
    args = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 16 * args.tables + 1024), hard))
    names = [f"table-{number}" for number in range(args.tables)]
    with ExitStack() as stack:
        folder = stack.enter_context(shared_folder())
        broker, database = Broker(folder, names), Database(folder)
        club = Club(folder, broker, database, "club")
        for program in (broker, database, club):
            stack.callback(program.end if program is database else program.kill)
        broker.start()
        database.start()
        store_games(folder / FIRST, database.url, names, args.games)
        club.start()
        wait_until(lambda: accepts(club.page_port), "the club's page")
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
            asks.append(stack.enter_context(process_of(settings, folder, args.digest)))
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
        comparing = Usage({"club": processes_of(club), "PostgreSQL": processes_of(database)})
        shown = next(count for count in online(club.page_port) if count == args.tables)
        print_line(
            f"{shown} tables are shown online {time.monotonic() - began:.1f} s after the restart"
        )
        if args.games:
            expected = args.tables * messages(args.games, digest=args.digest)
            wait_until(
                lambda: stored_messages(club.page_port) >= expected, "the comparison", DEADLINE_S
            )
            print_line(
                f"{args.games} games of each table are compared {time.monotonic() - began:.1f} s "
                f"after it, in {expected} messages; cores: {comparing.load()}"
            )
        print_line(f"cores: {usage.load()}; {usage.memory()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
