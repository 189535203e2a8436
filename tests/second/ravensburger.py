"""Towers, prisoners and retreats: `ravensburger`."""

from .board import is_marked, other_side, path_of, side_of
from .dice import value
from .texts import Position

REFUGE_INDEX = 13
GOAL_INDEX = 14
FIRST_RETREAT_INDEX = 5
OWN_LIMIT = 5


def prisoners_under_top(pile: list[str]) -> list[str]:
    """The unbroken run of enemy pieces right under the top piece, bottom to top."""
    side = side_of(pile[-1])
    prisoners: list[str] = []
    for piece in reversed(pile[:-1]):
        # Down to and not including the next own piece.
        if side_of(piece) == side:
            break
        prisoners.insert(0, piece)
    return prisoners


def is_full(position: Position, index: int, square: str) -> bool:
    """Whether the side's refuge or goal already holds five of its own pieces."""
    if index not in {REFUGE_INDEX, GOAL_INDEX}:
        return False
    # Reading: prisoners do not count, and own pieces that lie deeper in the pile do.
    own = [p for p in position.board.get(square, []) if side_of(p) == position.turn]
    return len(own) >= OWN_LIMIT


def land(
    before: Position, path: list[str], index: int, group: list[str]
) -> tuple[str, Position] | None:
    """The text `-B4` or `xB4` and the position with the group put there; None if illegal."""
    side, square = before.turn, path[index - 1]
    if is_full(before, index, square):
        return None
    there = before.top(square)
    buries = there is not None and side_of(there) != side
    after = before.changed()
    if index == GOAL_INDEX:
        # On the goal prisoners leave the game and the own piece turns red.
        after.off[other_side(side)] += len(group) - 1
        group = [side + "'"]
    # Landing never removes: the group goes on top.
    after.put(square, group)
    return ("x" if buries else "-") + square, finish(after)


def finish(after: Position) -> Position:
    """The position with the turn set: the other side, or over."""
    enemy = other_side(after.turn)
    # The opponent has none in hand and tops no pile.
    if after.hand[enemy] == 0 and not after.squares_topped_by(enemy):
        return after.changed("=")
    # One throw, one move, no extra throws.
    return after.changed(enemy)


def enter(position: Position, path: list[str], throw: int) -> dict[str, Position]:
    """The entering move on index n, if there is a piece to enter; it enters blue."""
    side = position.turn
    if position.hand[side] == 0:
        return {}
    before = position.changed()
    before.hand[side] -= 1
    landed = land(before, path, throw, [side])
    return {} if landed is None else {"+" + landed[0].removeprefix("-"): landed[1]}


def carry(
    position: Position, path: list[str], origin: str, target_index: int, prisoners: int
) -> dict[str, Position]:
    """The move of a top piece with the given number of pieces under it, if it is legal."""
    before = position.changed()
    group = [before.lift(origin) for _ in range(prisoners + 1)]
    group.reverse()
    landed = land(before, path, target_index, group)
    star = "*" if prisoners else ""
    return {} if landed is None else {origin + landed[0] + star: landed[1]}


def forward(position: Position, path: list[str], throw: int, origin: str) -> dict[str, Position]:
    """The forward moves of a square's top piece, without and with its prisoners."""
    index = path.index(origin) + 1
    target_index = index + throw
    # Refuge and goal by exact throw; nothing goes beyond the goal.
    if target_index > len(path):
        return {}
    prisoners = len(prisoners_under_top(position.board[origin]))
    found: dict[str, Position] = {}
    # From the refuge the prisoners must come along. They are taken all or none.
    # Reading: only those of the moving piece, right under it, count: with own pieces between,
    # the enemies below stay prisoners of the own piece that is on top then.
    if not (index == REFUGE_INDEX and prisoners):
        found.update(carry(position, path, origin, target_index, 0))
    if prisoners:
        found.update(carry(position, path, origin, target_index, prisoners))
    return found


def retreat(position: Position, path: list[str], throw: int, origin: str) -> dict[str, Position]:
    """The backward move of a square's top piece, if it is red: alone, without prisoners."""
    index = path.index(origin) + 1
    target_index = index - throw
    # To any square of its own path from B1 (index 5) on.
    if target_index < FIRST_RETREAT_INDEX or not is_marked(position.board[origin][-1]):
        return {}
    # Out of the refuge only without leaving a prisoner there.
    # Reading: again only a prisoner right under the moving piece counts.
    if index == REFUGE_INDEX and prisoners_under_top(position.board[origin]):
        return {}
    return carry(position, path, origin, target_index, 0)


def moves(position: Position, faces: str) -> dict[str, Position]:
    """The legal moves' texts, each with the position after it."""
    throw = value(position.name, position.options, faces)
    # 6 = no move.
    if throw == 0:
        return {}
    # The path has none of the enemy's six outer squares: so they are barred.
    path = path_of(position.name, position.options, position.turn)
    found = enter(position, path, throw)
    for origin in position.squares_topped_by(position.turn):
        found.update(forward(position, path, throw, origin))
        found.update(retreat(position, path, throw, origin))
    return found


def winner(position: Position) -> str | None:
    """The side whose enemy has none in hand and tops no pile."""
    for side in "LD":
        enemy = other_side(side)
        if position.hand[enemy] == 0 and not position.squares_topped_by(enemy):
            return side
    return None
