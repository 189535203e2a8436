"""The rig: the table's dice and their hub, up to the cable's end that the program opens.

A table can do with any: `VirtualRig` is the Python one, whose hub speaks the firmware's protocol;
the images in the simulator are another (`urpi.simulation.firmware_rig`). What hands can do to dice
is `TableDice`, and what is left is the electronics' own.
"""

from collections.abc import Callable, Collection, Iterable
from random import Random
from typing import Protocol, TypeAlias

from urpi.devices.protocol import CalLine, LedLine
from urpi.simulation.hub_wires import Wire
from urpi.simulation.schedule import Schedule, Script
from urpi.simulation.virtual_dice import DieLook, DieReport, DieSink, VirtualDice
from urpi.simulation.virtual_hub import VirtualHub


class TableDice(Protocol):
    """Dice that hands take up: numbered from 1, and what they truly show is seen."""

    @property
    def count(self) -> int:
        """How many there are."""

    def check(self, die: int) -> None:
        """Nothing, when there is that die; else an UrpiError."""

    def throw(self, dice: Collection[int], cocked: Collection[int] = ()) -> Script:
        """Throw them together, those in `cocked` so that they lean; ends when all lie still."""

    def turn_by_hand(self, die: int) -> Script:
        """Turn a die in the fingers to another face."""

    def nudge(self, die: int) -> Script:
        """Bump a die that lies still; it stays on its face."""

    def disconnect(self, die: int) -> None:
        """The die falls silent."""

    def reconnect(self, die: int) -> None:
        """It is heard again."""

    def faces(self, dice: Iterable[int]) -> str:
        """What those dice show, in that order: ``g s -`` or ``1`` to ``6``."""

    def look(self, die: int) -> DieLook:
        """How a die looks now."""


class DiceRig(Protocol):
    """Dice and hub. Everything happens inside `run_due` and `poll`, in the caller's thread."""

    @property
    def dice(self) -> TableDice:
        """The dice as hands have them."""

    @property
    def address(self) -> str:
        """What the program opens."""

    @property
    def next_due(self) -> int | None:
        """When it does something by itself, in the schedule's milliseconds; None: never."""

    @property
    def powered(self) -> bool:
        """Whether the hub's cable is in."""

    @property
    def acknowledged(self) -> bool:
        """Whether the hub waits for no acknowledgement."""

    @property
    def drained(self) -> bool:
        """Whether the program has taken all that was sent, as far as this end can know."""

    @property
    def lines_sent(self) -> int:
        """Lines that were sent to the program so far, 0 where nobody counts them."""

    def run_due(self, now: int) -> None:
        """Let happen what is due by that time."""

    def poll(self) -> None:
        """Take what the program has sent, and answer it now."""

    def plug(self) -> None:
        """Put the hub's cable in: it gets power, and starts anew."""

    def unplug(self) -> None:
        """Pull it out."""

    def replace_dice(self, count: int, shows: str) -> None:
        """Put other dice there: so many, which show those (a letter a face).

        Raises:
            UrpiError: when this rig's dice cannot be others.
        """

    def close(self) -> None:
        """Clear it away, cable and all."""


RigMaker: TypeAlias = Callable[[Schedule, int, str], DiceRig]
"""Makes a rig of so many dice, which show those (a letter a face), on a table's schedule."""


class VirtualRig:
    """Python dice and a `VirtualHub`, over a `Wire` if there is one.

    `die` hears the dice directly. A hub without power hears nothing; dice say what they said
    meanwhile when it has some again.
    """

    def __init__(  # noqa: PLR0913 - what varies is passed in
        self,
        schedule: Schedule,
        rng: Random,
        *,
        count: int,
        shows: str,
        die: DieSink,
        wire: Wire | None,
    ) -> None:
        self._schedule, self._die, self._wire = schedule, die, wire
        self._sent = 0
        self._lamps: set[int] = set()
        self._powered = True
        self._unheard: list[DieReport] = []
        self.hub = VirtualHub(count, self._heed)
        self.dice = VirtualDice(schedule, rng, self._report, count=count, shows=shows)
        self._send(self.hub.start(schedule.now))

    @property
    def address(self) -> str:
        """The wire's; empty without one."""
        return self._wire.address if self._wire else ""

    @property
    def next_due(self) -> int | None:
        """When the hub speaks next by itself."""
        return self.hub.next_due if self._wire and self._powered else None

    @property
    def powered(self) -> bool:
        """Whether the hub's cable is in."""
        return self._powered

    @property
    def acknowledged(self) -> bool:
        """Whether the hub waits for no acknowledgement."""
        return self._wire is None or self.hub.acknowledged

    @property
    def drained(self) -> bool:
        """Whether nothing waits in the wire."""
        return self._wire is None or self._wire.drained

    @property
    def lines_sent(self) -> int:
        """Lines that the hub has sent over the wire so far."""
        return self._sent

    @property
    def lamps(self) -> frozenset[int]:
        """The dice whose lamp is on (`$LED`)."""
        return frozenset(self._lamps)

    def run_due(self, now: int) -> None:
        """Let the hub say what is due by then."""
        self._send(self.hub.run_due(now))

    def poll(self) -> None:
        """Take what the program has sent over the wire, and answer it now."""
        data = self._wire.read() if self._wire and self._powered else b""
        if data:
            self._send(self.hub.receive(data, self._schedule.now))

    def plug(self) -> None:
        """Put the cable in: the hub starts anew, and hears what dice still say."""
        self._powered = True
        if self._wire is not None:
            self._wire.plug()
            self._send(self.hub.start(self._schedule.now))
        unheard, self._unheard = self._unheard, []
        for report in unheard:
            self._report(report)

    def unplug(self) -> None:
        """Pull the cable out: the hub has no power."""
        self._powered = False
        if self._wire is not None:
            self._wire.unplug()

    def replace_dice(self, count: int, shows: str) -> None:
        """Put other dice there, which the hub knows at once; nothing where they are the same."""
        if (count, shows) == (self.dice.count, self.dice.shows):
            return
        self.dice.replace_dice(count, shows)
        self._send(self.hub.replace_dice(count, self._schedule.now) if self._powered else b"")

    def close(self) -> None:
        """Take the wire away."""
        if self._wire is not None:
            self._wire.unplug()

    def _report(self, report: DieReport) -> None:
        if not self._powered:
            self._unheard.append(report)
            return
        self._die(report)
        if self._wire is not None:
            self._send(self.hub.report(report, self._schedule.now))

    def _send(self, data: bytes) -> None:
        if self._wire is not None:
            self._sent += data.count(b"\n")
            self._wire.write(data)

    def _heed(self, line: CalLine | LedLine) -> None:
        if isinstance(line, CalLine):
            self.dice.calibrate(line.die, line.face)
        elif line.on:
            self._lamps.add(line.die)
        else:
            self._lamps.discard(line.die)
