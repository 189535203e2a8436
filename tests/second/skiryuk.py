"""The race with camps, piles and faces: `skiryuk`."""

from .board import ROSETTES, is_marked, other_side, path_of, side_of
from .dice import value
from .texts import Position, pieces_each

OWN_CAMPS = {"L": ["A2", "A4"], "D": ["C2", "C4"]}
MIDDLE_CAMP = "B7"
COMMON_CAMPS = ["B3", "B6"]
FINISH = "B1"
FIRST_ZIGGURAT_INDEX = 13
CAMP_LIMIT = 4


def index_of(path: list[str], square: str, piece: str) -> int:
    """The path index, from 1, of a piece.

    A throw is 4 at most, so a piece passes from the first visit of B7 (11) to the second (17)
    only by a move from index 13 or more: on the squares visited twice the dotted ones are on
    their second visit, the blank ones on their first.
    """
    visits = [k for k in range(1, len(path) + 1) if path[k - 1] == square]
    return visits[-1] if is_marked(piece) else visits[0]


def face_during_move(side: str, index: int) -> str:
    """The piece with the face it has while it moves from a path index.

    It is blank until it starts a move from index >= 13, dotted during that move and after.
    """
    return side + "'" if index >= FIRST_ZIGGURAT_INDEX else side


def is_camp(square: str, side: str) -> bool:
    """Whether a square is a camp where this side's pieces may pile up."""
    return square in [*OWN_CAMPS[side], *COMMON_CAMPS, MIDDLE_CAMP]


def can_join_camp(pile: list[str], square: str, side: str) -> bool:
    """Whether a piece of this side may join what stands in a camp."""
    # The middle camp belongs to the side whose pieces are on it; the enemy may only pass.
    if square == MIDDLE_CAMP and side_of(pile[0]) != side:
        return False
    # Own camps hold only own pieces, common camps anyone's: up to four of any face.
    return len(pile) < CAMP_LIMIT


def can_capture(there: str, piece: str, square: str) -> bool:
    """Whether a moving piece captures the one that stands on a square."""
    if side_of(there) == side_of(piece):
        return False
    # A dotted piece may not land on B1 while anything stands there.
    if square == FINISH and is_marked(piece):
        return False
    # Same face only. So a dotted piece on B1 cannot be captured, a blank one by a blank one.
    return is_marked(there) == is_marked(piece)


def land(position: Position, square: str, piece: str) -> tuple[str, Position] | None:
    """The text `-B4` or `xB4` and the position with the piece put there; None if illegal."""
    side = side_of(piece)
    after = position.changed()
    pile = position.board.get(square)
    if pile is None or (is_camp(square, side) and can_join_camp(pile, square, side)):
        after.put(square, [piece])
        return "-" + square, after
    if is_camp(square, side) or not can_capture(pile[-1], piece, square):
        return None
    after.lift(square)
    # A captured piece enters blank again: the hand knows no faces.
    after.hand[other_side(side)] += 1
    after.put(square, [piece])
    return "x" + square, after


def finish(after: Position, square: str | None) -> Position:
    """The position with the turn set: the same side, the other one, or over."""
    side = after.turn
    if after.off[side] == pieces_each(after.name, after.options):
        return after.changed("=")
    return after if square in ROSETTES else after.changed(other_side(side))


def enter(position: Position, path: list[str], throw: int) -> dict[str, Position]:
    """The entering move, blank side up, if it is legal."""
    side, square = position.turn, path[throw - 1]
    if position.hand[side] == 0:
        return {}
    before = position.changed()
    before.hand[side] -= 1
    landed = land(before, square, side)
    if landed is None:
        return {}
    return {"+" + landed[0].removeprefix("-"): finish(landed[1], square)}


def advance(position: Position, path: list[str], throw: int, origin: str) -> dict[str, Position]:
    """The move of the top piece of a square, if it is legal: only the top piece may move."""
    side = position.turn
    before = position.changed()
    index = index_of(path, origin, before.lift(origin))
    target_index = index + throw
    if target_index == len(path) + 1:
        before.off[side] += 1
        return {f"{origin}-off": finish(before, None)}
    if target_index > len(path) + 1:
        return {}
    square = path[target_index - 1]
    landed = land(before, square, face_during_move(side, index))
    if landed is None:
        return {}
    return {origin + landed[0]: finish(landed[1], square)}


def moves(position: Position, faces: str) -> dict[str, Position]:
    """The legal moves' texts, each with the position after it."""
    throw = value(position.name, position.options, faces)
    path = path_of(position.name, position.options, position.turn)
    found = enter(position, path, throw)
    # Reading: in a pile whose top piece is the enemy's one's own pieces are stuck until it
    # leaves, also in the middle of a common camp.
    for origin in position.squares_topped_by(position.turn):
        found.update(advance(position, path, throw, origin))
    return found


def winner(position: Position) -> str | None:
    """The side that has borne off every piece."""
    for side in "LD":
        if position.off[side] == pieces_each(position.name, position.options):
            return side
    return None
