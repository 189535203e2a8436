"""The package on Debian 12 and 13, from its installation with apt to its purge.

The machines are root directories with systemd, fresh from the mirror, without a network.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.booted import COMMAND_POLL_S, BootedRoot, wait_until
from tests.deb.conftest import (
    APT_S,
    CONFIG,
    OLDER,
    Machine,
    Packages,
    apt,
    check_apt,
    make_pi,
    put,
)
from tests.deb.roots import ROOT
from urpi import __version__
from urpi.journal.migrations import newest_version

READY_S: Final = 180.0
PAGE: Final = "http://127.0.0.1:8011"
JOURNAL: Final = "/var/lib/urpi/journal.db"
BACKUP: Final = "/var/lib/urpi/before-upgrade.db"
RECORD: Final = "/srv/game.txt"
CHANGING: Final = (
    *("/dev/", "/proc/", "/run/", "/sys/", "/tmp/", "/was/", "/srv/"),
    *("/var/cache/", "/var/log/", "/var/lib/apt/", "/var/lib/dpkg/", "/var/lib/systemd/"),
    *("/var/tmp/", "/var/backups/", "/var/.updated", "/etc/.updated", "/etc/ld.so.cache"),
)
"""Folders in which the system itself writes: its own lists, caches and logs."""
FETCH: Final = "import urllib.request as r, sys; print(r.urlopen(sys.argv[1]).read().decode())"
FETCH_ONCE_SERVED: Final = f"""
import sys, time, urllib.request
until = time.monotonic() + {READY_S}
for path in ("/", "/api/state"):
    while True:
        try:
            print(urllib.request.urlopen(sys.argv[1] + path).read().decode())
            break
        except OSError:
            assert time.monotonic() < until
            time.sleep(0.1)
"""
"""Prints the page and its state when it is served; one program waits, as each start takes long."""


def check_rejected(machine: BootedRoot, sentence: str, *arguments: str) -> None:
    """Check that apt fails with that sentence in one line, and that the older version runs."""
    before = installed(machine)
    done = apt(machine, "install", *arguments)
    output = done.stdout + done.stderr
    assert done.returncode != 0, output
    assert sum(sentence in line for line in output.splitlines()) == 1, output
    assert "Traceback" not in output
    assert installed(machine) == before
    assert machine.output_of("urpi", "--version") == f"urpi, version {before}"


def installed(machine: BootedRoot) -> str:
    return machine.output_of("dpkg-query", "--show", "--showformat=${Version}", "urpi")


def is_active(machine: BootedRoot) -> bool:
    return machine.output_of("systemctl", "is-active", "urpi") == "active"


def check_service(machine: BootedRoot, version: str) -> None:
    """Check that the service runs that version, as its own user, and serves its page."""
    wait_until(lambda: is_active(machine), READY_S, "the service is active", COMMAND_POLL_S)
    assert installed(machine) == version
    assert machine.output_of("urpi", "--version") == f"urpi, version {version}"
    assert machine.output_of("systemctl", "is-enabled", "urpi") == "enabled"
    process = machine.output_of("systemctl", "show", "urpi", "--property=MainPID", "--value")
    assert machine.output_of("stat", "--format=%U", f"/proc/{process}") == "urpi"
    # The page is opened after the board, which is when the service is active.
    page, _, state = machine.output_of("python3", "-c", FETCH_ONCE_SERVED, PAGE).rpartition("\n{")
    assert "<title>" in page
    assert '"table": "board"' in state.replace('":"', '": "'), state[:200]


def check_system_tools(machine: BootedRoot) -> None:
    """Check what the system must have programs for: the manual, and the command for the service."""
    assert "/usr/share/man/man1/urpi.1.gz" in machine.output_of("man", "--where", "urpi")
    status = machine.run("urpi", "service", "status")
    assert (status.returncode, status.stderr) == (0, "")
    assert status.stdout.count(": installed (") == 3, status.stdout
    refused = machine.run("urpi", "service", "install")
    assert refused.returncode == 2
    assert "The Debian package urpi has installed the service" in refused.stderr


def check_tools(machine: Machine) -> None:
    """Check what comes with the program: completion and diagnosis."""
    shell = ("env", "_URPI_COMPLETE=bash_complete", "COMP_WORDS=urpi dem", "COMP_CWORD=1", "urpi")
    assert machine.output_of(*shell) == "plain,demo"
    doctor = ("urpi", "doctor")
    found = machine.output_of(*doctor).splitlines()
    libraries = [line for line in found if line[6:].startswith(("python", "libraries"))]
    assert len(libraries) >= 6
    assert [line for line in libraries if not line.startswith("ok ")] == []
    assert "pip install" not in machine.output_of("env", "URPI_GPIO_FACTORY=lgpio", *doctor)
    check_bluetooth(machine)


def check_bluetooth(machine: Machine) -> None:
    """Check that only the adapter, which this machine lacks, is missing for dice with Bluetooth."""
    machine.output_of(
        "sh", "-c", "printf '[dice]\\nsource = \"bluetooth\"\\n' > /tmp/bluetooth.toml"
    )
    urpi = ("urpi", "--config", "/tmp/bluetooth.toml")
    found = machine.output_of(*urpi, "doctor")
    assert re.search(r"^ok .*\bbleak \d", found, re.MULTILINE), found
    assert "there is no Bluetooth adapter" in found
    paired = machine.run(*urpi, "dice", "pair")
    assert (paired.returncode, paired.stderr.count("\n")) == (2, 1), paired.stderr
    assert "bluetooth" in paired.stderr.lower()
    assert "bleak" not in paired.stderr


def check_whole_game(machine: Machine) -> str:
    """Check that simulated players play a whole game, which is stored, and return its record."""
    urpi = ("runuser", "-u", "urpi", "--", "urpi")
    game = ("demo", "--auto", "--speed", "0", "--option", "pieces=3", "--seed", "3")
    played = machine.output_of(*urpi, *game, "--journal", "/tmp/a.db")
    assert '[Result "light"]' in played or '[Result "dark"]' in played, played[-500:]
    stored = machine.output_of(*urpi, "games", "--journal", "/tmp/a.db", "export", "1")
    assert stored.startswith("[Rules "), stored
    assert stored in played, stored
    return stored


def check_rejections(machine: BootedRoot, newer: Path) -> None:
    """Check that an upgrade that cannot succeed leaves the older version running."""
    whole = put(machine, newer)
    broken = machine.root / "srv/truncated.deb"
    broken.write_bytes(newer.read_bytes()[: newer.stat().st_size // 2])
    assert apt(machine, "install", "/srv/truncated.deb").returncode != 0
    check_service(machine, OLDER)

    with stopped(machine) as change:
        change("PRAGMA user_version = 99")
        check_rejected(machine, "its version is 99, and this program supports versions", whole)
        change(f"PRAGMA user_version = {newest_version()}")
    check_service(machine, OLDER)

    machine.output_of("sh", "-c", "cp -a /var/lib/urpi /srv/state")
    size = machine.output_of("stat", "--format=%s", JOURNAL)
    mounted = f"mount -t tmpfs -o size=$(({size} + 65536)) full /var/lib/urpi"
    copied = "systemctl stop urpi && cp -a /srv/state/. /var/lib/urpi/ && chown urpi: /var/lib/urpi"
    done = machine.run("sh", "-c", f"systemctl stop urpi && {mounted} && {copied}")
    assert done.returncode == 0, done.stderr
    check_rejected(machine, "The journal could not be backed up to", whole)
    machine.run("sh", "-c", "systemctl stop urpi; umount /var/lib/urpi; systemctl start urpi")
    check_service(machine, OLDER)
    assert machine.run("test", "-e", BACKUP).returncode == 1


class stopped:  # noqa: N801 - used as a function
    """The service stopped; statements that change its journal can be executed."""

    def __init__(self, machine: BootedRoot) -> None:
        self._machine = machine

    def __enter__(self) -> Callable[[str], str]:
        self._machine.output_of("systemctl", "stop", "urpi")
        return self._execute

    def __exit__(self, *_: object) -> None:
        self._machine.output_of("systemctl", "restart", "urpi")

    def _execute(self, statement: str) -> str:
        code = f"import sqlite3; print(*sqlite3.connect({JOURNAL!r}).execute({statement!r}))"
        return self._machine.output_of("runuser", "-u", "urpi", "--", "python3", "-c", code)


def make_older_journal(machine: BootedRoot) -> None:
    """Replace the journal by one of the last older version of the tables."""
    code = (
        "import sys, sqlite3; sys.path.insert(0, '/usr/share/urpi')\n"
        "from urpi.journal.schema import migrate\n"
        "from urpi.journal.migrations import MIGRATIONS\n"
        f"db = sqlite3.connect({JOURNAL!r}, isolation_level=None)\n"
        "migrate(db, MIGRATIONS[:-1])\n"
    )
    machine.output_of("sh", "-c", f"rm -f {JOURNAL}*")
    assert machine.output_of("runuser", "-u", "urpi", "--", "python3", "-c", code) == ""


def check_return(machine: BootedRoot, older: str) -> None:
    """Check that the page's commands go back to the older version, with its own journal."""
    page = (ROOT / "docs/install/index.md").read_text("utf-8")
    (row,) = (line for line in page.splitlines() if line.startswith("| go back to an older"))
    commands = [found for found in re.findall("`([^`]+)`", row) if found.startswith("sudo")]
    assert len(commands) == 5
    for command in commands:
        done = machine.run("sh", "-c", command.replace("FILE", older), within_s=APT_S)
        assert done.returncode == 0, done.stdout + done.stderr
    check_service(machine, OLDER)


def listed(machine: Machine) -> list[str]:
    """Return the lines of ended games: one without a throw begins anew with the service."""
    games = machine.output_of("runuser", "-u", "urpi", "--", "urpi", "games", "list", "--virtual")
    return re.findall(r"^.*finkel\[pieces=3\].*\w$", games, re.MULTILINE)


def files(machine: Machine) -> set[str]:
    """Return the paths of all files and folders except those that the system itself changes."""
    found = machine.output_of("find", "/", "-xdev").splitlines()
    return {path for path in found if not f"{path}/".startswith(CHANGING)}


def test_install_upgrade_remove_and_purge(
    with_dependencies: BootedRoot, packages: Packages
) -> None:
    machine = with_dependencies
    without = files(machine)
    older, newer = put(machine, packages.older), put(machine, packages.newer)
    check_apt(machine, "install", older)
    assert machine.output_of("systemctl", "is-enabled", "urpi") == "enabled"
    assert machine.output_of("systemctl", "is-active", "urpi") == "inactive", "this is no Pi"
    make_pi(machine)
    check_service(machine, OLDER)
    check_system_tools(machine)
    check_tools(machine)
    (machine.root / RECORD.lstrip("/")).write_text(check_whole_game(machine), "utf-8")
    check_rejections(machine, packages.newer)

    machine.output_of("systemctl", "stop", "urpi")
    make_older_journal(machine)
    check_apt(machine, "install", newer)
    check_service(machine, __version__)
    assert 'language = "hu"' in machine.output_of("cat", CONFIG)
    with stopped(machine) as query:
        assert query("PRAGMA user_version") == f"({newest_version()},)"
    assert machine.output_of("stat", "--format=%U", BACKUP) == "urpi"

    sentence = f"urpi {__version__} is installed, whose journal urpi {OLDER} may not"
    check_rejected(machine, sentence, "--allow-downgrades", older)
    check_service(machine, __version__)
    check_return(machine, older)
    check_apt(machine, "install", newer)
    check_service(machine, __version__)

    machine.output_of("runuser", "-u", "urpi", "--", "urpi", "games", "import", RECORD)
    games = listed(machine)
    assert len(games) == 1, games
    check_apt(machine, "remove", "urpi")
    assert machine.run("test", "-e", "/usr/share/urpi").returncode == 1
    assert not is_active(machine)
    assert 'language = "hu"' in machine.output_of("cat", CONFIG)
    check_apt(machine, "install", newer)
    check_service(machine, __version__)
    assert listed(machine) == games

    machine.output_of("rm", "-r", "/etc/systemd/system/urpi.service.d")
    check_apt(machine, "purge", "urpi")
    assert files(machine) ^ without == set()
