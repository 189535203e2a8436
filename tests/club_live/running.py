"""Starts mosquitto, PostgreSQL, the club and tables in a temporary folder, and kills them."""

import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from tests.waiting import wait_until
from urpi.cli.club_demo import programs
from urpi.cli.club_demo.programs import (
    Broker,
    Club,
    Program,
    accepts,
    free_port,
    shared_folder,
)

__all__ = ["Broker", "Club", "Program", "accepts", "free_port", "shared_folder"]

ROOT = Path(__file__).parents[2]
READY = "The table is ready."
"""What a table prints when it can be stopped by a signal."""
WAIT_S = programs.WAIT_S
"""Longest wait for anything to happen."""


@cache
def empty_database() -> "TemporaryDirectory[str]":
    """A folder for what `initdb` creates, which is the same for all databases of this process."""
    return TemporaryDirectory(prefix="urpi-initdb-")


class Database(programs.Database):
    """PostgreSQL, which the tests also query themselves."""

    def _initialise(self) -> None:
        created = Path(empty_database().name, "data")
        if created.exists():
            copy_files(created, self._data)
        else:
            super()._initialise()
            copy_files(self._data, created)

    def rows(self, query: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.url, connect_timeout=round(WAIT_S)) as connection:
            return connection.execute(query.encode()).fetchall()


def copy_files(source: Path, target: Path) -> None:
    """Copy a folder's files with their owners."""
    subprocess.run(["cp", "--archive", "--no-target-directory", source, target], check=True)


class Table(Program):
    """A table at which random games are played; see `tests.club_live.table`."""

    longest: int | None = None
    """Answers after which light resigns, None for those of a long game."""

    def __init__(self, folder: Path, broker: Broker, table: str, seed: int) -> None:
        super().__init__(table, folder, cwd=ROOT)
        self.journal, self._broker, self._table, self._seed = (
            folder / f"{table}.db",
            broker,
            table,
            seed,
        )

    def command(self) -> Sequence[str]:
        self._seed += 1000
        section = self._broker.section(self._table)
        assert section.broker is not None
        return [
            *(sys.executable, "-m", "tests.club_live.table"),
            *(str(self.journal), section.broker, self._table, section.password_file),
            str(self._seed),
            *([] if self.longest is None else [str(self.longest)]),
        ]

    def start(self) -> None:
        self._ready_before = self._times_ready() if self.log.exists() else 0
        super().start()

    def _times_ready(self) -> int:
        return self.log.read_bytes().count(READY.encode())

    def finish(self) -> int:
        """Stop playing, wait until the club has everything, and return the exit status."""
        # Before that, the signal would end it at once.
        wait_until(lambda: self._times_ready() > self._ready_before, "the table's start")
        return self.end()
