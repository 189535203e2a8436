"""Positions and their text form (FORMATS.md, Positions)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from urpi.core.errors import UrpiError
from urpi.rules.board import (
    ALL_SQUARES,
    SQUARE_NAMES,
    Pile,
    Side,
    Squares,
    parse_pile,
    parse_square,
    pile_text,
)

if TYPE_CHECKING:
    from urpi.rules.ruleset import RuleSet

EMPTY_BOARD: Final[tuple[Pile, ...]] = ("",) * len(SQUARE_NAMES)


class Position(NamedTuple):
    """The state of a game before a throw.

    Attributes:
        board: The pile on each square, in bit order.
        hand: The number of pieces in hand, light first.
        off: The number of pieces off the board, light first.
        turn: The side that throws next, None if the game is over by the rules.
        extra_used: Whether the one extra throw of this turn is used up (`freecompany`);
            False by default, and always in the other rule sets.
    """

    rules: RuleSet
    board: tuple[Pile, ...]
    hand: tuple[int, int]
    off: tuple[int, int]
    turn: Side | None
    extra_used: bool = False

    @property
    def occupancy(self) -> Squares:
        """The set of occupied squares."""
        squares = 0
        for square in ALL_SQUARES:
            if self.board[square]:
                squares |= 1 << square
        return squares

    def __str__(self) -> str:
        """Return the text form."""
        return position_text(self)

    def __repr__(self) -> str:
        return f"<Position {position_text(self)}>"


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
    return Position(
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
