"""The Bell/Finkel leaflet with Murray's and Parlett's changes (RULES.md 4)."""

from urpi.rules.board import P16, Square
from urpi.rules.dice import THREE_BINARY_FOUR, DiceSet
from urpi.rules.race import Race
from urpi.rules.ruleset import Starter


class Bell(Race):
    """Three dice; no mark counts as 4, a 4 throws again, and rosettes are only safe."""

    id = "bell"
    section = 4
    own_codes = frozenset({"must-enter", "safe-square", "inexact-exit", "must-move"})
    starter = Starter.DRAWN
    throws_again_on_rosettes = False
    throws_again_with = 4

    def _dice(self) -> DiceSet:
        return THREE_BINARY_FOUR

    def _light_path(self) -> tuple[Square, ...]:
        return P16
