"""A virtual table in a thread, with its hub on a pseudo-terminal and dice thrown by the test.

Time advances without a limit while an event is planned and the program has processed all lines,
otherwise in real time. With `flies` false it always advances in real time.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Thread

from urpi.rules import rule_set
from urpi.simulation import Outputs, VirtualTable, open_wire
from urpi.simulation.schedule import Script

DEADLINE_S = 240.0
LOOK_S = 0.001


class LivingTable:
    """A table with the dice of a rule set. `port` is the hub's serial port."""

    def __init__(self, folder: Path, rules: str = "finkel", *, flies: bool = True) -> None:
        self.wire = open_wire("pty", folder)
        self.port = self.wire.address
        self.table = VirtualTable(rule_set(rules), 1, Outputs(wire=self.wire))
        self._asked: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._flies, self._ends = flies, Event()
        self._thread = Thread(target=self._live, name="table", daemon=True)
        self._thread.start()

    def do(self, act: Callable[[], Script | None]) -> None:
        """Carry out an action at the table, and return when it is complete."""
        done = self.begin(act)
        assert done.wait(DEADLINE_S), "the table did not come to an end"

    def begin(self, act: Callable[[], Script | None]) -> Event:
        """Start an action at the table; the event returned is set when it is complete."""
        done = Event()
        self._asked.put(lambda: self.table.schedule.start(_then(act(), done)))
        return done

    def throw(self, *dice: int, cocked: tuple[int, ...] = ()) -> str:
        """Throw dice and return their true faces."""
        self.do(lambda: self.table.dice.throw(dice, cocked))
        return self.table.dice.faces(dice)

    def lay(self, die: int, corner: int) -> None:
        """Put a die down with a corner up."""
        self.do(lambda: self.table.dice.lay(die, corner))

    def until(self, reached: Callable[[], bool]) -> None:
        """Wait until a condition holds; fail after a deadline."""
        deadline = time.monotonic() + DEADLINE_S
        while not reached():
            assert time.monotonic() < deadline, "the table did not come to that"
            self._ends.wait(LOOK_S)

    def end(self) -> None:
        """End the thread and close the serial line."""
        self._ends.set()
        self._thread.join(DEADLINE_S)
        self.wire.unplug()

    def _live(self) -> None:
        passed = time.monotonic()
        while not self._ends.wait(0 if self._may_fly else LOOK_S):
            self.table.rig.poll()
            with suppress(Empty):
                self._asked.get_nowait()()
            if self._may_fly:
                self.table.run_next()
            ms = int((time.monotonic() - passed) * 1000)
            passed += ms / 1000
            self.table.advance(self.table.schedule.now + ms)

    @property
    def _may_fly(self) -> bool:
        planned = self.table.schedule.next_due is not None
        return self._flies and planned and self.table.rig.acknowledged and self.wire.drained


def _then(script: Script | None, done: Event) -> Script:
    if script is not None:
        yield from script
    done.set()


@contextmanager
def living_table(
    folder: Path, rules: str = "finkel", *, flies: bool = True
) -> Iterator[LivingTable]:
    """Yield a table, and end it afterwards."""
    table = LivingTable(folder, rules, flies=flies)
    try:
        yield table
    finally:
        table.end()
