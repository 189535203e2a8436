"""Where each piece of a simulated table lies, by its name.

It checks no rules: a hand may put anything anywhere. Several hands may act at the same time, each
holding pieces of its own. What is physically impossible (lifting from an empty square, putting down
what the hand does not hold) is rejected. No piece is ever lost.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from urpi.core.errors import UrpiError
from urpi.rules import (
    ALL_SQUARES,
    SQUARE_NAMES,
    Position,
    Side,
    Square,
    Squares,
    each_square,
    parse_square,
)

ASIDE: Final = "aside"
MAX_HANDS: Final = 16


class ImpossibleError(UrpiError):
    """An act that is physically impossible at present."""


@dataclass(slots=True)
class Piece:
    """One piece: its name (``L3``), its side, and whether its other face is up."""

    name: str
    side: Side
    turned: bool = False

    @property
    def letter(self) -> str:
        """The piece's letter in a pile: lower case if it is turned."""
        return self.side.letter.lower() if self.turned else self.side.letter


@dataclass(frozen=True, slots=True)
class Place:
    """A square, a side's reserve or home beside the board, or aside: none of these.

    >>> str(parse_place("B4")), str(parse_place("home:dark")), str(parse_place("aside"))
    ('B4', 'home:dark', 'aside')
    """

    square: Square | None = None
    side: Side | None = None
    home: bool = False

    def __str__(self) -> str:
        """Return the place's text."""
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
    """Parse the text of a place: a square, ``hand:light``, ``home:dark``, ``aside``.

    Raises:
        UrpiError: If there is no such place.
    """
    if text in _BESIDE:
        return _BESIDE[text]
    if text in SQUARE_NAMES:
        return Place(parse_square(text))
    message = f"There is no place {text!r}; the places are the squares, {', '.join(_BESIDE)}."
    raise UrpiError(message)


Slots: TypeAlias = dict[int, Piece]
"""Pieces side by side, by the slot in which each was put down."""


@dataclass(slots=True)
class Grip:
    """The pieces in a hand, bottom to top, their place of origin, and the square they are over."""

    pieces: list[Piece]
    origin: Place
    over: Square | None = None
    seen_at: int = 0
    """When the hand was last active, in the schedule's milliseconds."""


@dataclass(slots=True)
class PieceLayout:
    """Everything that can be picked up, except the dice.

    `two_faced`: whether a turned piece is one with its other face up, not on a second visit.
    """

    board: list[list[Piece]] = field(default_factory=lambda: [[] for _ in ALL_SQUARES])
    beside: dict[Place, Slots] = field(
        default_factory=lambda: {place: {} for place in _BESIDE.values()}
    )
    grips: dict[str, Grip] = field(default_factory=dict)
    two_faced: bool = True

    @property
    def occupancy(self) -> Squares:
        """The squares whose switch is closed: a piece stands on them, or is held over them."""
        squares = sum(1 << square for square, pile in enumerate(self.board) if pile)
        for grip in self.grips.values():
            if grip.over is not None:
                squares |= 1 << grip.over
        return squares

    def pieces(self) -> Iterator[Piece]:
        """Yield all pieces, wherever they are."""
        for pile in self.board:
            yield from pile
        for slots in self.beside.values():
            yield from slots.values()
        for grip in self.grips.values():
            yield from grip.pieces

    def at(self, place: Place) -> Sequence[Piece]:
        """Return the pieces at a place; the one to be lifted first is the last."""
        if place.square is not None:
            return self.board[place.square]
        slots = self.beside[place]
        return [slots[slot] for slot in sorted(slots)]

    def find(self, name: str) -> tuple[Place, int]:
        """Return a piece's place and the number of pieces from it to the top, itself included.

        Raises:
            UrpiError: If there is no such piece.
            ImpossibleError: If a hand holds it.
        """
        for square, pile in enumerate(self.board):
            for height, piece in enumerate(pile):
                if piece.name == name:
                    return Place(square), len(pile) - height
        for place, slots in self.beside.items():
            if any(piece.name == name for piece in slots.values()):
                return place, 1
        if any(piece.name == name for piece in self.pieces()):
            message = f"{name} is in another hand; wait until it is put down."
            raise ImpossibleError(message)
        message = f"There is no piece {name!r} on this table."
        raise UrpiError(message)

    def lift(self, hand: str, place: Place, count: int = 1, name: str | None = None) -> list[Piece]:
        """Lift the top pieces of a place, and return them.

        Args:
            hand: The name of the hand.
            place: The place.
            count: The number of pieces.
            name: The piece to lift, beside the board.

        Raises:
            ImpossibleError: If fewer pieces are there, or too many hands are at work.
        """
        if not 0 < count <= len(self.at(place)):
            there = len(self.at(place)) or "none"
            message = f"No hand can lift {count} from {place}: there lies {there}."
            raise ImpossibleError(message)
        # Each open page has a hand of its own; a client could otherwise invent any number.
        if hand not in self.grips and len(self.grips) >= MAX_HANDS:
            message = f"There are already {MAX_HANDS} hands over the table; wait until one leaves."
            raise ImpossibleError(message)
        taken = self._remove(place, count, name)
        grip = self.grips.setdefault(hand, Grip([], place))
        grip.pieces += taken
        return taken

    def _remove(self, place: Place, count: int, name: str | None) -> list[Piece]:
        if place.square is not None:
            pile = self.board[place.square]
            taken = pile[-count:]
            del pile[-count:]
            return taken
        slots = self.beside[place]
        # Without a name, the piece that was put down last.
        slot = next((slot for slot, one in slots.items() if one.name == name), max(slots))
        return [slots.pop(slot)]

    def put(self, hand: str, place: Place, pieces: Sequence[Piece] | None = None) -> None:
        """Put pieces down: on top of a square's, or beside the board.

        In a reserve or at home, each piece is put with its own side's, whichever side `place`
        names.

        Args:
            hand: The name of the hand.
            place: Where to put them.
            pieces: The pieces; all that the hand holds by default.

        Raises:
            ImpossibleError: If the hand holds nothing.
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
            # No rule set has pieces that enter with their other face up.
            piece.turned = False
        slots = self.beside[place]
        # The first free slot, so that other pieces do not move when one is lifted.
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
        """Return what a hand holds.

        Raises:
            ImpossibleError: If it holds nothing.
        """
        if hand not in self.grips:
            message = "This hand holds nothing; lift a piece first."
            raise ImpossibleError(message)
        return self.grips[hand]

    def push_off(self, square: Square) -> Sequence[Piece]:
        """Push the pieces on a square off the board, and return them; they lie aside then."""
        pushed, self.board[square] = self.board[square], []
        for piece in pushed:
            self._lay_beside(piece, Place())
        return pushed

    def tidy(self, pieces: Sequence[Piece]) -> None:
        """Put those of some pieces that lie aside into the reserve."""
        aside = self.beside[Place()]
        for slot, piece in list(aside.items()):
            if piece in pieces:
                self._lay_beside(aside.pop(slot), Place(side=piece.side))

    def collect(self) -> None:
        """Put the pieces at home and aside into the reserves."""
        for place, slots in self.beside.items():
            if place.home or place.side is None:
                for slot in sorted(slots, reverse=True):
                    piece = slots.pop(slot)
                    self._lay_beside(piece, Place(side=piece.side))

    def turn(self, position: Position) -> None:
        """Turn the pieces on the squares so that they show the faces of a position."""
        for pile, letters in zip(self.board, position.board, strict=True):
            for piece, letter in zip(pile, letters, strict=True):
                piece.turned = letter.islower()

    def set_piece_count(self, each: int) -> None:
        """Set the number of pieces of each side.

        New pieces are added to the reserve, and surplus ones removed from it; those elsewhere stay.
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

    def arrange(self, position: Position) -> None:
        """Put all pieces, which lie in the reserves, where a position has them."""
        self.bring_home(position)
        for square in each_square(position.occupancy):
            for letter in position.board[square]:
                piece = self._take_from_reserve(Side.of_letter(letter))
                piece.turned = letter.islower()
                self.board[square].append(piece)

    def bring_home(self, position: Position) -> None:
        """Put the pieces that a position has off the board from the reserves into the homes."""
        for side in Side:
            for _ in range(position.off[side.number]):
                self._lay_beside(self._take_from_reserve(side), Place(side=side, home=True))

    def _take_from_reserve(self, side: Side) -> Piece:
        reserve = self.beside[Place(side=side)]
        return reserve.pop(max(reserve))
