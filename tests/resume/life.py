"""The life of a program that is killed: started, told, heard, and what it had shown by then."""

import json
import os
import select
import signal
import time
from typing import TYPE_CHECKING, Any

from tests.resume.program import fork

if TYPE_CHECKING:
    from tests.resume.killed_game import KilledGame

PATIENCE_S = 240.0
CHUNK = 65536


class KilledError(Exception):
    """The program was killed while it was waited for."""


class WrongError(Exception):
    """What was promised did not hold."""


class Life:
    """The program's life: started, told, heard, killed."""

    def __init__(self, game: "KilledGame") -> None:
        self._game = game
        table = game.table
        self.pid, self._tell, self._hear = fork(
            game.path, game.wire.address, table.reeds_now, game.rules, game.first
        )
        self._began = table.schedule.now
        self._buffer = b""
        self.shown: list[str] = []
        self.kill_at: float | None = None
        self.state = self._answer()

    def tell(self, *about: Any) -> None:
        """Something happens at the table now."""
        what, *others = about
        line = json.dumps([what, self._game.table.schedule.now - self._began, *others])
        try:
            os.write(self._tell, line.encode() + b"\n")
        except OSError as error:
            raise WrongError(f"the program ended by itself: {self.death()}") from error

    def work(self) -> dict[str, Any]:
        """Let it work; how things stand then."""
        self.tell("work")
        self.state = self._answer()
        return self.state

    def _answer(self) -> dict[str, Any]:
        deadline = time.monotonic() + PATIENCE_S
        while True:
            while b"\n" in self._buffer:
                line, _, self._buffer = self._buffer.partition(b"\n")
                told = json.loads(line)
                if "shown" not in told:
                    return dict(told)
                self._see(told["shown"])
            self._wait(deadline)

    def _see(self, line: str) -> None:
        """A decision is shown: it is remembered, and the people at the table read it."""
        self.shown.append(line)
        told = json.loads(line)
        if told["type"] == "roll":
            self._game.table.show_roll(told["faces"])
        elif told["type"] == "roll-refused" and told["code"] != "unplayed-throw":
            self._game.table.show_rejected_throw(tuple(told["dice"]))

    def _wait(self, deadline: float) -> None:
        now = time.monotonic()
        if self.kill_at is not None and self.kill_at <= now:
            self.kill()
            raise KilledError
        until = deadline if self.kill_at is None else min(deadline, self.kill_at)
        # The hub at the table must answer, or the program would wait for it.
        self._game.table.poll()
        if select.select([self._hear], [], [], min(0.002, max(0.0, until - now)))[0]:
            data = os.read(self._hear, CHUNK)
            if not data:
                raise WrongError(f"the program ended by itself: {self.death()}")
            self._buffer += data
        elif now > deadline:
            raise WrongError("the program does not answer")

    def kill(self) -> None:
        """SIGKILL; what it had shown by then is heard to the end."""
        os.kill(self.pid, signal.SIGKILL)
        self.death()
        while data := os.read(self._hear, CHUNK):
            self._buffer += data
        for line in self._buffer.split(b"\n")[:-1]:
            told = json.loads(line)
            if "shown" in told:
                self.shown.append(told["shown"])
        os.close(self._tell)
        os.close(self._hear)

    def death(self) -> int:
        """Wait for its end."""
        return os.waitpid(self.pid, 0)[1]
