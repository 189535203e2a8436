"""Starts mosquitto, PostgreSQL, the club and tables in a temporary folder, and kills them."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from urpi.club_server.broker_files import write_broker_files
from urpi.config import ClubSection

ROOT = Path(__file__).parents[2]
START = "from urpi.cli import main; main()"
READY = "The table is ready."
"""What a table prints when it can be stopped by a signal."""
WAIT_S = 120.0
"""Longest wait for anything to happen."""


def wait_for(happened: Callable[[], object], what: str, wait_s: float = WAIT_S) -> None:
    """Wait until something has happened."""
    deadline = time.monotonic() + wait_s
    while not happened():
        assert time.monotonic() < deadline, f"it takes too long: {what}"
        time.sleep(0.05)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def shared_folder() -> Iterator[Path]:
    """A temporary folder that PostgreSQL's user may enter.

    Not one of pytest: every run of pytest makes the folder around them private again.
    """
    with TemporaryDirectory(prefix="urpi-club-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        yield folder


def accepts(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


class Running:
    """A program that is started, killed and started again; its output is appended to a file."""

    user: str | None = None

    def __init__(
        self, name: str, folder: Path, environment: Mapping[str, str] | None = None
    ) -> None:
        self.log = folder / f"{name}.log"
        self._environment = {**os.environ, **(environment or {})}
        self._process: subprocess.Popen[bytes] | None = None

    def command(self) -> Sequence[str]:
        raise NotImplementedError

    def start(self) -> None:
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self.command(),
                stdout=log,
                stderr=log,
                cwd=ROOT if self.user is None else "/",
                env=self._environment,
                user=self.user,
                group=None if self.user is None else pwd.getpwnam(self.user).pw_gid,
                extra_groups=None if self.user is None else [],
            )

    def kill(self) -> None:
        """End it without giving it time for anything."""
        self.end(signal.SIGKILL)

    def end(self, number: int = signal.SIGTERM) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(number)
        try:
            return process.wait(WAIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise

    @property
    def runs(self) -> bool:
        return self._process is not None and self._process.poll() is None


class Broker(Running):
    """mosquitto, with the files that `urpi club broker-files` writes, and without a store."""

    def __init__(self, folder: Path, tables: Sequence[str]) -> None:
        super().__init__("mosquitto", folder)
        self.port, self.files = free_port(), folder / "broker"
        write_broker_files(self.files, tables)
        self.conf = folder / "mosquitto.conf"
        user = "user root\n" if os.geteuid() == 0 else ""
        self.conf.write_text(
            f"{user}listener {self.port} 127.0.0.1\npersistence false\n"
            + (self.files / "mosquitto.conf").read_text()
        )

    def command(self) -> Sequence[str]:
        return [
            shutil.which("mosquitto", path="/usr/sbin:/usr/bin") or "mosquitto",
            "-c",
            str(self.conf),
        ]

    def start(self) -> None:
        super().start()
        wait_for(lambda: accepts(self.port), "mosquitto's start")

    def section(self, table: str) -> ClubSection:
        return ClubSection(f"127.0.0.1:{self.port}", table, str(self.files / f"{table}.password"))


class Database(Running):
    """PostgreSQL, which refuses to run as root and so runs as its own user."""

    def __init__(self, folder: Path) -> None:
        super().__init__("postgresql", folder)
        self.port = free_port()
        versions = sorted(
            Path("/usr/lib/postgresql").glob("*/bin"), key=lambda one: int(one.parent.name)
        )
        assert versions, "install the Debian package postgresql"
        self._programs = versions[-1]
        self._data = folder / "data"
        self._data.mkdir()
        if os.geteuid() == 0:
            self.user = "postgres"
            shutil.chown(self._data, "postgres", "postgres")
        self.log.touch()
        options = ["-D", str(self._data), "-U", "urpi", "--auth=trust", "--no-sync", "-E", "UTF8"]
        subprocess.run(
            [self._programs / "initdb", *options],
            check=True,
            capture_output=True,
            user=self.user,
            cwd="/",
        )
        self.url = f"postgresql://urpi@127.0.0.1:{self.port}/postgres"

    def command(self) -> Sequence[str]:
        options = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": "",
        }
        settings = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        return [str(self._programs / "postgres"), "-D", str(self._data), *settings]

    def start(self) -> None:
        # After a kill, the processes of its connections may still hold the shared memory.
        wait_for(self._try_start, "PostgreSQL's start")

    def _try_start(self) -> bool:
        if not self.runs:
            super().start()
        try:
            self.rows("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def rows(self, query: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.url, connect_timeout=2) as connection:
            return connection.execute(query.encode()).fetchall()


class Club(Running):
    """`urpi club serve`."""

    def __init__(
        self, folder: Path, broker: Broker, database: Database, name: str = "club"
    ) -> None:
        self.page_port = free_port()
        config = folder / f"{name}.toml"
        config.write_text(
            "[club_server]\n"
            f'broker = "127.0.0.1:{broker.port}"\n'
            f'password_file = "{broker.files / "club.password"}"\n'
            f'database = "{database.url}"\n'
            f'listen = "127.0.0.1:{self.page_port}"\n'
        )
        super().__init__(name, folder)
        self._config = config

    def command(self) -> Sequence[str]:
        return [sys.executable, "-c", START, "--config", str(self._config), "club", "serve"]


class Table(Running):
    """A table at which random games are played; see `tests.club_live.table`."""

    def __init__(self, folder: Path, broker: Broker, table: str, seed: int) -> None:
        super().__init__(table, folder)
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
        ]

    def start(self) -> None:
        self._ready_before = self._times_ready() if self.log.exists() else 0
        super().start()

    def _times_ready(self) -> int:
        return self.log.read_bytes().count(READY.encode())

    def finish(self) -> int:
        """Stop playing, wait until the club has everything, and return the exit status."""
        # Before that, the signal would end it at once.
        wait_for(lambda: self._times_ready() > self._ready_before, "the table's start")
        return self.end()
