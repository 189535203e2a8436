"""Builds the images and the simulator once for all tests of this folder."""

import fcntl
import shutil
import subprocess
from pathlib import Path

import pytest

FIRMWARE = Path(__file__).parents[2] / "firmware"


def missing_tool() -> str | None:
    """What is not installed, with its Debian package, or nothing."""
    for tool, package in (("avr-gcc", "gcc-avr"), ("avr-size", "binutils-avr"), ("gcc", "gcc")):
        if shutil.which(tool) is None:
            return f"{tool} (Debian: {package})"
    headers = (("simavr/sim_avr.h", "libsimavr-dev"), ("libelf.h", "libelf-dev"))
    for header, package in headers:
        if not Path("/usr/include", header).exists():
            return f"{header} (Debian: {package})"
    return None


def make(folder: Path, *targets: str) -> str:
    """Runs make there, one at a time, and gives what it printed."""
    with (FIRMWARE / "Makefile").open(encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = subprocess.run(
            ["make", "-C", folder, *targets], capture_output=True, text=True, check=False
        )
    assert made.returncode == 0, made.stdout + made.stderr
    return made.stdout


@pytest.fixture(scope="session")
def toolchain() -> None:
    """Skips where the images cannot be built."""
    missing = missing_tool()
    if missing:
        pytest.skip(f"{missing} is not installed")


@pytest.fixture(scope="session")
def simulator_built(toolchain: None) -> None:
    """The images and urpi-sim, fresh."""
    make(FIRMWARE, "die", "hub")
    make(FIRMWARE / "sim")
