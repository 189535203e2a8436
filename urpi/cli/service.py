"""`urpi service`: install the program as a systemd service that starts with the machine."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Final, TypeAlias

import click

from urpi.cli.groups import Group
from urpi.cli.output import AS_JSON, echo_json
from urpi.core.errors import UrpiError
from urpi.install.systemd import (
    CONFIG,
    STATE,
    UNIT,
    ServiceFile,
    UnitState,
    file_state,
    packaged_files,
    remove_file,
    service_files,
    write_file,
)

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


def _root_option(text: str) -> Callable[[_Command], _Command]:
    """The option `--root` with its help text."""
    folder = click.Path(path_type=Path, file_okay=False)
    return click.option("--root", type=folder, default=Path("/"), help=text)


DRY_RUN: Final = click.option("--dry-run", is_flag=True, help="Only print what would be done.")


@click.group(cls=Group)
def service() -> None:
    """Install, inspect or remove the systemd service that starts the referee."""


@service.command()
@_root_option("Write below this folder and run no command, as for a card image.")
@DRY_RUN
@click.option(
    "--program",
    type=click.Path(path_type=Path),
    help="The installed urpi to start, by its absolute path. [default: this one]",
)
def install(root: Path, dry_run: bool, program: Path | None) -> None:
    """Write the files of the service, list them, and start the service. Requires root.

    An existing configuration is kept.

    For example: sudo urpi service install
    """
    found = program or _this_program()
    if not found.is_absolute():
        message = f"--program is {found}; give an absolute path, such as /opt/urpi/bin/urpi."
        raise UrpiError(message)
    files = service_files(found)
    _refuse_if_packaged(root)
    if dry_run:
        _print_plan(files, root)
        _run(AFTER_INSTALL, root, dry_run=True)
        return
    _need_root(root, "install")
    if root == Path("/"):
        _check_reachable(found)
    for file in files:
        path = root / file.path.relative_to("/")
        done = "written" if write_file(file, root) else "unchanged"
        click.echo(f"{path}: {done} ({file.about})")
    _run(AFTER_INSTALL, root)


@service.command("remove")
@_root_option("Remove below this folder and run no command.")
@DRY_RUN
def remove_(root: Path, dry_run: bool) -> None:
    """Stop the service and remove its files, except configuration and journal. Requires root.

    The files of the Debian package are left; `apt remove urpi` removes them.

    For example: sudo urpi service remove
    """
    files = [file for file in service_files(Path("urpi")) if not file.kept]
    if not dry_run:
        _need_root(root, "remove")
    if file_state(files[-1], root) is not UnitState.ABSENT:
        _run(BEFORE_REMOVAL, root, dry_run=dry_run)
    for file in files:
        path = root / file.path.relative_to("/")
        if dry_run:
            click.echo(f"{path}: would be removed")
        elif remove_file(file, root):
            click.echo(f"{path}: removed")
    _run(AFTER_REMOVAL, root, dry_run=dry_run)
    click.echo(f"{CONFIG} and {STATE} are kept; remove them by hand if you no longer need them.")


@service.command()
@_root_option("Look below this folder, as on a card image.")
@AS_JSON
@click.pass_context
def status(ctx: click.Context, root: Path, as_json: bool) -> None:
    """Show which files are installed and whether the service runs; if not, exit with status 1.

    For example: urpi service status
    """
    # The unit may start another installation of urpi than the one that runs now.
    own = service_files(_installed_program(root) or _this_program())
    files = packaged_files() if _is_packaged(root) else own
    here = root == Path("/")
    state = _output(("systemctl", "is-active", UNIT)) if here else ""
    found = [
        (str(root / file.path.relative_to("/")), file_state(file, root).value, file.about)
        for file in files
    ]
    if as_json:
        rows = [dict(zip(("file", "state", "about"), each, strict=True)) for each in found]
        echo_json({"files": rows, "unit": UNIT, "state": state or None})
    else:
        for path, of_file, about in found:
            click.echo(f"{path}: {of_file} ({about})")
        if here:
            click.echo(f"{UNIT}: {state or 'systemd does not respond'}")
    if here:
        ctx.exit(0 if state == "active" else 1)


def _is_packaged(root: Path) -> bool:
    """Whether the Debian package's unit is the one that systemd uses."""
    (unit,) = (file for file in packaged_files() if file.path.name == UNIT)
    (own,) = (file for file in service_files(Path("urpi")) if file.path.name == UNIT)
    states = file_state(unit, root), file_state(own, root)
    return states[0] is not UnitState.ABSENT and states[1] is UnitState.ABSENT


def _refuse_if_packaged(root: Path) -> None:
    """Check that the Debian package, which includes the service, is not installed.

    Raises:
        UrpiError: if it is.
    """
    if _is_packaged(root):
        message = (
            f"The Debian package urpi has installed the service; start it with `sudo systemctl"
            f" enable --now {UNIT}`, or remove the package first: `sudo apt remove urpi`."
        )
        raise UrpiError(message)


def _print_plan(files: Sequence[ServiceFile], root: Path) -> None:
    for file in files:
        path = root / file.path.relative_to("/")
        found = file_state(file, root)
        if found is UnitState.SAME or (file.kept and found is UnitState.OWN):
            click.echo(f"{path}: would be unchanged ({file.about})")
        else:
            click.echo(f"{path}: would be written ({file.about}):")
            click.echo(file.text)


def _run(commands: Sequence[Sequence[str]], root: Path, *, dry_run: bool = False) -> None:
    if root != Path("/"):
        return
    for command in commands:
        click.echo(f"{'would run' if dry_run else 'run'}: {' '.join(command)}")
        if not dry_run and (found := _failure(command)):
            message = f"`{' '.join(command)}` failed: {found}; correct that and install again."
            raise UrpiError(message)


def _failure(command: Sequence[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    except OSError as error:
        return error.strerror or str(error)
    return "" if done.returncode == 0 else " ".join((done.stderr or done.stdout).split()) or "it"


def _output(command: Sequence[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    except OSError:
        return ""
    return done.stdout.strip()


def _need_root(root: Path, what: str) -> None:
    if root == Path("/") and os.geteuid() != 0:
        message = (
            f"`urpi service {what}` writes below /etc, which requires root; run it with sudo and"
            " its full path, or use --dry-run."
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
    """Check that the user of the service may start the program.

    Raises:
        UrpiError: if it may not, or there is no such program.
    """
    if not program.is_file():
        message = f"There is no program {program}; set --program to the path of the installed urpi."
        raise UrpiError(message)
    for part in (program, *program.parents):
        if not part.stat().st_mode & 0o001:
            message = (
                f"The user of the service may not open {part}; install urpi where every user may"
                f" read it, such as {PurePosixPath('/opt/urpi')}."
            )
            raise UrpiError(message)
