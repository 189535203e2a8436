"""What the players at an interactive table read on the display, as far as they act on it."""

from dataclasses import dataclass
from typing import TypeAlias

from urpi.rules import Move, Position, Side, Squares, Throw
from urpi.rules.position import position_of

Intent: TypeAlias = tuple[object, ...]
"""What a simulated player would do now: a word, and what it is about. Compared for equality."""


@dataclass(frozen=True, slots=True)
class DisplayState:
    """The state of the display.

    Attributes:
        waits_for: ``throw``, ``move`` or ``answer``; empty if only a correction is possible.
        side: The side that must act, None if it is neither or either.
        position: The position before the throw to play.
        throw: The throw to play.
        dice: The dice still to be thrown.
        fill: Squares that must be filled.
        clear: Squares that must be cleared.
        choices: The answers to the open question, the selected one first.
        seems: The move that the board seems to show.
        planned: The move that the engine has chosen.
        thinking: Whether the engine has not chosen yet.
        program_throws: The sides for which the program throws.
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
    planned: str | None = None
    thinking: bool = False
    program_throws: frozenset[Side] = frozenset()

    @property
    def legal(self) -> tuple[Move, ...]:
        """The legal moves of the throw to play; the engine's alone if it has chosen one.

        They stay legal while the display asks which of them was made: it may be none yet.
        """
        if self.position is None or self.throw is None or self.thinking:
            return ()
        legal = self.position.rules.legal_moves(self.position, self.throw)
        return tuple(each for each in legal if self.planned in {None, each.text})

    def after(self, text: str) -> Position | None:
        """Return the position after the legal move with a text, None if there is no such move."""
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
    board = [pile.upper() for pile in position.board]
    hand, off, turn = position.hand, position.off, position.turn
    return position_of(position.rules, board, hand, off, turn, extra_used=position.extra_used)
