"""The machine: its model, the header functions in use, its power supply and its disk."""

import os
import pwd
import re
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from urpi.install.doctor.facts import GpioChip, HeaderFunctions, Machine, Storage
from urpi.install.doctor.tree import Tree

Run = Callable[[list[str]], str | None]
"""Runs a program and returns its output; None if it is missing or fails."""

_GPIO_DEVICES: Final = "/sys/bus/gpio/devices"
_SERIAL_CONSOLE: Final = re.compile(r"\bconsole=(serial|ttyS|ttyAMA)\d")
RUN_S: Final = 3.0
"""Timeout for a program."""
# An odd number, for the median: a card that cleans up now and then makes single writes slow.
_WRITES: Final = 5


def run(command: list[str]) -> str | None:
    """Run a program on this machine and return its output; None if it is missing or fails."""
    try:
        done = subprocess.run(  # noqa: S603 - programs named in this package
            command, capture_output=True, text=True, timeout=RUN_S, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout


def machine(tree: Tree, kernel: str, word_bits: int, labels: Iterable[tuple[int, str]]) -> Machine:
    """The model, the system and the GPIO controllers.

    Args:
        tree: the machine's files.
        kernel: kernel release.
        word_bits: word size of the installed system.
        labels: number and label of each controller that this user may open.
    """
    found = dict(labels)
    # The device tree also lists controllers that this user may not open.
    numbers = {_number(name) for name in tree.names(_GPIO_DEVICES, "gpiochip*")} | set(found)
    chips = (GpioChip(n, found.get(n, ""), _compatible(tree, n)) for n in sorted(numbers))
    return Machine(
        tree.text("/proc/device-tree/model"),
        kernel,
        _value(tree.text("/etc/os-release"), "PRETTY_NAME"),
        word_bits,
        tuple(chips),
    )


def header_functions(tree: Tree) -> HeaderFunctions:
    """The functions of the header that the running kernel has enabled."""
    return HeaderFunctions(
        spi=bool(tree.names("/dev", "spidev0.*")),
        one_wire=bool(tree.names("/sys/bus/w1/devices", "w1_bus_master*")),
        serial_console=bool(_SERIAL_CONSOLE.search(tree.text("/proc/cmdline"))),
    )


def throttled(run: Run) -> int | None:
    """The firmware's flags about voltage and heat, None on other machines than a Pi."""
    output = run(["vcgencmd", "get_throttled"])
    bits = re.search(r"throttled=(0x[0-9a-fA-F]+)", output or "")
    return int(bits[1], 16) if bits else None


def _number(name: str) -> int:
    return int(name.removeprefix("gpiochip"))


def _compatible(tree: Tree, number: int) -> str:
    listed = tree.text(f"{_GPIO_DEVICES}/gpiochip{number}/of_node/compatible")
    return listed.partition("\0")[0]


def _value(page: str, key: str) -> str:
    found = re.search(rf'^{key}="?([^"\n]*)', page, re.MULTILINE)
    return found[1] if found else ""


def storage(path: Path, clock_s: Callable[[], float]) -> Storage:
    """Try the folder that holds, or would hold, the journal; no file remains in it.

    Args:
        path: path of the journal, which need not exist.
        clock_s: monotonic time in seconds.
    """
    # With all that they import, which the wiring list does not need.
    import shutil  # noqa: PLC0415
    import tempfile  # noqa: PLC0415

    # `Path.exists` raises an error for what is in a folder without access.
    place = next(place for place in (path, *path.parents) if os.path.exists(place))
    folder = path.parent if place == path else place
    try:
        if place == path:
            path.open("r+b").close()
        free_mb = shutil.disk_usage(folder).free // 1_000_000
        # In the journal's folder: another one may be on another disk, or in memory.
        with tempfile.TemporaryFile(dir=folder) as file:
            times = sorted(_timed_write(file.fileno(), clock_s) for _ in range(_WRITES))
    except OSError as error:
        return Storage(str(path), error=error.strerror or str(error), owner=_owner(place))
    # The median; `statistics` imports as much as `tempfile`.
    return Storage(str(path), free_mb=free_mb, fsync_ms=round(times[_WRITES // 2] * 1000, 1))


def _owner(place: Path) -> str:
    number = place.stat().st_uid
    try:
        return pwd.getpwuid(number).pw_name if number else ""
    except KeyError:
        return str(number)


def _timed_write(file: int, clock_s: Callable[[], float]) -> float:
    """The seconds until half a kilobyte is on the disk."""
    began = clock_s()
    os.write(file, b"urpi" * 128)
    os.fsync(file)
    return clock_s() - began
