"""Irving Finkel's game: with four dice (RULES.md 1, the default rule set) and with three (2)."""

from typing import Final

from urpi.rules.board import P14, Square
from urpi.rules.dice import FOUR_BINARY, THREE_BINARY, DiceSet
from urpi.rules.options import Option
from urpi.rules.race import PIECES, Race
from urpi.rules.ruleset import DECLINE, START, Starter

SAFE_ROSETTES: Final = Option(
    "safe_rosettes", ("yes", "no"), "whether a piece on a rosette is safe"
)


class Finkel(Race):
    """Four dice and seven pieces; rosettes throw again and are safe."""

    id = "finkel"
    section = 1
    own_codes = frozenset({"safe-square", "inexact-exit", "own-piece-there", "must-move"})
    starter = Starter.MORE

    def _dice(self) -> DiceSet:
        return FOUR_BINARY

    def _light_path(self) -> tuple[Square, ...]:
        return P14


class FinkelThree(Finkel):
    """Finkel's game with three dice."""

    id = "finkel3"
    section = 2
    own_codes = frozenset({"safe-square", "inexact-exit"})
    starter_before = Starter.ONE_MARK
    known_options = (DECLINE, PIECES, SAFE_ROSETTES, START)

    def _dice(self) -> DiceSet:
        return THREE_BINARY
