"""Ordinary dice: the players enter their throws, and nothing is reported."""

from collections.abc import Callable
from dataclasses import dataclass

from urpi.hardware.dice_source import DiceHealth, DieStatus
from urpi.referee.facts import Fact


@dataclass(frozen=True, slots=True)
class HandHealth:
    """The health of ordinary dice: nothing of them can fail."""

    available: bool = True
    unavailable: tuple[str, ...] = ()
    error: str = ""
    dice: tuple[int, ...] = ()
    low: tuple[int, ...] = ()
    twins: tuple[int, ...] = ()


class HandDice:
    """A source without facts, which implements `urpi.hardware.dice_source.DiceSource`."""

    health: DiceHealth = HandHealth()

    def start(
        self, _on_fact: Callable[[Fact], None], on_health: Callable[[DiceHealth], None]
    ) -> None:
        """Report once that nothing is missing."""
        on_health(self.health)

    def statuses(self) -> tuple[DieStatus, ...]:
        """Return no status."""
        return ()

    def close(self) -> None:
        """Do nothing."""
