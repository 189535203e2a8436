"""A simulated board: a panel on its bus, contacts on a chip's lines, dice with or without a hub.

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

from tests.kernel.display_reader import DisplayReader
from tests.kernel.gpio_sim import Chip
from tests.kernel.latency import MS
from urpi.hardware import default_pins
from urpi.rules import Side, Square, parse_rules
from urpi.simulation import (
    PLAYERS,
    Behaviour,
    Equipment,
    Outputs,
    SimulatedPlayers,
    VirtualTable,
    behaviour,
)
from urpi.simulation.hub_wires import PtyWire

RULES: Final = "finkel[pieces=3]"
SEED: Final = 81
"""A short game, with captures and passes."""
BEHAVIOUR: Final = replace(
    behaviour("calm"), think_ms=(100, 200), travel_ms=(100, 200), rest_ms=(100, 200)
)
"""Quick players. They act only when the display shows their last throw or move, however late."""
LONGEST_NAP_S: Final = 0.01
"""Interval at which the hub's cable is read, in seconds."""
LONGEST_NAP_WITHOUT_HUB_S: Final = 0.04
"""The same at a table without a hub: only the interval at which the table is simulated."""
LONGEST_STEP_MS: Final = 50
"""The most that the table's time advances at once. On a busy machine the players are slower, but do
not make up for it with movements that no hand can make."""
PANEL_S: Final = 120.0

SHORT_GAME: Final = 'rules = "finkel"\noptions = { pieces = "3" }'
"""The rules as they are configured."""
CONFIG: Final = """
[table]
{rules}
[journal]
path = "{journal}"
{dice}
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

    def configure(self, dice: str, rules: str = SHORT_GAME) -> None:
        """Write the configuration, with the sections for the dice."""
        self.config.write_text(CONFIG.format(rules=rules, dice=dice, journal=self.journal))


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

    @property
    def is_connected(self) -> bool:
        """Whether the program has written to the hub."""
        return self.received > 0

    def read(self) -> bytes:
        """Read the bytes received."""
        data = super().read()
        self.received += len(data)
        return data


class Table:
    """The virtual table in real time, with its contacts on the chip's lines.

    Args:
        chip: The chip.
        rules: The rules of the game.
        wire: The hub's cable, None without a hub.
        equipment: What the table is made of.
        behaviour: How the players play.
        own_dice: Whether each player has a set of dice.
    """

    def __init__(
        self,
        chip: Chip,
        rules: str = RULES,
        *,
        wire: HubWire | None = None,
        equipment: Equipment | None = None,
        behaviour: Behaviour = BEHAVIOUR,
        own_dice: bool = False,
    ) -> None:
        self._display: DisplayReader | None = None
        self._longest_nap_s = LONGEST_NAP_WITHOUT_HUB_S if wire is None else LONGEST_NAP_S
        self.late_ms: list[float] = []
        """The delay of each wake-up, which is caused by other work of the machine."""
        self._time_ns, self._read_ns = 0, time.monotonic_ns()
        pins = default_pins()

        def square(place: Square, on: bool) -> None:
            # A reed switch closes to ground, against the pin's pull-up.
            chip.pull(pins.squares[place], closed=on)

        def button(side: Side, down: bool) -> None:
            chip.pull(pins.buttons[side], closed=down)

        players = SimulatedPlayers(
            PLAYERS["greedy"], behaviour, own_dice=own_dice, wait_for_display=True
        )
        outputs = Outputs(square, button, wire=wire)
        self.table = VirtualTable(
            parse_rules(rules), SEED, outputs, players=players, equipment=equipment
        )

    def read_display(self, journal: Path) -> DisplayReader:
        """Let the players read from now on what a running program displays."""
        self._display = DisplayReader(journal, self.table)
        return self._display

    def run(self, until: Callable[[], bool], within_s: float, what: str) -> None:
        """Run events when they are due, to the millisecond, until a condition holds.

        Raises:
            TimeoutError: If it takes too long; the message contains the state of the game.
        """
        deadline = time.monotonic() + within_s
        while not until():
            if time.monotonic() > deadline:
                game = self.table.game
                players = f"{game.position}, {game.throw}"
                message = f"{what}: not within {within_s} s; {players=}, display={self._display}"
                raise TimeoutError(message)
            self.table.rig.poll()
            if self._display is not None:
                self._display.poll()
            self.table.advance(self._now())
            self._nap()

    def _now(self) -> int:
        now_ns = time.monotonic_ns()
        # The table's own time, which may fall behind the real one, but never jumps.
        self._time_ns += min(now_ns - self._read_ns, LONGEST_STEP_MS * MS)
        self._read_ns = now_ns
        return self._time_ns // MS

    def _nap(self) -> None:
        due = self.table.next_due
        longest_s = self._longest_nap_s
        left_s = longest_s if due is None else due / 1000 - self._now() / 1000
        nap_s = min(left_s, longest_s)
        if nap_s > 0:
            wakes = time.monotonic() + nap_s
            time.sleep(nap_s)
            self.late_ms.append((time.monotonic() - wakes) * 1000)
