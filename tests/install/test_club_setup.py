"""`urpi club install` below a folder, with a machine that answers its commands.

The real programs are in tests/deb/test_club_package.py.
"""

import re
import shutil
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from urpi.cli.club_install import report
from urpi.core.errors import UrpiError
from urpi.install import club_obstacles
from urpi.install.club_obstacles import Plan
from urpi.install.club_setup import set_up
from urpi.install.club_units import KEPT_BACKUPS, package_files
from urpi.install.systemd import packaged_files

ROOT = Path(__file__).parents[2]
PLAN = Plan("club.example.org", ("lisbon-2", "porto-1"))
MOSQUITTO_CONF = """\
# Debian's own
persistence true
persistence_location /var/lib/mosquitto/
log_dest file /var/log/mosquitto/mosquitto.log
include_dir /etc/mosquitto/conf.d
"""


class Machine:
    """A machine with the package: its folder, roles and databases, users of the page, services.

    A command that contains `broken` fails.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        for path, text in package_files().items():
            self.write(str(path), text)
        self.write("/etc/mosquitto/mosquitto.conf", MOSQUITTO_CONF)
        (root / "etc/mosquitto/conf.d").mkdir()
        self.roles, self.databases = {"postgres"}, {"postgres"}
        self.users: list[str] = []
        self.running = {"mosquitto"}
        self.ports: dict[str, str] = {"1883": "mosquitto"}
        self.restarts: list[str] = []
        self.broken = "\0"
        self.strict_openssl = False

    def write(self, path: str, text: str) -> None:
        file = self.root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def run(self, command: Sequence[str], text: str = "") -> str:
        words = " ".join(command)
        if self.broken in words:
            message = f"`{words}` failed."
            raise UrpiError(message)
        match [*command]:
            case ["ss", *_, port] if (number := port.rpartition(":")[2]) in self.ports:
                return f'LISTEN 0 9 *:{number} *:* users:(("{self.ports[number]}",pid=7,fd=3))\n'
            case ["openssl", *_]:
                return self._openssl(command)
            case ["systemctl", action, *units]:
                self.restarts += [f"{action} {unit}" for unit in units]
                self.running -= set(units) if action == "stop" else set()
            case ["timeout", _, "systemctl", "start", *units]:
                self.running |= set(units)
            case ["runuser", "-u", "postgres", "--", program, *options]:
                return self._postgresql(program, options)
            case ["runuser", "-u", "urpi-club", *_, "list", "--json"]:
                return "".join(f'{{"name": "{name}"}}\n' for name in self.users)
            case ["runuser", "-u", "urpi-club", *_, "add", name, "--role", "admin"]:
                assert len(text.strip()) == 16
                self.users.append(name)
        return ""

    def _openssl(self, command: Sequence[str]) -> str:
        if "-noout" in command:
            is_right = command[-1] == "club.example.org"
            found = f"Hostname {command[-1]} does{'' if is_right else ' NOT'} match certificate\n"
            if self.strict_openssl and not is_right:
                raise UrpiError(found)
            return found
        for option in ("-keyout", "-out"):
            if option in command:
                Path(command[command.index(option) + 1]).write_text("PEM\n")
        return ""

    def _postgresql(self, program: str, options: Sequence[str]) -> str:
        of = self.roles if program.endswith("user") else self.databases
        if program.startswith("create"):
            assert options[-1] not in of
            of.add(options[-1])
        elif program.startswith("drop"):
            of.discard(options[-1])
        elif options[-1].startswith("SELECT"):
            rows = [f"role|{one}" for one in self.roles]
            return "\n".join([*rows, *(f"database|{one}" for one in self.databases)])
        return ""

    def state(self) -> object:
        files = {
            str(path): path.readlink() if path.is_symlink() else path.read_bytes()
            for path in self.root.rglob("*")
            if path.is_symlink() or path.is_file()
        }
        folders = {str(path) for path in self.root.rglob("*") if path.is_dir()}
        return files, folders, {*self.roles}, {*self.databases}, {*self.running}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def install(machine: Machine, plan: Plan = PLAN) -> list[str]:
    return report(plan, "arbiter", set_up(plan, "arbiter", machine.root, machine.run))


def test_a_club_is_set_up_and_each_table_is_told_how_to_connect(machine: Machine) -> None:
    printed = "\n".join(install(machine))
    assert re.search(
        r"^The first user is arbiter, with the password \S{16}, ", printed, re.MULTILINE
    )
    for table in PLAN.tables:
        password = (machine.root / f"etc/mosquitto/urpi/{table}.password").read_text().strip()
        line = f"urpi club join club.example.org {table} --ca-file ca.crt  # Password: {password}"
        assert line in printed.splitlines()
    assert machine.users == ["arbiter"]
    assert {"urpi-club.service", "urpi-club-backup.timer"} <= machine.running
    config = tomllib.loads((machine.root / "etc/urpi-club/config.toml").read_text())
    assert config["club_server"]["database"] == "postgresql:///urpi-club"
    conf = machine.root / "etc/mosquitto/conf.d"
    assert "\nlistener 8883\n" in (conf / "urpi-club-listeners.conf").read_text()
    assert str((conf / "urpi-club.conf").readlink()) == "/etc/mosquitto/urpi/mosquitto.conf"


def test_a_second_run_changes_nothing(machine: Machine) -> None:
    install(machine)
    before, machine.restarts = machine.state(), []
    assert install(machine) == ["The club is installed already, with these tables."]
    assert machine.state() == before
    assert [one for one in machine.restarts if not one.startswith("start")] == []


def test_a_further_table_keeps_the_others_and_what_the_owner_has_changed(machine: Machine) -> None:
    install(machine)
    listeners = machine.root / "etc/mosquitto/conf.d/urpi-club-listeners.conf"
    listeners.write_text(listeners.read_text().replace("8883", "8884"))
    password = machine.root / "etc/mosquitto/urpi/lisbon-2.password"
    known, machine.restarts = password.read_text(), []
    (about, line) = install(machine, Plan("club.example.org", ("paris",)))
    assert "ca.crt" in about
    assert line.startswith("urpi club join club.example.org paris --ca-file ca.crt  # Password: ")
    acl = (machine.root / "etc/mosquitto/urpi/acl").read_text()
    assert [f"user {table}\n" in acl for table in ("lisbon-2", "porto-1", "paris")] == [True] * 3
    assert password.read_text() == known
    assert "listener 8884\n" in listeners.read_text()
    # Which does not interrupt the other tables.
    assert "reload mosquitto" in machine.restarts
    assert "restart mosquitto" not in machine.restarts


def test_a_lost_database_is_created_again(machine: Machine) -> None:
    install(machine)
    machine.databases.discard("urpi-club")
    machine.users.clear()
    (line,) = install(machine)
    assert line.startswith("The first user is arbiter, with the password ")
    assert "urpi-club" in machine.databases


@pytest.mark.parametrize(
    "broken",
    [
        *("createuser", "createdb", "REVOKE", "openssl req", "openssl x509", "chown"),
        *("restart mosquitto", "user list", "user add", "systemctl start"),
    ],
)
def test_a_step_that_fails_leaves_the_machine_as_it_was(machine: Machine, broken: str) -> None:
    before, machine.broken = machine.state(), broken
    with pytest.raises(UrpiError, match=re.escape(broken)):
        install(machine)
    machine.broken = "\0"
    assert machine.state() == before
    install(machine)


@pytest.mark.parametrize("broken", ["reload mosquitto", "user list", "systemctl start"])
def test_a_failed_second_run_leaves_the_club_as_it_was(machine: Machine, broken: str) -> None:
    install(machine)
    before, machine.broken = machine.state(), broken
    with pytest.raises(UrpiError, match=broken):
        install(machine, Plan("club.example.org", ("paris",)))
    assert machine.state() == before


@pytest.mark.parametrize(
    ("file", "text", "error"),
    [
        ("mosquitto.conf", MOSQUITTO_CONF + "listener 1883\n", r"line 6: `listener` shows"),
        ("conf.d/home.conf", "allow_anonymous true\n", r"home\.conf, line 1: `allow_anonymous`"),
        ("conf.d/bridge.conf", "\n# To it\nconnection other\n", r"line 3: `connection`"),
        ("urpi/acl", "user club\n", "set up by hand"),
    ],
)
def test_another_broker_is_left_alone(machine: Machine, file: str, text: str, error: str) -> None:
    machine.write(f"/etc/mosquitto/{file}", text)
    before = machine.state()
    with pytest.raises(UrpiError, match=error):
        install(machine)
    assert machine.state() == before


@pytest.mark.parametrize(
    ("port", "program"), [("8883", "nginx"), ("1883", "emqx"), ("8032", "python3")]
)
def test_a_port_of_another_program_is_named(machine: Machine, port: str, program: str) -> None:
    machine.ports[port] = program
    before = machine.state()
    with pytest.raises(UrpiError, match=f"Port {port} is taken by {program}"):
        install(machine)
    assert machine.state() == before


@pytest.mark.parametrize("of", ["roles", "databases"])
def test_a_database_of_that_name_is_left_alone(machine: Machine, of: str) -> None:
    getattr(machine, of).add("urpi-club")
    before = machine.state()
    with pytest.raises(UrpiError, match="a role or a database urpi-club already"):
        install(machine)
    assert machine.state() == before


def test_too_little_space_is_noticed_before(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = machine.state()
    monkeypatch.setattr(club_obstacles, "SPACE", shutil.disk_usage(machine.root).total + 1)
    with pytest.raises(UrpiError, match=r"etc has \d+ MB free, and a club needs \d+ MB"):
        install(machine)
    assert machine.state() == before


def test_a_machine_without_the_package_or_with_a_unit_by_hand_is_refused(machine: Machine) -> None:
    own = machine.root / "etc/systemd/system/urpi-club.service"
    own.parent.mkdir(parents=True)
    own.touch()
    with pytest.raises(UrpiError, match="set up by hand"):
        install(machine)
    own.unlink()
    (machine.root / "usr/lib/systemd/system/urpi-club.service").unlink()
    with pytest.raises(UrpiError, match="The Debian package urpi-club is not installed"):
        install(machine)


@pytest.mark.parametrize("strict", [False, True], ids=["3.0", "3.5"])
def test_another_host_than_that_of_the_certificate_is_refused(
    machine: Machine, strict: bool
) -> None:
    machine.strict_openssl = strict
    install(machine)
    before = machine.state()
    with pytest.raises(UrpiError, match=r"is not for other\.example\.org"):
        install(machine, Plan("other.example.org"))
    assert machine.state() == before


def test_the_units_may_do_no_more_than_the_referee_s() -> None:
    forbidden = {"NoNewPrivileges=yes", "CapabilityBoundingSet=", "ProtectSystem=strict"}
    (referee,) = (file.text for file in packaged_files() if file.path.suffix == ".service")
    limits = {
        line
        for line in referee.splitlines()
        if line.startswith(("Protect", "Restrict", "SystemCall", "Lock", "NoNew", "Capability"))
        and line != "RestartSec=100ms"
    }
    assert forbidden <= limits
    services = [text for path, text in package_files().items() if path.suffix == ".service"]
    assert len(services) == 2
    for text in services:
        assert limits <= set(text.splitlines())
        assert "\nUser=urpi-club\n" in text
    postinst = (ROOT / "tools/deb/debian/urpi-club.postinst").read_text("utf-8")
    kept = re.findall(r"--keep (\d+) /var/lib/urpi-club/backups", "".join((*services, postinst)))
    assert kept == [str(KEPT_BACKUPS)] * 2
