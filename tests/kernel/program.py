"""`urpi serve` as a process of its own, as on a Pi."""

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


class Program:
    """The service, as a context manager. `lines` is its output."""

    def __init__(self, config: Path) -> None:
        self.lines: list[str] = []
        self._config = config

    def __enter__(self) -> Self:
        urpi = Path(sys.executable).parent / "urpi"
        self.started_ns = time.monotonic_ns()
        self._process = subprocess.Popen(
            [str(urpi), "--config", str(self._config), "serve"],
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

    def stop(self) -> tuple[int, float]:
        """Stop it as systemd does; return its exit status and the seconds it took."""
        began = time.monotonic()
        self._process.send_signal(signal.SIGTERM)
        status = self._process.wait(PATIENCE_S)
        took = time.monotonic() - began
        self._reader.join(PATIENCE_S)
        return status, took

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.lines.append(line.rstrip())
            print_line(f"    | {line.rstrip()}")
