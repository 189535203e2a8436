"""Irving Finkel's classic game with four dice (RULES.md 1), the default rule set."""

from typing import ClassVar

from urpi.rules.board import P14, Square
from urpi.rules.dice import FOUR_BINARY, DiceSet
from urpi.rules.race import Race
from urpi.rules.ruleset import Starter


class Finkel(Race):
    """Four dice, seven pieces, rosettes throw again and are safe."""

    id = "finkel"
    starter: ClassVar[Starter] = Starter.MORE

    def _dice(self) -> DiceSet:
        return FOUR_BINARY

    def _light_path(self) -> tuple[Square, ...]:
        return P14
