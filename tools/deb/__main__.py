"""Build the Debian packages urpi and urpi-club: `python -m tools.deb [--output FOLDER]`.

It builds the wheel, unpacks it together with the bundled libraries, generates the manual pages and
the shell completion, and runs debhelper. The same commit results in the same bytes.
"""

import argparse
import datetime as dt
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from tools.deb.bundle import OWNERS, Library, download, unpack
from tools.deb.manual import manual
from urpi import __version__
from urpi.cli.main import cli
from urpi.install.club_units import PACKAGE, UNITS, package_files
from urpi.install.systemd import UNIT, packaged_files
from urpi.install.update.installer import DEFAULT_CONFIG
from urpi.install.update.releases import PUBLIC_KEY, check_key

ROOT: Final = Path(__file__).parents[2]
HERE: Final = Path(__file__).parent
LIBRARIES: Final = "usr/share/urpi"
CLUB_PROGRAM: Final = "usr/sbin/urpi-club"
_COMPLETIONS: Final[Mapping[str, type[ShellComplete]]] = {
    "usr/share/bash-completion/completions/urpi": BashComplete,
    "usr/share/zsh/vendor-completions/_urpi": ZshComplete,
    "usr/share/fish/vendor_completions.d/urpi.fish": FishComplete,
}


def main() -> None:
    """Build the packages, and print their paths."""
    parser = argparse.ArgumentParser(prog="python -m tools.deb", description=__doc__)
    parser.add_argument("--public-key", type=Path, metavar="FILE", help="verifies later releases")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "deb", metavar="FOLDER")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    for package in build(options.output.resolve(), options.public_key):
        print(package)  # noqa: T201 - the command's output


def build(output: Path, public_key: Path | None) -> tuple[Path, Path]:
    """Build the packages urpi and urpi-club, and return their paths below `output`.

    Args:
        output: The folder of the packages.
        public_key: The file of minisign's public key with which the installed package verifies
            later releases; without one it installs releases only with a key that it is given.
    """
    key = check_key(public_key.read_text("utf-8"), str(public_key)) if public_key else None
    epoch = _epoch()
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch), "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    with TemporaryDirectory(prefix="urpi-deb-") as temporary:
        source = Path(temporary) / "urpi"
        files = source / "files"
        libraries = _unpack_all(Path(temporary), files / LIBRARIES, environment)
        _write_own_files(files, source / "debian")
        _write_club_files(source / "club")
        if key is not None:
            _write(files / PUBLIC_KEY.relative_to("/"), key)
        _write_manual(source / "manual", epoch)
        _write_debian(source / "debian", epoch, libraries)
        _normalise(source)
        command = ("dpkg-buildpackage", "--build=binary", "--no-sign", "--no-check-builddeps")
        done = subprocess.run(  # noqa: S603 - debhelper's own command
            command, cwd=source, env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            sys.exit(f"{done.stdout}{done.stderr}dpkg-buildpackage failed")
        (own,), (club,) = (Path(temporary).glob(f"{name}_*_all.deb") for name in ("urpi", PACKAGE))
        return Path(shutil.copy(own, output)), Path(shutil.copy(club, output))


def debian_version(version: str) -> str:
    """Return a version as dpkg sorts it: a pre-release comes before its release.

    >>> debian_version("0.2.0"), debian_version("0.2.0rc1"), debian_version("0.2.0.dev3")
    ('0.2.0', '0.2.0~rc1', '0.2.0~dev3')
    """
    return re.sub(r"\.?(a|b|rc|dev)(\d+)$", r"~\1\2", version)


def _epoch() -> int:
    """Return the time of every file, in seconds since 1970: that of the commit."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    git = ("git", "log", "-1", "--format=%ct")
    done = subprocess.run(  # noqa: S603 - a constant
        git, cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit("This is no checkout; set SOURCE_DATE_EPOCH to the seconds since 1970.")
    return int(done.stdout)


def _unpack_all(temporary: Path, folder: Path, environment: Mapping[str, str]) -> list[Library]:
    """Unpack urpi and the libraries into one folder, and return the libraries."""
    own, others = temporary / "own", temporary / "wheels"
    command = (sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(own))
    subprocess.run(  # noqa: S603 - the build tool of this environment
        (*command, str(ROOT)),
        env=environment,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    folder.mkdir(parents=True)
    (wheel,) = own.glob("*.whl")
    unpack(wheel, folder)
    return [unpack(each, folder) for each in download(others)]


def _write_own_files(files: Path, debian: Path) -> None:
    """Write the program, the files of the service, and the shell completion.

    debhelper installs the unit itself, so that it adds the commands that enable it.
    """
    program = files / "usr/bin/urpi"
    program.parent.mkdir(parents=True)
    shutil.copy(HERE / "urpi", program)
    for file in packaged_files():
        is_unit = file.path.name == UNIT
        place = debian / UNIT if is_unit else files / file.path.relative_to("/")
        _write(place, file.text)
        if file.kept:
            _write(files / DEFAULT_CONFIG.relative_to("/"), file.text)
    _write(files / "usr/share/doc/urpi/NEWS.md", (ROOT / "CHANGELOG.md").read_text("utf-8"))
    for name, shell in _COMPLETIONS.items():
        completion = shell(cli, {}, "urpi", "_URPI_COMPLETE")
        _write(files / name, completion.source_template % completion.source_vars())


def _write_club_files(files: Path) -> None:
    """Write the files of the package urpi-club, whose program is that of urpi."""
    for path, text in package_files().items():
        # Where Debian 12's debhelper looks for units; debian/rules moves them to UNITS.
        place = path.relative_to("/usr" if path.parent == UNITS else "/")
        _write(files / place, text)
    _write(files / CLUB_PROGRAM, (HERE / "urpi-club").read_text("utf-8"))


def _write_manual(folder: Path, epoch: int) -> None:
    day = dt.datetime.fromtimestamp(epoch, dt.UTC).date()
    for name, text in manual(cli, __version__, day).items():
        _write(folder / name, text)


def _write_debian(folder: Path, epoch: int, libraries: list[Library]) -> None:
    """Write debhelper's files: those of this folder, the changelog and the copyright."""
    shutil.copytree(HERE / "debian", folder, dirs_exist_ok=True)
    of_debian = debian_version(__version__)
    for script in folder.glob("urpi.p*"):
        script.write_text(script.read_text("utf-8").replace("@VERSION@", of_debian), "utf-8")
    date = dt.datetime.fromtimestamp(epoch, dt.UTC).strftime("%a, %d %b %Y %H:%M:%S +0000")
    changelog = (
        f"urpi ({of_debian}) stable; urgency=medium\n\n"
        "  * The changes are listed in NEWS.md, which is installed next to this file.\n\n"
        f" -- The urpi authors <urpi@urpi.invalid>  {date}\n"
    )
    _write(folder / "changelog", changelog)
    _write(folder / "copyright", _copyright(libraries))


def _copyright(libraries: list[Library]) -> str:
    """Return the machine-readable list of licences (DEP 5)."""
    licence = (ROOT / "LICENSE").read_text("utf-8").partition("\n\n")[2].partition("\n\n")
    fonts = (ROOT / "urpi/show/views/fonts/OFL.txt").read_text("utf-8")
    head = "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
    parts = [
        f"{head}Upstream-Name: urpi\n",
        _paragraph("*", licence[0].removeprefix("Copyright (c) "), "MIT", licence[2]),
        _paragraph(
            f"files/{LIBRARIES}/urpi/show/views/fonts/*",
            "2010-2019 Dimitar Toshkov Zhekov; 2026 The urpi authors",
            "OFL-1.1",
            fonts,
        ),
    ]
    parts += [
        _paragraph(
            " ".join(f"files/{LIBRARIES}/{_pattern(file)}" for file in each.files),
            OWNERS[each.name],
            f"{each.licence}-{each.name}",
            each.text,
        )
        for each in libraries
    ]
    return "\n".join(parts)


def _pattern(file: str) -> str:
    return file if file.endswith(".py") else f"{file}/*"


def _paragraph(files: str, owner: str, licence: str, text: str) -> str:
    lines = (f" {line.rstrip()}" if line.strip() else " ." for line in text.strip().splitlines())
    folded = "\n".join(lines)
    return f"Files: {files}\nCopyright: {owner}\nLicense: {licence}\n{folded}\n"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def _normalise(folder: Path) -> None:
    """Set the permissions of every file, which otherwise depend on the umask."""
    names = ("debian/rules", "files/usr/bin/urpi", f"club/{CLUB_PROGRAM}")
    programs = {folder / name for name in names}
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() or path in programs else 0o644)


if __name__ == "__main__":
    main()
