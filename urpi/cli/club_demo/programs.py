"""The programs of a club on loopback: mosquitto, PostgreSQL and `urpi club serve`."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import SystemRandom
from tempfile import TemporaryDirectory
from typing import Final

from urpi.club.server.broker_files import write_broker_files
from urpi.club.server.database import DatabaseError, connect
from urpi.config import ClubSection
from urpi.core.errors import UrpiError

WAIT_S: Final = 120.0
"""Timeout for the start or the end of a program."""
POLL_S: Final = 0.05
SERVED_PORTS: Final = range(20_000, 32_768)
"""Linux gives those from 32,768 to connections (ip_local_port_range), other systems higher ones."""
POSTGRESQL: Final = Path("/usr/lib/postgresql")
"""Where Debian installs each version of PostgreSQL."""
SEARCH_PATH: Final = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"))
"""Debian's mosquitto is in a folder that is not on the path of every user."""


def wait_until(happened: Callable[[], object], what: str, wait_s: float = WAIT_S) -> None:
    """Wait until something has happened.

    Raises:
        UrpiError: If that takes too long.
    """
    deadline = time.monotonic() + wait_s
    while not happened():
        if time.monotonic() > deadline:
            message = f"{what} has not started within {wait_s:.0f} seconds."
            raise UrpiError(message)
        time.sleep(POLL_S)


def free_port() -> int:
    """A port of loopback that no program uses.

    It is one of those that systems do not give to connections: a connection of any program would
    take another one before the program that is to serve it has started.
    """
    for port in SystemRandom().sample(SERVED_PORTS, len(SERVED_PORTS)):
        with socket.socket() as one, suppress(OSError):
            one.bind(("127.0.0.1", port))
            return port
    message = f"No port from {SERVED_PORTS[0]} to {SERVED_PORTS[-1]} is free."
    raise UrpiError(message)


def accepts(port: int) -> bool:
    """Whether a program accepts connections on a port of loopback."""
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


@contextmanager
def shared_folder() -> Iterator[Path]:
    """Create a temporary folder that PostgreSQL's user may enter."""
    # A process of a killed PostgreSQL may still write while its folder is removed.
    with TemporaryDirectory(prefix="urpi-club-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        # Others may enter but not list it: the passwords' files in it are readable by their owner
        # only.
        folder.chmod(0o711)
        yield folder


def find_mosquitto(path: str = SEARCH_PATH) -> str | None:
    """The path of mosquitto, None if it is not installed in the folders of a path."""
    return shutil.which("mosquitto", path=path)


def find_postgresql(path: str = SEARCH_PATH, folder: Path = POSTGRESQL) -> Path | None:
    """The folder with the newest PostgreSQL's programs, None if it is not installed.

    Args:
        path: The folders to search if Debian's folder contains no version.
        folder: Debian's folder, with one folder per version.
    """
    versions = [found for found in folder.glob("*/bin") if (found / "initdb").exists()]
    if versions:
        return max(versions, key=lambda found: float(found.parent.name))
    found = shutil.which("initdb", path=path)
    return None if found is None else Path(found).resolve().parent


def check_programs(path: str = SEARCH_PATH, postgresql: Path = POSTGRESQL) -> None:
    """Check that mosquitto and PostgreSQL are installed; see `find_postgresql` for the arguments.

    Raises:
        UrpiError: If not; the message names the Debian packages.
    """
    programs = (
        ("mosquitto", find_mosquitto(path)),
        ("postgresql", find_postgresql(path, postgresql)),
    )
    missing = [package for package, found in programs if found is None]
    if missing:
        message = (
            f"The demo of a club needs {' and '.join(missing)}; on Debian run "
            f"`sudo apt install {' '.join(missing)}`."
        )
        raise UrpiError(message)


class Program:
    """A program that is started and ended; its output is appended to a file.

    Args:
        name: The name of the file.
        folder: The folder of the file.
        environment: Variables besides those of this process.
        cwd: The working directory, None for that of this process.
    """

    user: str | None = None
    """The user who runs it, None for the one who runs this process."""
    end_signal = signal.SIGTERM
    """The signal that ends it in an orderly way."""

    def __init__(
        self,
        name: str,
        folder: Path,
        environment: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> None:
        self.name, self.log = name, folder / f"{name}.log"
        self._cwd = cwd
        self._environment = {**os.environ, **(environment or {})}
        self._process: subprocess.Popen[bytes] | None = None

    def command(self) -> Sequence[str]:
        """The program with its arguments."""
        raise NotImplementedError

    def start(self) -> None:
        """Start it. Ctrl-C in the terminal does not reach it."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - the program's own arguments
                self.command(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                # PostgreSQL's user may not be allowed to enter the working directory of this
                # process.
                cwd="/" if self.user is not None else self._cwd,
                env=self._environment,
                user=self.user,
                group=None if self.user is None else pwd.getpwnam(self.user).pw_gid,
                extra_groups=None if self.user is None else [],
                # A group of its own, which Ctrl-C in the terminal does not reach.
                process_group=0,
            )

    def kill(self) -> None:
        """End it without giving it time for anything."""
        self.end(signal.SIGKILL)

    def request_end(self) -> None:
        """Send it the signal that ends it, without waiting."""
        if self._process is not None:
            self._process.send_signal(self.end_signal)

    def end(self, number: int | None = None) -> int:
        """Send it a signal, by default the one that ends it, and return its exit status."""
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(self.end_signal if number is None else number)
        try:
            return process.wait(WAIT_S)
        except BaseException:
            process.kill()
            process.wait()
            raise

    @property
    def runs(self) -> bool:
        """Whether it was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int | None:
        """Its process id, None if it does not run."""
        return self._process.pid if self._process is not None and self.runs else None

    @property
    def last_line(self) -> str:
        lines = self.log.read_text("utf-8", "replace").split("\n") if self.log.exists() else []
        return next((line for line in reversed(lines) if line.strip()), "it wrote nothing")


class Broker(Program):
    """mosquitto, with the files that `urpi club broker-files` writes, and without a store.

    Args:
        folder: The folder for its files.
        tables: The ids of the tables.
    """

    def __init__(self, folder: Path, tables: Sequence[str]) -> None:
        super().__init__("mosquitto", folder)
        self.port, self.files = free_port(), folder / "broker"
        write_broker_files(self.files, tables)
        self.conf = folder / "mosquitto.conf"
        # As root, mosquitto would change to its own user, who may not read the files of this
        # folder.
        user = "user root\n" if os.geteuid() == 0 else ""
        self.conf.write_text(
            f"{user}listener {self.port} 127.0.0.1\npersistence false\n"
            + (self.files / "mosquitto.conf").read_text()
        )

    def command(self) -> Sequence[str]:
        return [find_mosquitto() or "mosquitto", "-c", str(self.conf)]

    def start(self) -> None:
        """Start it, and wait until it accepts connections."""
        super().start()
        wait_until(lambda: accepts(self.port), "mosquitto")

    def section(self, table: str) -> ClubSection:
        """The section [club] of a table."""
        return ClubSection(f"127.0.0.1:{self.port}", table, str(self.files / f"{table}.password"))


class Database(Program):
    """PostgreSQL, which refuses to run as root and so runs as its own user.

    Args:
        folder: The folder for its data.
    """

    # An immediate shutdown, which also ends the processes of its connections.
    end_signal = signal.SIGQUIT

    def __init__(self, folder: Path) -> None:
        super().__init__("postgresql", folder)
        self.port = free_port()
        programs = find_postgresql()
        assert programs is not None, "install the Debian package postgresql"
        self._programs = programs
        self._data = folder / "data"
        self._data.mkdir()
        if os.geteuid() == 0:
            self.user = "postgres"
            shutil.chown(self._data, "postgres", "postgres")
        self.log.touch()
        self._initialise()
        self.url = f"postgresql://urpi@127.0.0.1:{self.port}/postgres"

    def _initialise(self) -> None:
        """Fill its empty folder with an empty database."""
        options = ["-D", str(self._data), "-U", "urpi", "--auth=trust", "--no-sync", "-E", "UTF8"]
        made = subprocess.run(  # noqa: S603 - the program's own arguments
            [self._programs / "initdb", *options],
            check=False,
            capture_output=True,
            text=True,
            user=self.user,
            cwd="/",
        )
        if made.returncode:
            message = f"PostgreSQL's initdb failed: {' '.join(made.stderr.split())}"
            raise UrpiError(message)

    def command(self) -> Sequence[str]:
        options = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            # Without a socket: Debian's folder for it belongs to the user postgres.
            "unix_socket_directories": "",
        }
        settings = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        return [str(self._programs / "postgres"), "-D", str(self._data), *settings]

    def start(self) -> None:
        """Start it, and wait until it accepts connections."""
        # After a kill, the processes of its connections may still hold the shared memory.
        wait_until(self._try_start, "PostgreSQL")

    def _try_start(self) -> bool:
        if not self.runs:
            super().start()
        with suppress(DatabaseError):
            connect(self.url).close()
            return True
        return False


class Club(Program):
    """`urpi club serve`.

    Args:
        folder: The folder for its configuration.
        broker: The broker.
        database: The database.
        name: Its name among several.
        listen: The address of its page, None for any free port of loopback.
    """

    def __init__(
        self,
        folder: Path,
        broker: Broker,
        database: Database,
        name: str = "club",
        listen: str | None = None,
    ) -> None:
        super().__init__(name, folder)
        self.listen = listen or f"127.0.0.1:{free_port()}"
        self._config = folder / f"{name}.toml"
        self._config.write_text(
            "[club_server]\n"
            f'broker = "127.0.0.1:{broker.port}"\n'
            f'password_file = "{broker.files / "club.password"}"\n'
            f'database = "{database.url}"\n'
            f'listen = "{self.listen}"\n'
        )

    def command(self) -> Sequence[str]:
        start = "from urpi.cli.main import main; main()"
        return [sys.executable, "-c", start, "--config", str(self._config), "club", "serve"]

    @property
    def page_port(self) -> int:
        return int(self.listen.rpartition(":")[2])
