"""The processor time in which a club lists its players: ``python -m tests.bench_club.player_list``.

A PostgreSQL on loopback has verified games of random players. Printed are the times of the first
request, of one without a new game, and of one after a game of today, and after one that is two
years old.
"""

import argparse
import time
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tests.club_live.running import Database, shared_folder
from tests.output import print_line
from urpi.club.server.database import connect
from urpi.club.server.migrations import migrate
from urpi.club.server.players import PlayerList

if TYPE_CHECKING:
    from psycopg import Connection

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
INSERT = """
WITH added AS (
    INSERT INTO histories (table_id, key, game, started, head, lines, chain, finished, current,
        verdict, result, rated)
    SELECT 'lisbon', 'game ' || number, number,
        %(now)s - greatest(random(), %(least)s) * %(days)s * interval '1 day',
        '{"rules": "finkel"}', 0, '', '', true, 'verified',
        CASE WHEN random() < 0.5 THEN 'light' ELSE 'dark' END, true
    FROM generate_series(%(first)s::int, %(last)s) AS number
    RETURNING key
)
INSERT INTO names
SELECT 'lisbon', key, side, 'Player ' || floor(random() * %(players)s)
FROM added, (VALUES ('light'), ('dark')) AS sides (side)
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench_club.player_list")
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--players", type=int, default=2000)
    args = parser.parse_args()
    with shared_folder() as folder:
        database = Database(folder)
        database.start()
        try:
            measure(database.url, args.games, args.players)
        finally:
            database.end()


def measure(url: str, games: int, players: int) -> None:
    """Print the times."""
    found = PlayerList()
    with closing(connect(url)) as connection:
        migrate(connection)
        connection.execute("INSERT INTO tables (id) VALUES ('lisbon')")
        values = {"now": NOW, "players": players, "days": 730, "least": 0}
        connection.execute(INSERT, {**values, "first": 1, "last": games})
        connection.execute("ANALYZE")
        for what in ("first", "unchanged", "unchanged"):
            print_line(f"{games} games, {what}: {timed(found, connection):.3f} s")
        for number, (what, days) in enumerate((("new", 0), ("late", 730)), games + 1):
            one = {"first": number, "last": number, "days": days, "least": 1}
            connection.execute(INSERT, {**values, **one})
            print_line(f"{games} games, after a {what} one: {timed(found, connection):.3f} s")


def timed(players: PlayerList, connection: "Connection") -> float:
    """The processor time of this process; the database needs milliseconds after the first read."""
    begun = time.process_time()
    players.read(connection, NOW)
    return time.process_time() - begun


if __name__ == "__main__":
    main()
