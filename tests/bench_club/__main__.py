"""A club with many tables: `python -m tests.bench_club`.

mosquitto, PostgreSQL and `urpi club serve` run on loopback in a temporary folder. One process
simulates all tables: each has its connection, publishes its state and its journal's lines, and
repeats what is not acknowledged. An open page shows all of them. Measured are the times from a
throw or a move to its commit's acknowledgement and to the page, and each program's processor time
and memory. In the end every line in the database is compared with what the tables have played.

With `--kill`, one program is killed again and again meanwhile, and started again after a moment.
"""

import argparse
import resource
import sys
import time
from contextlib import ExitStack
from typing import Final

from tests.bench_club.programs import Usage, processes_of
from tests.bench_club.recorded_games import record
from tests.bench_club.tables import Fleet, SimulatedTable
from tests.bench_club.wall_page import WallPage
from tests.club_live.running import (
    Broker,
    Club,
    Database,
    Program,
    accepts,
    shared_folder,
)
from tests.kernel.latency import summary
from tests.output import print_line
from tests.waiting import wait_until
from urpi.link.broker.broker_settings import BrokerSettings, read_password

GAMES: Final = 8
"""Different games that are recorded."""
DELIVERY_S: Final = 300.0
"""Longest wait in the end until everything is acknowledged and refereed again."""
DOWN_S: Final = 0.5
"""How long a killed program stays away."""
BETWEEN_KILLS_S: Final = 4.0


def main() -> int:
    """Run it, print the figures, and return 1 if a line is missing or stored twice."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench_club", description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--interval", type=float, default=10.0, help="seconds between throws")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long is measured")
    parser.add_argument("--workers", type=int, default=1, help="number of `urpi club serve`")
    parser.add_argument("--settle", type=float, default=20.0, help="seconds before that")
    parser.add_argument("--kill", choices=("broker", "database", "club", "worker"))
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8 * args.tables + 1024), hard))
    with ExitStack() as stack:
        return Run(args, stack).play()


class Run:
    """The programs and the tables of one measurement."""

    def __init__(self, args: argparse.Namespace, stack: ExitStack) -> None:
        self.args = args
        folder = stack.enter_context(shared_folder())
        names = [f"table-{number}" for number in range(args.tables)]
        self.broker, self.database = Broker(folder, names), Database(folder)
        self.clubs = [
            Club(folder, self.broker, self.database, f"club-{number}")
            for number in range(args.workers)
        ]
        for program in self.programs.values():
            stack.callback(program.end if isinstance(program, Database) else program.kill)
            program.start()
        # Before the tables connect, whose own ports could be this one.
        wait_until(lambda: accepts(self.clubs[0].page_port), "the club's page")
        # A throw and its move are two beats.
        self.fleet = Fleet(args.interval / 2, args.seed)
        games = [record(args.seed + number) for number in range(GAMES)]
        for name in names:
            password = read_password(self.broker.files / f"{name}.password")
            settings = BrokerSettings(
                "127.0.0.1", self.broker.port, tls=False, ca_file=None, user=name, password=password
            )
            beats = self.fleet.dice.randrange(1, 2 * len(games[0].beats))
            self.fleet.tables.append(SimulatedTable(self.fleet, name, settings, games, beats))
        self.page = WallPage(self.fleet, self.clubs[0].page_port)

    @property
    def programs(self) -> dict[str, Program]:
        return {"mosquitto": self.broker, "postgresql": self.database} | {
            club.name: club for club in self.clubs
        }

    def play(self) -> int:
        """Play, and return the exit status."""
        args, fleet = self.args, self.fleet
        began = time.monotonic()
        fleet.connect(min(10.0, args.tables / 50))
        arrived = fleet.run(
            DELIVERY_S, lambda: not any(not each.ready or each.waiting for each in fleet.tables)
        )
        print_line(
            f"{args.tables} tables connected, and their games stored, after "
            f"{time.monotonic() - began:.1f} s."
        )
        if not arrived:
            return 1
        self.page.open()
        fleet.plays = True
        fleet.run(args.settle)
        for table in fleet.tables:
            table.published.clear()
        if args.kill:
            self._kill_repeatedly()
        else:
            self._measure()
        fleet.plays = False
        return self._compare()

    def _measure(self) -> None:
        fleet, args = self.fleet, self.args
        usage = Usage({name: processes_of(each) for name, each in self.programs.items()})
        fleet.measures = True
        played, repeated, answered = fleet.played, fleet.repeated, fleet.answered
        began = time.monotonic()
        ended = began + args.seconds
        while (left := ended - time.monotonic()) > 0:
            fleet.run(min(left, 60.0))
            print_line(f"after {time.monotonic() - began:.0f} s: {usage.memory()}")
        fleet.measures = False
        took = time.monotonic() - began
        print_line(
            f"{(fleet.played - played) / took:.0f} throws and moves a second, "
            f"{(fleet.answered - answered) / took:.0f} acknowledgements a second"
        )
        print_line(f"to the acknowledgement: {summary(1000 * each for each in fleet.stored_s)}")
        print_line(f"to the page: {summary(1000 * each for each in self.page.delays_s)}")
        print_line(f"repeated messages: {fleet.repeated - repeated}")
        print_line(f"cores in use: {usage.load()}")

    def _kill_repeatedly(self) -> None:
        fleet, args = self.fleet, self.args
        victims: dict[str, Program] = {
            "broker": self.broker,
            "database": self.database,
            "club": self.clubs[0],
            "worker": self.clubs[-1],
        }
        victim = victims[args.kill]
        fleet.measures = True
        for _ in range(args.kills):
            fleet.run(BETWEEN_KILLS_S * fleet.dice.uniform(0.5, 1.5))
            victim.kill()
            fleet.run(DOWN_S)
            victim.start()
        print_line(f"{args.kills} kills of the {args.kill}, {fleet.played} throws and moves")
        print_line(f"to the acknowledgement: {summary(1000 * each for each in fleet.stored_s)}")

    def _compare(self) -> int:
        """Compare what is stored with what was played."""
        fleet = self.fleet
        began = time.monotonic()
        delivered = fleet.run(
            DELIVERY_S, lambda: not any(not each.ready or each.waiting for each in fleet.tables)
        )
        print_line(f"everything acknowledged {time.monotonic() - began:.1f} s after the last move")
        expected = {
            (table.name, game.head.key): "\n".join(game.lines)
            for table in fleet.tables
            for game in table.played
        }
        rows = self.database.rows(
            "SELECT h.table_id, h.key, string_agg(b.lines, E'\\n' ORDER BY b.first)"
            " FROM histories h JOIN batches b ON (b.table_id, b.history) = (h.table_id, h.id)"
            " GROUP BY h.table_id, h.id, h.key"
        )
        stored = {(str(table), str(key)): str(lines) for table, key, lines in rows}
        wrong = [name for name, lines in expected.items() if stored.get(name) != lines]
        lines = sum(text.count("\n") + 1 for text in expected.values())
        print_line(
            f"{len(expected)} games with {lines} lines were played, {len(rows)} histories are "
            f"stored, {len(wrong)} differ"
        )
        verified = "SELECT count(*) FROM histories WHERE finished IS NOT NULL AND verdict IS NULL"
        fleet.run(DELIVERY_S, lambda: self.database.rows(verified) == [(0,)])
        verdicts = self.database.rows(
            "SELECT coalesce(verdict, 'not yet'), count(*) FROM histories"
            " WHERE finished IS NOT NULL GROUP BY 1 ORDER BY 1"
        )
        print_line("finished games: " + ", ".join(f"{name} {count}" for name, count in verdicts))
        for failure in fleet.failures[:5]:
            print_line(failure)
        right = delivered and not wrong and len(rows) == len(expected) and not fleet.failures
        return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
