"""The package urpi-club on Debian 12 and 13: a club from its installation to its purge."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.booted import COMMAND_POLL_S, BootedRoot, wait_until
from tests.deb.conftest import APT_S, Packages, check_apt, folder_of_root, put
from tests.deb.roots import unpacked
from tests.deb.test_club_page import DOWNLOADED, commands, section
from tests.deb.test_install_page import add_user, as_user, execute
from urpi import __version__

HOST: Final = "club.example.org"
HEALTH: Final = """
import sys, urllib.request
print(urllib.request.urlopen("http://127.0.0.1:8032/api/health").status)
"""
STATE: Final = r"""
find /etc/mosquitto /etc/urpi-club /var/lib/urpi-club -printf '%p %m %u:%g ' \
    \( -type f -printf '%s %T@\n' -o -printf '\n' \) 2>/dev/null
systemctl is-active mosquitto urpi-club urpi-club-backup.timer
cd / && runuser -u postgres -- psql -At \
    -c "SELECT rolname FROM pg_roles UNION ALL SELECT datname FROM pg_database ORDER BY 1"
"""
"""What an installation may change: files with their rights, services, roles and databases."""
GAMES: Final = "sudo -u urpi-club psql -At urpi-club -c 'SELECT verdict, key FROM histories'"
VERIFIED_S: Final = 600


@pytest.fixture
def machine(suite: str, tmp_path: Path, packages: Packages) -> Iterator[BootedRoot]:
    """Yield a booted machine, with the packages and what they depend on in folders."""
    with folder_of_root(tmp_path) as root:
        found = unpacked(suite, root, downloaded=DOWNLOADED)
        (root / "etc/apt/apt.conf.d/yes").write_text('APT::Get::Assume-Yes "true";\n')
        with found.running():
            put(found, packages.newer)
            put(found, packages.club)
            with (root / "etc/hosts").open("a") as hosts:
                hosts.write(f"127.0.0.1 localhost {HOST}\n127.0.1.1 board\n")
            add_user(found, "pi")
            yield found


def state(machine: BootedRoot) -> list[str]:
    return sorted(machine.run("sh", "-c", STATE).stdout.splitlines())


def check_nothing_happens(machine: BootedRoot, command: str, *parts: str) -> None:
    """Check that a command prints one line with these parts, and changes nothing."""
    before = state(machine)
    done = as_user(machine, "pi", command)
    assert (done.returncode, done.stdout) == (2, ""), (command, done)
    assert done.stderr.count("\n") == 1, done.stderr
    assert all(part in done.stderr for part in parts), done.stderr
    assert state(machine) == before, command


@contextmanager
def having(machine: BootedRoot, first: str, last: str) -> Iterator[None]:
    """Have something in the club's way."""
    execute(machine, f"set -e\n{first}")
    yield
    execute(machine, f"set -e\n{last}")


def check_obstacles(machine: BootedRoot, install: str) -> None:
    check_nothing_happens(machine, install.removeprefix("sudo "), "requires root")
    busy = "sudo systemd-run --quiet --unit=busy python3 -m http.server 8883"
    with having(machine, busy, "sudo systemctl stop busy"):
        listening = lambda: ":8883" in machine.output_of("ss", "-Hltn")  # noqa: E731
        wait_until(listening, APT_S, "the other program", COMMAND_POLL_S)
        check_nothing_happens(machine, install, "Port 8883 is taken by python3")
    other = "/etc/mosquitto/conf.d/other.conf"
    with having(machine, f"echo listener 1884 | sudo tee {other}", f"sudo rm {other}"):
        check_nothing_happens(machine, install, f"{other}, line 1", "`listener`")
    small = "sudo mkdir /var/lib/urpi-club; sudo mount -t tmpfs -o size=1m full /var/lib/urpi-club"
    with having(machine, small, "sudo umount /var/lib/urpi-club; sudo rmdir /var/lib/urpi-club"):
        check_nothing_happens(machine, install, "/var/lib/urpi-club has 1 MB free")
    postgres = "cd /; sudo -u postgres"
    with having(machine, f"{postgres} createdb urpi-club", f"{postgres} dropdb urpi-club"):
        check_nothing_happens(machine, install, "PostgreSQL has a role or a database urpi-club")
    # The last step fails, when everything else is done.
    mask = "sudo systemctl mask --runtime urpi-club", "sudo systemctl unmask --runtime urpi-club"
    with having(machine, *mask):
        check_nothing_happens(machine, install, "urpi-club.service is masked")


def check_rights(machine: BootedRoot) -> None:
    """Check who may read what, and that the club runs as its own user."""
    folder = "/etc/mosquitto/urpi"
    secret = {
        "club.password": "urpi-club",
        "passwords": "mosquitto",
        "acl": "mosquitto",
        "server.key": "mosquitto",
        "ca.key": None,
        "lisbon-2.password": None,
    }
    for name, reader in secret.items():
        for user in ("urpi-club", "mosquitto", "urpi", "pi"):
            done = machine.run("runuser", "-u", user, "--", "test", "-r", f"{folder}/{name}")
            assert (done.returncode == 0) == (user == reader), (name, user)
    process = machine.output_of("systemctl", "show", "urpi-club", "--property=MainPID", "--value")
    assert machine.output_of("stat", "--format=%U", f"/proc/{process}") == "urpi-club"
    # Other users of the machine may not connect to the database, and the club may not create any.
    refused = as_user(machine, "pi", "cd /; sudo -u urpi psql urpi-club")
    assert 'role "urpi" does not exist' in refused.stderr
    role = "SELECT rolsuper OR rolcreatedb OR rolcreaterole FROM pg_roles WHERE rolname='urpi-club'"
    assert execute(machine, f'sudo -u urpi-club psql -At urpi-club -c "{role}"') == "f\n"


def check_health(machine: BootedRoot) -> None:
    works = lambda: machine.run("python3", "-c", HEALTH).returncode == 0  # noqa: E731
    wait_until(works, APT_S, "the club is healthy", COMMAND_POLL_S)


def play(machine: BootedRoot, printed: str) -> str:
    """Connect a table with the printed line, store a game, and return the row of the club."""
    pattern = rf"^(urpi club join {HOST} lisbon-2 .*)  # Password: (.+)$"
    (line,) = re.findall(pattern, printed, re.MULTILINE)
    execute(machine, "mkdir -p ~/.config/urpi && touch ~/.config/urpi/config.toml")
    joined = execute(
        machine, f"cd && cp /etc/mosquitto/urpi/ca.crt . && echo {line[1]} | {line[0]}"
    )
    assert "is stored" in joined
    game = "urpi demo --auto --speed 0 --option pieces=3 --seed 3 --journal ~/games.db"
    execute(machine, game)
    unit = "sudo systemd-run --quiet --unit=table --uid=pi --setenv=HOME=/home/pi"
    execute(machine, f"{unit} urpi demo --journal /home/pi/games.db")
    verified: Callable[[], bool] = lambda: "verified|" in execute(machine, GAMES)  # noqa: E731
    wait_until(verified, VERIFIED_S, "the club has verified the game", COMMAND_POLL_S)
    execute(machine, "sudo systemctl stop table")
    (row,) = (one for one in execute(machine, GAMES).splitlines() if one.startswith("verified|"))
    return row


def backups(machine: BootedRoot) -> list[str]:
    return execute(machine, "sudo ls /var/lib/urpi-club/backups").split()


def check_restore(machine: BootedRoot, row: str) -> None:
    """Lose the database, and follow the page's commands to get it back."""
    assert machine.output_of("systemctl", "is-active", "urpi-club-backup.timer") == "active"
    # What the timer starts at night.
    execute(machine, "sudo systemctl start urpi-club-backup")
    (newest,) = backups(machine)
    users = execute(machine, "sudo urpi-club user list")
    execute(machine, "sudo systemctl stop urpi-club && cd / && sudo -u postgres dropdb urpi-club")
    (block,) = (one for one in commands(section("### Backups")) if "urpi-club restore" in one)
    execute(machine, f"set -e\n{block}".replace("FILE", f"/var/lib/urpi-club/backups/{newest}"))
    assert row in execute(machine, GAMES).splitlines()
    assert execute(machine, "sudo urpi-club user list") == users
    check_health(machine)


def process_of(machine: BootedRoot) -> str:
    return machine.output_of("systemctl", "show", "urpi-club", "--property=MainPID", "--value")


def test_a_club_from_its_installation_to_its_purge(machine: BootedRoot) -> None:
    packaged, install = commands(section("## Install a club"))[:2]
    execute(machine, packaged.strip().replace("VERSION", __version__))
    assert machine.output_of("systemctl", "is-active", "urpi-club") == "inactive"
    before = state(machine)
    check_obstacles(machine, install.strip())
    printed = execute(machine, install.strip())
    assert re.search(r"The first user is arbiter, with the password \S{16}, ", printed), printed
    check_rights(machine)
    check_health(machine)

    installed, process = state(machine), process_of(machine)
    assert "already" in execute(machine, install.strip())
    assert (state(machine), process_of(machine)) == (installed, process)
    check_nothing_happens(machine, "sudo urpi club install other.example.org", "is not for other")

    row = play(machine, printed)
    check_restore(machine, row)

    # An update of urpi alone, whose program the club runs.
    process, kept = process_of(machine), backups(machine)
    execute(machine, f"sudo dpkg --install urpi_{__version__}_all.deb")
    assert machine.output_of("systemctl", "is-active", "urpi-club") == "active"
    assert process_of(machine) != process
    assert len(backups(machine)) == len(kept) + 1
    check_health(machine)

    check_apt(machine, "remove", "urpi-club")
    assert machine.output_of("systemctl", "is-active", "urpi-club") == "inactive"
    check_apt(machine, "install", f"/srv/urpi-club_{__version__}_all.deb")
    check_health(machine)
    assert row in execute(machine, GAMES).splitlines()

    check_apt(machine, "purge", "urpi-club")
    without_times = [
        [re.sub(r" [\d.]+$", "", one) for one in found] for found in (before, state(machine))
    ]
    assert without_times[0] == without_times[1]
