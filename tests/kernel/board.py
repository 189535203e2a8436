"""A simulated board: a panel on its bus, contacts on a chip's lines, a hub on its cable.

It runs in real time, with the players of the virtual table.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from tests.kernel.gpio_sim import Chip
from tests.kernel.latency import MS
from urpi.devices import default_pins
from urpi.rules import Side, Square, parse_rules
from urpi.simulation import PLAYERS, Outputs, SimulatedPlayers, VirtualTable, behaviour
from urpi.simulation.hub_wires import PtyWire

RULES: Final = "finkel[pieces=3]"
SEED: Final = 12
BEHAVIOUR: Final = replace(
    behaviour("calm"), think_ms=(150, 350), travel_ms=(150, 350), rest_ms=(1100, 1200)
)
"""Players who know the rules and do not read the display.

They wait until a bear-off is shown, which is only accepted after a second, before they throw.
"""
LONGEST_NAP_S: Final = 0.01
"""Interval at which the hub's cable is read, in seconds."""
LONGEST_STEP_MS: Final = 50
"""The most that the table's time advances at once. On a busy machine the players are slower, but do
not make up for it with movements that no hand can make."""
PANEL_S: Final = 30.0

CONFIG: Final = """
[table]
rules = "finkel"
options = {{ pieces = "3" }}
[hub]
port = "{hub}"
[journal]
path = "{journal}"
"""


@dataclass
class Place:
    """The files of the scene in its folder."""

    folder: Path

    @property
    def journal(self) -> Path:
        """The journal."""
        return self.folder / "journal.db"

    @property
    def notes(self) -> Path:
        """The record of the panel."""
        return self.folder / "panel"

    @property
    def config(self) -> Path:
        """The configuration."""
        return self.folder / "config.toml"

    def configure(self, hub: str) -> None:
        """Write the configuration, with the port of the hub."""
        self.config.write_text(CONFIG.format(hub=hub, journal=self.journal))


def wait_for(reached: Callable[[], bool], within_s: float, what: str) -> None:
    """Wait until a condition holds.

    Raises:
        TimeoutError: If it takes too long.
    """
    deadline = time.monotonic() + within_s
    while not reached():
        if time.monotonic() > deadline:
            message = f"{what}: not within {within_s} s"
            raise TimeoutError(message)
        time.sleep(LONGEST_NAP_S)


@contextmanager
def display(notes: Path) -> Iterator[None]:
    """Run the panel on its bus."""
    bus = Path("/dev/i2c-1")
    panel = subprocess.Popen([sys.executable, "-m", "tests.kernel.panel", str(notes)])
    try:
        wait_for(bus.exists, PANEL_S, f"{bus} is there")
        yield
    finally:
        panel.kill()
        panel.wait()


class HubWire(PtyWire):
    """The hub's cable; `received` is the number of bytes received from the program."""

    received = 0

    def read(self) -> bytes:
        """Read the bytes received."""
        data = super().read()
        self.received += len(data)
        return data


class Table:
    """The virtual table in real time, with its contacts on the chip's lines."""

    def __init__(self, chip: Chip, folder: Path) -> None:
        self.late_ms: list[float] = []
        """The delay of each wake-up, which is caused by other work of the machine."""
        self._time_ns, self._read_ns = 0, time.monotonic_ns()
        pins = default_pins()
        self._wire = HubWire(folder)
        self.hub = self._wire.address

        def square(place: Square, on: bool) -> None:
            # A reed switch closes to ground, against the pin's pull-up.
            chip.pull(pins.squares[place], closed=on)

        def button(side: Side, down: bool) -> None:
            chip.pull(pins.buttons[side], closed=down)

        players = SimulatedPlayers(PLAYERS["greedy"], BEHAVIOUR)
        outputs = Outputs(square, button, wire=self._wire)
        self.table = VirtualTable(parse_rules(RULES), SEED, outputs, players=players)

    def run(self, until: Callable[[], bool], within_s: float, what: str) -> None:
        """Run events when they are due, to the millisecond, until a condition holds."""

        def reached() -> bool:
            self.table.poll()
            self.table.advance(self._now())
            self._nap()
            return until()

        wait_for(reached, within_s, what)

    @property
    def is_connected(self) -> bool:
        """Whether the program has written to the hub."""
        return self._wire.received > 0

    def _now(self) -> int:
        now_ns = time.monotonic_ns()
        # The table's own time, which may fall behind the real one, but never jumps.
        self._time_ns += min(now_ns - self._read_ns, LONGEST_STEP_MS * MS)
        self._read_ns = now_ns
        return self._time_ns // MS

    def _nap(self) -> None:
        due = self.table.next_due
        left_s = LONGEST_NAP_S if due is None else due / 1000 - self._now() / 1000
        nap_s = min(left_s, LONGEST_NAP_S)
        if nap_s > 0:
            wakes = time.monotonic() + nap_s
            time.sleep(nap_s)
            self.late_ms.append((time.monotonic() - wakes) * 1000)
