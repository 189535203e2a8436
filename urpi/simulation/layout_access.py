"""One hand's access to a `PieceLayout`, as the scripted hands need it.

`urpi.simulation.hands` moves pieces as positions require, by their side and pile; here these acts
become those of one hand among several, which moves named pieces.

A pile is a string read bottom to top, as in `urpi.rules.board`: one letter for each piece, in lower
case if it is turned over (in `murray`, if its player knows that it is on its second visit).
"""

from collections import Counter
from typing import Final

from urpi.rules import Position, Side, Square, Squares
from urpi.rules.board import Pile
from urpi.simulation.piece_layout import ImpossibleError, Piece, PieceLayout, Place

OWN_HAND: Final = "table"
"""The name of the simulated players' hand."""


class LayoutAccess:
    """The pieces of a `PieceLayout` as one hand handles them. It checks no rules."""

    def __init__(self, layout: PieceLayout, hand: str = OWN_HAND) -> None:
        self._layout, self._hand = layout, hand

    @property
    def board(self) -> list[Pile]:
        """The pile on each square, in bit order."""
        return [_letters(pile) for pile in self._layout.board]

    def pile(self, square: Square) -> Pile:
        return _letters(self._layout.board[square])

    @property
    def reserve(self) -> list[int]:
        """The number of light's and dark's pieces beside the board, in their rows or not."""
        return [len(self._spare(side)) for side in Side]

    @property
    def home(self) -> list[int]:
        """The number of light's and dark's pieces that have left the board for good."""
        return [len(self._layout.beside[Place(side=side, home=True)]) for side in Side]

    @property
    def held(self) -> Counter[str]:
        """The pieces that this hand holds."""
        return Counter(piece.letter for piece in self._holds())

    @property
    def occupancy(self) -> Squares:
        """The squares whose switch is closed by a magnet."""
        return self._layout.occupancy

    def lift(self, square: Square, count: int = 1) -> Pile:
        """Lift the top pieces of a square and return them, bottom to top.

        Raises:
            ImpossibleError: If fewer are there.
        """
        return _letters(self._layout.lift(self._hand, Place(square), count))

    def put(self, square: Square, group: Pile) -> None:
        """Put held pieces on top of those on a square."""
        if group:
            self._layout.put(self._hand, Place(square), self._chosen(group))

    def turn(self, group: Pile, faces: Pile) -> Pile:
        """Turn held pieces so that they show some faces, and return these.

        Raises:
            ImpossibleError: If the faces are those of other pieces.
        """
        if group.upper() != faces.upper():
            message = f"The pieces {group} in the hand cannot be turned to show {faces}."
            raise ImpossibleError(message)
        for piece, face in zip(self._chosen(group), faces, strict=True):
            piece.turned = face.islower()
        return faces

    def pick_up(self, side: Side, *, from_home: bool = False) -> Pile:
        """Pick up a side's piece from beside the board, or from its home, and return it.

        Raises:
            ImpossibleError: If there is none.
        """
        spare = [] if from_home else self._spare(side)
        place, name = spare[-1] if spare else (Place(side=side, home=from_home), None)
        (piece,) = self._layout.lift(self._hand, place, name=name)
        piece.turned = False
        return piece.letter

    def lay_beside(self, group: Pile) -> None:
        """Put held pieces beside the board, each with its side's."""
        self._lay(group, home=False)

    def bring_home(self, group: Pile) -> None:
        """Put held pieces where those are that have left the board for good."""
        self._lay(group, home=True)

    def shows(self, position: Position) -> bool:
        """Return whether everything is where a position has it, and this hand is empty."""
        places = (position.board, position.hand, position.off)
        seen = (self.board, self.reserve, self.home)
        return seen == tuple(map(list, places)) and not self._holds()

    def looks_like(self, position: Position) -> bool:
        """Return whether the board is that of a position, faces aside, and this hand is empty."""
        seen = [pile.upper() for pile in self.board]
        return seen == [pile.upper() for pile in position.board] and not self._holds()

    def _lay(self, group: Pile, *, home: bool) -> None:
        for piece in self._chosen(group):
            self._layout.put(self._hand, Place(side=piece.side, home=home), [piece])

    def _spare(self, side: Side) -> list[tuple[Place, str]]:
        """Return the places and names of a side's free pieces; the first to pick up comes last."""
        places = (Place(side=side), Place())
        return [
            (place, piece.name)
            for place in places
            for piece in self._layout.at(place)
            if piece.side is side
        ]

    def _holds(self) -> list[Piece]:
        grip = self._layout.grips.get(self._hand)
        return grip.pieces if grip else []

    def _chosen(self, group: Pile) -> list[Piece]:
        """Return the held pieces that show some letters, in their order.

        Raises:
            ImpossibleError: If the hand does not hold them.
        """
        left, chosen = list(self._holds()), list[Piece]()
        for letter in group:
            piece = next((one for one in left if one.letter == letter), None)
            if piece is None:
                message = f"The pieces {group!r} are not in the hand; it holds {_letters(left)!r}."
                raise ImpossibleError(message)
            left.remove(piece)
            chosen.append(piece)
        return chosen


def _letters(pieces: list[Piece]) -> Pile:
    return "".join([piece.letter for piece in pieces])
