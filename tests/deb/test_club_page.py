"""The commands of docs/operate/club.md, executed in their order by a user on Debian 12 and 13."""

import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.booted import COMMAND_POLL_S, BootedRoot, wait_until
from tests.deb.conftest import APT_S, folder_of_root
from tests.deb.roots import ROOT, unpacked
from tests.deb.test_install_page import add_user, as_user, execute
from tests.deb.test_life import FETCH, READY_S
from tests.shared import shared

PAGE: Final = ROOT / "docs/operate/club.md"
DOWNLOADED: Final = (
    *("mosquitto", "postgresql", "postgresql-client", "python3-venv"),
    *("python3-argon2", "python3-networkx", "python3-prometheus-client", "python3-psycopg"),
)
"""What the page and the package urpi-club need."""
PYTHONS: Final = {"bookworm": "3.11", "trixie": "3.13"}
BROKER: Final = "club.example.org"
PASSWORD: Final = "correct horse battery"
CONNECTED: Final = "urpi-club-.*u'club'"
"""In the broker's log when it has accepted the club."""
SERVE_UNTIL_CONNECTED: Final = """
timeout --preserve-status -s INT {within_s} {serve} > ~/served 2>&1 & club=$!
until grep -q "^The club receives" ~/served && sudo grep -q "{connected}" {log}; do
  kill -0 $club; sleep 0.2
done
kill -s INT $club && wait $club && cat ~/served
"""
"""Starts the club, and ends it as by Ctrl-C when the broker has accepted it."""
CERTIFICATES: Final = f"""\
openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -subj /CN=club -days 9 \\
  -addext keyUsage=critical,keyCertSign,cRLSign
openssl req -newkey rsa:2048 -nodes -keyout club.key -out club.csr -subj /CN={BROKER}
printf 'subjectAltName=DNS:{BROKER}\nauthorityKeyIdentifier=keyid\n' > names
openssl x509 -req -in club.csr -CA ca.crt -CAkey ca.key -out club.pem -days 9 -extfile names
install -m 640 -g mosquitto club.pem club.key /etc/mosquitto/certs
install -m 644 ca.crt /usr/local/share/ca-certificates/club.crt
update-ca-certificates
echo 127.0.0.1 {BROKER} >> /etc/hosts
"""
"""What a club gets elsewhere: a name, and a certificate for it that every program trusts."""


def section(heading: str) -> str:
    """Return the text below a heading of the page, up to the next one of any level."""
    _, _, text = PAGE.read_text("utf-8").partition(f"\n{heading}\n")
    assert text, heading
    return re.split(r"^#+ ", text, maxsplit=1, flags=re.MULTILINE)[0]


def commands(text: str) -> list[str]:
    """Return what a text tells its reader to run: its blocks, and what begins with sudo."""
    blocks = r"^( *)```\n(?P<block>.*?)^\1```$"
    found = re.finditer(rf"{blocks}|`(?P<line>sudo [^`]+)`", text, re.MULTILINE | re.DOTALL)
    return [one["line"] or textwrap.dedent(one["block"]) for one in found]


def steps() -> Iterator[list[str]]:
    """Yield the commands of each step to run a club."""
    for step in re.split(r"^\d\. ", section("## Run a club"), flags=re.MULTILINE)[1:]:
        yield commands(step)


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, which one of the processes builds."""
    with shared(tmp_path_factory, "wheel") as folder:
        if not [*folder.glob("urpi-*.whl")]:
            build = ("-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder))
            run(sys.executable, *build)
        (found,) = folder.glob("urpi-*.whl")
        return found


def put_wheels(machine: BootedRoot, wheel: Path, python: str) -> None:
    """Give pip the wheel and the libraries, in place of the package index."""
    folder = machine.root / "srv/wheels"
    options = ("--quiet", "--dest", str(folder), "--only-binary=:all:", "--python-version", python)
    run(sys.executable, "-m", "pip", "download", *options, f"{wheel}[club-server]")
    settings = "[install]\nno-index = 1\nfind-links = /srv/wheels\n"
    (machine.root / "etc/pip.conf").write_text(settings)


def run(*command: str) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def machine(suite: str, wheel: Path, tmp_path: Path) -> Iterator[BootedRoot]:
    with folder_of_root(tmp_path) as folder:
        found = unpacked(suite, folder, downloaded=DOWNLOADED)
        put_wheels(found, wheel, PYTHONS[suite])
        (folder / "etc/apt/apt.conf.d/yes").write_text('APT::Get::Assume-Yes "true";\n')
        with found.running():
            add_user(found, "pi")
            yield found


def check_tournament(machine: BootedRoot) -> None:
    """Run the commands for arbiters, as the first user of the club's page and its database."""
    (machine.root / "srv/players.txt").write_text("Ann\nBen\nCleo\nDan\nEve\nFinn\n")
    create, by_hand, result = commands(section("## Tournaments"))[:3]
    execute(machine, f"set -e\n{create}")
    assert "Ann" in execute(machine, "sudo -u urpi urpi club tournament show 1")
    for command in (by_hand, result):
        execute(machine, command)
    (add,) = commands(section("## Users"))
    execute(machine, f"echo {PASSWORD} | {add}")
    assert "Ann" in execute(machine, "sudo -u urpi urpi club user list")


def check_backup(machine: BootedRoot) -> None:
    backup, restore = (
        found.replace("FILE", "/var/lib/urpi/club.backup")
        for found in re.findall("`(urpi club [^`]+ FILE)`", section("### Backups"))
    )
    execute(machine, f"sudo -u urpi {backup}")
    remove_one = "sudo -u urpi urpi club user remove Ann"
    execute(machine, remove_one)
    execute(machine, "sudo systemctl stop urpi-club")
    execute(machine, f"sudo -u urpi {restore}")
    execute(machine, "sudo systemctl start urpi-club")
    assert "Ann" in execute(machine, "sudo -u urpi urpi club user list")


def check_old_month(machine: BootedRoot) -> None:
    """Run the statements that remove a month, for one that the club has."""
    (statements,) = re.findall("```sql\n(.*?)```", section("### Old months"), re.DOTALL)
    (psql,) = re.findall("`(sudo -u urpi psql [^`]+)`", section("### Old months"))
    (month,) = re.findall(
        r"batches_(\d{4}_\d\d)\b", execute(machine, f"{psql} -c '\\d+ batches'")[:100_000]
    )[:1]
    year, number = month.split("_")
    statements = statements.replace("2026_01", month).replace("2026-01-01", f"{year}-{number}-01")
    execute(machine, f"{psql} --set ON_ERROR_STOP=1 <<'END'\n{statements}END\n")


def test_every_step_needs_only_those_before_it(machine: BootedRoot) -> None:
    install, files, listener, database, configure, service = steps()
    for command in (*install, *files):
        execute(machine, f"set -e\n{command}")
    done = machine.run("sh", "-ec", f"cd /root\n{CERTIFICATES}")
    assert done.returncode == 0, done.stdout + done.stderr
    *write, serve = configure
    for command in (*listener, *database, *write):
        execute(machine, f"set -e\n{command}")
    log = "/var/log/mosquitto/mosquitto.log"
    details = {"serve": serve, "within_s": APT_S, "connected": CONNECTED, "log": log}
    served = execute(machine, f"set -e\n{SERVE_UNTIL_CONNECTED.format(**details)}")
    assert f"The club receives games at {BROKER}:8883 as club." in served
    for command in service:
        execute(machine, f"set -e\n{command}")
    fetch = ("python3", "-c", FETCH, "http://127.0.0.1:8032/")
    wait_until(lambda: machine.run(*fetch).returncode == 0, READY_S, "the wall", COMMAND_POLL_S)
    status = machine.output_of("systemctl", "show", "urpi-club", "--property=StatusText")
    assert status == f"StatusText=Receiving games at {BROKER}:8883"
    check_table(machine)
    check_tournament(machine)
    check_backup(machine)
    check_old_month(machine)
    assert machine.output_of("systemctl", "is-active", "urpi-club") == "active"


def check_table(machine: BootedRoot) -> None:
    """Connect a table, as its builder does with the password from the club."""
    (join,) = commands(section("## Connect a table"))
    # A configuration of its own, since this machine is the club's, too.
    execute(machine, "mkdir -p ~/.config/urpi && touch ~/.config/urpi/config.toml")
    password = "sudo cat /etc/mosquitto/urpi/lisbon-2.password"
    execute(machine, f"{password} | {join.strip()}")
    found = " ".join(as_user(machine, "pi", "urpi doctor").stdout.split())
    assert f"the broker {BROKER}:8883 accepts lisbon-2" in found, found
    assert "and the club answers" in found, found
