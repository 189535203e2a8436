"""A command of `urpi` as a process of its own, as on a Pi."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Final, Self

from tests.output import print_line

PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE")
PATIENCE_S: Final = 120.0
POLL_NS: Final = 10_000_000
"""Longest interval of slowed polls of the contacts, in nanoseconds."""


def urpi(*words: str, config: Path) -> list[str]:
    """Return the command line of urpi."""
    program = Path(sys.executable).parent / "urpi"
    return [str(program), "--config", str(config), *words]


class Program:
    """A command, by default the service, as a context manager. `lines` is its output."""

    def __init__(self, config: Path, *words: str) -> None:
        self.lines: list[str] = []
        self._command = urpi(*(words or ("serve",)), config=config)

    def __enter__(self) -> Self:
        self.started_ns = time.monotonic_ns()
        self._process = subprocess.Popen(
            self._command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    @property
    def running(self) -> bool:
        """Whether it is still running."""
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    @property
    def resident_mib(self) -> float:
        """Its resident memory."""
        pages = (Path("/proc") / str(self._process.pid) / "statm").read_text().split()[1]
        return int(pages) * PAGE_BYTES / (1 << 20)

    def slow_gpio_polls(self) -> None:
        """Let lgpio's thread poll the contacts less often, which otherwise takes most of the time.

        It polls every 0.5 ms (lgPthAlerts.c of github.com/joan2937/lg), thus wakes up most often.
        An edge still ends its wait at once.
        """
        threads = (Path("/proc") / str(self.pid) / "task").iterdir()
        number = max(threads, key=_wakeups).name
        (Path("/proc") / number / "timerslack_ns").write_text(str(POLL_NS))

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, float]:
        """Stop it as systemd does, or with another signal; see `wait`."""
        self._process.send_signal(number)
        return self.wait()

    def wait(self) -> tuple[int, float]:
        """Wait until it ends; return its exit status and the seconds it took."""
        began = time.monotonic()
        status = self._process.wait(PATIENCE_S)
        took = time.monotonic() - began
        self._reader.join(PATIENCE_S)
        return status, took

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.lines.append(line.rstrip())
            print_line(f"    | {line.rstrip()}")


def _wakeups(thread: Path) -> int:
    """Return how often a thread has waited."""
    lines = (thread / "status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt"))
