"""`urpi update` on Debian 12 and 13: releases that are rejected, broken ones, and a good one.

The power is cut at the worst moments, too.
"""

import re
import shutil
import subprocess
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from tests.booted import BootedRoot, wait_until
from tests.deb.conftest import (
    APT_S,
    CONFIG,
    OLDER,
    Keys,
    Packages,
    change,
    make_keys,
    put,
    put_release,
    repacked,
)
from tests.deb.test_life import JOURNAL, check_service, installed, stopped
from urpi import __version__
from urpi.journal.migrations import newest_version

BROKEN: Final = "0.1.1"
WITHIN_S: Final = 10
MOMENTS: Final = {
    "bookworm": (f"half-installed urpi:all {BROKEN}", f"half-configured urpi:all {__version__}"),
    "trixie": (f"half-installed urpi:all {OLDER}",),
}
"""When the power is cut, as dpkg's log has it. Only the last may leave the newer version."""
MAIN_PROCESS: Final = ("systemctl", "show", "urpi", "--property=MainPID", "--value")
_AT_THE_BOARD: Final = f"""
import sys
from pathlib import Path
sys.path.insert(0, "/usr/share/urpi")
from urpi.journal import Journal, settings_of
from urpi.journal.import_archive import store_runs
with Journal.open(Path("{JOURNAL}")) as journal:
    row = journal.rows("SELECT id, started, program FROM games ORDER BY id DESC LIMIT 1")
    ((virtual, started, program),) = row
    opening, *others = journal.entries(virtual)
    settings = settings_of(journal, virtual) | {{"table": "board"}}
    store_runs(journal, journal.new_game(opening.line, started, program, settings), others)
"""
"""Stores a copy of the virtual table's newest game as one of the board."""
UNFINISHED_GAME: Final = f"""
urpi="runuser -u urpi -- urpi"
$urpi demo --auto --speed 20 --journal {JOURNAL} >/dev/null 2>&1 & demo=$!
games="$urpi games --journal {JOURNAL} list --json --virtual"
until $games | grep -q '"turns": [1-9]'; do sleep 0.2; done
kill $demo; wait $demo
runuser -u urpi -- python3 -c '{_AT_THE_BOARD}'
"""
FINISHED_GAME: Final = (
    f"rm {JOURNAL}*; runuser -u urpi -- urpi demo --auto --speed 0 --option pieces=3 --seed 3 "
    f"--journal {JOURNAL} >/dev/null"
)
MIGRATION: Final = 'MIGRATIONS = (*MIGRATIONS, statements("CREATE TABLE broken (a)"))\n'


@dataclass(frozen=True)
class Releases:
    """Signed packages: the newest, and others that differ from it in some respect."""

    folder: Path
    newest: Path
    keys: Keys

    def variant(self, version: str, edit: Callable[[Path], None]) -> Path:
        """Pack the newest package again, with another version and changed files, and sign it."""
        return self.keys.sign(repacked(self.newest, self.folder, version, edit))


def needs(dependency: str) -> Callable[[Path], None]:
    """Return a change of a package: it depends on something else as well."""
    return lambda tree: change(tree / "DEBIAN/control", "Depends: ", f"Depends: {dependency}, ")


def break_(tree: Path) -> None:
    """Let a release upgrade the journal's tables, and fail before its page is served."""
    urpi = tree / "usr/share/urpi/urpi"
    migrations = urpi / "journal/migrations.py"
    migrations.write_text(migrations.read_text("utf-8") + MIGRATION, "utf-8")
    change(urpi / "cli/serve_board.py", "    where = f", "    1 / 0\n    where = f")


@pytest.fixture(scope="module")
def releases(packages: Packages, keys: Keys, tmp_path_factory: pytest.TempPathFactory) -> Releases:
    folder = tmp_path_factory.mktemp("releases")
    return Releases(folder, keys.sign(Path(shutil.copy(packages.newer, folder))), keys)


def update(machine: BootedRoot, *words: str) -> subprocess.CompletedProcess[str]:
    return machine.run("urpi", "update", *words, within_s=APT_S)


@contextmanager
def unchanged(machine: BootedRoot) -> Iterator[None]:
    """Check that the older version's service is not even restarted."""
    before = machine.output_of(*MAIN_PROCESS)
    yield
    assert machine.output_of(*MAIN_PROCESS) == before != "0"
    check_service(machine, OLDER)


def check_rejected(machine: BootedRoot, sentence: str, *words: str) -> None:
    done = update(machine, "install", *words)
    assert done.returncode == 2, done.stdout + done.stderr
    assert sentence in done.stderr, done.stderr
    assert done.stderr.count("\n") == 1, done.stderr


def check_signatures(machine: BootedRoot, releases: Releases, tmp_path: Path) -> None:
    """Check that a release needs a signature by the release key."""
    file = put(machine, releases.newest)
    check_rejected(machine, f"{file} has no signature", file)
    other = make_keys(tmp_path / "other")
    shutil.copy(releases.newest, tmp_path)
    put_release(machine, other.sign(tmp_path / releases.newest.name))
    check_rejected(machine, f"The signature of {file} does not match the release key", file)
    put_release(machine, releases.newest)
    whole = releases.newest.read_bytes()
    copy = machine.root / file.removeprefix("/")
    copy.write_bytes(whole[:-100] + bytes(100))
    check_rejected(machine, f"The signature of {file} does not match the release key", file)
    copy.write_bytes(whole[: len(whole) // 2])
    check_rejected(machine, f"The package {file} is damaged or no Debian package", file)


def check_situations(machine: BootedRoot, releases: Releases) -> None:
    """Check what prevents an update: the user, the system, the network, the journal, the card."""
    file = put_release(machine, releases.newest)
    refused = machine.run("runuser", "-u", "urpi", "--", "urpi", "update", "install", file)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "requires root" in refused.stderr
    too_new = put_release(machine, releases.variant("0.3.0", needs("python3 (>= 3.99)")))
    check_rejected(machine, "it needs python3 (>= 3.99), but ", too_new)
    absent = put_release(machine, releases.variant("0.3.1", needs("hello")))
    check_rejected(machine, "urpi 0.3.1 was not installed: no network: ", absent)
    full = "mkdir -p /var/lib/urpi-update && mount -t tmpfs -o size=1M full /var/lib/urpi-update"
    machine.output_of("sh", "-c", full)
    check_rejected(machine, "The card is full: /var/lib/urpi-update has 1 MB free", file)
    machine.output_of("umount", "/var/lib/urpi-update")


def check_journals(machine: BootedRoot, file: str) -> None:
    """Check that neither a running game nor a journal of a newer version allows an update."""
    with stopped(machine) as execute:
        execute("PRAGMA user_version = 99")
    with unchanged_package(machine):
        check_rejected(machine, "its version is 99, and this program supports versions", file)
    with stopped(machine) as execute:
        execute(f"PRAGMA user_version = {newest_version()}")
        played = machine.run("sh", "-c", UNFINISHED_GAME, within_s=APT_S)
        assert played.returncode in {0, 143}, played.stdout + played.stderr
    check_service(machine, OLDER)
    with unchanged(machine):
        check_rejected(machine, "is running; finish or abandon it first, or stop the table", file)
    with stopped(machine):
        played = machine.run("sh", "-c", FINISHED_GAME, within_s=APT_S)
        assert played.returncode == 0, played.stdout + played.stderr


@contextmanager
def unchanged_package(machine: BootedRoot) -> Iterator[None]:
    before = installed(machine)
    yield
    assert installed(machine) == before


def check_rollback(machine: BootedRoot, releases: Releases) -> None:
    """Check that a broken release is replaced by the version and the journal from before."""
    check_service(machine, OLDER)
    games = games_of(machine)
    assert len(games) == 1
    broken = put_release(machine, releases.variant(BROKEN, break_))
    check_rejected(machine, f"{OLDER} is installed again", broken, "--within", str(WITHIN_S))
    check_service(machine, OLDER)
    assert games_of(machine) == games
    with stopped(machine) as query:
        assert query("PRAGMA user_version") == f"({newest_version()},)"
    check_service(machine, OLDER)
    assert 'language = "hu"' in machine.output_of("cat", CONFIG)
    (aside,) = machine.root.glob("var/lib/urpi/journal*before*")
    assert aside.is_file()


def games_of(machine: BootedRoot) -> list[str]:
    """Return the stored games that have begun."""
    command = ("urpi", "--config", "/etc/urpi/config.toml", "games", "list")
    options = ("--json", "--virtual")
    lines = machine.output_of("runuser", "-u", "urpi", "--", *command, *options).splitlines()
    return [line for line in lines if '"turns": 0' not in line]


def test_updates(with_older: BootedRoot, releases: Releases, tmp_path: Path) -> None:
    with with_older.running():
        check_updates(with_older, releases, tmp_path)


def check_updates(machine: BootedRoot, releases: Releases, tmp_path: Path) -> None:
    check_service(machine, OLDER)
    with unchanged(machine):
        check_signatures(machine, releases, tmp_path)
        check_situations(machine, releases)
    file = put_release(machine, releases.newest)
    check_journals(machine, file)
    check_rollback(machine, releases)

    shown = update(machine, "list", file).stdout
    assert f"installed: urpi {OLDER}\n" in shown
    assert re.search(
        rf"last update: .*, {OLDER} to {BROKEN}, rolled back: after {WITHIN_S} s", shown
    )
    assert shown.endswith(f"{file}: urpi {__version__}, newer, valid signature\n")
    done = update(machine, "install", file)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(
        f"urpi {__version__} is installed; {OLDER} is kept in /var/lib/urpi-update.\n"
    )
    check_service(machine, __version__)
    assert 'language = "hu"' in machine.output_of("cat", CONFIG)
    check_rejected(machine, f"is urpi {__version__}, and {__version__} is installed", file)


def cut_power(machine: BootedRoot, release: Path, moment: str) -> None:
    """Begin an update, and switch the machine off when dpkg has reached a moment in its log."""
    log = machine.root / "var/log/dpkg.log"
    log.write_text("")
    with machine.running():
        check_service(machine, OLDER)
        command = ("urpi", "update", "install", put_release(machine, release), "--within", "30")
        started = machine.run("systemd-run", "--quiet", *command)
        assert started.returncode == 0, started.stderr
        wait_until(lambda: moment in log.read_text("utf-8"), APT_S, moment)


def check_recovered(machine: BootedRoot, versions: Collection[str]) -> str:
    """Check that the next boot ends the update, and return the version, which is whole."""
    begun = machine.root / "var/lib/urpi-update/begun.json"
    assert begun.exists()
    with machine.running():
        wait_until(lambda: not begun.exists(), APT_S, "the update has ended")
        version = installed(machine)
        assert version in versions
        check_service(machine, version)
        assert machine.output_of("dpkg", "--audit") == ""
        changed = machine.output_of("dpkg", "--verify", "urpi").splitlines()
        assert all(line.endswith(f" c {CONFIG}") for line in changed), changed
        assert len(games_of(machine)) == 1
    assert not list(machine.root.glob("etc/systemd/system/**/urpi-update*"))
    return version


def test_power_cuts(with_older: BootedRoot, suite: str, releases: Releases) -> None:
    machine = with_older
    with machine.running(), stopped(machine):
        played = machine.run("sh", "-c", FINISHED_GAME, within_s=APT_S)
        assert played.returncode == 0, played.stdout + played.stderr

    broken = releases.variant(BROKEN, break_)
    for moment in MOMENTS[suite]:
        cut_power(machine, broken if BROKEN in moment else releases.newest, f"status {moment}")
        version = check_recovered(machine, {OLDER, __version__})
        assert version == OLDER or moment == MOMENTS[suite][-1]
