"""The file of the Debian package: accepted by lintian, complete.

That another build has the same bytes is tested with the whole release.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deb.conftest import Keys, Packages
from tests.deb.roots import ROOT
from tools.deb.bundle import OWNERS, PINS
from urpi.cli.main import COMMANDS


@pytest.fixture(scope="module")
def inside(packages: Packages, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inside")
    subprocess.run(("dpkg-deb", "--raw-extract", packages.newer, folder), check=True)
    return folder


def test_lintian_finds_nothing(packages: Packages) -> None:
    found = (packages.newer, packages.club)
    command = ("lintian", "--allow-root", "--fail-on=error,warning", *found)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_configuration_is_the_only_file_that_belongs_to_the_owner(inside: Path) -> None:
    assert (inside / "DEBIAN/conffiles").read_text().split() == ["/etc/urpi/config.toml"]


def test_the_release_key_is_the_given_one(inside: Path, keys: Keys) -> None:
    assert (inside / "usr/share/urpi/release.pub").read_bytes() == keys.public.read_bytes()


def test_every_command_has_a_manual_page(inside: Path) -> None:
    pages = {path.name for path in (inside / "usr/share/man/man1").iterdir()}
    assert pages == {"urpi.1.gz", *(f"urpi-{name}.1.gz" for name in COMMANDS)}


def test_troff_accepts_the_manual_pages(inside: Path) -> None:
    for page in (inside / "usr/share/man/man1").iterdir():
        text = subprocess.run(("zcat", page), capture_output=True, check=True).stdout
        done = subprocess.run(
            ("groff", "-man", "-ww", "-z", "-Tutf8"), input=text, capture_output=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, b""), page.name


def test_every_bundled_library_is_pinned_and_its_licence_is_included(inside: Path) -> None:
    pinned = set(re.findall(r"^([\w.-]+)==", PINS.read_text("utf-8"), re.MULTILINE))
    assert pinned == set(OWNERS)
    text = (inside / "usr/share/doc/urpi/copyright").read_text("utf-8")
    for owner in OWNERS.values():
        assert f"\nCopyright: {owner}\nLicense: " in text
    bundled = {path.name.partition("-")[0] for path in inside.glob("usr/share/urpi/*.dist-info")}
    assert bundled == {re.sub("[.-]", "_", name) for name in pinned} | {"urpi"}


def test_the_package_has_no_compiled_code(inside: Path) -> None:
    files = [path for path in inside.rglob("*") if path.is_file()]
    assert [path for path in files if path.suffix in {".so", ".pyc"}] == []


def test_dice_with_bluetooth_work_with_the_libraries_of_the_package(inside: Path) -> None:
    packaged = inside / "usr/share/urpi"
    # Compiled code would be found by the test that the package contains none.
    environment = {**os.environ, "PYTHONPATH": str(packaged), "PYTHONDONTWRITEBYTECODE": "1"}
    where = "import bleak, dbus_fast; print(bleak.__file__, dbus_fast.__file__)"
    tests = ("pytest", "-p", "no:cacheprovider", "tests/hardware/test_bleak_radio.py")
    found, tested = (
        subprocess.run(
            (sys.executable, *arguments),
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        for arguments in (("-c", where), ("-m", *tests))
    )
    libraries = (packaged / "bleak/__init__.py", packaged / "dbus_fast/__init__.py")
    assert found.stdout.split() == list(map(str, libraries)), found.stderr
    assert tested.returncode == 0, tested.stdout + tested.stderr


def test_urpi_is_complete(inside: Path) -> None:
    command = ("git", "ls-files", "urpi")
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    missing = [
        name for name in listed.stdout.split() if not (inside / "usr/share/urpi" / name).is_file()
    ]
    assert missing == []
