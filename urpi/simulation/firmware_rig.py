"""Dice and hub as built: the firmware's images in the simulator, at the virtual table.

What hands do becomes a command, and what eyes see is the simulator's own truth. The images run in
slices of the table's time, so that the simulated world never gets ahead of the program, and a whole
game takes no longer than it has to.
"""

import os
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from random import Random
from typing import Final

from urpi.devices.protocol import AckLine, DieLine, LineReader
from urpi.errors import UrpiError
from urpi.simulation.firmware_simulator import FirmwareSimulator, built_images
from urpi.simulation.hardware import Equipment
from urpi.simulation.hub_wires import Wire
from urpi.simulation.schedule import Schedule, Script
from urpi.simulation.virtual_dice import DieLook

SLICE_MS: Final = 20
"""What is said in a slice is heard at its end: as late as a busy Pi is now and then."""
LEANING_DEG: Final = 25
_LOOK_MS: Final = 100
"""Eyes look so often whether all dice lie."""
_READ_MS: Final = 500
"""So long do they rest on what lies there; by then the dice have told it."""
_LONGEST_THROW_MS: Final = 30_000
_CHUNK: Final = 65536


class FirmwareDice:
    """The simulated dice as hands have them (`TableDice`). `shows` is a letter a face."""

    def __init__(
        self, simulator: FirmwareSimulator, rng: Random, *, count: int, shows: str
    ) -> None:
        self._simulator, self._rng = simulator, rng
        self._count, self.shows = count, shows

    @property
    def count(self) -> int:
        """How many there are."""
        return self._count

    def check(self, die: int) -> None:
        """Nothing, when there is that die.

        Raises:
            UrpiError: when there is not.
        """
        if not 1 <= die <= self._count:
            message = f"There is no die {die}; this table's dice are 1 to {self._count}."
            raise UrpiError(message)

    def throw(self, dice: Collection[int], cocked: Collection[int] = ()) -> Script:
        """Throw them together, those in `cocked` so that they lean; ends when all lie still."""
        flat = [die for die in dice if die not in cocked]
        if flat:
            self._simulator.do("throw", *flat)
        for die in set(dice) & set(cocked):
            self._simulator.do("lean", die, LEANING_DEG)
        yield from self._until_still(dice)

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
        """Nothing of that die reaches the hub any more."""
        self._simulator.do("radio", "cut", die)

    def reconnect(self, die: int) -> None:
        """The die is in reach again."""
        self._simulator.do("radio", "on", die)

    def faces(self, dice: Iterable[int]) -> str:
        """What those dice show, in that order."""
        seen = self._simulator.dice()
        return "".join(self.shows[seen[die].face - 1] for die in dice)

    def look(self, die: int) -> DieLook:
        """How a die looks now; whether it leans, its face tells."""
        seen = self._simulator.dice()[die]
        return DieLook(self.shows[seen.face - 1], moves=not seen.still)

    def _until_still(self, dice: Collection[int]) -> Script:
        for _ in range(_LONGEST_THROW_MS // _LOOK_MS):
            yield _LOOK_MS
            seen = self._simulator.dice()
            if all(seen[die].still for die in dice):
                break
        yield _READ_MS


class FirmwareRig:
    """A `DiceRig` of images that run in slices of the table's time.

    Time may continue when the program has received all lines and the hub all answers. Therefore
    the lines are forwarded and counted here, between the hub's port and a `Wire`.
    """

    def __init__(
        self, simulator: FirmwareSimulator, dice: FirmwareDice, schedule: Schedule, wire: Wire
    ) -> None:
        self.dice = dice
        self._simulator = simulator
        self._powered = True
        self._wire = wire
        self._ran_to = schedule.now
        self._sent = 0
        self._hub, self._program = LineReader(), LineReader()
        self._unheard: set[int] = set()
        """Reports by their numbers that the program has not acknowledged."""
        self._port = os.open(simulator.terminal, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)

    @property
    def address(self) -> str:
        """The wire's."""
        return self._wire.address

    @property
    def next_due(self) -> int | None:
        """The end of the next slice."""
        return self._ran_to + SLICE_MS

    @property
    def powered(self) -> bool:
        """Whether the hub has power."""
        return self._powered

    @property
    def acknowledged(self) -> bool:
        """Whether every report has been acknowledged."""
        return not self._unheard

    @property
    def drained(self) -> bool:
        """Whether nothing waits in the wire."""
        return self._wire.drained

    @property
    def lines_sent(self) -> int:
        """Lines that went to the program so far."""
        return self._sent

    def run_due(self, now: int) -> None:
        """Run the images up to `now`, and forward the lines of the hub."""
        if now > self._ran_to:
            self._simulator.run(now - self._ran_to)
            self._ran_to = now
            self._hand_to_program()

    def poll(self) -> None:
        """Forward what the program has sent; the hub receives it with the next slice."""
        data = self._wire.read()
        if data:
            for line in self._program.feed(data):
                if isinstance(line, AckLine):
                    self._unheard.discard(line.seq)
            os.write(self._port, data)

    def plug(self) -> None:
        """Give the hub power: it starts anew."""
        self._powered = True
        self._simulator.do("on", "hub")

    def unplug(self) -> None:
        """Take its power away, and with it the reports that it would repeat."""
        self._powered = False
        self._simulator.do("off", "hub")
        self._unheard.clear()

    def replace_dice(self, count: int, shows: str) -> None:
        """Keep the dice, where the new ones would be the same.

        Raises:
            UrpiError: when they would not: the images' dice are as they were started.
        """
        if (count, shows) != (self.dice.count, self.dice.shows):
            message = (
                f"The firmware's dice are {self.dice.count} that show {self.dice.shows}; the game "
                f"asks for {count} that show {shows}. Start `urpi demo` with its rule set."
            )
            raise UrpiError(message)

    def close(self) -> None:
        """End the simulator, and take the wire away."""
        os.close(self._port)
        self._wire.unplug()
        self._simulator.close()

    def _hand_to_program(self) -> None:
        try:
            data = os.read(self._port, _CHUNK)
        except BlockingIOError:
            return
        for line in self._hub.feed(data):
            if isinstance(line, DieLine):
                self._unheard.add(line.seq)
        self._sent += data.count(b"\n")
        self._wire.write(data)


def equipment_with(firmware: Path | None, seed: int, wire: Wire) -> Equipment:
    """Return the table's things, with dice and hub of the images in `firmware` if it is a folder.

    The other arguments are those of `firmware_rig`.
    """
    return Equipment() if firmware is None else Equipment(rig=firmware_rig(firmware, seed, wire))


def firmware_rig(
    firmware: Path, seed: int, wire: Wire
) -> Callable[[Schedule, int, str], FirmwareRig]:
    """Return what makes a rig of the images that are built in the folder `firmware`.

    Raises:
        UrpiError: when it is called, and the images are not built, or there are more dice than
            the simulator has.
    """

    def make(schedule: Schedule, count: int, shows: str) -> FirmwareRig:
        simulator = FirmwareSimulator(
            built_images(firmware), dice=count, kind=len(shows), seed=seed
        )
        hands = Random(f"{seed} firmware hands")  # noqa: S311 - a game, no secret
        dice = FirmwareDice(simulator, hands, count=count, shows=shows)
        return FirmwareRig(simulator, dice, schedule, wire)

    return make
