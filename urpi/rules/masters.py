"""The games of RoyalUr (royalur.net): `masters` (RULES.md 9) and `blitz` (10)."""

from urpi.rules.board import P16, Square
from urpi.rules.dice import FOUR_BINARY, THREE_BINARY_FOUR, DiceSet
from urpi.rules.murray import UNSAFE_ROSETTES
from urpi.rules.options import Option
from urpi.rules.race import PIECES, Race
from urpi.rules.ruleset import DECLINE, Starter


class Masters(Race):
    """Three dice; no mark counts as 4, and rosettes throw again but are not safe."""

    id = "masters"
    section = 9
    own_codes = frozenset({"safe-square", "inexact-exit"})
    starter = Starter.MORE
    known_options = (DECLINE, PIECES, UNSAFE_ROSETTES)

    def _dice(self) -> DiceSet:
        return THREE_BINARY_FOUR

    def _light_path(self) -> tuple[Square, ...]:
        return P16


class Blitz(Masters):
    """Four dice and five pieces; a capture throws again, too."""

    id = "blitz"
    section = 10
    own_codes = frozenset({"safe-square"})
    known_options = (
        DECLINE,
        Option("pieces", ("5", "3"), "pieces per side, for a shorter game"),
        UNSAFE_ROSETTES,
    )
    throws_again_on_captures = True

    def _dice(self) -> DiceSet:
        return FOUR_BINARY
