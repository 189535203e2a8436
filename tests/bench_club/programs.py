"""Processor time and memory of programs with their child processes."""

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from tests.club_live.running import Program

_TICK_S: Final = 1 / os.sysconf("SC_CLK_TCK")


def processes_of(program: Program) -> Callable[[], list[int]]:
    """Return a function that lists the processes of a running program, itself first."""

    def found() -> list[int]:
        pid = program.pid
        return [] if pid is None else _tree(pid)

    return found


def _tree(pid: int) -> list[int]:
    children: list[int] = []
    for each in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children += map(int, each.read_text().split())
        except OSError:
            continue
    return [pid, *(below for child in children for below in _tree(child))]


class Usage:
    """What programs use since this was created.

    Args:
        programs: A function for each that lists its processes.
    """

    def __init__(self, programs: Mapping[str, Callable[[], list[int]]]) -> None:
        self._programs = programs
        self._began = time.monotonic()
        self._before = {name: _cpu_s(found()) for name, found in programs.items()}
        self._own = time.process_time()

    def memory(self) -> str:
        """Return the memory of each in 10^6 bytes; what processes share counts in parts."""
        return ", ".join(
            f"{name} {_memory_mb(found()):.0f} MB" for name, found in self._programs.items()
        )

    def load(self) -> str:
        """Return the mean number of cores of each, and of the simulated tables."""
        took = time.monotonic() - self._began
        cores = {
            name: (_cpu_s(found()) - self._before[name]) / took
            for name, found in self._programs.items()
        }
        cores["tables"] = (time.process_time() - self._own) / took
        return ", ".join(f"{name} {load:.2f}" for name, load in cores.items())


def _cpu_s(pids: list[int]) -> float:
    ticks = 0
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += int(fields[11]) + int(fields[12])
    return ticks * _TICK_S


def _memory_mb(pids: list[int]) -> float:
    kib = 0
    for pid in pids:
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        kib += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return kib * 1024 / 1e6
