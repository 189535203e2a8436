"""Positions as one number, and their text form (FORMATS.md, Positions)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from operator import add
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

from urpi.core.errors import UrpiError
from urpi.rules.board import (
    ALL_SQUARES,
    SQUARE_NAMES,
    Pile,
    Side,
    Square,
    Squares,
    parse_pile,
    parse_square,
    pile_text,
)

if TYPE_CHECKING:
    from urpi.rules.ruleset import RuleSet

EMPTY_BOARD: Final[tuple[Pile, ...]] = ("",) * len(SQUARE_NAMES)

COUNT_BITS: Final = 8
NONE_IN_HAND: Final = 127
EXTRA_USED: Final = 1 << 32
BOARD_BIT: Final = 36
PLANE_BITS: Final = 80
"""The places in a state (`Position.state`)."""
_PLANE: Final = (1 << PLANE_BITS) - 1
_ONE_OF_FOUR: Final = _PLANE // 15
EMPTY: Final = "0"
_LETTERS: Final = {EMPTY: "", "1": "L", "2": "l", "4": "D", "8": "d"}
DIGITS: Final = {letter: digit for digit, letter in _LETTERS.items()}
"""The hexadecimal digits of the letters in a plane."""


def in_hand(side: Side, pieces: int = 1) -> int:
    """Return what a side's pieces in hand add to a state."""
    return pieces << COUNT_BITS * side.number


def off_board(side: Side, pieces: int = 1) -> int:
    """Return what a side's pieces off the board add to a state."""
    return pieces << COUNT_BITS * (2 + side.number)


def on_top(square: Square, letter: str) -> int:
    """Return what the piece on top of a square adds to a state."""
    return int(DIGITS[letter]) << BOARD_BIT + 4 * square


def column(square: Square, *, first: int = 0, last: int = 19) -> int:
    """Return the bits of a square's pile, by default of all pieces; 0 is the piece on top."""
    bits = 15 << BOARD_BIT + 4 * square
    return sum(bits << PLANE_BITS * depth for depth in range(first, last + 1))


def digits_of(state: int) -> str:
    """Return one hexadecimal digit for what is on top of each square, in bit order."""
    return f"{state >> BOARD_BIT & _PLANE:020x}"[::-1]


def pile_of(state: int, square: Square) -> Pile:
    pile, rest = "", state >> BOARD_BIT + 4 * square
    while digit := rest & 15:
        pile = _LETTERS[str(digit)] + pile
        rest >>= PLANE_BITS
    return pile


class _Fields(NamedTuple):
    rules: RuleSet
    state: int
    turn: Side | None


class Position(_Fields):
    """The state of a game before a throw.

    All pieces are in one number, which a move changes with a few operations. Its bits from the
    lowest one on are the number of light's pieces in hand, that of dark's, those off the board,
    8 bits each, and `EXTRA_USED`. Bits 33 to 35 are 0; rule sets use them to look moves up. From
    bit 36 on follow the planes. The first plane has the piece on top of each square, the next one
    the piece below it, and so on, with four bits for a square, one for each of the letters L, l, D
    and d.

    Attributes:
        rules: The rule set.
        state: The pieces.
        turn: The side that throws next, None if the game is over by the rules.
    """

    # Without `__slots__`, so that the piles are built once, when they are first needed.

    def __setattr__(self, name: str, _value: object) -> NoReturn:
        message = f"{name} of a position cannot be changed; RuleSet.play returns a new one."
        raise AttributeError(message)

    @cached_property
    def board(self) -> tuple[Pile, ...]:
        """The pile on each square, in bit order."""
        board, rest = EMPTY_BOARD, self.state
        while rest >> BOARD_BIT:
            board = tuple(map(add, map(_LETTERS.__getitem__, digits_of(rest)), board))
            rest >>= PLANE_BITS
        return board

    @property
    def hand(self) -> tuple[int, int]:
        """The number of pieces in hand, light first."""
        return (self.state & 255) - NONE_IN_HAND, (self.state >> 8 & 255) - NONE_IN_HAND

    @property
    def off(self) -> tuple[int, int]:
        """The number of pieces off the board, light first."""
        return self.state >> 16 & 255, self.state >> 24 & 255

    @property
    def extra_used(self) -> bool:
        """Whether the one extra throw of this turn is used up (`freecompany`)."""
        return bool(self.state & EXTRA_USED)

    @cached_property
    def occupancy(self) -> Squares:
        """The set of occupied squares."""
        tops = self.state >> BOARD_BIT & _PLANE
        # One digit, 0 or 1, for each square, read as a binary number.
        return int(f"{(tops | tops >> 1 | tops >> 2 | tops >> 3) & _ONE_OF_FOUR:x}", 2)

    def __str__(self) -> str:
        """Return the text form."""
        return position_text(self)

    def __repr__(self) -> str:
        return f"<Position {position_text(self)}>"


def position_of(  # noqa: PLR0913 - the words of the text form
    rules: RuleSet,
    board: Sequence[Pile],
    hand: tuple[int, int],
    off: tuple[int, int],
    turn: Side | None,
    *,
    extra_used: bool = False,
) -> Position:
    """Return the position with the given piles and counts."""
    state = EXTRA_USED if extra_used else 0
    for side in Side:
        state += (
            in_hand(side, NONE_IN_HAND)
            + in_hand(side, hand[side.number])
            + off_board(side, off[side.number])
        )
    for square, pile in enumerate(board):
        for depth, piece in enumerate(reversed(pile)):
            state += on_top(square, piece) << PLANE_BITS * depth
    return Position(rules, state, turn)


def position_text(position: Position) -> str:
    """Return the text form of a position: five words separated by spaces."""
    turn = "=" if position.turn is None else position.turn.letter
    return " ".join(
        (
            position.rules.text,
            _board_text(position.board),
            "L{}D{}".format(*position.hand),
            "L{}D{}".format(*position.off),
            turn + ("*" if position.extra_used else ""),
        )
    )


def _board_text(board: tuple[Pile, ...]) -> str:
    piles = (f"{SQUARE_NAMES[n]}:{pile_text(board[n])}" for n in ALL_SQUARES if board[n])
    return ",".join(piles) or "-"


_COUNTS: Final = re.compile(r"L(0|[1-9][0-9]?)D(0|[1-9][0-9]?)")
_TURNS: Final = {"L": Side.LIGHT, "D": Side.DARK, "=": None}


def read_position(rules: RuleSet, words: list[str]) -> Position:
    """Parse the four words after the rules. The rule set still has to check the position.

    Raises:
        UrpiError: If a word is invalid.
    """
    if len(words) != 4:
        message = (
            "A position must be five words, RULES BOARD HANDS OFF TURN; found "
            f"{len(words) + 1} of them."
        )
        raise UrpiError(message)
    board, hand, off, turn = words
    if turn.removesuffix("*") not in _TURNS or turn == "=*":
        message = f"A position's turn must be L, D, =, L* or D*; found {turn!r}."
        raise UrpiError(message)
    return position_of(
        rules,
        _read_board(board),
        _read_counts("HANDS", hand),
        _read_counts("OFF", off),
        _TURNS[turn.removesuffix("*")],
        extra_used=turn.endswith("*"),
    )


def _read_board(text: str) -> tuple[Pile, ...]:
    if text == "-":
        return EMPTY_BOARD
    piles = list(EMPTY_BOARD)
    last = -1
    for word in text.split(","):
        name, colon, pile = word.partition(":")
        if not colon:
            message = f"A board must consist of SQUARE:PILE items such as B4:L; found {word!r}."
            raise UrpiError(message)
        square = parse_square(name)
        # One order only, so that equal positions have equal texts.
        if square <= last:
            message = (
                f"A board must list each square once, in the order A1 .. C8; {name} is out "
                "of order."
            )
            raise UrpiError(message)
        piles[square] = parse_pile(pile)
        last = square
    return tuple(piles)


def _read_counts(word: str, text: str) -> tuple[int, int]:
    match = _COUNTS.fullmatch(text)
    if not match:
        message = f"A position's {word} must look like L7D7; found {text!r}."
        raise UrpiError(message)
    return int(match[1]), int(match[2])
