"""What a hand does besides moving its pieces when it plays a legal move.

Players take captured pieces off the board, turn a piece over where the rules require it, and put
prisoners that leave the game with the pieces at home. The referee's switches sense no faces, and
no captured piece that lies beside the board.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from urpi.rules import HAND, OFF, Part, Position, Square
from urpi.simulation.display_state import DisplayState, without_faces
from urpi.simulation.hands import captured_squares
from urpi.simulation.piece_layout import Piece, Place


@dataclass(frozen=True, slots=True)
class MoveEffects:
    """The rest of a move that is played by putting a piece down.

    Attributes:
        captures: The squares whose pieces are captured.
        turned: Whether the piece shows its other face after the move; None if the move does not
            turn it over.
        releases: Whether the prisoners under the piece leave the game.
    """

    captures: tuple[Square, ...] = ()
    turned: bool | None = None
    releases: bool = False


def move_effects(
    display: DisplayState, text: str | None, group: Sequence[Piece], place: Place
) -> MoveEffects | None:
    """Return what else happens when a group of pieces is put on a place as part of a legal move.

    Args:
        display: What the player reads.
        text: The text of the move.
        group: The pieces in the hand, bottom to top.
        place: Where they are put.

    Returns:
        None if the displayed position has no such move, or if the move does not end there.
    """
    after, before = (display.after(text) if text else None), display.position
    move = next((one for one in display.legal if one.text == text), None)
    if after is None or before is None or move is None or before.turn is not group[-1].side:
        return None
    target = OFF if place.home else place.square
    part = next((part for part in move.parts if part.target == target), None)
    if part is None:
        return None
    enemy = before.turn.other.number
    return MoveEffects(
        tuple(captured_squares(before, after, part)),
        _turned(without_faces(before), without_faces(after), part),
        after.off[enemy] > before.off[enemy],
    )


def _turned(before: Position, after: Position, part: Part) -> bool | None:
    """Return whether a piece is turned after a part of a move, None if it keeps its face."""
    if part.target == OFF:
        return None
    was_turned = part.origin != HAND and before.board[part.origin][-1].islower()
    is_turned = after.board[part.target][-1].islower()
    return None if was_turned == is_turned else is_turned
