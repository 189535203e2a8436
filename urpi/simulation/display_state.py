"""What people at the table see on the display, as far as they act on it."""

from dataclasses import dataclass, replace
from typing import TypeAlias

from urpi.rules import Move, Position, Side, Squares, Throw

Wish: TypeAlias = tuple[object, ...]
"""What somebody would do now: a word, and what it is about. Equal ones are the same wish."""


@dataclass(frozen=True, slots=True)
class DisplayState:
    """What a display says.

    `waits_for`: ``throw``, ``move``, ``answer``, or nothing that people could do but mend; `side`
    is whose business it is, None where nobody's or anybody's. `position` stands before the
    `throw` that is to be played; `dice` are those still to be thrown. `fill` and `clear` are
    squares to put right, `choices` what it asks, the marked one first. `seems` is the move that
    it takes the board to show.
    """

    waits_for: str = ""
    side: Side | None = None
    position: Position | None = None
    throw: Throw | None = None
    dice: tuple[int, ...] = ()
    fill: Squares = 0
    clear: Squares = 0
    choices: tuple[str, ...] = ()
    seems: str | None = None

    @property
    def legal(self) -> tuple[Move, ...]:
        """The legal moves of the throw that is to be played."""
        if self.position is None or self.throw is None or self.waits_for != "move":
            return ()
        return self.position.rules.legal_moves(self.position, self.throw)

    def after(self, text: str) -> Position | None:
        """The position behind that legal move, None when it is none."""
        for move in self.legal:
            if move.text == text:
                assert self.position is not None
                assert self.throw is not None
                return self.position.rules.play(self.position, self.throw, move)
        return None


def without_faces(position: Position) -> Position:
    """Return the position as its pieces look: without the faces that one-faced pieces lack.

    In `murray` a piece on its second visit looks like any other.
    """
    if position.rules.two_faced:
        return position
    board = tuple(pile.upper() for pile in position.board)
    return replace(position, board=board)
