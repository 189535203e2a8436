"""Sets a club up on a machine with the Debian package urpi-club: database, broker, first user.

What is there already remains, so that a second run changes nothing. If something fails, everything
that the run has changed is put back.
"""

import json
import secrets
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from urpi.club.server.broker_files import hashed_passwords, write_broker_files
from urpi.core.errors import UrpiError
from urpi.core.names import CLUB
from urpi.install.club_obstacles import (
    BROKER_FILES,
    LISTENERS,
    LOCAL_PORT,
    PORT,
    PSQL,
    Plan,
    Run,
    Site,
    is_address,
)
from urpi.install.club_units import CONFIG, SERVICE, TIMER, USER
from urpi.install.restored_files import contents, restored, write
from urpi.install.systemd import PACKAGED_PROGRAM

AUTHORITY: Final = BROKER_FILES / "ca.crt"
_LINK: Final = LISTENERS.with_name("urpi-club.conf")
_DAYS: Final = "3650"
_START_S: Final = 600
"""Longest time for the start; systemd would restart a club that fails for ever."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run has made.

    Attributes:
        is_new: whether there was no club before.
        passwords: those of the tables that are new, by their ids.
        user: the first user's password, empty if there are users already.
        has_authority: whether tables need the certificate of the club's own authority.
    """

    is_new: bool
    passwords: dict[str, str]
    user: str
    has_authority: bool


def run(command: Sequence[str], text: str = "") -> str:
    """Run a command; see `Run`."""
    try:
        # Not in a folder that the command's user may not enter.
        done = subprocess.run(  # noqa: S603 - without a shell
            command, input=text, capture_output=True, text=True, check=False, cwd="/"
        )
    except OSError as error:
        message = f"{command[0]} cannot be started: {error.strerror}; install it and try again."
        raise UrpiError(message) from error
    if done.returncode:
        reason = " ".join((done.stderr or done.stdout).split())[-400:] or str(done.returncode)
        message = f"`{' '.join(command)}` failed: {reason.removesuffix('.')}."
        raise UrpiError(message)
    return done.stdout


def set_up(plan: Plan, user: str, root: Path = Path("/"), run: Run = run) -> Outcome:
    """Set the club up.

    Args:
        plan: What it shall have.
        user: The name of the first user, an admin.
        root: The folder below which files are written.
        run: Runs the commands.

    Raises:
        UrpiError: If something is in the way or fails. Then the machine is as it was before.
    """
    setup = _Setup(plan, root, run)
    setup.check()
    with ExitStack() as undo:
        setup.make_database(undo)
        passwords = setup.configure_broker(undo)
        setup.configure(undo)
        password = setup.add_first_user(user)
        setup.start(undo)
        undo.pop_all()
    return Outcome(setup.is_new, passwords, password, setup.below(AUTHORITY).exists())


class _Setup(Site):
    def try_run(self, *command: str) -> None:
        with suppress(UrpiError):
            self.run(command, "")

    def make_database(self, undo: ExitStack) -> None:
        """Create the role and the database, which only this role and PostgreSQL's own may use."""
        has_role, has_database = self.database()
        as_postgres = ("runuser", "-u", "postgres", "--")
        if not has_role:
            undo.callback(self.try_run, *as_postgres, "dropuser", "--if-exists", USER)
            self.as_postgres("createuser", "--no-createdb", "--no-createrole", USER)
        if not has_database:
            undo.callback(self.try_run, *as_postgres, "dropdb", "--if-exists", "--force", USER)
            # Names in all scripts, whatever the language of the machine.
            text = ("--template=template0", "--encoding=UTF8", "--locale=C.UTF-8")
            self.as_postgres("createdb", *text, f"--owner={USER}", USER)
            revoke = f'REVOKE ALL ON DATABASE "{USER}" FROM PUBLIC'
            self.as_postgres(*PSQL, revoke)

    def configure_broker(self, undo: ExitStack) -> dict[str, str]:
        """Write the broker's files, let it read them, and return the new tables' passwords."""
        folder = self.below(BROKER_FILES)
        known = [name for name in hashed_passwords(folder) if name != CLUB]
        tables = [*known, *(one for one in dict.fromkeys(self.plan.tables) if one not in known)]
        undo.callback(self.try_run, "systemctl", "restart", "mosquitto")
        conf = restored(undo, self.below(LISTENERS).parent)
        files = restored(undo, folder)
        write_broker_files(folder, tables, USER)
        with _writing(self.below(LISTENERS)):
            if not self.below(LISTENERS).exists():
                text = _listeners(*self._certified(folder))
                write(self.below(LISTENERS), text.encode(), 0o644)
            link = self.below(_LINK)
            if not link.is_symlink():
                link.symlink_to(BROKER_FILES / "mosquitto.conf")
            now = (contents(folder), contents(link.parent))
        if now[0].get("mosquitto.conf") != files.get("mosquitto.conf") or now[1] != conf:
            self.run(("systemctl", "restart", "mosquitto"), "")
        elif now[0] != files:
            self.run(("systemctl", "reload", "mosquitto"), "")
        passwords = {one: folder / f"{one}.password" for one in tables if one not in known}
        return {one: file.read_text("utf-8").strip() for one, file in passwords.items()}

    def _certified(self, folder: Path) -> tuple[PurePosixPath | Path, PurePosixPath | Path]:
        """Return the broker's certificate and key, which are created unless they were given."""
        if self.plan.certificate is not None:
            return self.plan.certificate
        self._create_certificate(folder)
        return BROKER_FILES / "server.crt", BROKER_FILES / "server.key"

    def _create_certificate(self, folder: Path) -> None:
        """Create an authority, and a certificate of the broker that it has signed."""
        host = self.plan.host
        ca, ca_key, request, crt, key, names = (
            str(folder / name)
            for name in ("ca.crt", "ca.key", "server.csr", "server.crt", "server.key", "server.ext")
        )
        kind = "IP" if is_address(host) else "DNS"
        text = f"subjectAltName={kind}:{host}\nauthorityKeyIdentifier=keyid\n"
        write(Path(names), text.encode(), 0o644)
        new = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj")
        # Debian 13's Python requires the extension.
        usage = ("-days", _DAYS, "-addext", "keyUsage=critical,keyCertSign,cRLSign")
        signed = ("-CA", ca, "-CAkey", ca_key, "-set_serial", "1", "-days", _DAYS)
        for command in (
            ("req", "-x509", *new, "/CN=Club", *usage, "-keyout", ca_key, "-out", ca),
            ("req", *new, "/CN=Broker of the club", "-keyout", key, "-out", request),
            ("x509", "-req", *signed, "-extfile", names, "-in", request, "-out", crt),
        ):
            self.run(("openssl", *command), "")
        for each in (request, names):
            Path(each).unlink(missing_ok=True)
        self.run(("chown", "root:mosquitto", key), "")
        self.run(("chmod", "640", key), "")

    def configure(self, undo: ExitStack) -> None:
        """Write the configuration, with which systemd starts the club."""
        if not self.is_new:
            return
        path = self.below(CONFIG)
        restored(undo, path.parent)
        with _writing(path):
            path.parent.mkdir(exist_ok=True)
            write(path, _config(self.plan).encode(), 0o644)

    def add_first_user(self, name: str) -> str:
        """Add an admin of the page if there is no user, and return the password."""
        program = ("runuser", "-u", USER, "--", str(PACKAGED_PROGRAM), "--config", str(CONFIG))
        command = (*program, "club", "user")
        # The first of these commands also creates the database tables.
        if self.run((*command, "list", "--json"), "").strip():
            return ""
        password = secrets.token_urlsafe(12)
        self.run((*command, "add", name, "--role", "admin"), f"{password}\n")
        return password

    def start(self, undo: ExitStack) -> None:
        """Start the club and the backups."""
        if self.is_new:
            undo.callback(self.try_run, "systemctl", "stop", TIMER, SERVICE)
        self.run(("timeout", str(_START_S), "systemctl", "start", TIMER, SERVICE), "")


def _listeners(certificate: object, key: object) -> str:
    return (
        "# Written by `urpi club install` once; change it as you like.\n"
        "# For the tables.\n"
        f"listener {PORT}\ncertfile {certificate}\nkeyfile {key}\n"
        "# For the club, on this machine only.\n"
        f"listener {LOCAL_PORT} 127.0.0.1\n"
    )


def _config(plan: Plan) -> str:
    names = "" if is_address(plan.host) else f"names = {json.dumps([plan.host])}\n"
    return (
        "# Written by `urpi club install` once; change it as you like.\n"
        "[club_server]\n"
        f'broker = "127.0.0.1:{LOCAL_PORT}"\n'
        f'password_file = "{BROKER_FILES / CLUB}.password"\n'
        f'database = "postgresql:///{USER}"\n'
        f"listen = {json.dumps(plan.listen)}\n{names}"
    )


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror}."
        raise UrpiError(message) from error
