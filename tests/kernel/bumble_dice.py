"""Simulated dice with Bluetooth that a scene moves, and the configuration of paired dice."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.kernel.bumble_air import BumbleAir, Peripheral
from urpi.simulation.bluetooth_messages import SimulatedDie
from urpi.simulation.virtual_dice import DieReport


@dataclass
class Dice:
    """The dice in range, and how each lies."""

    air: BumbleAir
    motions: dict[int, DieReport] = field(default_factory=dict)
    radios: dict[int, Peripheral] = field(default_factory=dict)

    def add(self, number: int, brand: str, faces: int, *, usable: bool = True) -> None:
        """Put a die in range."""
        die = SimulatedDie(number, "godice" if brand == "godice" else "pixels", faces)
        self.motions[number] = DieReport(number, "settled", face=1, tumbles=0)
        reply = lambda one, request: die.reply(request, self.motions[one])  # noqa: E731
        self.radios[number] = self.air.add(Peripheral(die, reply, usable=usable))

    def do(self, number: int, *reports: DieReport) -> None:
        """Let a die move, and report it."""
        for report in reports:
            self.motions[number] = report
            self.air.send_from(self.radios[number], self.radios[number].die.message(report))

    def throw(self, number: int, face: int) -> None:
        """Throw a die."""
        self.do(number, rolling(number), thrown(number, face))


def rolling(number: int) -> DieReport:
    """Return the report of a die that rolls."""
    return DieReport(number, "rolling")


def thrown(number: int, face: int) -> DieReport:
    """Return the report of a die that was thrown."""
    return DieReport(number, "settled", face=face, tumbles=5)


def paired(dice: Iterable[SimulatedDie], *, dark: Iterable[int] | None = None) -> str:
    """Return the configuration of paired dice.

    Args:
        dice: The dice.
        dark: The numbers of dark's dice if each side has its own, None if both share them.
    """

    def owner(number: int) -> str:
        if dark is None:
            return "both"
        return "dark" if number in dark else "light"

    lines = (
        f'{one.number} = {{ address = "{one.address}", brand = "{one.brand}", '
        f'faces = {one.faces}, owner = "{owner(one.number)}" }}'
        for one in dice
    )
    return "\n".join(('[dice]\nsource = "bluetooth"\n[dice.paired]', *lines))
