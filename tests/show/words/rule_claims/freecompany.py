"""What the sentences about UR: Royal Game claim."""

from collections.abc import Iterable
from typing import Final

from tests import second
from tests.second.board import (
    neighbours,
)
from tests.second.texts import Position
from tests.show.words.rule_claims.turns import (
    Check,
    Test,
    Turn,
    both,
    declines,
    each,
    hand_grows,
    may_not,
    moved,
    must_move,
    over,
    some,
)
from urpi.show.words import race_page as race
from urpi.show.words import rules_pages as pages

FORTS: Final = {"A1", "A7", "C1", "C7"}


def holds(position: Position, side: str, squares: Iterable[str]) -> bool:
    return all(position.top(square) == side for square in squares)


def places(one: Turn) -> bool:
    return one.enters and one.target != "B1"


def coloured(one: Turn) -> int:
    return len(one.faces) - one.faces.count("-")


def moves_pieces(one: Turn) -> bool:
    return moved(one) and not one.enters


def ends(one: Turn) -> list[str]:
    return [stops[-1][1] for _, stops, _ in one.parts]


def reach(one: Turn, origin: str, most: int) -> set[str]:
    """The squares at most so many steps from a square."""
    beside, found = neighbours(one.before.options["path"]), {origin}
    for _ in range(most):
        found |= {near for square in found for near in beside[square]}
    return found - {origin}


def within(most: int) -> Test:
    return lambda one: all(
        stops[-1][1] in reach(one, origin, most) for origin, stops, _ in one.parts
    )


def two_coloured(one: Turn) -> bool:
    pair = len(one.parts) == 2
    same = len(set(one.faces)) == 1 and holds(one.before, one.side, ("A7", "C7"))
    return within(1 if pair else 3 if same else 2)(one)


PLACES_BY: Final = {"gs": {"A3", "B3", "C3"}, "ss": {"B4"}, "gg": {"B6"}}

FREECOMPANY: Final[dict[object, Check]] = {
    pages.FOUR_FORTS: both(
        each(over, lambda one: holds(one.after, one.side, FORTS)),
        each(lambda one: holds(one.after, one.side, FORTS), over),
    ),
    "Two tetrahedra, each with one gold tip, one silver tip and two blank tips. Each coloured tip "
    "that points up is one step.": each(lambda _: True, lambda one: one.throw == coloured(one)),
    "Pieces move along the paths of both sides, in either direction.": each(
        lambda one: moves_pieces(one) and coloured(one) == 1, within(1)
    ),
    "Pieces move to any square that shares an edge with theirs.": each(
        lambda one: moves_pieces(one) and coloured(one) == 1, within(1)
    ),
    "Within one move a piece does not go straight back to the square it came from.": each(
        moves_pieces, lambda one: all(stops[-1][1] != origin for origin, stops, _ in one.parts)
    ),
    "Throw both dice, then do one of these things, with pieces of your own:": each(
        moves_pieces,
        lambda one: all(one.before.top(origin) == one.side for origin, _, _ in one.parts),
    ),
    "One coloured tip: move one piece one square, forward or back.": each(
        lambda one: moves_pieces(one) and coloured(one) == 1,
        lambda one: len(one.parts) == 1 and within(1)(one),
    ),
    "Two coloured tips: move one piece one or two squares, or two pieces one square each.": both(
        each(lambda one: moves_pieces(one) and coloured(one) == 2, two_coloured),
        some(lambda one: len(one.parts) == 2),
    ),
    pages.PLACE: each(
        lambda one: places(one) and coloured(one) == 2,
        lambda one: one.target in PLACES_BY["".join(sorted(one.faces))] and not one.there,
    ),
    "Two blank tips: place a piece on an empty square next to one of yours.": each(
        lambda one: places(one) and coloured(one) == 0,
        lambda one: (
            not one.there
            and any(one.target in reach(one, s, 1) for s in one.before.squares_topped_by(one.side))
        ),
    ),
    pages.ENTRANCE: both(
        each(
            lambda one: one.before.hand[one.side] > 0 and not one.before.top("B1"),
            lambda one: "+B1" in one.legal,
        ),
        each(
            lambda one: one.before.top("B1") == one.enemy and one.before.hand[one.side] > 0,
            lambda one: ("+xB1" in one.legal) == (len(one.before.squares_topped_by(one.enemy)) > 1),
        ),
    ),
    "You may pass over your own pieces if you end on an empty square. You may not pass over the "
    "opponent's pieces.": each(
        lambda one: moves_pieces(one) and one.before.top(ends(one)[0]) == one.side,
        lambda one: len(one.parts) == 2,
        may_lack=True,
    ),
    pages.FORT_AGAIN: both(
        each(
            lambda one: moves_pieces(one) and bool(FORTS & set(ends(one))) and not over(one),
            lambda one: one.again != one.before.extra_used,
        ),
        each(lambda one: one.again, lambda one: bool(FORTS & set(ends(one)))),
    ),
    "While a piece of yours stands on Ishtar, your pieces on forts are safe.": each(
        lambda one: (
            moves_pieces(one)
            and len(one.parts) == 1
            and len(one.parts[0][1]) == 1
            and one.before.top("B4") == one.enemy
        ),
        lambda one: not (one.captures and one.target in FORTS),
    ),
    "Earth has the forts A1 and C1. While you have pieces on both before you throw, a capture does "
    "not end your piece's move.": each(
        lambda one: (
            moves_pieces(one)
            and any("x" in sign for _, stops, _ in one.parts for sign, _ in stops[:-1])
        ),
        lambda one: holds(one.before, one.side, ("A1", "C1")),
    ),
    "Heaven has the forts A7 and C7. While you have pieces on both before you throw, two tips of "
    "the same colour move one piece up to three squares.": each(
        lambda one: moves_pieces(one) and len(one.parts) == 1 and not within(2)(one),
        lambda one: (
            holds(one.before, one.side, ("A7", "C7"))
            and one.faces in {"gg", "ss"}
            and within(3)(one)
        ),
    ),
    "Landing on an opponent's piece captures it and ends your piece's move. The captured piece "
    "goes back beside the board.": each(
        lambda one: one.captures and one.move.count("x") == 1, hand_grows
    ),
    pages.NOT_HOME: each(moved, lambda one: one.target != "off"),
    "If you can do something, you must. If you cannot, your turn ends.": must_move,
    race.DECLINING: declines,
    race.MUST_THROW: may_not(second.decline),
}
