"""How much of the machine other programs take: what spoils a measurement of time.

From /proc/stat, proc(5): time stolen from a virtual machine is other work too.
"""

import os
import resource
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

STAT: Final = Path("/proc/stat")
_IDLE: Final = slice(3, 5)
_ALL: Final = slice(0, 8)
TICKS_PER_S: Final = os.sysconf("SC_CLK_TCK")


def own_cpu_s() -> float:
    """Processor seconds of this program and of all that it has started and that has ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF)]
    return sum(one.ru_utime + one.ru_stime for one in used)


@dataclass(frozen=True)
class Moment:
    """Processor seconds since the machine was started: all there were, and those in work."""

    all_s: float
    busy_s: float
    own_s: float

    @classmethod
    def now(cls) -> Self:
        """What it is now."""
        line = STAT.read_text().partition("\n")[0]
        ticks = [int(number) for number in line.split()[1:]]
        total, idle = sum(ticks[_ALL]), sum(ticks[_IDLE])
        return cls(total / TICKS_PER_S, (total - idle) / TICKS_PER_S, own_cpu_s())

    def others_since(self, before: "Moment") -> float:
        """The part of the machine that others have taken since then, 0 to 1."""
        others = (self.busy_s - before.busy_s) - (self.own_s - before.own_s)
        return max(0.0, others / max(self.all_s - before.all_s, 1e-9))
