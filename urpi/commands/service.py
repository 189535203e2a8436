"""`urpi service`: put the program under systemd's care, so that it starts with the machine."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Final, TypeAlias

import click

from urpi.commands.groups import Group
from urpi.errors import UrpiError
from urpi.systemd import Place, ServiceFile, State, files_of, place, remove, state_of
from urpi.systemd.files import CONFIG, STATE, UNIT

AFTER_INSTALL: Final = (
    ("systemd-sysusers",),
    ("udevadm", "control", "--reload"),
    ("udevadm", "trigger", "--subsystem-match=tty"),
    ("systemctl", "daemon-reload"),
    ("systemctl", "enable", UNIT),
    ("systemctl", "restart", UNIT),
)
BEFORE_REMOVAL: Final = (("systemctl", "disable", "--now", UNIT),)
AFTER_REMOVAL: Final = (("systemctl", "daemon-reload"), ("udevadm", "control", "--reload"))

_Command: TypeAlias = Callable[..., Any]


def _root(told: str) -> Callable[[_Command], _Command]:
    """The option `--root`."""
    folder = click.Path(path_type=Path, file_okay=False)
    return click.option("--root", type=folder, default=Path("/"), help=told)


DRY_RUN: Final = click.option("--dry-run", is_flag=True, help="Only say what would be done.")


@click.group(cls=Group)
def service() -> None:
    """Start the referee with the machine: install, look at or remove its systemd service."""


@service.command()
@_root("Write below this folder and run nothing, as for a card's image.")
@DRY_RUN
@click.option(
    "--program",
    type=click.Path(path_type=Path),
    help="The installed urpi to start, by its absolute path. [default: this one]",
)
def install(root: Path, dry_run: bool, program: Path | None) -> None:
    """Write the service's files, each said, and start it. Needs root.

    The configuration is written only where there is none.
    """
    found = program or _this_program()
    if not found.is_absolute():
        message = f"--program is {found}; give an absolute path, such as /opt/urpi/bin/urpi."
        raise UrpiError(message)
    files = files_of(Place(found))
    if dry_run:
        _tell(files, root)
        _run(AFTER_INSTALL, root, dry_run=True)
        return
    _need_root(root, "install")
    if root == Path("/"):
        _check_reachable(found)
    for file in files:
        path = root / file.path.relative_to("/")
        click.echo(f"{path}: {'written' if place(file, root) else 'kept as it is'} ({file.about})")
    _run(AFTER_INSTALL, root)


@service.command("remove")
@_root("Take away below this folder and run nothing.")
@DRY_RUN
def remove_(root: Path, dry_run: bool) -> None:
    """Stop the service and take its files away; configuration and journal stay. Needs root."""
    files = [file for file in files_of(Place(Path("urpi"))) if not file.kept]
    if not dry_run:
        _need_root(root, "remove")
    if state_of(files[-1], root) is not State.ABSENT:
        _run(BEFORE_REMOVAL, root, dry_run=dry_run)
    for file in files:
        path = root / file.path.relative_to("/")
        if dry_run:
            click.echo(f"{path}: would be removed")
        elif remove(file, root):
            click.echo(f"{path}: removed")
    _run(AFTER_REMOVAL, root, dry_run=dry_run)
    click.echo(f"{CONFIG} and {STATE} stay; remove them by hand if you are done.")


@service.command()
@_root("Look below this folder, as at a card's image.")
@click.pass_context
def status(ctx: click.Context, root: Path) -> None:
    """Say which files are there and whether the service runs; exit status 1 when it does not."""
    # What the unit starts is read from the unit: it need not be the program that asks.
    for file in files_of(Place(_installed_program(root) or _this_program())):
        path = root / file.path.relative_to("/")
        click.echo(f"{path}: {state_of(file, root).value} ({file.about})")
    if root != Path("/"):
        return
    state = _answer(("systemctl", "is-active", UNIT))
    click.echo(f"{UNIT}: {state or 'systemd does not answer'}")
    ctx.exit(0 if state == "active" else 1)


def _tell(files: Sequence[ServiceFile], root: Path) -> None:
    for file in files:
        path = root / file.path.relative_to("/")
        found = state_of(file, root)
        if found is State.SAME or (file.kept and found is State.OWN):
            click.echo(f"{path}: would be kept as it is ({file.about})")
        else:
            click.echo(f"{path}: would be written ({file.about}):")
            click.echo(file.text)


def _run(commands: Sequence[Sequence[str]], root: Path, *, dry_run: bool = False) -> None:
    if root != Path("/"):
        return
    for command in commands:
        click.echo(f"{'would run' if dry_run else 'run'}: {' '.join(command)}")
        if not dry_run and (found := _failure(command)):
            message = f"`{' '.join(command)}` failed: {found}; put that right and install again."
            raise UrpiError(message)


def _failure(command: Sequence[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    except OSError as error:
        return error.strerror or str(error)
    return "" if done.returncode == 0 else " ".join((done.stderr or done.stdout).split()) or "it"


def _answer(command: Sequence[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    except OSError:
        return ""
    return done.stdout.strip()


def _need_root(root: Path, what: str) -> None:
    if root == Path("/") and os.geteuid() != 0:
        message = (
            f"`urpi service {what}` writes below /etc, which needs root; run it with sudo and its"
            " full path, or look with --dry-run."
        )
        raise UrpiError(message)


def _this_program() -> Path:
    found = shutil.which(sys.argv[0]) or sys.argv[0]
    return Path(found).absolute()


def _installed_program(root: Path) -> Path | None:
    unit = root / "etc/systemd/system" / UNIT
    try:
        lines = unit.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return None
    for line in lines:
        if line.startswith("ExecStart="):
            return Path(line.removeprefix("ExecStart=").split(" --config ")[0].strip('"'))
    return None


def _check_reachable(program: Path) -> None:
    """The service's own user must be able to start the program."""
    if not program.is_file():
        message = f"There is no program {program}; give --program with the installed urpi's path."
        raise UrpiError(message)
    for part in (program, *program.parents):
        if not part.stat().st_mode & 0o001:
            message = (
                f"The service's own user may not enter {part}; install urpi where everybody may"
                f" read it, such as {PurePosixPath('/opt/urpi')}."
            )
            raise UrpiError(message)
