"""Builds the image once for its tests, which are slow, and skips them without its compiler."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FIRMWARE = HERE.parents[1] / "firmware"
CROSS = os.environ.get("URPI_ARM_CROSS", "arm-none-eabi-")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Leave every test that runs the image to `make test-all`."""
    for item in items:
        if item.path.is_relative_to(HERE) and "built" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with die.elf, die.bin and die.uf2."""
    if shutil.which(f"{CROSS}gcc") is None:
        pytest.skip("needs Debian's gcc-arm-none-eabi and libnewlib-arm-none-eabi")
    return build(tmp_path_factory.mktemp("ble"))


def build(folder: Path, source: Path = FIRMWARE / "ble") -> Path:
    command = ["make", "-C", str(source), "--silent", f"BUILD={folder}", f"CROSS={CROSS}"]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    return folder


@pytest.fixture(scope="session")
def image(built: Path) -> bytes:
    return (built / "die.bin").read_bytes()


@pytest.fixture(scope="session")
def motions(tmp_path_factory: pytest.TempPathFactory):
    if shutil.which("gcc") is None:
        pytest.skip("needs Debian's gcc")
    from .bodies import build as build_motions  # noqa: PLC0415 - of this folder only

    return build_motions(tmp_path_factory.mktemp("motions"))
