"""Which positions of random play are worth counting from: a table of wishes by rule set."""

from collections.abc import Callable

from .board import is_marked, other_side, side_of
from .freecompany import EARTH_FORTS, FORTS, HEAVEN_FORTS, ISHTAR, holds
from .texts import Position, pieces_each

Wish = tuple[str, Callable[[Position], bool]]


def is_busy(position: Position) -> bool:
    """Both sides top at least three squares, or as many as they have pieces."""
    few = min(3, pieces_each(position.name, position.options) - 1)
    return all(len(position.squares_topped_by(side)) >= few for side in "LD")


def is_near_the_end(position: Position) -> bool:
    """The side to move has one piece left, and that stands on the board."""
    left = pieces_each(position.name, position.options) - position.off[position.turn]
    return left == 1 and position.hand[position.turn] == 0


def both_have_borne_off(position: Position) -> bool:
    """Each side has at least one piece off."""
    return min(position.off.values()) >= 1


def has_both_laps(position: Position) -> bool:
    """The side to move has a piece on its second visit and one that is not."""
    marks = {is_marked(position.board[s][-1]) for s in position.squares_topped_by(position.turn)}
    return marks == {True, False}


def has_pile(position: Position) -> bool:
    """A pile of two or more stands somewhere."""
    return any(len(pile) > 1 for pile in position.board.values())


def has_mixed_pile(position: Position) -> bool:
    """A pile holds both sides' pieces."""
    return any(len({side_of(piece) for piece in pile}) > 1 for pile in position.board.values())


def has_high_pile(position: Position) -> bool:
    """A pile of four or more stands somewhere."""
    return any(len(pile) > 3 for pile in position.board.values())


def middle_camp_is_held(position: Position) -> bool:
    """The enemy holds the middle camp."""
    top = position.top("B7")
    return top is not None and side_of(top) != position.turn


def red_tops_prisoners(position: Position) -> bool:
    """The side to move has a red piece right on an enemy, away from its goal."""
    for square in position.squares_topped_by(position.turn):
        pile = position.board[square]
        if is_marked(pile[-1]) and len(pile) > 1 and side_of(pile[-2]) != position.turn:
            return True
    return False


def refuge_has_prisoners(position: Position) -> bool:
    """A refuge holds a pile with prisoners in it."""
    for square in ["A8", "C8"]:
        if len({side_of(piece) for piece in position.board.get(square, [])}) > 1:
            return True
    return False


def enemy_is_nearly_beaten(position: Position) -> bool:
    """The enemy has none in hand and tops at most two piles."""
    enemy = other_side(position.turn)
    return position.hand[enemy] == 0 and len(position.squares_topped_by(enemy)) <= 2


def is_early(position: Position) -> bool:
    """Each side has one to three pieces on the board, one of the two at least two."""
    standing = [len(position.squares_topped_by(side)) for side in "LD"]
    return min(standing) >= 1 and max(standing) <= 3 and sum(standing) >= 3


def holds_three_forts(position: Position) -> bool:
    """The side to move lacks one fort."""
    return sum(position.top(fort) == position.turn for fort in FORTS) == 3


def masters_earth(position: Position) -> bool:
    """The side to move holds both forts of Earth while enemies stand about."""
    return holds(position, position.turn, EARTH_FORTS) and is_busy(position)


def masters_heaven(position: Position) -> bool:
    """The side to move holds both forts of Heaven while enemies stand about."""
    return holds(position, position.turn, HEAVEN_FORTS) and is_busy(position)


def ishtar_protects(position: Position) -> bool:
    """The enemy has a piece on Ishtar and one on a fort."""
    enemy = other_side(position.turn)
    return position.top(ISHTAR) == enemy and any(position.top(fort) == enemy for fort in FORTS)


RACE_WISHES: list[Wish] = [
    ("busy", is_busy),
    ("both have borne off", both_have_borne_off),
    ("near the end", is_near_the_end),
]

WISHES: dict[str, list[Wish]] = {
    "finkel": RACE_WISHES,
    "finkel3": RACE_WISHES,
    "bell": RACE_WISHES,
    "coursework": RACE_WISHES,
    "masters": RACE_WISHES,
    "blitz": RACE_WISHES,
    "murray": [*RACE_WISHES, ("on both laps", has_both_laps)],
    "skiryuk": [
        ("a mixed pile", has_mixed_pile),
        ("a pile and both faces", lambda p: has_pile(p) and has_both_laps(p)),
        ("the enemy in the middle camp", middle_camp_is_held),
        ("near the end", is_near_the_end),
    ],
    "ravensburger": [
        ("a high pile", has_high_pile),
        ("red on prisoners", red_tops_prisoners),
        ("prisoners in a refuge", refuge_has_prisoners),
        ("the enemy nearly beaten", enemy_is_nearly_beaten),
    ],
    "freecompany": [
        ("few pieces", is_early),
        ("three forts held", holds_three_forts),
        ("Earth mastered", masters_earth),
        ("Heaven mastered", masters_heaven),
        ("Ishtar protects a fort", ishtar_protects),
        ("the extra throw used", lambda p: p.extra_used and is_busy(p)),
    ],
}
