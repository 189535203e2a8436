"""The database's disk fills under load: nothing is acknowledged that is not stored, or lost."""

import os
import sqlite3
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import psycopg
import pytest

from tests.club_live.conftest import TABLES, World
from tests.club_live.running import (
    Broker,
    Club,
    Database,
    Table,
    accepts,
    copy_files,
    shared_folder,
)
from tests.club_live.test_delivery import stored, truth
from tests.club_live.test_wall import events
from tests.waiting import wait_until
from urpi.club.server.database import connect
from urpi.link.broker.ledger import ledger_path

SIZE_MB = 96
"""Of the file system; a new database needs 40 MB."""
FULL = "Not everything can be stored: the disk of the database is full"
AGAIN = "The database stores messages again."


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """Mount a small file system."""
    if os.geteuid() != 0:
        pytest.skip("mounting a small file system needs root")
    place = folder / "small"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE_MB}m,mode=0711", "tmpfs", str(place)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode:
        pytest.skip(f"a small file system cannot be mounted: {ran.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


class SmallDatabase(Database):
    """A PostgreSQL whose data are on a small file system.

    Args:
        folder: The folder of the log.
        disk: The file system.
        wal: Whether the write-ahead log is on it, too.
    """

    def __init__(self, folder: Path, disk: Path, *, wal: bool) -> None:
        super().__init__(disk)
        self.log, self._ballast = folder / "postgresql.log", disk / "ballast"
        if not wal:
            place = self._data / "pg_wal"
            copy_files(place, folder / "wal")
            subprocess.run(["rm", "-r", place], check=True)
            place.symlink_to(folder / "wal")

    def fill(self) -> None:
        """Use all space that is left."""
        with self._ballast.open("wb", buffering=0) as file, suppress(OSError):
            while file.write(bytes(4096)):
                pass

    def free(self) -> None:
        self._ballast.unlink()


def acknowledged(tables: Iterable[Table]) -> dict[tuple[str, int], int]:
    """The number of lines of each game that the club has acknowledged, by table and game."""
    found = {}
    for name, table in zip(TABLES, tables, strict=True):
        with closing(sqlite3.connect(ledger_path(table.journal))) as ledger:
            for game, lines in ledger.execute("SELECT game, lines FROM places_1"):
                found[name, game] = lines
    return found


def stored_lines(world: World) -> dict[tuple[str, int], int]:
    """The number of lines of each game that the club has stored, by table and game."""
    rows = world.database.rows("SELECT table_id, game, lines FROM histories")
    return {(str(table), int(game)): int(lines) for table, game, lines in rows}


def begin(stack: ExitStack, *, wal: bool) -> tuple[World, SmallDatabase, list[Table]]:
    """Start a club with a small disk, and tables, and wait until some games are stored."""
    folder = stack.enter_context(shared_folder())
    disk = stack.enter_context(small_disk(folder))
    broker, database = Broker(folder, TABLES), SmallDatabase(folder, disk, wal=wal)
    world = World(folder, broker, database, Club(folder, broker, database), stack)
    tables = [world.table(name, number) for number, name in enumerate(TABLES)]
    for one in (broker, database, world.club, *tables):
        world.run(one)
    wait_until(lambda: accepts(world.club.page_port), "the club's page")
    wait_until(lambda: len(stored_lines(world)) > len(tables), "a few games")
    return world, database, tables


def end_for_lack_of_space(database: SmallDatabase, connection: psycopg.Connection) -> None:
    """Let PostgreSQL need space for its log."""
    with suppress(psycopg.OperationalError):
        for _ in range(100):
            connection.execute("SELECT pg_switch_wal()")
            connection.execute("SELECT txid_current()")
    wait_until(lambda: not database.runs, "the end of PostgreSQL")


@pytest.mark.parametrize("wal", [False, True], ids=["data", "data-and-log"])
def test_a_full_disk_is_reported_and_nothing_is_lost(wal: bool) -> None:
    with ExitStack() as stack:
        world, database, tables = begin(stack, wal=wal)
        # Opened before, because a new connection may need space.
        admin = stack.enter_context(closing(connect(database.url)))
        with events(world) as received:
            database.fill()
            wait_until(lambda: FULL in world.club.log.read_text(), "the report")
            assert any(kind == "club" and data["storage"] == "full" for kind, data in received)
            # The wall goes on.
            shown = (data["table"] for kind, data in received if kind == "table" and data["state"])
            left = set(TABLES)
            while left:
                left.discard(next(shown))
            confirmed = acknowledged(tables)
            if wal:
                end_for_lack_of_space(database, admin)
                database.free()
                database.start()
            found = stored_lines(world)
            assert [game for game in confirmed if found.get(game, 0) < confirmed[game]] == []
            if not wal:
                assert AGAIN not in world.club.log.read_text()
                database.free()
            wait_until(
                lambda: AGAIN in world.club.log.read_text(), "the report that it stores again"
            )
            assert any(kind == "club" and data["storage"] == "works" for kind, data in received)
        for table, name in zip(tables, TABLES, strict=True):
            assert table.finish() == 0, table.log.read_text()[-2000:]
            assert stored(world, name) == list(truth(table).items())
