"""Times and memory of the start of an emulated Pi."""

import re
from collections.abc import Mapping
from typing import Final

from tests.deb.boot.display_bus import TracedDisplay
from tests.deb.boot.pi import EmulatedPi

_WRITE: Final = re.compile(r" (?P<t_s>[\d.]+): i2c_write: i2c-1 #\d+ a=03c f=\w+ l=(?P<size>\d+) ")
_SYSTEM: Final = ("UserspaceTimestampMonotonic", "FinishTimestampMonotonic")
_SERVICE: Final = ("ExecMainStartTimestampMonotonic", "ActiveEnterTimestampMonotonic")
_MEMORY: Final = ("MemoryCurrent", "MemoryPeak", "CPUUsageNSec")
_PROCESSES: Final = "/sys/fs/cgroup/system.slice/urpi.service/cgroup.procs"
_PSS: Final = f"for p in $(cat {_PROCESSES}); do grep ^Pss: /proc/$p/smaps_rollup; done"


def figures(pi: EmulatedPi, display: TracedDisplay) -> dict[str, object]:
    """Return the figures by name, with their units."""
    ready = display.transfers[display.shown_after - 1]
    written = _written(pi, display)
    system = _properties(pi, "", _SYSTEM)
    service = _properties(pi, "urpi", (*_SERVICE, *_MEMORY))
    pss = [int(kib) for kib in re.findall(r"Pss: +(\d+) kB", pi.run(_PSS))]
    return {
        "host_s": {
            "first transfer to the display": display.transfers[0].t_s - pi.switched_on_s,
            "ready": ready.t_s - pi.switched_on_s,
        },
        "guest_s": {
            "systemd started": system["UserspaceTimestampMonotonic"] / 1e6,
            "urpi.service started": service["ExecMainStartTimestampMonotonic"] / 1e6,
            "first transfer to the display": written[0],
            "urpi.service active": service["ActiveEnterTimestampMonotonic"] / 1e6,
            "ready": written[display.shown_after - 1],
            "boot finished": system["FinishTimestampMonotonic"] / 1e6,
        },
        "systemd-analyze": pi.run("systemd-analyze time"),
        "bytes to the display until ready": sum(
            len(each.data) for each in display.transfers[: display.shown_after]
        ),
        "MiB": {
            **_memory(pi),
            "urpi.service, memory.current": service["MemoryCurrent"] / 2**20,
            "urpi.service, memory.peak": service["MemoryPeak"] / 2**20,
            "urpi.service, PSS of its processes": [kib / 1024 for kib in pss],
        },
        "urpi.service, CPU s": service["CPUUsageNSec"] / 1e9,
    }


def _written(pi: EmulatedPi, display: TracedDisplay) -> list[float]:
    """Return the guest's times of the transfers, in seconds since the kernel's start.

    They are the kernel's, whose record must agree with what arrived at the display.
    """
    rows = [(float(row["t_s"]), int(row["size"])) for row in _WRITE.finditer(_kernel_trace(pi))]
    sizes = [len(each.data) for each in display.transfers]
    assert [size for _, size in rows][: len(sizes)] == sizes
    return [t_s for t_s, _ in rows]


def _kernel_trace(pi: EmulatedPi) -> str:
    return pi.run("cut -c 1-120 /sys/kernel/tracing/trace")


def _properties(pi: EmulatedPi, unit: str, names: tuple[str, ...]) -> Mapping[str, int]:
    shown = pi.run(f"systemctl show {unit} --property={','.join(names)}")
    return {name: int(value) for name, value in (line.split("=") for line in shown.splitlines())}


def _memory(pi: EmulatedPi) -> dict[str, float]:
    """Return the system's memory in MiB."""
    rows = dict(line.split(":") for line in pi.run("cat /proc/meminfo").splitlines())
    kib = {name: int(rows[name].split()[0]) for name in ("MemTotal", "MemAvailable")}
    return {
        "total": kib["MemTotal"] / 1024,
        "used": (kib["MemTotal"] - kib["MemAvailable"]) / 1024,
        "available": kib["MemAvailable"] / 1024,
    }
