"""The content of the two files of a release."""

import shutil
import subprocess
import sys
import tarfile
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

from tests.release.conftest import ROOT, Release, run
from urpi import __version__

LICENCES = ROOT / "docs" / "reference" / "licences.md"
LEFT_OUT = {".gitignore"}
"""Files in git that are useless without it."""
NOT_OURS = {".bdf", ".woff2", ".ttf", ".otf", ".png", ".jpg"}
"""Files that are mostly the work of others."""


@pytest.fixture(scope="module")
def kept() -> set[str]:
    """Return the files that git tracks, or would track."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("needs a checkout, and git")
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return {name for name in listed.stdout.split("\0") if (ROOT / name).is_file() and name}


@pytest.fixture(scope="module")
def in_wheel(release: Release) -> set[str]:
    with zipfile.ZipFile(release.wheel) as wheel:
        return set(wheel.namelist())


@pytest.fixture(scope="module")
def metadata(release: Release) -> Message:
    with zipfile.ZipFile(release.wheel) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        return Parser().parsestr(wheel.read(name).decode())


def test_a_package_index_accepts_both(release: Release, tmp_path: Path) -> None:
    command = (sys.executable, "-m", "twine", "check", "--strict", release.wheel, release.sdist)
    assert run(*command, cwd=tmp_path).count("PASSED") == 2


def test_the_version_is_the_package_s(release: Release, metadata: Message) -> None:
    assert release.wheel.name == f"urpi-{__version__}-py3-none-any.whl"
    assert release.sdist.name == f"urpi-{__version__}.tar.gz"
    assert metadata["Version"] == __version__


def test_the_changelog_has_this_version_or_unreleased_changes() -> None:
    heads = [line for line in (ROOT / "CHANGELOG.md").read_text().splitlines() if "## [" in line]
    assert heads[0].startswith((f"## [{__version__}]", "## [Unreleased]"))


def test_the_sdist_has_the_files_in_git(release: Release, kept: set[str]) -> None:
    with tarfile.open(release.sdist) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    found = {name for name in names if Path(name).name not in LEFT_OUT} - {"PKG-INFO"}
    assert found == {name for name in kept if Path(name).name not in LEFT_OUT}


def test_the_wheel_has_the_package_only(in_wheel: set[str], kept: set[str]) -> None:
    package = {name for name in in_wheel if ".dist-info/" not in name}
    assert package == {name for name in kept if name.startswith("urpi/")}


def test_every_licence_is_in_the_wheel_and_in_the_docs(
    in_wheel: set[str], metadata: Message
) -> None:
    listed = set(metadata.get_all("License-File", ()))
    texts = {name for name in in_wheel if Path(name).name in {"OFL.txt", "LICENSE", "LICENSE.txt"}}
    assert {name for name in texts if ".dist-info/" not in name} | {"LICENSE"} == listed
    page = LICENCES.read_text("utf-8")
    assert [name for name in listed if name not in page] == []


def test_files_of_others_are_beside_their_licence(in_wheel: set[str]) -> None:
    folders = {str(Path(name).parent) for name in in_wheel if Path(name).suffix in NOT_OURS}
    page = LICENCES.read_text("utf-8")
    assert [folder for folder in folders if f"`{folder}/`" not in page] == []
