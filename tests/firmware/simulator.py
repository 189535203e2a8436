"""Control of firmware/build/sim/urpi-sim step by step, by its commands and the hub's serial line.

It runs the process and reads the pseudo-terminal, and acknowledges the hub's reports as a Pi does.
Time is virtual: only the replies to commands are waited for.
"""

import binascii
import contextlib
import json
import os
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

BUILD = Path(__file__).parents[2] / "firmware" / "build"
PROGRAM = BUILD / "sim" / "urpi-sim"
STEP_MS = 10


class SimulatorRefusedError(RuntimeError):
    """The simulator replied with an error."""


@dataclass(frozen=True)
class Line:
    """A line of the hub, and the virtual time by which it had arrived."""

    kind: str
    value: dict[str, str]
    arrived_ms: float

    @property
    def die(self) -> int:
        return int(self.value["die"])

    @property
    def state(self) -> str:
        return self.value["st"]


def with_crc(text: str) -> bytes:
    """Return `$TEXT*HHHH` and CR LF."""
    return f"${text}*{binascii.crc_hqx(text.encode(), 0xFFFF):04X}\r\n".encode()


@dataclass
class Wire:
    """The hub's bytes, split into lines."""

    rest: bytes = b""
    bad: int = 0
    noise: bytes = b""
    reports: Counter[str] = field(default_factory=Counter)  # times received, by report number

    def lines(self, more: bytes, arrived_ms: float) -> Iterator[Line]:
        *whole, self.rest = (self.rest + more).split(b"\r\n")
        for line in whole:
            noise, dollar, text = line.partition(b"$")
            self.noise += noise
            body, _, crc = text.partition(b"*")
            if not dollar or crc != b"%04X" % binascii.crc_hqx(body, 0xFFFF):
                self.bad += 1
                continue
            kind, *pairs = body.decode().split(",")
            value = dict(pair.split("=") for pair in pairs)
            self.reports[value.get("seq", "")] += 1
            yield Line(kind, value, arrived_ms)


class HubSession:
    """A simulated hub with its dice: the time is advanced, and reports acknowledged as a Pi does.

    `wire` splits the hub's bytes into lines, `now_ms` is the virtual time, `seen` the reports so
    far. With `acknowledges`, each report is acknowledged when it arrives.
    """

    acknowledges: bool
    wire: Wire
    now_ms: float
    seen: set[tuple[str, str]]

    def advance(self, ms: float) -> bytes:
        """Advance the time, and return the bytes that the hub has sent."""
        raise NotImplementedError

    def write(self, text: str) -> None:
        """Send a line to the hub."""
        raise NotImplementedError

    def steps(self, ms: float, step_ms: float = STEP_MS) -> Iterator[list[Line]]:
        """Advance the time in small steps, and yield the lines that arrived in each."""
        until = self.now_ms + ms
        while self.now_ms < until - 0.5:
            yield list(self._new_lines(self.advance(min(step_ms, until - self.now_ms))))

    def run(self, ms: float, step_ms: float = STEP_MS) -> list[Line]:
        """Advance the time, acknowledge the lines that arrive, and return each of them once."""
        return [line for lines in self.steps(ms, step_ms) for line in lines]

    def reports(self, ms: float, step_ms: float = STEP_MS) -> list[Line]:
        """Return the lines of dice only."""
        return [line for line in self.run(ms, step_ms) if line.kind == "DIE"]

    def until(self, limit_ms: int, what: Callable[[Line], bool]) -> Line:
        """Return the first line that matches; raise AssertionError on a timeout."""
        for lines in self.steps(limit_ms):
            for line in lines:
                if what(line):
                    return line
        raise AssertionError(f"It did not come within {limit_ms} ms.")

    def _new_lines(self, sent: bytes) -> Iterator[Line]:
        for line in self.wire.lines(sent, self.now_ms):
            if line.kind != "DIE":
                yield line
                continue
            seq = line.value["seq"]
            if self.acknowledges:
                self.write(f"ACK,seq={seq}")
            report = (seq, line.value["t"])
            if report not in self.seen:
                self.seen.add(report)
                yield line


@dataclass
class Simulator(HubSession):
    """One running simulator; a context manager."""

    options: tuple[str, ...] = ()
    acknowledges: bool = True
    wire: Wire = field(default_factory=Wire)
    now_ms: float = 0.0
    read: int = 0  # bytes so far, from the hub and to it
    written: int = 0
    seen: set[tuple[str, str]] = field(default_factory=set)

    def __enter__(self) -> Self:
        images = ("--hub", str(BUILD / "hub.elf"), "--die", str(BUILD / "die.elf"))
        self.process = subprocess.Popen(
            [PROGRAM, *images, "--speed", "0", *self.options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        greeting = self.process.stdout.readline().split()
        self.tty = os.open(greeting[2].removeprefix("tty="), os.O_RDWR | os.O_NOCTTY)
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.tty)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait(timeout=240)
        self.process.stdout.close()

    def command(self, text: str) -> str:
        """Send a command, and return the reply after its ok."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        verdict, _, rest = self.process.stdout.readline().strip().partition(" ")
        if verdict != "ok":
            raise SimulatorRefusedError(f"{text}: {rest}")
        return rest

    def status(self) -> dict[str, Any]:
        return dict(json.loads(self.command("status")))

    def write(self, text: str) -> None:
        """Send a line to the hub."""
        self.written += os.write(self.tty, with_crc(text))

    def _read(self, total: int) -> bytes:
        """Return what the hub has sent, up to a number of bytes since the start."""
        bytes_ = b""
        while self.read < total:
            more = os.read(self.tty, total - self.read)
            self.read += len(more)
            bytes_ += more
        return bytes_

    def advance(self, ms: float) -> bytes:
        """Advance the time by whole milliseconds, and return the bytes that the hub has sent."""
        now_ms, sent = self.command(f"run {round(ms)} after={self.written}").split()
        self.now_ms = float(now_ms)
        return self._read(int(sent))
