"""The pieces of a set, and where they physically are. It checks no rules.

A pile is a string read bottom to top, as in `urpi.rules.board`: one letter for each piece, in lower
case if it is turned over (in `murray`, if its player knows that it is on its second visit).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Protocol

from urpi.core.errors import UrpiError
from urpi.rules import SQUARE_NAMES, Position, Side, Square, Squares
from urpi.rules.board import Pile


class PieceAccess(Protocol):
    """The pieces as a hand handles them; implemented by `Pieces` and `LayoutAccess`."""

    @property
    def board(self) -> Sequence[Pile]:
        """The pile on each square, in bit order."""

    @property
    def reserve(self) -> Sequence[int]:
        """The number of light's and dark's pieces beside the board."""

    @property
    def held(self) -> Counter[str]:
        """The pieces in the hand."""

    @property
    def occupancy(self) -> Squares:
        """The occupied squares."""

    def lift(self, square: Square, count: int = 1) -> Pile:
        """Lift the top pieces of a square and return them, bottom to top."""

    def put(self, square: Square, group: Pile) -> None:
        """Put held pieces on a square."""

    def turn(self, group: Pile, faces: Pile) -> Pile:
        """Turn held pieces so that they show some faces, and return these."""

    def pick_up(self, side: Side, *, from_home: bool = False) -> Pile:
        """Pick up a piece from beside the board, or from its home, and return it."""

    def lay_beside(self, group: Pile) -> None:
        """Put held pieces beside the board."""

    def bring_home(self, group: Pile) -> None:
        """Put held pieces where those lie that have left for good."""


class Pieces:
    """All pieces of a set: on the board, beside it, at home, or in a hand.

    `board` is the pile on each square in bit order. `reserve` and `home` are the numbers of light's
    and dark's pieces beside the board and of those that have left for good. `held` are the pieces
    in hands. No piece is ever added or lost.
    """

    def __init__(self, position: Position) -> None:
        self.board: list[Pile] = list(position.board)
        self.reserve = list(position.hand)
        self.home = list(position.off)
        self.held: Counter[str] = Counter()

    @property
    def occupancy(self) -> Squares:
        return sum(1 << square for square, pile in enumerate(self.board) if pile)

    @property
    def total(self) -> tuple[int, int]:
        """The numbers of light's and dark's pieces, wherever they are."""
        everywhere = "".join(self.board) + "".join(self.held.elements())
        light, dark = (
            everywhere.upper().count(side.letter)
            + self.reserve[side.number]
            + self.home[side.number]
            for side in Side
        )
        return light, dark

    def shows(self, position: Position) -> bool:
        """Return whether everything is where a position has it, and no hand holds a piece."""
        return (
            tuple(self.board) == position.board
            and tuple(self.reserve) == position.hand
            and tuple(self.home) == position.off
            and not self.held.total()
        )

    def lift(self, square: Square, count: int = 1) -> Pile:
        """Lift the top pieces of a square and return them, bottom to top.

        Raises:
            UrpiError: If fewer are there.
        """
        pile = self.board[square]
        if not 0 < count <= len(pile):
            name = SQUARE_NAMES[square]
            message = f"{count} pieces cannot be lifted from {name}; it has {len(pile)}."
            raise UrpiError(message)
        self.board[square], group = pile[:-count], pile[-count:]
        self.held.update(group)
        return group

    def put(self, square: Square, group: Pile) -> None:
        """Put held pieces on top of those on a square."""
        self._let_go(group)
        self.board[square] += group

    def turn(self, group: Pile, faces: Pile) -> Pile:
        """Turn held pieces so that they show some faces of the same sides, and return these."""
        assert group.upper() == faces.upper(), (group, faces)
        self._let_go(group)
        self.held.update(faces)
        return faces

    def pick_up(self, side: Side, *, from_home: bool = False) -> Pile:
        """Pick up a side's piece from beside the board, or from its home, and return it.

        Raises:
            UrpiError: If there is none.
        """
        place = self.home if from_home else self.reserve
        if not place[side.number]:
            where = "left for good" if from_home else "lies beside the board"
            message = f"No piece of {side.value}'s {where}, so none can be taken from there."
            raise UrpiError(message)
        place[side.number] -= 1
        self.held[side.letter] += 1
        return side.letter

    def lay_beside(self, group: Pile) -> None:
        """Put held pieces beside the board, each with its side's."""
        self._let_go(group)
        for side in _owners(group):
            self.reserve[side.number] += 1

    def bring_home(self, group: Pile) -> None:
        """Put held pieces where those lie that have left for good."""
        self._let_go(group)
        for side in _owners(group):
            self.home[side.number] += 1

    def _let_go(self, group: Pile) -> None:
        requested = Counter(group)
        if not requested <= self.held:
            held = "".join(sorted(self.held.elements()))
            message = f"The pieces {group!r} are not in the hand; it holds {held!r}. Lift them."
            raise UrpiError(message)
        self.held -= requested


def _owners(group: Pile) -> Iterator[Side]:
    return (Side.of_letter(piece) for piece in group)
