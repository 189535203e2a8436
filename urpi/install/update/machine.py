"""What an update needs to know about the machine, and the start of its installation."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Final

from urpi.core.errors import UrpiError
from urpi.core.inputs import reason
from urpi.install.systemd import CONFIG, PACKAGED_PROGRAM, UNIT, USER
from urpi.install.update import installer
from urpi.install.update.installer import PLAN, PREVIOUS, RESULT, Plan, Result
from urpi.install.update.releases import SUFFIX, Release

FOLDER: Final = Path("/var/lib/urpi-update")
"""The folder of the updates. It belongs to root: the service must not be able to change what root
installs from there."""
UPDATE_UNITS: Final = "urpi-update-*.service"
"""The units of updates. Each has a name of its own, because systemd may still know the last one."""
_SPARE_BYTES: Final = 20_000_000
_PROGRAM: Final = "installer.py"


def installed_version() -> str:
    """The version of the installed package, as dpkg knows it.

    Raises:
        UrpiError: If urpi is not installed as a Debian package.
    """
    query = ("dpkg-query", "--show", "--showformat=${db:Status-Abbrev} ${Version}", "urpi")
    state, _, version = _output(query).partition(" ")
    if state != "ii" or not PACKAGED_PROGRAM.is_file():
        message = (
            "`urpi update` needs the Debian package urpi, which is not installed on this machine; "
            "an installation with pip is updated with pip."
        )
        raise UrpiError(message)
    return version.strip()


def is_newer(version: str, than: str) -> bool:
    """Whether dpkg sorts a version after another one."""
    return _run(("dpkg", "--compare-versions", version, "gt", than)).returncode == 0


def previous_package() -> Path | None:
    """The package of the version before the last update, None if there is none."""
    return next(iter(sorted((FOLDER / PREVIOUS).glob("urpi_*.deb"))), None)


def last_result() -> Result | None:
    """How the last update ended, None if there is none or it cannot be read."""
    try:
        return Result(**json.loads((FOLDER / RESULT).read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def check_machine(journal: Path) -> None:
    """Check that an update may begin now.

    Args:
        journal: The service's journal.

    Raises:
        UrpiError: If the user is not root, another update or a game is running, the journal cannot
            be read, or the card is full.
    """
    if os.geteuid() != 0:
        message = "`urpi update install` requires root; run it with sudo."
        raise UrpiError(message)
    if {"active", "activating"} & {*_output(("systemctl", "is-active", UPDATE_UNITS)).split()}:
        message = f"Another update is running; follow it with: journalctl -fu '{UPDATE_UNITS}'"
        raise UrpiError(message)
    if journal.is_file():
        _check_no_game(journal)
    _check_space(journal)


def _check_no_game(journal: Path) -> None:
    command = ("runuser", "-u", USER, "--", str(PACKAGED_PROGRAM), "--config", str(CONFIG))
    listed = _run((*command, "games", "list", "--json"))
    if listed.returncode:
        message = f"The journal {journal} cannot be read: {' '.join(listed.stderr.split())}"
        raise UrpiError(message)
    # An unfinished game that no program plays cannot be disturbed.
    game = installer.unfinished_game(listed.stdout)
    if game is not None and _output(("systemctl", "is-active", UNIT)) == "active":
        message = (
            f"Game {game} is running; finish or abandon it first, or stop the table: "
            f"sudo systemctl stop {UNIT}"
        )
        raise UrpiError(message)


def _check_space(journal: Path) -> None:
    size_kb = _output(("dpkg-query", "--show", "--showformat=${Installed-Size}", "urpi"))
    tree = int(size_kb or 0) * 1024
    # The new files beside the old ones; a copy of the old ones while they are packed, and packages;
    # the copy of the journal.
    needed = {
        Path("/usr"): tree,
        FOLDER: 2 * tree,
        journal.parent: journal.stat().st_size if journal.is_file() else 0,
    }
    by_disk: dict[int, int] = {}
    for folder, size in needed.items():
        there = next(one for one in (folder, *folder.parents) if one.is_dir())
        disk = there.stat().st_dev
        by_disk[disk] = by_disk.get(disk, _SPARE_BYTES) + size
        free = shutil.disk_usage(there).free
        if free < by_disk[disk]:
            message = (
                f"The card is full: {there} has {free / 1e6:.0f} MB free, and an update needs "
                f"{by_disk[disk] / 1e6:.0f}; delete something, such as with `sudo apt clean`."
            )
            raise UrpiError(message)


def copied(file: Path) -> Path:
    """Copy a release file and its signature to the folder of the updates, and return the copy.

    What was verified there cannot be changed before it is installed, except by root.

    Raises:
        UrpiError: If it cannot be copied.
    """
    new = FOLDER / "new"
    try:
        FOLDER.mkdir(mode=0o755, exist_ok=True)
        if new.exists():
            shutil.rmtree(new)
        new.mkdir()
        for name in (file.name, f"{file.name}{SUFFIX}"):
            if (source := file.with_name(name)).is_file():
                shutil.copyfile(source, new / name)
    except OSError as error:
        message = f"{file} cannot be copied to {FOLDER}: {reason(error)}."
        raise UrpiError(message) from error
    return new / file.name


def install(release: Release, plan: Plan) -> Result:
    """Install a verified release, and return how that ended.

    It goes on if this process ends. Nothing may be imported afterwards: the files of this program
    are those of another version then.

    Raises:
        UrpiError: If the installation could not be started, or ended without a result.
    """
    try:
        # The package's own file is replaced while it runs.
        shutil.copyfile(installer.__file__, FOLDER / _PROGRAM)
        (FOLDER / PLAN).write_text(json.dumps(asdict(plan)), "utf-8")
        # The result of the last update must not be taken for that of this one.
        (FOLDER / RESULT).unlink(missing_ok=True)
    except OSError as error:
        message = f"The update cannot be prepared in {FOLDER}: {reason(error)}."
        raise UrpiError(message) from error
    name = UPDATE_UNITS.replace("*", str(os.getpid()))
    unit = ("systemd-run", f"--unit={name}", "--collect", "--wait", "--quiet")
    command = (*unit, "/usr/bin/python3", "-I", str(FOLDER / _PROGRAM), str(FOLDER))
    done = _run(command)
    if (result := last_result()) is None:
        found = " ".join(done.stderr.split()) or f"see journalctl -u {name}"
        message = f"The update to {release.package.version} ended without a result: {found}"
        raise UrpiError(message)
    shutil.rmtree(FOLDER / "new", ignore_errors=True)
    return result


def _run(command: Iterable[str]) -> "subprocess.CompletedProcess[str]":
    try:
        return subprocess.run(  # noqa: S603 - no shell
            list(command), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        message = f"The program {error.filename} is missing; `urpi update` needs Debian."
        raise UrpiError(message) from error


def _output(command: Iterable[str]) -> str:
    return _run(command).stdout.strip()
