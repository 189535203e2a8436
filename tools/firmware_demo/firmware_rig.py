"""Dice and hub with the firmware's images in the simulator, at the virtual table.

What the hands do becomes a command, and what the players see is the simulator's true state. The
images run in slices of the table's time, so that the simulated world never gets ahead of the
program, and a whole game takes no longer than necessary.
"""

import os
from collections.abc import Collection, Iterable
from pathlib import Path
from random import Random
from typing import Final

from tools.firmware_demo.firmware_simulator import FirmwareSimulator, built_images
from urpi.core.errors import UrpiError
from urpi.hardware.protocol import AckLine, DieLine, LineReader
from urpi.simulation.hub_wires import HubWire
from urpi.simulation.rig import DiceRig, RigMaker
from urpi.simulation.schedule import Schedule, Script
from urpi.simulation.virtual_dice import DieAppearance

SLICE_MS: Final = 20
"""What is sent within a slice is received at its end: as late as on a busy Pi now and then."""
LEANING_DEG: Final = 25
_LOOK_MS: Final = 100
"""The interval at which players check whether all dice lie still."""
_READ_MS: Final = 500
"""The time that players need to read the dice; by its end the dice have sent their reports."""
_LONGEST_THROW_MS: Final = 30_000
_CHUNK: Final = 65536


class FirmwareDice:
    """The simulator's dice as players handle them. `shows` has one letter for each face."""

    def __init__(
        self, simulator: FirmwareSimulator, rng: Random, *, count: int, shows: str
    ) -> None:
        self._simulator, self._rng = simulator, rng
        self._count, self.shows = count, shows

    @property
    def count(self) -> int:
        """The number of dice."""
        return self._count

    def check(self, die: int) -> None:
        """Check that a die exists.

        Raises:
            UrpiError: If it does not.
        """
        if not 1 <= die <= self._count:
            message = f"There is no die {die}; this table's dice are 1 to {self._count}."
            raise UrpiError(message)

    def throw(self, dice: Collection[int], cocked: Collection[int] = ()) -> Script:
        """Throw dice together until all lie still; those in `cocked` lean then."""
        flat = [die for die in dice if die not in cocked]
        if flat:
            self._simulator.do("throw", *flat)
        for die in set(dice) & set(cocked):
            self._simulator.do("lean", die, LEANING_DEG)
        yield from self._until_still(dice)

    def prepare(self, faces: str) -> None:
        """Do nothing if `faces` is empty.

        Raises:
            UrpiError: If it is not: how the simulated dice fall is computed, not chosen.
        """
        if faces:
            message = "The firmware's dice cannot be prepared; use `urpi demo`, whose dice can."
            raise UrpiError(message)

    def turn_by_hand(self, die: int) -> Script:
        """Put a die down with another face up."""
        kind = len(self.shows)
        face = self._simulator.dice()[die].face
        self._simulator.do("place", die, (face - 1 + self._rng.randint(1, kind - 1)) % kind + 1)
        yield from self._until_still([die])

    def nudge(self, die: int) -> Script:
        """Bump a die that lies still."""
        self._simulator.do("nudge", die)
        yield from self._until_still([die])

    def disconnect(self, die: int) -> None:
        """Cut a die's radio link."""
        self._simulator.do("radio", "cut", die)

    def reconnect(self, die: int) -> None:
        """Restore a die's radio link."""
        self._simulator.do("radio", "on", die)

    def faces(self, dice: Iterable[int]) -> str:
        """Return what some dice show, in their order."""
        seen = self._simulator.dice()
        return "".join(self.shows[seen[die].face - 1] for die in dice)

    def appearance(self, die: int) -> DieAppearance:
        """Return how a die looks now. The simulator does not report whether it leans."""
        seen = self._simulator.dice()[die]
        return DieAppearance(self.shows[seen.face - 1], moves=not seen.still)

    def _until_still(self, dice: Collection[int]) -> Script:
        for _ in range(_LONGEST_THROW_MS // _LOOK_MS):
            yield _LOOK_MS
            seen = self._simulator.dice()
            if all(seen[die].still for die in dice):
                break
        # Even if they still roll: a die that never rests must not stop the game.
        yield _READ_MS


class FirmwareRig(DiceRig):
    """Images that run in slices of the table's time.

    Time may continue when the program has received all lines and the hub all replies. Therefore
    the lines are forwarded and counted here, between the hub's port and a `HubWire`.
    """

    dice: FirmwareDice

    def __init__(
        self, simulator: FirmwareSimulator, dice: FirmwareDice, schedule: Schedule, wire: HubWire
    ) -> None:
        self.dice = dice
        self._simulator = simulator
        self.address = wire.address
        self._wire = wire
        self._ran_to = schedule.now
        self._sent = 0
        # One for each direction: lines are only counted here, and forwarded as they are.
        self._hub, self._program = LineReader(), LineReader()
        self._pending: set[int] = set()
        """The numbers of the reports that the program has not acknowledged."""
        # Non-blocking, since the hub sends only while the simulator runs.
        self._port = os.open(simulator.terminal, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)

    @property
    def next_due(self) -> int | None:
        """The end of the next slice."""
        return self._ran_to + SLICE_MS

    @property
    def acknowledged(self) -> bool:
        """Whether every report has been acknowledged."""
        return not self._pending

    @property
    def drained(self) -> bool:
        """Whether nothing waits in the wire."""
        return self._wire.drained

    @property
    def lines_sent(self) -> int:
        """The number of lines sent to the program."""
        return self._sent

    def run_due(self, now: int) -> None:
        """Run the images up to `now`, and forward the lines of the hub."""
        if now > self._ran_to:
            self._simulator.run(now - self._ran_to)
            self._ran_to = now
            self._forward_to_program()

    def poll(self) -> None:
        """Forward what the program has sent; the hub receives it with the next slice."""
        data = self._wire.read()
        if data:
            for line in self._program.feed(data):
                if isinstance(line, AckLine):
                    self._pending.discard(line.seq)
            os.write(self._port, data)

    def plug(self) -> None:
        """Give the hub power: it starts."""
        self.powered = True
        self._simulator.do("on", "hub")

    def unplug(self) -> None:
        """Switch the hub's power off, and forget the reports that it would repeat."""
        self.powered = False
        self._simulator.do("off", "hub")
        self._pending.clear()

    def replace_dice(self, count: int, shows: str) -> None:
        """Do nothing if the new dice are the same.

        Raises:
            UrpiError: If they are not: the number and kind of the images' dice is fixed at their
            start.
        """
        if (count, shows) != (self.dice.count, self.dice.shows):
            message = (
                f"The firmware's dice are {self.dice.count} that show {self.dice.shows}; the game "
                f"requires {count} that show {shows}. Start the demo with its rule set."
            )
            raise UrpiError(message)

    def close(self) -> None:
        """End the simulator and remove the cable."""
        os.close(self._port)
        self._wire.unplug()
        self._simulator.close()

    def _forward_to_program(self) -> None:
        try:
            data = os.read(self._port, _CHUNK)
        except BlockingIOError:
            return
        for line in self._hub.feed(data):
            if isinstance(line, DieLine):
                self._pending.add(line.seq)
        self._sent += data.count(b"\n")
        self._wire.write(data)


def firmware_rig(firmware: Path, seed: int, wire: HubWire) -> RigMaker:
    """Return a function that makes a rig of the images built in the folder `firmware`.

    The function raises an `UrpiError` if the images are not built, or there are more dice than the
    simulator has.
    """

    def make(schedule: Schedule, count: int, shows: str) -> FirmwareRig:
        simulator = FirmwareSimulator(
            built_images(firmware), dice=count, kind=len(shows), seed=seed
        )
        hands = Random(f"{seed} firmware hands")  # noqa: S311 - a game, no secret
        dice = FirmwareDice(simulator, hands, count=count, shows=shows)
        return FirmwareRig(simulator, dice, schedule, wire)

    return make
