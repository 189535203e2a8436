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

from tests.kernel.other_work import TICKS_PER_S
from tests.output import print_line

PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE")
PATIENCE_S: Final = 120.0


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

    @property
    def processor_s(self) -> float:
        """The processor time that it has used."""
        fields = (Path("/proc") / str(self._process.pid) / "stat").read_text()
        user, system = fields.rpartition(") ")[2].split()[11:13]
        return (int(user) + int(system)) / TICKS_PER_S

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
