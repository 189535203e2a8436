"""The modern game on a graph: `freecompany`."""

from .board import neighbours, other_side, side_of
from .dice import value
from .texts import Position

FORTS = ["A1", "C1", "A7", "C7"]
EARTH_FORTS = ["A1", "C1"]
HEAVEN_FORTS = ["A7", "C7"]
ENTRANCE = "B1"
ROYAL_REALM = ["A3", "B3", "C3"]
ISHTAR = "B4"
MARDUK = "B6"

# A move in the making: the position with the piece moved, still with the old turn, and whether
# a piece ended on a fort.
Made = tuple[Position, bool]


def holds(position: Position, side: str, squares: list[str]) -> bool:
    """Whether a side has a piece on each of these squares."""
    return all(position.top(square) == side for square in squares)


def is_protected(position: Position, square: str) -> bool:
    """Whether the enemy piece on a square is safe: on a fort, while its side is on Ishtar."""
    # Reading: judged when the capture happens, so that of two pieces the first may take the one
    # on Ishtar and the second then one on a fort.
    return square in FORTS and position.top(ISHTAR) == position.top(square)


def capture(position: Position, square: str) -> None:
    """Send the piece on a square of this copy back to its owner's reserve."""
    position.hand[side_of(position.lift(square))] += 1


# --- Placing ---------------------------------------------------------------------------------


def can_place_on_entrance(position: Position) -> bool:
    """Whether the Entrance is empty or holds an enemy that placing may capture."""
    there = position.top(ENTRANCE)
    if there is None:
        return True
    if there == position.turn:
        return False
    # Forbidden while that enemy is its owner's only piece on the board.
    return len(position.squares_topped_by(there)) > 1


def squares_for_placing(position: Position, faces: str) -> list[str]:
    """The empty squares on which these faces place a piece, the Entrance aside."""
    if faces == "--":
        beside = neighbours(position.options["path"])
        own = position.squares_topped_by(position.turn)
        squares = [near for square in own for near in beside[square]]
    elif sorted(faces) == ["g", "s"]:
        squares = ROYAL_REALM
    else:
        squares = {"ss": [ISHTAR], "gg": [MARDUK]}.get(faces, [])
    return [square for square in squares if position.top(square) is None]


def placements(position: Position, faces: str) -> dict[str, Made]:
    """The legal placements. None gives a throw: it is no move that ends on a fort."""
    side = position.turn
    if position.hand[side] == 0:
        return {}
    squares = squares_for_placing(position, faces)
    # Any throw: place a piece on the Entrance, discarding the dice.
    if can_place_on_entrance(position):
        squares = [*squares, ENTRANCE]
    found: dict[str, Made] = {}
    for square in squares:
        after = position.changed()
        text = "+" + square
        if after.top(square) is not None:
            capture(after, square)
            text = "+x" + square
        after.hand[side] -= 1
        after.put(square, [side])
        found[text] = (after, False)
    return found


# --- Moving ----------------------------------------------------------------------------------


def routes(beside: dict[str, list[str]], start: str, steps: int) -> list[list[str]]:
    """All ways of `steps` steps from a square, it included, that never step straight back."""
    found = [[start]]
    for _ in range(steps):
        found = [
            [*route, square]
            for route in found
            for square in beside[route[-1]]
            if len(route) < 2 or route[-2] != square
        ]
    return found


def walk(position: Position, route: list[str], *, earth: bool) -> tuple[str, Position] | None:
    """The text of one piece's way and the position after it; None if it is illegal.

    `earth` is whether Earth is mastered: then captures do not stop the movement.
    """
    side, text, own_passed = position.turn, route[0], False
    after = position.changed()
    piece = after.lift(route[0])
    for square in route[1:]:
        last = square == route[-1]
        there = after.top(square)
        if there is None:
            text += "-" + square if last else ""
        elif there == side:
            # One piece a square; own pieces may be passed.
            if last:
                return None
            own_passed = True
        else:
            # Enemies may not be passed, only captured by ending on them; with Earth mastered
            # the piece may go on.
            # Reading: "not with a capture behind them" forbids every capture after an own piece
            # was passed. (Earth and Heaven together are the win, so that no piece of three
            # steps can go on after a capture, and the order of the two cannot matter more.)
            stops = not last and not earth
            if stops or own_passed or is_protected(after, square):
                return None
            capture(after, square)
            text += "x" + square
    after.put(route[-1], [piece])
    return text, after


def one_piece(position: Position, steps: int, *, earth: bool) -> dict[str, Made]:
    """The moves of one piece with exactly the given number of steps."""
    beside = neighbours(position.options["path"])
    found: dict[str, Made] = {}
    for start in position.squares_topped_by(position.turn):
        for route in routes(beside, start, steps):
            walked = walk(position, route, earth=earth)
            if walked is not None:
                found[walked[0]] = (walked[1], route[-1] in FORTS)
    return found


def two_pieces(position: Position) -> dict[str, Made]:
    """The moves of two different pieces, one step each, one after the other."""
    played: dict[tuple[str, str], Made] = {}
    for first, (between, first_on_fort) in one_piece(position, 1, earth=False).items():
        first_ends_on = first[-2:]
        for second, (after, second_on_fort) in one_piece(between, 1, earth=False).items():
            # Reading: two pieces are two different ones: the one that has just moved, to
            # where the second would start, is not taken again.
            if second[:2] != first_ends_on:
                played[first, second] = (after, first_on_fort or second_on_fort)
    found: dict[str, Made] = {}
    for (first, second), made in played.items():
        # In an order in which they can be played, alphabetical where either can.
        if first < second or (second, first) not in played:
            found[f"{first},{second}"] = made
    return found


def movements(position: Position, faces: str) -> dict[str, Made]:
    """The legal moves of pieces on the board."""
    tips = value(position.name, position.options, faces)
    # Mastered: both forts held before the action.
    earth = holds(position, position.turn, EARTH_FORTS)
    heaven = holds(position, position.turn, HEAVEN_FORTS)
    found: dict[str, Made] = {}
    if tips == 0:
        return found
    found.update(one_piece(position, 1, earth=earth))
    if tips == 2:
        # Reading: "one piece up to 2" allows a single step with the other tip unused, even
        # where another piece could use it.
        found.update(one_piece(position, 2, earth=earth))
        found.update(two_pieces(position))
    if heaven and faces in {"gg", "ss"}:
        # Reading: Heaven adds the three steps and takes nothing away: two pieces may still
        # move one each.
        found.update(one_piece(position, 3, earth=earth))
    return found


# --- The turn --------------------------------------------------------------------------------


def finish(position: Position, after: Position, *, on_fort: bool) -> Position:
    """The position with the turn set: over, the one extra throw, or the other side."""
    side = position.turn
    # Win at once by holding all four forts, judged after the whole action.
    if holds(after, side, FORTS):
        return after.changed("=")
    # At most one extra throw a turn.
    # Reading: either piece of a two-piece move that ends on a fort gives it; a fort that is
    # only passed, or captured on the way, does not.
    if on_fort and not position.extra_used:
        return after.changed(side, extra_used=True)
    return after.changed(other_side(side))


def moves(position: Position, faces: str) -> dict[str, Position]:
    """The legal moves' texts, each with the position after it."""
    made = placements(position, faces) | movements(position, faces)
    return {
        text: finish(position, after, on_fort=on_fort) for text, (after, on_fort) in made.items()
    }


def winner(position: Position) -> str | None:
    """The side that holds all four forts."""
    for side in "LD":
        if holds(position, side, FORTS):
            return side
    return None
