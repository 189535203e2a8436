"""GPIO chips of the kernel's gpio-sim, created through configfs and pulled through sysfs.

Source: Documentation/admin-guide/gpio/gpio-sim.rst of Linux 6.1.
"""

import os
import time
from pathlib import Path
from types import TracebackType
from typing import Final, Self

CONFIGFS: Final = Path("/sys/kernel/config/gpio-sim")
DEVICES: Final = Path("/sys/devices/platform")
PI_4: Final = "pinctrl-bcm2711", 58
PI_5: Final = "pinctrl-rp1", 54
"""The name of the header's chip in Linux, and its number of lines."""


class Chip:
    """A GPIO chip, as a context manager. `pulls` are all pulls with their monotonic times."""

    def __init__(self, label: str, lines: int) -> None:
        self.pulls: list[tuple[int, int, bool]] = []
        """Monotonic nanoseconds, line, and whether it was pulled down (the contact closed)."""
        self._label, self._lines = label, lines
        self._folder = CONFIGFS / f"urpi-{label}-{time.monotonic_ns()}"
        self._ends: list[int] = []

    def __enter__(self) -> Self:
        bank = self._folder / "bank"
        bank.mkdir(parents=True)
        (bank / "num_lines").write_text(str(self._lines))
        (bank / "label").write_text(self._label)
        # Creates the chip: its lines and label cannot be changed afterwards.
        (self._folder / "live").write_text("1")
        device = DEVICES / (self._folder / "dev_name").read_text().strip()
        self.name = (bank / "chip_name").read_text().strip()
        for line in range(self._lines):
            pull = device / self.name / f"sim_gpio{line}" / "pull"
            # Opened once, so that a pull is a single write.
            self._ends.append(os.open(pull, os.O_WRONLY))
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None
    ) -> None:
        for end in self._ends:
            os.close(end)
        # A live chip's folders cannot be removed.
        (self._folder / "live").write_text("0")
        (self._folder / "bank").rmdir()
        self._folder.rmdir()

    @property
    def number(self) -> int:
        """The number N of ``/dev/gpiochipN``."""
        return int(self.name.removeprefix("gpiochip"))

    def pull(self, line: int, *, closed: bool) -> None:
        """Close a contact to ground, or open it, which leaves the line to the pull-up."""
        self.pulls.append((time.monotonic_ns(), line, closed))
        os.write(self._ends[line], b"pull-down" if closed else b"pull-up")
