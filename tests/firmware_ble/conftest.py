"""Builds the image once, and skips the tests where its compiler is missing."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

FIRMWARE = Path(__file__).parents[2] / "firmware"
CROSS = os.environ.get("URPI_ARM_CROSS", "arm-none-eabi-")


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
