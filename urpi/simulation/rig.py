"""The dice rig: the table's dice and their hub, up to the end of the cable.

A table works with any `DiceRig`. `VirtualRig` is the one in Python, whose hub speaks the firmware's
protocol; `tools.firmware_demo` has one with the firmware's images.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from random import Random
from typing import TypeAlias

from urpi.hardware.protocol import CalLine, LedLine
from urpi.simulation.hub_wires import HubWire
from urpi.simulation.schedule import Schedule
from urpi.simulation.virtual_dice import DieReport, DieSink, TableDice, VirtualDice
from urpi.simulation.virtual_hub import VirtualHub


class DiceRig(ABC):
    """Dice and hub. Everything happens inside `run_due` and `poll`, in the caller's thread.

    Attributes:
        dice: The dice, as players handle them.
        address: The address that the program opens, empty if there is no cable.
        powered: Whether the hub's cable is plugged in.
    """

    dice: TableDice
    address = ""
    powered = True

    @property
    def next_due(self) -> int | None:
        """The time of the next event, in the schedule's milliseconds, None if there is none."""
        return None

    @property
    @abstractmethod
    def acknowledged(self) -> bool:
        """Whether the program has acknowledged every report of the hub."""

    @property
    @abstractmethod
    def drained(self) -> bool:
        """Whether the program has read everything that was sent, as far as this end can know."""

    @property
    @abstractmethod
    def lines_sent(self) -> int:
        """The number of lines or messages sent to the program; 0 if they are not counted."""

    def run_due(self, now: int) -> None:  # noqa: B027 - only a hub sends by itself
        """Run what is due by a time."""

    def poll(self) -> None:  # noqa: B027 - the same
        """Read what the program has sent, and reply at once."""

    @abstractmethod
    def plug(self) -> None:
        """Plug the hub's cable in: the hub starts."""

    @abstractmethod
    def unplug(self) -> None:
        """Pull the hub's cable out."""

    @abstractmethod
    def replace_dice(self, count: int, shows: str) -> None:
        """Replace the dice.

        Args:
            count: The number of dice.
            shows: What their faces show, one letter for each.

        Raises:
            UrpiError: If this rig's dice cannot be replaced.
        """

    def close(self) -> None:
        """Stop the rig and remove its cable."""
        self.unplug()


RigMaker: TypeAlias = Callable[[Schedule, int, str], DiceRig]
"""Makes a rig from a schedule, the number of dice, and a letter for each of their faces."""

WiredRig: TypeAlias = Callable[[int, HubWire], RigMaker]
"""Returns the maker of a rig for the seed of its dice and the cable to the program."""


class VirtualRig(DiceRig):
    """Python dice and a `VirtualHub`, connected by a `HubWire` if there is one.

    `die` is called with the dice's reports. A hub without power receives none; the dice repeat
    those reports when it has power again.
    """

    dice: VirtualDice

    def __init__(  # noqa: PLR0913 - what varies is passed in
        self,
        schedule: Schedule,
        rng: Random,
        *,
        count: int,
        shows: str,
        die: DieSink,
        wire: HubWire | None,
    ) -> None:
        self._schedule, self._die, self._wire = schedule, die, wire
        self._sent = 0
        self._lamps: set[int] = set()
        self.address = wire.address if wire else ""
        self._missed: list[DieReport] = []
        """Reports of the dice while the hub has no power."""
        self.hub = VirtualHub(count, self._on_command)
        self.dice = VirtualDice(schedule, rng, self._report, count=count, shows=shows)
        self._send(self.hub.start(schedule.now))

    @property
    def next_due(self) -> int | None:
        """The time at which the hub sends something by itself."""
        return self.hub.next_due if self._wire and self.powered else None

    @property
    def acknowledged(self) -> bool:
        return self._wire is None or self.hub.acknowledged

    @property
    def drained(self) -> bool:
        """Whether no data wait in the cable."""
        return self._wire is None or self._wire.drained

    @property
    def lines_sent(self) -> int:
        """The number of lines that the hub has sent over the cable."""
        return self._sent

    @property
    def lamps(self) -> frozenset[int]:
        """The dice whose lamp is on (`$LED`)."""
        return frozenset(self._lamps)

    def run_due(self, now: int) -> None:
        """Let the hub send what is due by a time."""
        self._send(self.hub.run_due(now))

    def poll(self) -> None:
        data = self._wire.read() if self._wire and self.powered else b""
        if data:
            self._send(self.hub.receive(data, self._schedule.now))

    def plug(self) -> None:
        """Plug the cable in: the hub starts, and receives the reports that it missed."""
        self.powered = True
        if self._wire is not None:
            self._wire.plug()
            self._send(self.hub.start(self._schedule.now))
        missed, self._missed = self._missed, []
        for report in missed:
            self._report(report)

    def unplug(self) -> None:
        """Pull the cable out: the hub has no power."""
        self.powered = False
        if self._wire is not None:
            self._wire.unplug()

    def replace_dice(self, count: int, shows: str) -> None:
        """Replace the dice, and the hub's list of them; do nothing if they are the same."""
        if (count, shows) == (self.dice.count, self.dice.shows):
            return
        self.dice.replace_dice(count, shows)
        self._send(self.hub.replace_dice(count, self._schedule.now) if self.powered else b"")

    def _report(self, report: DieReport) -> None:
        if not self.powered:
            self._missed.append(report)
            return
        self._die(report)
        if self._wire is not None:
            self._send(self.hub.report(report, self._schedule.now))

    def _send(self, data: bytes) -> None:
        if self._wire is not None:
            self._sent += data.count(b"\n")
            self._wire.write(data)

    def _on_command(self, line: CalLine | LedLine) -> None:
        if isinstance(line, CalLine):
            self.dice.calibrate(line.die, line.face)
        elif line.on:
            self._lamps.add(line.die)
        else:
            self._lamps.discard(line.die)
