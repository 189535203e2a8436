"""Dmitry Skiryuk's game (RULES.md 6): a race with two-faced pieces, camps and piles."""

from typing import Final

from urpi.rules.board import (
    BACK,
    HOME,
    LOOPS,
    MIDDLE,
    SQUARE_NAMES,
    Pile,
    Side,
    Square,
    owner,
    parse_square,
    path_of,
    turned,
)
from urpi.rules.dice import THREE_BINARY_FOUR, DiceSet
from urpi.rules.impossible import ImpossiblePositionError
from urpi.rules.murray import LOOP
from urpi.rules.position import column
from urpi.rules.race import PIECES, Race
from urpi.rules.refusals import RefusalCode
from urpi.rules.ruleset import DECLINE, Starter, check_single
from urpi.rules.track import Turns

CAMP_HOLDS: Final = 4
MIDDLE_CAMP: Final = parse_square("B7")
FINISH: Final = parse_square("B1")
FIRST_ZIGGURAT: Final = 12
"""The place on the path, from 0, from which a piece turns with its next move."""

_CAMPS: Final = frozenset(path_of("A2 A4 C2 C4 B3 B6 B7"))


def turns_after_ziggurat(_path: tuple[Square, ...], place: int, _target: int) -> bool:
    """Return whether a piece starts at or after the first ziggurat: it is dotted from then on."""
    return place >= FIRST_ZIGGURAT


class Skiryuk(Race):
    """Three dice, a path to the small block and back to B1; captures need equal faces."""

    id = "skiryuk"
    section = 6
    own_codes = frozenset(
        {"camp-held", "camp-full", "other-face", "safe-square", "inexact-exit", "must-move"}
    )
    starter = Starter.ONE_MARK
    piles = True
    two_faced = True
    steps_together = 3
    known_options = (DECLINE, LOOP, PIECES)
    safe_rosettes = False
    camps = _CAMPS

    def _dice(self) -> DiceSet:
        return THREE_BINARY_FOUR

    def _light_path(self) -> tuple[Square, ...]:
        return path_of(HOME + MIDDLE + LOOPS[self.options["loop"]] + BACK)

    def _turns(self) -> Turns:
        return turns_after_ziggurat

    def _blocks(self, piece: str, square: Square, pile: Pile) -> RefusalCode | None:
        """Return the code that forbids landing on a pile, None if it is allowed."""
        own = owner(pile) is Side.of_letter(piece)
        if square in _CAMPS:
            if square == MIDDLE_CAMP and not own:
                return "camp-held"
            return "camp-full" if len(pile) >= CAMP_HOLDS else None
        if own:
            return "own-piece-there"
        if turned(pile) != turned(piece):
            return "other-face"
        return "safe-square" if square == FINISH and turned(pile) else None

    def _seen(self, square: Square) -> int:
        """Return the bits of a state that `_blocks` depends on for a target."""
        if square not in _CAMPS:
            return super()._seen(square)
        full = column(square, first=CAMP_HOLDS - 1, last=CAMP_HOLDS - 1)
        return full | super()._seen(square) if square == MIDDLE_CAMP else full

    def _check_pile(self, square: Square, pile: str) -> None:
        if square not in _CAMPS:
            check_single(self, square, pile)
        elif len(pile) > CAMP_HOLDS:
            name = SQUARE_NAMES[square]
            message = (
                f"In {self.id} the camp {name} holds at most {CAMP_HOLDS} pieces; found "
                f"{len(pile)}."
            )
            raise ImpossiblePositionError(message, "pile-full", square=name, count=CAMP_HOLDS)
        if square == MIDDLE_CAMP and len({Side.of_letter(piece) for piece in pile}) > 1:
            message = (
                f"In {self.id} the camp B7 may hold pieces of only one side; found both sides'."
            )
            raise ImpossiblePositionError(message, "one-side", square=SQUARE_NAMES[square])
