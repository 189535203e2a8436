"""`urpi update`: list release files, and install one with a way back."""

from collections.abc import Iterator
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from urpi.cli.groups import Group
from urpi.cli.options import NumberIn
from urpi.cli.output import ListOutput, list_options
from urpi.core.errors import UrpiError

if TYPE_CHECKING:
    from urpi.install.update.installer import Result

_PATH: Final = click.Path(path_type=Path)
_OUTCOMES: Final = {
    "installed": "installed",
    "kept": "not installed",
    "rolled-back": "rolled back",
    "failed": "failed",
}


@click.group(cls=Group)
def update() -> None:
    """List and install release files of the Debian package, with a way back."""


_key = click.option(
    "--public-key",
    "key",
    type=_PATH,
    metavar="FILE",
    help="The release key, in place of the package's own.",
)


@update.command("list")
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=_PATH)
@_key
@list_options
def list_(paths: tuple[Path, ...], key: Path | None, to: ListOutput) -> None:
    """Show what is installed, and what release files or folders contain.

    Shown are the installed version, the previous one that is kept, and how the last update ended.

    For example: urpi update list Downloads
    """
    to.write(_found(paths, key), itemgetter(0), lambda some: (line for _, line in some))


def _found(paths: tuple[Path, ...], key: Path | None) -> Iterator[tuple[dict[str, str], str]]:
    """Yield what is installed and what the files contain: the values of each and its line."""
    from urpi.install.update import machine, releases

    version = machine.installed_version()
    yield {"what": "installed", "version": version}, f"installed: urpi {version}"
    if (previous := machine.previous_package()) is not None:
        yield {"what": "previous", "file": str(previous)}, f"previous: {previous}"
    if (last := machine.last_result()) is not None:
        values = {"outcome": last.outcome, "version": last.version, "reason": last.reason}
        yield {"what": "last-update", **values}, f"last update: {_described(last)}"
    for file in [file for path in paths for file in releases.release_files(path)]:
        release = releases.read_release(file, key or releases.PUBLIC_KEY)
        found = release.package.version
        order = "newer" if machine.is_newer(found, version) else "older"
        age = "installed" if found == version else order
        signature = release.signature.value
        values = {"file": str(file), "version": found, "age": age, "signature": signature}
        yield {"what": "file", **values}, f"{file}: urpi {found}, {age}, {signature}"


@update.command()
@click.argument("file", type=_PATH)
@_key
@click.option(
    "--within",
    "within_s",
    type=NumberIn(10, 600),
    default=60,
    show_default=True,
    metavar="SECONDS",
    help="The time that the new version may take until it is healthy.",
)
def install(file: Path, key: Path | None, within_s: float) -> None:
    """Install the release FILE, urpi_VERSION_all.deb, whose signature is next to it. Requires root.

    The service is restarted. If the new version is not healthy in time, the previous one is
    installed again, with the journal as it was. Not during a game.

    For example: sudo urpi update install urpi_0.2.0_all.deb
    """
    from urpi.config import load
    from urpi.install.systemd import CONFIG, STATE
    from urpi.install.update import installer, machine, releases

    old = machine.installed_version()
    key = key or releases.PUBLIC_KEY
    release = releases.read_release(file, key)
    version = release.package.version
    releases.check_signature(release, key)
    if not machine.is_newer(version, old):
        message = f"{file} is urpi {version}, and {old} is installed; choose a newer release."
        raise UrpiError(message)
    config = load(Path(CONFIG), {}).config
    machine.check_machine(config.journal.file)
    # Read and verified again: until it was copied to a folder of root's, anyone who may write to
    # the file could have exchanged it.
    release = releases.read_release(machine.copied(file), key)
    releases.check_signature(release, key)
    plan = installer.Plan(
        package=str(release.package.file),
        version=version,
        old=old,
        page=_address_of(config.page.listen),
        config=str(CONFIG),
        journal=str(config.journal.file),
        backup=str(STATE / "before-upgrade.db"),
        within_s=within_s,
    )
    click.echo(f"Installing urpi {version}; see journalctl -fu '{machine.UPDATE_UNITS}'")
    result = machine.install(release, plan)
    if result.outcome != "installed":
        raise UrpiError(f"urpi {version} was not installed: {_failure(result)}")
    click.echo(f"urpi {version} is installed; {old} is kept in {machine.FOLDER}.")


def _address_of(listen: str) -> str:
    """The address of the page on this machine, empty if there is no page.

    >>> _address_of("[::]:8011"), _address_of("off")
    ('http://[::1]:8011', '')
    """
    if listen == "off":
        return ""
    host, _, port = listen.rpartition(":")
    local = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}.get(host, host)  # noqa: S104 - compared only
    return f"http://{local}:{port}"


def _failure(result: "Result") -> str:
    ends = {
        "kept": f"{result.old} remains installed.",
        "rolled-back": f"{result.old} is installed again.",
        "failed": "install a package with: sudo apt install ./FILE",
    }
    return f"{result.reason}; {ends[result.outcome]}"


def _described(result: "Result") -> str:
    day = datetime.fromtimestamp(result.ended, UTC).astimezone().strftime("%Y-%m-%d %H:%M")
    reason = f": {result.reason}" if result.reason else ""
    return f"{day}, {result.old} to {result.version}, {_OUTCOMES[result.outcome]}{reason}"
