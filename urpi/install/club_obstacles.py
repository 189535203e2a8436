"""What is in the way of a new club on a machine; nothing is changed here.

A base of `urpi.install.club_setup` as well: the paths, the plan, and how commands are run.
"""

import ipaddress
import re
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from urpi.core.errors import UrpiError
from urpi.install.club_units import CONFIG, PACKAGE, SERVICE, UNITS, USER

MOSQUITTO: Final = PurePosixPath("/etc/mosquitto")
BROKER_FILES: Final = MOSQUITTO / "urpi"
LISTENERS: Final = MOSQUITTO / "conf.d/urpi-club-listeners.conf"
PORT: Final = 8883
LOCAL_PORT: Final = 1883
"""The broker's port for the club, on loopback."""
SPACE: Final = 500 * 1000**2
"""Bytes that a new club must find free; a game takes some 20,000."""
PSQL: Final = ("psql", "--no-psqlrc", "-At", "-v", "ON_ERROR_STOP=1", "-d", "postgres", "-c")
_HARMLESS: Final = frozenset(
    (
        *("autosave_interval", "connection_messages", "include_dir", "log_dest", "log_timestamp"),
        *("log_timestamp_format", "log_type", "persistence", "persistence_location", "pid_file"),
        "user",
    )
)
"""Settings of mosquitto that say nothing about who may connect; Debian's own file has some."""
_NEEDING_SPACE: Final = ("/etc", "/var/lib/postgresql", "/var/lib/urpi-club")

Run = Callable[[Sequence[str], str], str]
"""Runs a command with a text as standard input, and returns its standard output; raises UrpiError
if it fails."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a club shall have.

    Attributes:
        host: the name or address at which tables reach the broker.
        tables: the ids of tables, besides those that the broker knows.
        listen: the address of the page.
        certificate: the broker's certificate for the host and its key, None for those of an
            authority that the club creates.
    """

    host: str
    tables: tuple[str, ...] = ()
    listen: str = "127.0.0.1:8032"
    certificate: tuple[PurePosixPath, PurePosixPath] | None = None


class Site:
    """A machine for a club.

    Args:
        plan: What the club shall have.
        root: The folder below which the machine's files are.
        run: Runs the commands.
    """

    def __init__(self, plan: Plan, root: Path, run: Run) -> None:
        self.plan, self._root, self.run = plan, root, run
        self.is_new = not self.below(CONFIG).exists()

    def below(self, path: PurePosixPath) -> Path:
        return self._root / path.relative_to("/")

    def check(self) -> None:
        """Check, before anything is changed, that nothing is in the way."""
        if not self.below(UNITS / SERVICE).exists():
            message = f"The Debian package {PACKAGE} is not installed; install it and try again."
            raise UrpiError(message)
        own = PurePosixPath("/etc/systemd/system") / SERVICE
        if self.below(own).exists():
            message = f"{own} belongs to a club that was set up by hand; move it away first."
            raise UrpiError(message)
        if not self.is_new:
            self._check_host(self._configured_certificate())
            return
        if self.plan.certificate is not None:
            self._check_readable(self.plan.certificate)
            self._check_host(self.plan.certificate[0])
        self._check_mosquitto()
        self._check_space()
        page = self.plan.listen.rpartition(":")[2]
        for port in (str(PORT), str(LOCAL_PORT), *([page] if page.isdecimal() else [])):
            self._check_port(port)
        if any(self.database()):
            message = (
                f"PostgreSQL has a role or a database {USER} already; keep it with `pg_dump`, and "
                f"remove it with `sudo -u postgres dropdb --if-exists {USER}` and `dropuser`."
            )
            raise UrpiError(message)

    def _check_host(self, certificate: object) -> None:
        """Check that the broker's certificate is valid for the host."""
        kind = "-checkip" if is_address(self.plan.host) else "-checkhost"
        command = ("openssl", "x509", "-noout", "-in", str(certificate), kind, self.plan.host)
        try:
            found = self.run(command, "")
        except UrpiError as error:
            # OpenSSL 3.5 also fails then.
            found = str(error)
            if "NOT match" not in found:
                raise
        if "does match" not in found:
            message = (
                f"The broker's certificate {certificate} is not for {self.plan.host}; give the "
                "host that it names, or another certificate."
            )
            raise UrpiError(message)

    def _configured_certificate(self) -> str:
        file = self.below(LISTENERS)
        try:
            found = re.search(r"^certfile (.+)$", file.read_text("utf-8"), re.MULTILINE)
        except OSError as error:
            message = f"{file} cannot be read: {error.strerror}; restore it."
            raise UrpiError(message) from error
        if found is None:
            message = f"{file} has no certfile; add the path of the broker's certificate."
            raise UrpiError(message)
        return found[1]

    def _check_readable(self, files: Sequence[PurePosixPath]) -> None:
        for file in files:
            try:
                self.run(("runuser", "-u", "mosquitto", "--", "test", "-r", str(file)), "")
            except UrpiError:
                message = f"The user mosquitto cannot read {file}; correct path and permissions."
                raise UrpiError(message) from None

    def _check_mosquitto(self) -> None:
        if self.below(BROKER_FILES).exists():
            message = f"{BROKER_FILES} belongs to a club that was set up by hand; move it away."
            raise UrpiError(message)
        main = self.below(MOSQUITTO / "mosquitto.conf")
        for file in (main, *sorted(self.below(MOSQUITTO / "conf.d").glob("*.conf"))):
            try:
                lines = file.read_text("utf-8", "replace").splitlines()
            except OSError as error:
                message = f"{file} cannot be read: {error.strerror}; install mosquitto again."
                raise UrpiError(message) from error
            for number, line in enumerate(lines, 1):
                name = line.split()[0] if line.split() else "#"
                if not name.startswith("#") and name not in _HARMLESS:
                    message = (
                        f"{file}, line {number}: `{name}` shows that mosquitto serves something "
                        "else; remove it, or choose a machine of the club's own."
                    )
                    raise UrpiError(message)

    def _check_space(self) -> None:
        for name in _NEEDING_SPACE:
            folder = self.below(PurePosixPath(name))
            if folder.exists() and (free := shutil.disk_usage(folder).free) < SPACE:
                message = (
                    f"{folder} has {free // 1000**2} MB free, and a club needs "
                    f"{SPACE // 1000**2} MB; free some space."
                )
                raise UrpiError(message)

    def _check_port(self, port: str) -> None:
        found = self.run(("ss", "-Hltnp", f"sport = :{port}"), "")
        others = {*re.findall(r'\(\("([^"]+)"', found)} - {"mosquitto"}
        if others:
            message = (
                f"Port {port} is taken by {' and '.join(sorted(others))}, and the club needs it; "
                "end that program, or for the page choose another port with --listen."
            )
            raise UrpiError(message)

    def database(self) -> tuple[bool, bool]:
        """Whether PostgreSQL has the role and the database."""
        query = (
            "SELECT 'role', rolname FROM pg_roles UNION SELECT 'database', datname FROM pg_database"
        )
        try:
            found = self.as_postgres(*PSQL, query).split()
        except UrpiError as error:
            message = (
                "PostgreSQL does not answer; start it with `sudo systemctl restart postgresql`. "
                f"{error}"
            )
            raise UrpiError(message) from error
        return f"role|{USER}" in found, f"database|{USER}" in found

    def as_postgres(self, *command: str) -> str:
        return self.run(("runuser", "-u", "postgres", "--", *command), "")


def is_address(host: str) -> bool:
    """Whether a host is an address and not a name."""
    with suppress(ValueError):
        ipaddress.ip_address(host)
        return True
    return False
