"""Fingers: one hand's way to the layout, for hands that think in piles and sides.

`urpi.simulation.hands` moves pieces by what a position says; which of a side's pieces it takes does
not matter to it. Here its acts become those of a hand among others.
"""

from collections import Counter

from urpi.rules import Position, Side, Square, Squares
from urpi.rules.board import Pile
from urpi.simulation.piece_layout import ImpossibleError, Piece, PieceLayout, Place


class LayoutAccess:
    """The `PieceAccess` of one hand to a `PieceLayout`."""

    def __init__(self, layout: PieceLayout, hand: str) -> None:
        self._layout, self._hand = layout, hand

    @property
    def board(self) -> list[Pile]:
        """A pile a square, in bit order."""
        return ["".join(piece.letter for piece in pile) for pile in self._layout.board]

    @property
    def reserve(self) -> list[int]:
        """How many pieces of light and dark lie beside the board, in their row or not."""
        return [len(self._spare(side)) for side in Side]

    @property
    def home(self) -> list[int]:
        """How many have left for good."""
        return [len(self._layout.beside[Place(side=side, home=True)]) for side in Side]

    @property
    def held(self) -> Counter[str]:
        """What this hand holds."""
        return Counter(piece.letter for piece in self._holds())

    @property
    def occupancy(self) -> Squares:
        """Every square whose switch feels a magnet."""
        return self._layout.occupancy

    def lift(self, square: Square, count: int = 1) -> Pile:
        """Take the top pieces of a square into the hand; what they are, bottom to top.

        Raises:
            ImpossibleError: when fewer stand there.
        """
        return _letters(self._layout.lift(self._hand, Place(square), count))

    def put(self, square: Square, group: Pile) -> None:
        """Put held pieces on top of what stands on a square."""
        if group:
            self._layout.put(self._hand, Place(square), self._chosen(group))

    def turn(self, group: Pile, faces: Pile) -> Pile:
        """The held group with those faces up.

        Raises:
            ImpossibleError: when they are other pieces' faces.
        """
        if group.upper() != faces.upper():
            message = f"The pieces {group} in the hand cannot be turned to show {faces}."
            raise ImpossibleError(message)
        for piece, face in zip(self._chosen(group), faces, strict=True):
            piece.turned = face.islower()
        return faces

    def take(self, side: Side, *, from_home: bool = False) -> Pile:
        """Take a piece of a side's from beside the board, or from home, into the hand.

        Raises:
            ImpossibleError: when none is there.
        """
        spare = [] if from_home else self._spare(side)
        place, name = spare[-1] if spare else (Place(side=side, home=from_home), None)
        (piece,) = self._layout.lift(self._hand, place, name=name)
        piece.turned = False
        return piece.letter

    def lay_beside(self, group: Pile) -> None:
        """Put held pieces beside the board, each with its owner's."""
        self._lay(group, home=False)

    def bring_home(self, group: Pile) -> None:
        """Put held pieces where those lie that have left for good."""
        self._lay(group, home=True)

    def shows(self, position: Position) -> bool:
        """Whether the board is as the position says, faces aside, and this hand is empty."""
        seen = [pile.upper() for pile in self.board]
        return seen == [pile.upper() for pile in position.board] and not self._holds()

    def _lay(self, group: Pile, *, home: bool) -> None:
        for piece in self._chosen(group):
            self._layout.put(self._hand, Place(side=piece.side, home=home), [piece])

    def _spare(self, side: Side) -> list[tuple[Place, str]]:
        """Aside, then in the reserve: what is to be taken first stands last."""
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
        """Held pieces that show those letters, in that order.

        Raises:
            ImpossibleError: when the hand does not hold them.
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
    return "".join(piece.letter for piece in pieces)
