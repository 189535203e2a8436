"""The load of the machine by other programs, which disturbs measurements of time.

Source: /proc/stat, proc(5). Time stolen from a virtual machine counts as other work too.
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
    """Return the processor seconds of this process and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF)]
    return sum(one.ru_utime + one.ru_stime for one in used)


@dataclass(frozen=True)
class Moment:
    """Return the processor seconds since boot: the total, and the busy ones."""

    all_s: float
    busy_s: float
    own_s: float

    @classmethod
    def now(cls) -> Self:
        """Return the current counters."""
        line = STAT.read_text().partition("\n")[0]
        ticks = [int(number) for number in line.split()[1:]]
        total, idle = sum(ticks[_ALL]), sum(ticks[_IDLE])
        return cls(total / TICKS_PER_S, (total - idle) / TICKS_PER_S, own_cpu_s())

    def others_since(self, before: "Moment") -> float:
        """Return the share of the machine used by other programs since `before`, from 0 to 1."""
        others = (self.busy_s - before.busy_s) - (self.own_s - before.own_s)
        return max(0.0, others / max(self.all_s - before.all_s, 1e-9))
