"""Builds the images and the simulator once for all tests of this folder that need them.

Those are slow.
"""

import fcntl
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FIRMWARE = HERE.parents[1] / "firmware"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave every test that runs the images to `make test-all`."""
    for item in items:
        needs = getattr(item, "fixturenames", ())
        if item.path.is_relative_to(HERE) and "simulator_built" in needs:
            item.add_marker(pytest.mark.slow)


def missing_tool() -> str | None:
    """Return the missing tools with their Debian packages, empty if there are none."""
    for tool, package in (("avr-gcc", "gcc-avr"), ("avr-size", "binutils-avr"), ("gcc", "gcc")):
        if shutil.which(tool) is None:
            return f"{tool} (Debian: {package})"
    headers = (("simavr/sim_avr.h", "libsimavr-dev"), ("libelf.h", "libelf-dev"))
    for header, package in headers:
        if not Path("/usr/include", header).exists():
            return f"{header} (Debian: {package})"
    return None


def make(folder: Path, *targets: str) -> str:
    """Run make in the folder, one process at a time, and return its output."""
    with (FIRMWARE / "Makefile").open(encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = subprocess.run(
            ["make", "-C", folder, *targets], capture_output=True, text=True, check=False
        )
    assert made.returncode == 0, made.stdout + made.stderr
    return made.stdout


@pytest.fixture(scope="session")
def toolchain() -> None:
    """Skip the test if the images cannot be built."""
    missing = missing_tool()
    if missing:
        pytest.skip(f"{missing} is not installed")


@pytest.fixture(scope="session")
def simulator_built(toolchain: None) -> None:
    """The images and urpi-sim, newly built."""
    make(FIRMWARE, "die", "hub")
    make(FIRMWARE / "sim")
