"""The club works when PgBouncer shares a few sessions of PostgreSQL, one transaction at a time."""

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.club_live.running import (
    WAIT_S,
    Broker,
    Club,
    Database,
    Program,
    Table,
    accepts,
    free_port,
    shared_folder,
)
from tests.waiting import wait_until
from urpi.club.server.backup import back_up, restore
from urpi.club.server.database import connect
from urpi.club.web.site import reading
from urpi.core.errors import UrpiError
from urpi.http.reader import UnavailableError

READS = 20
NAMES = ("lisbon", "porto")


class Pooler(Program):
    """PgBouncer in its transaction mode, with fewer sessions than the club has connections.

    Args:
        folder: The folder for its configuration.
        database: The database.
    """

    def __init__(self, folder: Path, database: Database) -> None:
        super().__init__("pgbouncer", folder)
        # It refuses to run as root, too.
        self.user = database.user
        self.port = free_port()
        self.url = f"postgresql://urpi@127.0.0.1:{self.port}/postgres"
        self._ini = folder / "pgbouncer.ini"
        self._ini.write_text(
            f"[databases]\npostgres = host=127.0.0.1 port={database.port} user=urpi\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {self.port}\n"
            "unix_socket_dir =\nauth_type = any\npool_mode = transaction\ndefault_pool_size = 2\n"
        )

    def command(self) -> Sequence[str]:
        path = os.pathsep.join((os.environ["PATH"], "/usr/sbin"))
        return [shutil.which("pgbouncer", path=path) or "pgbouncer", str(self._ini)]

    def start(self) -> None:
        super().start()
        wait_until(lambda: accepts(self.port), "PgBouncer")


@pytest.fixture
def pooler(database: Database) -> Iterator[Pooler]:
    with shared_folder() as folder:
        found = Pooler(folder, database)
        found.start()
        yield found
        found.kill()


def test_games_are_stored_while_pages_are_read(database: Database, pooler: Pooler) -> None:
    with ExitStack() as stack:
        folder = stack.enter_context(shared_folder())
        broker = Broker(folder, NAMES)
        # Two workers, as many connections of which share the two sessions.
        clubs = [Club(folder, broker, pooler, f"club-{number}") for number in range(2)]
        tables = [Table(folder, broker, name, seed) for seed, name in enumerate(NAMES)]
        for program in (broker, *clubs, *tables):
            stack.callback(program.kill)
            program.start()
        for club in clubs:
            wait_until(lambda club=club: accepts(club.page_port), "the page")  # type: ignore[misc]
            for _ in range(READS):
                url = f"http://127.0.0.1:{club.page_port}/api/games"
                with urlopen(url, timeout=WAIT_S) as response:
                    assert response.status == 200
        verified = "SELECT count(*) FROM histories WHERE verdict = 'verified'"
        wait_until(lambda: database.rows(verified) != [(0,)], "a verified game")
        for table in tables:
            assert table.finish() == 0, table.log.read_text()[-2000:]
        for club in clubs:
            # No statement failed and was repeated.
            assert "cannot" not in (log := club.log.read_text()), log[-2000:]
            assert "prepared" not in log, log[-2000:]


def test_no_setting_of_a_read_reaches_another_session(pooler: Pooler) -> None:
    for _ in range(3):
        with pytest.raises(UnavailableError), reading(pooler.url) as connection:
            connection.execute("CREATE TABLE injected ()")
    names = ("default_transaction_read_only", "transaction_read_only", "statement_timeout")
    for _ in range(3):
        with closing(connect(pooler.url)) as connection:
            found = [connection.execute(f"SHOW {name}".encode()).fetchone() for name in names]
            assert found == [("off",), ("off",), ("0",)]


def test_a_backup_needs_the_database_itself(pooler: Pooler, tmp_path: Path) -> None:
    path = tmp_path / "backup"
    with pytest.raises(UrpiError, match="a pooler, which backups cannot use"):
        back_up(pooler.url, path)
    assert not path.exists()
    path.touch()
    with pytest.raises(UrpiError, match="a pooler, which backups cannot use"):
        restore(pooler.url, path)
