"""The races with one piece a square.

They are `finkel`, `finkel3`, `murray`, `bell`, `coursework`, `masters` and `blitz`.
"""

from .board import ROSETTES, is_marked, other_side, path_of, side_of
from .dice import value
from .texts import Position, pieces_each


def index_of(path: list[str], square: str, piece: str) -> int:
    """Return the path index of a piece, from 1; its mark distinguishes the second visit."""
    visits = [k for k in range(1, len(path) + 1) if path[k - 1] == square]
    # Reading: "a square that its path visits twice" is taken for the path of the piece's own
    # side as the options make it. With exit_row=opponent a light piece on C1-C4 is there on its
    # only visit and bears no mark; only B1-B7 know a second visit then.
    if is_marked(piece) and len(visits) < 2:
        raise ValueError(f"no second visit: {square}:{piece}")
    return visits[1] if is_marked(piece) else visits[0]


def piece_at(path: list[str], index: int, side: str) -> str:
    """The piece as it is written when it stands at a path index."""
    earlier = path[: index - 1]
    second_visit = path[index - 1] in earlier
    return side + "'" if second_visit else side


def rosettes_are_safe(position: Position) -> bool:
    """Whether an enemy on a rosette cannot be captured."""
    if position.name in {"finkel", "bell", "coursework"}:
        return True
    return position.options["safe_rosettes"] == "yes"


def can_land(position: Position, square: str) -> bool:
    """Whether the side to move may end on a square of its path."""
    there = position.top(square)
    if there is None:
        return True
    # It never lands on its own side's piece, whatever their laps.
    if side_of(there) == position.turn:
        return False
    # Safe: landing on an enemy on a rosette is illegal.
    return not (rosettes_are_safe(position) and square in ROSETTES)


def land(position: Position, square: str, piece: str) -> str:
    """Put a piece down on a copy, sending an enemy home; gives the text `xB4` or `B4`."""
    capture = position.top(square) is not None
    if capture:
        position.lift(square)
        # Landing on an enemy sends that one back to its owner's hand.
        position.hand[other_side(side_of(piece))] += 1
    position.put(square, [piece])
    return "x" + square if capture else square


def throws_again(before: Position, throw: int, square: str | None) -> bool:
    """Whether the side throws again after ending on a square; None is a piece borne off.

    `before` is the position in front of the move: what stood on the square was captured.
    """
    if before.name == "bell":
        # A throw of 4 throws again after the action; rosettes give no extra throw.
        return throw == 4
    if before.name == "blitz" and square is not None and before.top(square) is not None:
        return True
    return square in ROSETTES


def finish(before: Position, after: Position, throw: int, square: str | None) -> Position:
    """The position after a move with the turn set: the same side, the other one, or over."""
    side = after.turn
    # The first to bear off every piece wins at once.
    if after.off[side] == pieces_each(after.name, after.options):
        return after.changed("=")
    return after if throws_again(before, throw, square) else after.changed(other_side(side))


def enter(position: Position, path: list[str], throw: int) -> dict[str, Position]:
    """The entering move, if it is legal: a new piece enters on index = throw."""
    side, square = position.turn, path[throw - 1]
    if position.hand[side] == 0 or not can_land(position, square):
        return {}
    after = position.changed()
    after.hand[side] -= 1
    text = "+" + land(after, square, piece_at(path, throw, side))
    return {text: finish(position, after, throw, square)}


def advance(position: Position, path: list[str], throw: int, origin: str) -> dict[str, Position]:
    """The move of the piece on a square, if it is legal."""
    side = position.turn
    target_index = index_of(path, origin, position.board[origin][-1]) + throw
    after = position.changed()
    after.lift(origin)
    # From index k of a path of length L, bearing off needs exactly L + 1 - k.
    if target_index == len(path) + 1:
        after.off[side] += 1
        return {f"{origin}-off": finish(position, after, throw, None)}
    if target_index > len(path) + 1:
        return {}
    square = path[target_index - 1]
    if not can_land(position, square):
        return {}
    landed = land(after, square, piece_at(path, target_index, side))
    text = origin + (landed if landed.startswith("x") else "-" + landed)
    return {text: finish(position, after, throw, square)}


def moves(position: Position, faces: str) -> dict[str, Position]:
    """The legal moves' texts, each with the position after it."""
    throw = value(position.name, position.options, faces)
    if throw == 0:
        return {}
    path = path_of(position.name, position.options, position.turn)
    found = enter(position, path, throw)
    for origin in position.squares_topped_by(position.turn):
        found.update(advance(position, path, throw, origin))
    return found


def winner(position: Position) -> str | None:
    """The side that has borne off every piece."""
    for side in "LD":
        if position.off[side] == pieces_each(position.name, position.options):
            return side
    return None
