"""The commands of docs/install, executed in their order by a user on Debian 12 and 13."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.booted import BootedRoot
from tests.deb.conftest import OLDER, Keys, Packages, check_apt, make_pi, put, put_release
from tests.deb.roots import RECOMMENDED, ROOT
from tests.deb.test_life import check_service
from urpi import __version__

PAGE: Final = ROOT / "docs/install/index.md"
COMMAND_S: Final = 600.0
WITHOUT_HARDWARE: Final = {3, 4, 5, 6, 8}
"""The steps that need neither Raspberry Pi OS nor dice."""
LEFT_OUT: Final = {"urpi doctor --squares"}
FAILS_WITHOUT_HARDWARE: Final = {"urpi doctor"}
READING: Final = ("urpi games list --virtual", "urpi games show 1", "urpi games stats --virtual")
GAME: Final = "demo --auto --speed 0 --option pieces=3 --seed 3"


def commands() -> Iterator[str]:
    """Yield the commands of the steps that can be executed here, for the older version."""
    sections = re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.MULTILINE)[1:]
    for section in sections:
        step, is_numbered, _ = section.partition(". ")
        if is_numbered and step.isdecimal() and int(step) in WITHOUT_HARDWARE:
            yield from (line.replace("VERSION", OLDER) for line in _lines(section))


def commands_of_an_update() -> list[str]:
    """Return the commands of the section on updates, for the newer version."""
    _, _, section = PAGE.read_text("utf-8").partition("\n## Update\n")
    section, *_ = section.partition("\n## ")
    return [line.replace("VERSION", __version__) for line in _lines(section)]


def _lines(section: str) -> Iterator[str]:
    for block in re.findall(r"^```\n(.*?)^```$", section, re.MULTILINE | re.DOTALL):
        yield from block.splitlines()


def commands_of_later(row: str) -> list[str]:
    """Return the commands in a row of the last table, which begins with that text."""
    (line,) = (one for one in PAGE.read_text("utf-8").splitlines() if one.startswith(f"| {row} |"))
    return re.findall("`([^`]+)`", line)


def add_user(machine: BootedRoot, name: str) -> None:
    """Add a user as the first one of Raspberry Pi OS, who may use sudo, without other groups."""
    assert machine.output_of("useradd", "--create-home", "--shell", "/bin/bash", name) == ""
    rights = machine.root / "etc/sudoers.d" / name
    rights.write_text(f"{name} ALL=(ALL) NOPASSWD: ALL\n")
    rights.chmod(0o440)


def as_user(machine: BootedRoot, name: str, command: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a new login of a user, in the folder with the package."""
    login = ("runuser", "--login", name, "--command", f"cd /srv && {command}")
    return machine.run(*login, within_s=COMMAND_S)


def execute(machine: BootedRoot, command: str, name: str = "pi") -> str:
    """Run a command that must succeed, and return its output."""
    done = as_user(machine, name, command)
    output = f"{command}\n{done.stdout}{done.stderr}"
    assert done.returncode == 0 or command in FAILS_WITHOUT_HARDWARE, output
    assert "Traceback" not in output
    return done.stdout


def check_refused(machine: BootedRoot, command: str, *parts: str, name: str = "pi") -> None:
    """Check that a command ends with a one-line error that contains these parts."""
    done = as_user(machine, name, command)
    assert (done.returncode, done.stdout) == (2, ""), done.stdout
    assert done.stderr.count("\n") == 1, done.stderr
    assert all(part in done.stderr for part in parts), done.stderr


def check_laptop(machine: BootedRoot) -> None:
    """Check the demo and the doctor where the service has never run, by a user of no group."""
    add_user(machine, "ada")
    (machine.root / "etc/sudoers.d/ada").unlink()
    execute(machine, f"urpi {GAME}", "ada")
    (listing,) = commands_of_later("list the games of the demo")
    heading, game = execute(machine, listing, "ada").splitlines()
    assert heading.startswith("GAME")
    assert game.split()[0] == "1"
    for command in READING:
        check_refused(machine, command, "/var/lib/urpi", name="ada")
    # The package's configuration is for a Pi, whose service this machine does not run.
    found = execute(machine, "urpi doctor", "ada")
    assert "`urpi demo` has a journal of its own" in found
    assert "systemctl start urpi" not in found


def check_club(machine: BootedRoot) -> None:
    """Check that the club's user can read the password that the club's page lets root write."""
    page = (ROOT / "docs/operate/club.md").read_text("utf-8")
    for command in ("id -u urpi || sudo useradd", "sudo urpi club broker-files /etc"):
        found = re.search(rf"{re.escape(command)}[^`\n]*", page)
        assert found, command
        execute(machine, found[0])
    file = "/etc/mosquitto/urpi/club.password"
    assert execute(machine, f"sudo -u urpi cat {file}").strip()
    assert as_user(machine, "pi", f"cat {file}").returncode == 1


def check_users(machine: BootedRoot) -> None:
    """Check what the user sees of the service's journal, first outside its group, then inside."""
    assert "urpi" not in machine.output_of("id", "--name", "--groups", "pi").split()
    play = f"sudo -u urpi urpi {GAME} --journal /var/lib/urpi/journal.db"
    execute(machine, f"sudo systemctl stop urpi && {play} && sudo systemctl start urpi")
    check_service(machine, OLDER)
    for command in READING:
        check_refused(machine, command, "belongs to urpi", "usermod -aG urpi $USER")
    first, join = commands_of_later("list the games of the service")[:3:2]
    for command in (first, join):
        execute(machine, command)
    for command in READING:
        assert execute(machine, command) == execute(machine, f"sudo -u urpi {command}") != ""
    # Its unfinished game belongs to the board, and a demo still does not touch the journal.
    listed = execute(machine, READING[0])
    execute(machine, f"urpi {GAME}")
    assert execute(machine, READING[0]) == listed
    assert "/var/lib/urpi/journal.db" in execute(machine, "urpi doctor")
    assert "journal" in execute(machine, "sudo -u urpi urpi doctor || true")


def test_every_step_needs_only_those_before_it(
    machine: BootedRoot, packages: Packages, keys: Keys, tmp_path: Path
) -> None:
    put(machine, packages.older)
    # In place of the answers at the keyboard.
    (machine.root / "etc/apt/apt.conf.d/yes").write_text('APT::Get::Assume-Yes "true";\n')
    add_user(machine, "pi")
    executed = 0
    for command in commands():
        if command.startswith("sudo nano "):
            assert command.endswith("/etc/urpi/config.toml")
            check_laptop(machine)
            make_pi(machine)
        elif command not in LEFT_OUT:
            execute(machine, command.replace("--speed 4", "--speed 0"))
            executed += 1
    assert executed > 8
    groups = machine.output_of("id", "--name", "--groups", "pi").split()
    assert {"gpio", "i2c", "dialout"} <= set(groups)
    status = machine.run("urpi", "service", "status")
    assert "urpi.service: active" in status.stdout
    check_users(machine)
    check_club(machine)

    # Otherwise installed with the package, as the tests' own root directories have no network.
    check_apt(machine, "install", *RECOMMENDED)
    put_release(machine, keys.sign(Path(shutil.copy(packages.newer, tmp_path))))
    for command in commands_of_an_update():
        execute(machine, command)
    check_service(machine, __version__)
