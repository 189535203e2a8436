"""A broker, a database and a club for the tests."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.club_live.running import Broker, Club, Database, Program, Table, shared_folder
from tests.in_memory import use_memory
from urpi.club.server.database import connect

TABLES = ("lisbon", "porto", "faro", "braga")


def pytest_configure() -> None:
    use_memory()


@dataclass
class World:
    """Everything that runs."""

    folder: Path
    broker: Broker
    database: Database
    club: Club
    stack: ExitStack

    def run(self, one: Program) -> None:
        """Start a program that ends with the test."""
        # PostgreSQL would leave its shared memory behind, of which a machine has a limited number.
        self.stack.callback(one.end if isinstance(one, Database) else one.kill)
        one.start()

    def table(self, name: str, seed: int = 0) -> Table:
        return Table(self.folder, self.broker, name, seed)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Database]:
    """A database for all tests that neither stop nor fill it."""
    with shared_folder() as folder:
        found = Database(folder)
        found.start()
        yield found
        found.end()


@pytest.fixture(scope="module")
def module_database(postgresql: Database) -> Database:
    """The database, without tables before the first test of a module."""
    remove_tables(postgresql)
    return postgresql


@pytest.fixture
def database(postgresql: Database) -> Database:
    """The database, without tables before each test."""
    remove_tables(postgresql)
    return postgresql


def remove_tables(database: Database) -> None:
    with connect(database.url) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")


@contextmanager
def running(tables: Sequence[str]) -> Iterator[World]:
    """Run a broker with accounts for these tables, a database and a club."""
    with ExitStack() as stack:
        folder = stack.enter_context(shared_folder())
        broker, database = Broker(folder, tables), Database(folder)
        club = Club(folder, broker, database)
        found = World(folder, broker, database, club, stack)
        for one in (broker, database, club):
            found.run(one)
        yield found


@pytest.fixture
def world() -> Iterator[World]:
    with running(TABLES) as found:
        yield found
