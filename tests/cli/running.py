"""A running command of the program, with its input and output."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from queue import Empty, SimpleQueue
from threading import Event, Thread
from unittest.mock import patch

import pytest

from urpi.cli.main import main

DEADLINE_S = 240.0
URPI = (sys.executable, "-c", "from urpi.cli.main import main; main()")


class Running:
    """A process whose output is read as it arrives, from both streams."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.passed: list[str] = []
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._errors: list[str] = []
        self._printed_more = Event()
        self._readers = [
            Thread(target=self._read_output, daemon=True),
            Thread(target=self._read_errors, daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    @property
    def errors(self) -> str:
        """The text printed on standard error until now."""
        return "".join(self._errors)

    def type(self, text: str) -> None:
        """Write a text to standard input."""
        assert self.process.stdin is not None
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def read_until(self, part: str) -> str:
        """Return the next line of the output that contains a text."""
        while True:
            try:
                line = self._lines.get(timeout=DEADLINE_S)
            except Empty:
                line = None
            if line is None:
                pytest.fail(f"{part!r} was not printed, but {self.passed} and {self.errors!r}")
            self.passed.append(line)
            if part in line:
                return line

    def wait_for_error(self, part: str) -> None:
        """Wait until a text is printed on standard error."""
        deadline = time.monotonic() + DEADLINE_S
        while part not in self.errors:
            if time.monotonic() > deadline:
                pytest.fail(f"{part!r} was not printed, but {self.errors!r}")
            self._printed_more.wait(deadline - time.monotonic())
            self._printed_more.clear()

    def interrupt(self) -> int:
        """Send Ctrl-C, and return the exit status."""
        self.process.send_signal(signal.SIGINT)
        return self.end()

    def end(self) -> int:
        """Return the exit status once the process has ended and all output is read."""
        status = self.process.wait(DEADLINE_S)
        self.read_to_the_end()
        while (line := self._lines.get_nowait()) is not None:
            self.passed.append(line)
        return status

    def read_to_the_end(self) -> None:
        """Wait until both streams are read; only then may they be closed."""
        for reader in self._readers:
            reader.join(DEADLINE_S)

    def _read_output(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._errors.append(line)
            self._printed_more.set()


@contextmanager
def running(*words: str) -> Iterator[Running]:
    """Yield a running `urpi`."""
    with subprocess.Popen(
        [*URPI, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        talked_to = Running(process)
        try:
            yield talked_to
        finally:
            process.kill()
            talked_to.read_to_the_end()


def call(*words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
    """Run `urpi` until it ends in this process, in a tenth of the processor time.

    For commands that end by themselves and change nothing but files.
    """
    output, errors = (TextIOWrapper(BytesIO(), "utf-8", newline="") for _ in range(2))
    with (
        redirect_stdout(output),
        redirect_stderr(errors),
        patch.object(sys, "stdin", TextIOWrapper(BytesIO(stdin), "utf-8")),
        patch.object(sys, "argv", ["urpi", *words]),
        pytest.raises(SystemExit) as ended,
    ):
        main()
    texts = []
    for stream in (output, errors):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())  # type: ignore[attr-defined]
    return subprocess.CompletedProcess(words, ended.value.code, *texts)  # type: ignore[arg-type]
