"""The machine's clock: whether it is set, and how long the machine has been running.

systemd-timesyncd touches a file at each synchronisation, which every user may see, and has none
before the first one of a boot (systemd-timesyncd.service(8)). The kernel knows it too, whatever
program sets the clock, but its call (adjtimex(2)) is none of those that the service's unit allows.

Within one boot a second clock goes on that is never set; by it the beginnings of games are
corrected when the clock is set.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

from urpi.journal.clock import BOOT, CLOCK, UNSET, UPTIME, correct_starts
from urpi.journal.keeper import Keeper

CHECK_MS: Final = 30_000
"""How often the clock is read until it is set."""
TIMESYNC: Final = Path("run/systemd/timesync")
BOOT_ID: Final = Path("proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True)
class MachineClock:
    """A reading of the machine's clock.

    Attributes:
        is_set: Whether it is synchronised; also if that is unknown, the default.
        boot: The id of the boot.
        uptime_ms: Time since the boot in milliseconds, the time asleep included.
    """

    is_set: bool = True
    boot: str = ""
    uptime_ms: int = 0

    @property
    def settings(self) -> dict[str, str]:
        """The settings of a game that begins now, none if the clock is set."""
        if self.is_set:
            return {}
        return {CLOCK: UNSET, BOOT: self.boot, UPTIME: str(self.uptime_ms)}


def read_machine_clock(root: Path = Path("/")) -> MachineClock:
    """Read the clock of a machine; one that is set by another program counts as set.

    Args:
        root: The root of its file system.
    """
    try:
        boot = (root / BOOT_ID).read_text("ascii").strip()
        uptime_ms = int(time.clock_gettime(time.CLOCK_BOOTTIME) * 1000)
    except OSError:
        return MachineClock()
    folder = root / TIMESYNC
    is_set = not folder.is_dir() or (folder / "synchronized").exists()
    return MachineClock(is_set, boot, uptime_ms)


class ClockWatch:
    """Corrects when games of this boot began, as soon as the clock is set. A task of the service.

    Args:
        keeper: Keeps the games.
        read: Reads the machine's clock.
        now: Returns the local time.
    """

    def __init__(
        self, keeper: Keeper, read: Callable[[], MachineClock], now: Callable[[], datetime]
    ) -> None:
        self._keeper, self._read, self._now = keeper, read, now
        self.next_due: int | None = 0 if read().boot else None
        """When the clock is read next, None once it is set."""

    def tick(self, t: int) -> None:
        """Read the clock if that is due."""
        if self.next_due is None or t < self.next_due:
            return
        clock = self._read()
        self.next_due = None if clock.is_set else t + CHECK_MS
        if clock.is_set and clock.boot:
            now = self._now()
            booted = partial(correct_starts, boot=clock.boot, uptime_ms=clock.uptime_ms, now=now)
            self._keeper.write("clock", booted, now)
