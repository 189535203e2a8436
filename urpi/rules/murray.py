"""H. J. R. Murray's game (RULES.md 3): out, round the small block, and all the way back."""

from typing import Final

from urpi.rules.board import BACK, HOME, LOOPS, MIDDLE, Square, path_of
from urpi.rules.dice import THREE_BINARY, DiceSet
from urpi.rules.options import Option
from urpi.rules.race import PIECES, Race
from urpi.rules.ruleset import DECLINE, START, Starter

LOOP: Final = Option(
    "loop", tuple(LOOPS), "which side of the small block (columns 7 and 8) a piece visits first"
)
UNSAFE_ROSETTES: Final = Option(
    "safe_rosettes", ("no", "yes"), "whether a piece on a rosette is safe"
)

_EXITS: Final = {"own": "A1 A2 A3 A4", "opponent": "C1 C2 C3 C4"}


class Murray(Race):
    """Three dice, a path of 27 squares, most of them visited twice."""

    id = "murray"
    section = 3
    own_codes = frozenset({"safe-square", "own-piece-there"})
    starter_before = Starter.ONE_MARK
    steps_together = 3
    known_options = (
        DECLINE,
        Option("exit_row", tuple(_EXITS), "the outer row on which pieces go home"),
        LOOP,
        PIECES,
        UNSAFE_ROSETTES,
        START,
    )

    def _dice(self) -> DiceSet:
        return THREE_BINARY

    def _light_path(self) -> tuple[Square, ...]:
        loop, out = LOOPS[self.options["loop"]], _EXITS[self.options["exit_row"]]
        return path_of(HOME + MIDDLE + loop + BACK + out)
