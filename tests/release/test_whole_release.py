"""Every file of a release, built twice from a tag of a clone of this checkout."""

import hashlib
import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.release.conftest import ROOT
from urpi import __version__

BUILD_S = 1800
FILES = {
    f"urpi-{__version__}-py3-none-any.whl",
    f"urpi-{__version__}.tar.gz",
    f"urpi_{__version__}_all.deb",
    f"urpi-club_{__version__}_all.deb",
    f"urpi-{__version__}.cdx.json",
    f"urpi-boards-{__version__}.tar.gz",
    f"urpi-templates-{__version__}.tar.gz",
    f"urpi-docs-{__version__}.tar.gz",
    "SHA256SUMS",
}


def git(folder: Path, *words: str) -> None:
    subprocess.run(("git", "-C", folder, *words), check=True, capture_output=True)


def build(checkout: Path, output: Path, umask: int = 0o022) -> subprocess.CompletedProcess[str]:
    """Build a release in a process that imports the clone's modules."""
    return subprocess.run(
        (sys.executable, "-m", "tools.release", "--output", output),
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout), "LANG": "C.UTF-8"},
        umask=umask,
        capture_output=True,
        text=True,
        timeout=BUILD_S,
        check=False,
    )


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a clone with what is committed."""
    folder = tmp_path / "clone"
    git(ROOT, "clone", "--quiet", "--no-tags", str(ROOT), str(folder))
    return folder


@pytest.mark.timeout(2 * BUILD_S)
def test_two_runs_write_the_same_bytes(checkout: Path, tmp_path: Path) -> None:
    refused = build(checkout, tmp_path / "no")
    assert refused.returncode == 1
    assert f"The commit has no tag v{__version__}" in refused.stderr
    git(checkout, "tag", f"v{__version__}")
    (checkout / "README.md").write_text("changed")
    assert "The checkout has changes (M README.md)" in build(checkout, tmp_path / "no").stderr
    git(checkout, "restore", "README.md")
    assert not (tmp_path / "no").exists()

    first, second = tmp_path / "first", tmp_path / "second"
    for output, umask in ((first, 0o022), (second, 0o077)):
        done = build(checkout, output, umask)
        assert done.returncode == 0, done.stdout + done.stderr
    contents = [
        {path.name: path.read_bytes() for path in output.iterdir()} for output in (first, second)
    ]
    assert contents[0].keys() == contents[1].keys()
    assert [name for name in contents[0] if contents[0][name] != contents[1][name]] == []
    check(first)


def check(folder: Path) -> None:
    """Check the content of a release."""
    names = {path.name for path in folder.iterdir()}
    assert names >= FILES
    (firmware,) = names - FILES
    sums = dict(reversed(line.split()) for line in (folder / "SHA256SUMS").read_text().splitlines())
    assert sums == {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
        for name in names - {"SHA256SUMS"}
    }
    with tarfile.open(folder / firmware) as archive:
        assert {"die.hex", "hub.hex", "die.uf2", "sleep.uf2"} <= {
            Path(name).name for name in archive.getnames()
        }
    for part, file in (("boards", "die-gerber.zip"), ("templates", "board-top.dxf")):
        with tarfile.open(folder / f"urpi-{part}-{__version__}.tar.gz") as archive:
            assert f"urpi-{part}-{__version__}/{file}" in archive.getnames()
    with tarfile.open(folder / f"urpi-docs-{__version__}.tar.gz") as archive:
        assert f"urpi-docs-{__version__}/install/index.html" in archive.getnames()
    bill = json.loads((folder / f"urpi-{__version__}.cdx.json").read_text("utf-8"))
    found = {each["name"]: each["version"] for each in bill["components"]}
    assert found["urpi"] == __version__
    assert {"gpiozero", "starlette", "uvicorn", "paho-mqtt"} <= found.keys()
    assert all(each.get("licenses") for each in bill["components"])
