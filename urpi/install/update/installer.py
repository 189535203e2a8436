"""Installs a release, and goes back to the previous version if the new one is not healthy.

A program of its own, which needs only the standard library: `python3 -I installer.py FOLDER`.
`urpi update` copies it out of the package, whose files are replaced while it runs, and starts it in
a transient unit of systemd, so that neither the restart of the service nor the end of an SSH
connection ends it. FOLDER, which belongs to root, contains the plan, the packages and the result.
While the package is being replaced there is also a unit that is started at the next boot, with
`--resume`: after a power cut it completes the installation, or goes back.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

SERVICE: Final = "urpi.service"
PROGRAM: Final = "/usr/bin/urpi"
PREVIOUS: Final = "previous"
PLAN: Final = "plan.json"
RESULT: Final = "result.json"
BEGUN: Final = "begun.json"
"""What is known only before the package is replaced. It exists until the update has ended."""
CONFIG: Final = Path("/etc/urpi/config.toml")
DEFAULT_CONFIG: Final = Path("/usr/share/urpi/default-config.toml")
"""The configuration as the package contains it. With the owner's in its place, dpkg would regard it
as unchanged after a rollback, and replace it in the next upgrade."""
RECOVERY: Final = Path("/etc/systemd/system/urpi-update-recovery.service")
_AT_BOOT: Final = RECOVERY.parent / "multi-user.target.wants" / RECOVERY.name
_UNIT: Final = """\
[Unit]
Description=Complete or undo an update of urpi after a power cut
Before=urpi.service

[Service]
Type=exec
ExecStart=/usr/bin/python3 -I {program} {folder} --resume
"""
PREVIOUS_WITHIN_S: Final = 60.0
"""The time in seconds that the previous version has at least until it is healthy again. A shorter
time for the new version means little patience with that one: nothing else could follow this one."""
HEALTHY_FOR_S: Final = 5.0
"""How long the service must have been healthy without interruption."""
_POLL_S: Final = 0.5
_RESPONSE_S: Final = 5.0
# Unpacking takes minutes on an old card; this ends what waits for ever, such as for an answer.
_COMMAND_S: Final = 1800.0
_OPTIONS: Final = ("--force-confdef", "--force-confold")
"""Options of dpkg: a changed configuration is kept without a question."""
_REASONS: Final = (
    (re.compile("No space left on device"), "the card is full"),
    (re.compile(r"^ urpi : Depends: (.*?) but (.*)$", re.MULTILINE), r"it needs \1, but \2"),
    (re.compile(r"^[EW]: Failed to fetch \S+ +(.*)$", re.MULTILINE), r"no network: \1"),
    # What a package's script reports before it fails.
    (re.compile(r"^(?!dpkg)(\S.*)\ndpkg: error processing", re.MULTILINE), r"\1"),
    (re.compile(r"^E: (.*)$", re.MULTILINE), r"\1"),
)


@dataclass(frozen=True, slots=True)
class Plan:
    """What to install, and how to recognise that it works.

    Attributes:
        package: The file of the new package.
        version: Its version, as dpkg knows it.
        old: The installed version.
        page: The address of the page; empty if there is none.
        config: The service's configuration.
        journal: The service's journal.
        backup: The copy of the journal that an upgrade makes.
        within_s: The time in seconds after which the new version must be healthy.
    """

    package: str
    version: str
    old: str
    page: str
    config: str
    journal: str
    backup: str
    within_s: float


@dataclass(frozen=True, slots=True)
class Result:
    """The end of an update.

    Attributes:
        outcome: ``installed``; ``kept`` if the old version was not replaced; ``rolled-back``;
            ``failed`` if the rollback failed, too.
        version: The version that was to be installed.
        old: The version before.
        reason: Why it was not installed; empty if it was.
        ended: When, as seconds since 1970.
    """

    outcome: str
    version: str
    old: str
    reason: str
    ended: float


class StepError(Exception):
    """A step that failed; the text is the reason."""


def reason_in(output: str) -> str:
    r"""The reason in the output of apt or dpkg, in one line.

    >>> reason_in("Reading\n urpi : Depends: python3 (>= 4) but 3.11.2 is to be installed\nE: x")
    'it needs python3 (>= 4), but 3.11.2 is to be installed'
    """
    for pattern, template in _REASONS:
        if found := pattern.search(output):
            return found.expand(template).strip().rstrip(".")
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1] if lines else "no reason was reported"


def unfinished_game(listed: str) -> int | None:
    """The number of the game that is being played, None if there is none.

    Args:
        listed: The output of ``urpi games list --json``, with the newest game first.

    >>> unfinished_game('{"game": 3, "turns": 5, "finished": null}')
    3
    """
    lines = [line for line in listed.splitlines() if line.startswith("{")]
    game = json.loads(lines[0]) if lines else {}
    is_running = game.get("turns") and not game.get("finished")
    return int(game["game"]) if is_running else None


class Installer:
    """One update.

    Args:
        plan: What to install.
        folder: The folder of the updates.
    """

    def __init__(self, plan: Plan, folder: Path) -> None:
        self._plan, self._folder = plan, folder
        self._was_active = False

    def run(self) -> Result:
        """Install the release, and return how that ended."""
        try:
            # First what may fail without having changed anything: the network, the space, the copy
            # of the old version.
            self._checked(*_apt("install", "--download-only", self._plan.package))
            previous = self._repack()
            self._was_active = self._is_active()
            if self._was_active and unfinished_game(self._games("list", "--json").stdout):
                return self._result("kept", "a game has begun meanwhile")
            self._prepare_recovery(previous)
            # No game can begin, so that the copy of the journal that the upgrade makes is complete.
            _run("systemctl", "stop", SERVICE)
        except (StepError, OSError) as error:
            return self._result("kept", str(error))
        reason = self._install()
        if not reason:
            return self._result("installed", "")
        if self._installed() == ("ii", self._plan.old):
            # A script of the new package has rejected it.
            self._start()
            return self._result("kept", reason)
        return self._go_back(previous, reason)

    def resume(self) -> Result:
        """Complete the update after a power cut, or go back, and return how that ended."""
        begun = json.loads((self._folder / BEGUN).read_text("utf-8"))
        self._was_active = begun["was_active"]
        try:
            # Its files may be of two versions.
            _run("systemctl", "stop", SERVICE)
            self._checked("dpkg", *_OPTIONS, "--configure", "--pending")
            reason = self._problem(self._plan.version, self._plan.within_s)
        except StepError as error:
            reason = str(error)
        if not reason:
            return self._result("installed", "")
        return self._go_back(Path(begun["previous"]), f"interrupted by a power cut: {reason}")

    def _prepare_recovery(self, previous: Path) -> None:
        """Let the next boot resume the update, unless it has ended before."""
        begun = {"was_active": self._was_active, "previous": str(previous)}
        _write(self._folder / BEGUN, json.dumps(begun))
        _write(RECOVERY, _UNIT.format(program=__file__, folder=self._folder))
        _AT_BOOT.parent.mkdir(exist_ok=True)
        _AT_BOOT.unlink(missing_ok=True)
        _AT_BOOT.symlink_to(RECOVERY)
        os.sync()

    def _install(self) -> str:
        """Install the new version and start it; return why that failed, empty if it did not."""
        try:
            self._checked(*_apt("install", self._plan.package))
            return self._problem(self._plan.version, self._plan.within_s)
        except StepError as error:
            return str(error)

    def _go_back(self, previous: Path, reason: str) -> Result:
        """Install the previous version again, with the journal that it can read."""
        _log(f"Going back to {self._plan.old}: {reason}\n")
        try:
            _run("systemctl", "stop", SERVICE)
            self._checked(
                *("env", "URPI_ROLLBACK=1", "DEBIAN_FRONTEND=noninteractive"),
                *("dpkg", *_OPTIONS, "--install", str(previous)),
            )
            self._restore_journal()
            within_s = max(self._plan.within_s, PREVIOUS_WITHIN_S)
            problem = self._problem(self._plan.old, within_s)
        except StepError as error:
            problem = str(error)
        if problem:
            return self._result("failed", f"{reason}; the rollback failed: {problem}")
        return self._result("rolled-back", reason)

    def _restore_journal(self) -> None:
        """Restore the copy of the journal if the new version has changed the journal's tables."""
        backup = Path(self._plan.backup)
        if not Path(self._plan.journal).is_file() or not backup.is_file():
            return
        if self._games("list", "--json").returncode:
            done = self._games("restore", "--replace", str(backup))
            if done.returncode:
                raise StepError(reason_in(done.stdout))

    def _games(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """Run `urpi games` as the service's user, with the service's journal."""
        program = ("runuser", "-u", "urpi", "--", "urpi", "--config", self._plan.config, "games")
        return _run(*program, *words)

    def _problem(self, version: str, within_s: float) -> str:
        """Why the installed version is not healthy after a time in seconds, empty if it is.

        Raises:
            StepError: If its program cannot be started.
        """
        if self._installed() != ("ii", version):
            return f"dpkg has not installed {version} completely"
        self._checked("urpi", "--version")
        if not self._was_active:
            return ""
        self._start()
        return "" if self._becomes_healthy(within_s) else self._unhealthy(within_s)

    def _unhealthy(self, within_s: float) -> str:
        what = (
            "is not active"
            if not self._is_active()
            else "runs, but does not serve its page with the installed version"
        )
        return f"after {within_s:.0f} s the service {what}"

    def _becomes_healthy(self, within_s: float) -> bool:
        return stays(
            lambda: self._is_active() and self._responds(),
            HEALTHY_FOR_S,
            within_s,
            time.monotonic,
            time.sleep,
        )

    def _start(self) -> None:
        if self._was_active:
            # Without waiting: a service of type notify that never gets ready would hold this up.
            _run("systemctl", "start", "--no-block", SERVICE)

    def _is_active(self) -> bool:
        return _run("systemctl", "is-active", "--quiet", SERVICE).returncode == 0

    def _responds(self) -> bool:
        if not self._plan.page:
            return True
        process = _run("systemctl", "show", SERVICE, "--property=MainPID", "--value").stdout
        program = _run(PROGRAM, "--version").stdout.split()
        return serves(int(process or 0), self._plan.page, program[-1] if program else "")

    def _installed(self) -> tuple[str, str]:
        """Return dpkg's abbreviated state of the package, ``ii`` if it is complete, and version."""
        query = ("dpkg-query", "--show", "--showformat=${db:Status-Abbrev} ${Version}", "urpi")
        state, _, version = _run(*query).stdout.strip().partition(" ")
        return state, version.strip()

    def _repack(self) -> Path:
        """Pack the installed version as a package again, and return its path.

        The file from which it was installed may be gone, or may have been changed since.
        """
        folder = self._folder / PREVIOUS
        tree = self._folder / "tree"
        _remove(tree)
        _copy_installed(tree)
        folder.mkdir(exist_ok=True)
        file = folder / f"urpi_{self._plan.old}_all.deb"
        new = folder / "new"
        self._checked("dpkg-deb", "--root-owner-group", "--build", str(tree), str(new))
        _remove(tree)
        os.sync()
        # Only after the sync: after a power cut the name stands for the whole package.
        new.replace(file)
        # One version back is enough, and a card is small.
        for other in set(folder.iterdir()) - {file}:
            other.unlink()
        return file

    def _checked(self, *command: str) -> None:
        done = _run(*command)
        if done.returncode:
            raise StepError(reason_in(done.stdout))

    def _result(self, outcome: str, reason: str) -> Result:
        return Result(outcome, self._plan.version, self._plan.old, reason, time.time())


def serves(process: int, page: str, version: str) -> bool:
    """Whether the page at an address is that of a process, which runs a version of urpi.

    Another program may have the port; then the service runs without its page.

    Args:
        process: The number of the process.
        page: The address of the page.
        version: The version, as in ``urpi.__version__``.
    """
    address = urlsplit(page)
    connection = HTTPConnection(address.hostname or "", address.port, timeout=_RESPONSE_S)
    try:
        connection.request("GET", "/api/openapi.json")
        # Until its answer is read, the other end keeps the connection open.
        response = connection.getresponse()
        is_own = _other_end(connection) & _sockets_of(process)
        return bool(is_own) and json.loads(response.read())["info"]["version"] == version
    except (OSError, HTTPException, ValueError, TypeError, LookupError):
        return False
    finally:
        connection.close()


def _other_end(connection: HTTPConnection) -> set[str]:
    """The inodes of the sockets at the other end of a connection to this machine."""
    ports = [
        f":{place[1]:04X}"
        for place in (connection.sock.getpeername(), connection.sock.getsockname())
    ]
    inodes = set()
    for table in ("tcp", "tcp6"):
        # The kernel may have no IPv6.
        file = Path("/proc/net", table)
        for line in file.read_text("ascii").splitlines()[1:] if file.exists() else ():
            _, local, remote, *others = line.split()
            if [local[-5:], remote[-5:]] == ports:
                inodes.add(others[6])
    return inodes


def _sockets_of(process: int) -> set[str]:
    """The inodes of the sockets that a process has opened."""
    found = set()
    for name in os.listdir(f"/proc/{process}/fd"):
        try:
            target = os.readlink(f"/proc/{process}/fd/{name}")
        except FileNotFoundError:
            # Closed meanwhile.
            continue
        if target.startswith("socket:["):
            found.add(target[8:-1])
    return found


def stays(
    holds: Callable[[], bool],
    for_s: float,
    within_s: float,
    clock: Callable[[], float],
    sleep: Callable[[float], None],
) -> bool:
    """Whether a condition holds without interruption.

    Args:
        holds: The condition.
        for_s: How long it has to hold, in seconds.
        within_s: The time after which it must have done so, in seconds.
        clock: Returns the time in seconds.
        sleep: Waits for that many seconds.
    """
    end = clock() + within_s
    since: float | None = None
    while (now := clock()) < end:
        if not holds():
            since = None
        elif since is None:
            since = now
        elif now - since >= for_s:
            return True
        sleep(_POLL_S)
    return False


def _copy_installed(tree: Path) -> None:
    """Copy the installed package's files, with its control file and scripts, to a folder."""
    control = tree / "DEBIAN"
    control.mkdir(parents=True, mode=0o755)
    tree.chmod(0o755)
    listed = Path("/var/lib/dpkg/info/urpi.list").read_text("utf-8").splitlines()
    for path in (Path(line) for line in listed if line != "/."):
        copy = tree / path.relative_to("/")
        if path.is_dir() and not path.is_symlink():
            copy.mkdir(exist_ok=True)
            copy.chmod(0o755)
        elif path.exists():
            shutil.copy2(DEFAULT_CONFIG if path == CONFIG else path, copy)
            copy.chmod(0o755 if os.access(path, os.X_OK) else 0o644)
    info = Path("/var/lib/dpkg/info")
    for name in ("preinst", "postinst", "prerm", "postrm", "conffiles", "md5sums"):
        if (info / f"urpi.{name}").is_file():
            shutil.copy(info / f"urpi.{name}", control / name)
    text = _run("dpkg-query", "--status", "urpi").stdout
    # dpkg's own fields of an installed package; a line that begins with a space continues a field.
    own = re.compile(r"^(Status|Conffiles|Config-Version):.*\n(?: .*\n)*", re.MULTILINE)
    (control / "control").write_text(own.sub("", f"{text.strip()}\n"), "utf-8")


def _apt(*words: str) -> Sequence[str]:
    options = (word for option in _OPTIONS for word in ("-o", f"Dpkg::Options::={option}"))
    lock = ("-o", "DPkg::Lock::Timeout=120")
    return ("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--yes", *lock, *options, *words)


def _run(*command: str) -> "subprocess.CompletedProcess[str]":
    """Run a command, print it with its output for the log, and return both streams as one.

    Raises:
        StepError: If it cannot be started, or takes too long.
    """
    _log(f"$ {' '.join(command)}\n")
    try:
        done = subprocess.run(  # noqa: S603 - no shell
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            # `_REASONS` match the English messages of apt and dpkg.
            env={**os.environ, "LC_ALL": "C.UTF-8"},
            text=True,
            errors="replace",
            timeout=_COMMAND_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        message = f"`{' '.join(command)}`: {error}"
        raise StepError(message) from error
    _log(done.stdout)
    return done


def _log(text: str) -> None:
    """Write to the log of the unit."""
    sys.stdout.write(text)
    sys.stdout.flush()


def _remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)


def main() -> None:
    """Execute the plan in the folder, and write the result there."""
    folder = Path(sys.argv[1])
    plan = Plan(**json.loads((folder / PLAN).read_text("utf-8")))
    installer = Installer(plan, folder)
    result = installer.resume() if "--resume" in sys.argv else installer.run()
    _write(folder / RESULT, json.dumps(asdict(result)))
    # What dpkg has written must be on the card before nothing repairs it any more.
    os.sync()
    for path in (_AT_BOOT, RECOVERY, folder / BEGUN):
        path.unlink(missing_ok=True)
    _log(f"{result}\n")


def _write(path: Path, text: str) -> None:
    """Replace a file at once."""
    new = path.with_name(f"{path.name}.new")
    new.write_text(text, "utf-8")
    new.replace(path)


if __name__ == "__main__":
    main()
