"""Dice with Bluetooth on a virtual table, up to the radio.

`BluetoothRig` lets the Python dice send the messages of a brand. `Air` carries them to the program:
in the same process (`urpi.simulation.virtual_radio`), or by a simulated Bluetooth controller
(`tests/kernel`).
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Protocol

from urpi.core.errors import UrpiError
from urpi.hardware.die_reports import Brand
from urpi.simulation.bluetooth_messages import SimulatedDie
from urpi.simulation.rig import DiceRig, RigMaker
from urpi.simulation.schedule import Schedule
from urpi.simulation.virtual_dice import DieReport, VirtualDice

Reply = Callable[[int, bytes], tuple[bytes, ...]]
"""Returns the replies of a die, given its number, to a message. Called in any thread."""


class Air(Protocol):
    """The radio link between simulated dice and the program. Its methods do not wait."""

    def place(self, dice: Mapping[int, SimulatedDie], reply: Reply) -> None:
        """Put dice in range, which advertise until a program connects to them."""

    def send(self, die: int, message: bytes) -> None:
        """Send a message of a die; it is lost if no program is connected to the die."""

    def set_range(self, die: int, *, in_range: bool) -> None:
        """Move a die out of range, which ends its connection, or back into range."""

    def switch(self, *, on: bool) -> None:
        """Switch the program's Bluetooth adapter off, which ends all connections, or on."""

    @property
    def sent(self) -> int:
        """The number of messages sent to the program."""

    @property
    def idle(self) -> bool:
        """Whether the program has received everything that was sent to it."""


class BluetoothRig(DiceRig):
    """Dice with Bluetooth, which need no hub and reply at once.

    Pulling out the cable means switching the program's Bluetooth adapter off.
    """

    dice: VirtualDice

    def __init__(  # noqa: PLR0913 - what varies is passed in
        self,
        schedule: Schedule,
        rng: Random,
        *,
        count: int,
        shows: str,
        brand: Brand,
        air: Air,
    ) -> None:
        self.dice = VirtualDice(schedule, rng, self._report, count=count, shows=shows)
        self._air = air
        self.made = {
            number: SimulatedDie(number, brand, len(shows)) for number in range(1, count + 1)
        }
        """The dice by their numbers."""
        air.place(self.made, self._reply)

    @property
    def acknowledged(self) -> bool:
        """Whether the program has received everything that the dice have sent."""
        return self._air.idle

    @property
    def drained(self) -> bool:
        """Whether the program has received everything that the dice have sent."""
        return self._air.idle

    @property
    def lines_sent(self) -> int:
        """The number of messages sent to the program."""
        return self._air.sent

    def plug(self) -> None:
        """Switch the program's adapter on."""
        self.powered = True
        self._air.switch(on=True)

    def unplug(self) -> None:
        """Switch the program's adapter off."""
        self.powered = False
        self._air.switch(on=False)

    def replace_dice(self, count: int, shows: str) -> None:
        """Do nothing if the new dice are the same.

        Raises:
            UrpiError: If they are not: the dice are paired when the table is set up.
        """
        if (count, shows) != (self.dice.count, self.dice.shows):
            message = (
                f"The paired dice are {self.dice.count} with {len(self.dice.shows)} faces; the "
                f"game requires {count} with {len(shows)}. Start `urpi demo` with its rule set."
            )
            raise UrpiError(message)

    def _report(self, report: DieReport) -> None:
        """Send a report of a die, or move it out of range or back."""
        if report.state in {"lost", "found"}:
            self._air.set_range(report.die, in_range=report.state == "found")
        else:
            self._air.send(report.die, self.made[report.die].message(report))

    def _reply(self, die: int, request: bytes) -> tuple[bytes, ...]:
        return self.made[die].reply(request, self.dice.motion(die))


def bluetooth_rig(brand: Brand, seed: int | str, air: Air) -> RigMaker:
    """Return a function that makes a rig of dice of a brand.

    Args:
        brand: The maker of the dice.
        seed: The seed of the throws.
        air: The link to the program.
    """
    # The seed of the Python dice with a hub, so that both show the same faces.
    rng = Random(f"{seed} dice")  # noqa: S311 - a game, no secret
    return lambda schedule, count, shows: BluetoothRig(
        schedule, rng, count=count, shows=shows, brand=brand, air=air
    )
