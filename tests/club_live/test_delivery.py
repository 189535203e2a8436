"""Tables, broker, club and database are killed under load; nothing is lost or stored twice."""

import random
import sqlite3
import time

import psycopg

from tests.club_live.conftest import TABLES, World
from tests.club_live.running import Program, Table
from tests.output import print_line
from tests.waiting import wait_until
from urpi.journal import Journal
from urpi.link.protocol.line_checks import without_names

KILLS_S = 24.0


def truth(table: Table) -> dict[int, list[str]]:
    """The lines of each game of a table's journal, as they are published."""
    with Journal.read_only(table.journal) as journal:
        numbers = [number for (number,) in journal.rows("SELECT id FROM games")]
        return {
            number: [without_names(entry.line) for entry in journal.entries(number)]
            for number in numbers
        }


def stored(world: World, table: str) -> list[tuple[int, list[str]]]:
    """The lines of each history that the club has of a table."""
    with psycopg.connect(world.database.url) as connection:
        rows = connection.execute(
            "SELECT game, (SELECT string_agg(lines, E'\\n' ORDER BY first) FROM batches"
            " WHERE table_id = h.table_id AND history = h.id) FROM histories h"
            " WHERE table_id = %s ORDER BY game, id",
            (table,),
        ).fetchall()
    return [(game, text.split("\n")) for game, text in rows]


def test_nothing_is_lost_or_stored_twice_whatever_is_killed(world: World) -> None:
    seed = random.randrange(10**6)
    print_line(f"seed {seed}")
    chance = random.Random(seed)
    tables = [world.table(name, number) for number, name in enumerate(TABLES)]
    for table in tables:
        world.run(table)
    victims: list[Program] = [world.broker, world.database, world.club, *tables[:2]]
    kills = 0
    end = time.monotonic() + KILLS_S
    while time.monotonic() < end:
        # No condition to poll: a program is killed at a random moment of its work, and is missing
        # for a random time.
        time.sleep(chance.uniform(0.3, 1.5))
        # Each of them at least once, then any.
        victim = victims[kills] if kills < len(victims) else chance.choice(victims)
        victim.kill()
        time.sleep(chance.uniform(0.0, 0.8))
        victim.start()
        kills += 1
    for table in tables:
        assert table.finish() == 0, table.log.read_text()[-2000:]
    lines = 0
    for table, name in zip(tables, TABLES, strict=True):
        found = truth(table)
        assert stored(world, name) == list(found.items())
        lines += sum(map(len, found.values()))
    finished = [
        (name, game)
        for table, name in zip(tables, TABLES, strict=True)
        for (game,) in sqlite3.connect(table.journal).execute("SELECT game FROM finished")
    ]
    assert finished
    pending = "SELECT 1 FROM histories WHERE finished IS NOT NULL AND verdict IS NULL"
    wait_until(lambda: not world.database.rows(pending), "verification")
    rows = world.database.rows(
        "SELECT table_id, game, verdict, verdict_text FROM histories WHERE finished IS NOT NULL"
    )
    assert {(row[0], row[1]) for row in rows} == set(finished)
    assert {row[2:] for row in rows} == {("verified", "")}
    print_line(f"{kills} kills, {lines} lines, {len(finished)} finished games")
    assert b"Ann" not in everything_stored(world)


def everything_stored(world: World) -> bytes:
    """Every text that the club has stored."""
    with psycopg.connect(world.database.url) as connection:
        found = [
            str(row)
            for table in ("histories", "batches")
            for row in connection.execute(f"SELECT * FROM {table}".encode())
        ]
    return "\n".join(found).encode()
