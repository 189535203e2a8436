"""The process of the program: starting it, exchanging lines with it, killing it."""

import json
import os
import select
import signal
import time
from typing import TYPE_CHECKING, Any

from tests.resume.program import fork
from urpi.referee.lines import parse_decision

if TYPE_CHECKING:
    from tests.resume.killed_game import KilledGame

PATIENCE_S = 240.0
CHUNK = 65536


class KilledError(Exception):
    """The program was killed during a wait for its reply."""


class FailedError(Exception):
    """The program or its journal is not as it must be."""


class ProgramProcess:
    """A running program, and the decisions that it has displayed.

    Attributes:
        pid: The process's id.
        shown: The lines of the displayed decisions.
        kill_at: When to kill it, in seconds of the monotonic clock; None for not at all.
        state: The program's newest reply.
    """

    def __init__(self, game: "KilledGame") -> None:
        self._game = game
        table = game.table
        self.pid, self._to_program, self._from_program = fork(
            game.path, game.wire.address, table.reeds_now, game.rules, game.first, game.seats
        )
        self._started_at = table.schedule.now
        self._buffer = b""
        self.shown: list[str] = []
        self.kill_at: float | None = None
        self.state = self._read_reply()

    def send(self, name: str, *arguments: Any) -> None:
        """Send a command with the current time."""
        line = json.dumps([name, self._game.table.schedule.now - self._started_at, *arguments])
        try:
            os.write(self._to_program, line.encode() + b"\n")
        except OSError as error:
            raise FailedError(f"the program ended by itself: status {self.wait()}") from error

    def work(self) -> dict[str, Any]:
        """Let the service work; return its state afterwards."""
        self.send("work")
        self.state = self._read_reply()
        return self.state

    def _read_reply(self) -> dict[str, Any]:
        deadline = time.monotonic() + PATIENCE_S
        while True:
            while b"\n" in self._buffer:
                line, _, self._buffer = self._buffer.partition(b"\n")
                reply = json.loads(line)
                if "shown" not in reply:
                    return dict(reply)
                self._record_shown(reply["shown"])
            self._wait(deadline)

    def _record_shown(self, line: str) -> None:
        """Record a displayed decision, and let the players at the table react to it."""
        self.shown.append(line)
        decision = json.loads(line)
        if decision["type"] in {"roll", "roll-refused"}:
            prompts = self._game.table.prompts
            prompts.read_decisions([parse_decision(line)], seen=("unplayed-throw",))

    def _wait(self, deadline: float) -> None:
        now = time.monotonic()
        if self.kill_at is not None and self.kill_at <= now:
            self.kill()
            raise KilledError
        until = deadline if self.kill_at is None else min(deadline, self.kill_at)
        # The table's hub must keep replying, or the program would wait for it.
        self._game.table.rig.poll()
        if select.select([self._from_program], [], [], min(0.002, max(0.0, until - now)))[0]:
            data = os.read(self._from_program, CHUNK)
            if not data:
                raise FailedError(f"the program ended by itself: status {self.wait()}")
            self._buffer += data
        elif now > deadline:
            raise FailedError("the program does not reply")

    def kill(self) -> None:
        """Send SIGKILL, and read what the program sent before."""
        os.kill(self.pid, signal.SIGKILL)
        self.wait()
        while data := os.read(self._from_program, CHUNK):
            self._buffer += data
        for line in self._buffer.split(b"\n")[:-1]:
            reply = json.loads(line)
            if "shown" in reply:
                self.shown.append(reply["shown"])
        os.close(self._to_program)
        os.close(self._from_program)

    def wait(self) -> int:
        """Wait for the end of the process; return its status."""
        return os.waitpid(self.pid, 0)[1]
