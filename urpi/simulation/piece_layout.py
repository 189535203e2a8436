"""The layout: which piece lies where, each by its name, whoever has put it there.

No rules: a hand may put anything anywhere. Several hands may be at work, each holding pieces of
its own. What is physically impossible (to lift from an empty square, to put down what one does
not hold) is refused; no piece is ever lost.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from urpi.errors import UrpiError
from urpi.rules import ALL_SQUARES, SQUARE_NAMES, Side, Square, Squares, parse_square

ASIDE: Final = "aside"
MAX_HANDS: Final = 16


class ImpossibleError(UrpiError):
    """What no hand can do as things lie now."""


@dataclass(slots=True)
class Piece:
    """One piece: its name (``L3``), whose it is, and whether its other face is up."""

    name: str
    side: Side
    turned: bool = False

    @property
    def letter(self) -> str:
        """As in a pile: lower case when it lies turned over."""
        return self.side.letter.lower() if self.turned else self.side.letter


@dataclass(frozen=True, slots=True)
class Place:
    """A square; or beside the board: a side's reserve or home; or aside, where there is neither.

    >>> str(parse_place("B4")), str(parse_place("home:dark")), str(parse_place("aside"))
    ('B4', 'home:dark', 'aside')
    """

    square: Square | None = None
    side: Side | None = None
    home: bool = False

    def __str__(self) -> str:
        """The place's text."""
        if self.square is not None:
            return SQUARE_NAMES[self.square]
        if self.side is None:
            return ASIDE
        return f"{'home' if self.home else 'hand'}:{self.side.value}"


_BESIDE: Final = {
    str(place): place
    for place in (
        Place(),
        *(Place(side=side, home=home) for side in Side for home in (False, True)),
    )
}


def parse_place(text: str) -> Place:
    """The place that a text names: a square, ``hand:light``, ``home:dark``, ``aside``.

    Raises:
        UrpiError: when it names none.
    """
    if text in _BESIDE:
        return _BESIDE[text]
    if text in SQUARE_NAMES:
        return Place(parse_square(text))
    message = f"There is no place {text!r}; the places are the squares, {', '.join(_BESIDE)}."
    raise UrpiError(message)


Slots: TypeAlias = dict[int, Piece]
"""Pieces side by side, each in the slot in which it was laid down."""


@dataclass(slots=True)
class Grip:
    """What a hand holds, bottom to top; where it was taken from, and the square it is over."""

    pieces: list[Piece]
    origin: Place
    over: Square | None = None
    seen_at: int = 0
    """When the hand last gave a sign, in the schedule's milliseconds."""


@dataclass(slots=True)
class PieceLayout:
    """Everything that can be picked up, but the dice."""

    board: list[list[Piece]] = field(default_factory=lambda: [[] for _ in ALL_SQUARES])
    beside: dict[Place, Slots] = field(
        default_factory=lambda: {place: {} for place in _BESIDE.values()}
    )
    grips: dict[str, Grip] = field(default_factory=dict)

    @property
    def occupancy(self) -> Squares:
        """Every square whose switch feels a magnet: one stands there, or is held over it."""
        squares = sum(1 << square for square, pile in enumerate(self.board) if pile)
        for grip in self.grips.values():
            if grip.over is not None:
                squares |= 1 << grip.over
        return squares

    def pieces(self) -> Iterator[Piece]:
        """Every piece, wherever it is."""
        for pile in self.board:
            yield from pile
        for slots in self.beside.values():
            yield from slots.values()
        for grip in self.grips.values():
            yield from grip.pieces

    def at(self, place: Place) -> Sequence[Piece]:
        """What lies there, the one to be taken first at the end."""
        if place.square is not None:
            return self.board[place.square]
        slots = self.beside[place]
        return [slots[slot] for slot in sorted(slots)]

    def find(self, name: str) -> tuple[Place, int]:
        """Where a piece lies that nobody holds, and how many lie on it there, itself counted.

        Raises:
            UrpiError: when there is no such piece.
            ImpossibleError: when a hand holds it.
        """
        for square, pile in enumerate(self.board):
            for height, piece in enumerate(pile):
                if piece.name == name:
                    return Place(square), len(pile) - height
        for place, slots in self.beside.items():
            if any(piece.name == name for piece in slots.values()):
                return place, 1
        if any(piece.name == name for piece in self.pieces()):
            message = f"{name} is in another hand; wait until that puts it down."
            raise ImpossibleError(message)
        message = f"There is no piece {name!r} on this table."
        raise UrpiError(message)

    def lift(self, hand: str, place: Place, count: int = 1, name: str | None = None) -> list[Piece]:
        """Take the top pieces of a place into a hand, `name` where one beside the board is meant.

        Raises:
            ImpossibleError: when fewer lie there, or too many hands are at work.
        """
        if not 0 < count <= len(self.at(place)):
            there = len(self.at(place)) or "none"
            message = f"No hand can lift {count} from {place}: there lies {there}."
            raise ImpossibleError(message)
        if hand not in self.grips and len(self.grips) >= MAX_HANDS:
            message = f"{MAX_HANDS} hands are over the table already; wait for one to go."
            raise ImpossibleError(message)
        taken = self._take(place, count, name)
        grip = self.grips.setdefault(hand, Grip([], place))
        grip.pieces += taken
        return taken

    def _take(self, place: Place, count: int, name: str | None) -> list[Piece]:
        if place.square is not None:
            pile = self.board[place.square]
            taken = pile[-count:]
            del pile[-count:]
            return taken
        slots = self.beside[place]
        slot = next((slot for slot, one in slots.items() if one.name == name), max(slots))
        return [slots.pop(slot)]

    def put(self, hand: str, place: Place, pieces: Sequence[Piece] | None = None) -> None:
        """Let go of pieces, all unless said otherwise: on top of a square, or beside the board.

        In a reserve and at home each lies with its owner's, whichever was named.

        Raises:
            ImpossibleError: when the hand holds nothing.
        """
        pieces = self._let_go(hand, pieces)
        if place.square is not None:
            self.board[place.square] += pieces
            return
        for piece in pieces:
            self._lay_beside(piece, place)

    def _lay_beside(self, piece: Piece, place: Place) -> None:
        if place.side is not None:
            place = Place(side=piece.side, home=place.home)
            # In their rows all lie alike: nobody enters a piece with its other face up.
            piece.turned = False
        slots = self.beside[place]
        free = next(slot for slot in range(len(slots) + 1) if slot not in slots)
        slots[free] = piece

    def _let_go(self, hand: str, pieces: Sequence[Piece] | None) -> list[Piece]:
        grip = self.held(hand)
        gone = list(grip.pieces if pieces is None else pieces)
        names = {piece.name for piece in gone}
        grip.pieces = [piece for piece in grip.pieces if piece.name not in names]
        if not grip.pieces:
            del self.grips[hand]
        return gone

    def held(self, hand: str) -> Grip:
        """What a hand holds.

        Raises:
            ImpossibleError: when that is nothing.
        """
        if hand not in self.grips:
            message = "This hand holds nothing; lift a piece first."
            raise ImpossibleError(message)
        return self.grips[hand]

    def push_off(self, square: Square) -> None:
        """What stands on a square is pushed off the board, and lies aside."""
        pushed, self.board[square] = self.board[square], []
        for piece in pushed:
            self._lay_beside(piece, Place())

    def set_piece_count(self, each: int) -> None:
        """Let each side have so many pieces: new ones come into the reserve, others go from it.

        Those that are not in the reserve stay.
        """
        for side in Side:
            named = {piece.name for piece in self.pieces() if piece.side is side}
            for number in range(1, each + 1):
                if f"{side.letter}{number}" not in named:
                    self._lay_beside(Piece(f"{side.letter}{number}", side), Place(side=side))
            reserve = self.beside[Place(side=side)]
            for slot, piece in list(reserve.items()):
                if int(piece.name[1:]) > each:
                    del reserve[slot]
