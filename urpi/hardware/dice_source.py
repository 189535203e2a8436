"""The interface of a source of dice facts, such as the dice hub or dice with their own radio.

`urpi.hardware.hub.DiceHub` implements it for the serial hub, `urpi.hardware.bluetooth_dice` for
dice with Bluetooth, and `urpi.hardware.combined_dice` for both. `HandDice` is ordinary dice, whose
throws the players enter. The service depends on nothing else.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from urpi.referee.facts import Fact
from urpi.show.menu.status import DieStatus


class DiceHealth(Protocol):
    """The health of a source and its dice."""

    @property
    def available(self) -> bool:
        """Whether reports of dice can be received at present."""

    @property
    def unavailable(self) -> tuple[str, ...]:
        """The names of the unavailable sources: ``hub``, ``bluetooth``, both or neither."""

    @property
    def error(self) -> str:
        """The reason why the source is disconnected, empty while it is connected."""

    @property
    def dice(self) -> tuple[int, ...]:
        """The numbers of the dice in range, in ascending order."""

    @property
    def low(self) -> tuple[int, ...]:
        """The numbers of the dice with a low battery, in ascending order."""

    @property
    def twins(self) -> tuple[int, ...]:
        """The numbers that more than one die has, in ascending order."""


class DiceSource(Protocol):
    """A source of dice facts. It emits facts from `start` until `close`."""

    def start(
        self, on_fact: Callable[[Fact], None], on_health: Callable[[DiceHealth], None]
    ) -> None:
        """Connect, and reconnect after failures. Does not wait for the connection.

        Args:
            on_fact: Called with each fact, in a thread of the source. The times of the facts do
                not decrease. A report is confirmed to the die only after the call has returned.
            on_health: Called in the same thread when the health changes.
        """

    @property
    def health(self) -> DiceHealth:
        """The current health. Thread-safe."""

    def statuses(self) -> tuple[DieStatus, ...]:
        """Return the status of every die that is paired or has reported, by number. Thread-safe."""

    def close(self) -> None:
        """Disconnect. No fact is emitted afterwards. May be called without `start`."""


@dataclass(frozen=True, slots=True)
class PlainHealth:
    """A `DiceHealth` as values, by default that of ordinary dice: nothing of them can fail."""

    available: bool = True
    unavailable: tuple[str, ...] = ()
    error: str = ""
    dice: tuple[int, ...] = ()
    low: tuple[int, ...] = ()
    twins: tuple[int, ...] = ()


class HandDice:
    """A source without facts, which implements `urpi.hardware.dice_source.DiceSource`."""

    health: DiceHealth = PlainHealth()

    def start(
        self, _on_fact: Callable[[Fact], None], on_health: Callable[[DiceHealth], None]
    ) -> None:
        """Report once that nothing is missing."""
        on_health(self.health)

    def statuses(self) -> tuple[DieStatus, ...]:
        return ()

    def close(self) -> None:
        """Do nothing."""
