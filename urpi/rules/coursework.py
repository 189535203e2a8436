"""The university sheet "Jogo Real UR" (RULES.md 5)."""

from urpi.rules.board import P14, Square
from urpi.rules.dice import THREE_BINARY, THREE_BINARY_FOUR, DiceSet
from urpi.rules.options import Option
from urpi.rules.race import PIECES, Race
from urpi.rules.ruleset import DECLINE, Starter


class Coursework(Race):
    """Three dice, the short path; the higher throw begins."""

    id = "coursework"
    section = 5
    own_codes = frozenset(
        {"must-enter", "safe-square", "inexact-exit", "own-piece-there", "must-move"}
    )
    starter = Starter.MORE
    known_options = (
        DECLINE,
        PIECES,
        Option("zero", ("4", "0"), "the value of a throw without marks"),
    )

    def _dice(self) -> DiceSet:
        return THREE_BINARY_FOUR if self.options["zero"] == "4" else THREE_BINARY

    def _light_path(self) -> tuple[Square, ...]:
        return P14
