"""What the sentences about Ravensburger's rules claim."""

from typing import Final

from tests.second.board import (
    ROSETTES,
    is_marked,
    side_of,
)
from tests.show.words.rule_claims.turns import (
    Check,
    Turn,
    Turns,
    board_of,
    both,
    each,
    goes,
    moved,
    must_move,
    over,
    passes_over,
    piles,
    some,
)
from urpi.rules import Side, parse_rules
from urpi.show.words import rules_pages as pages


def goal(one: Turn) -> str:
    return one.path[13]


def refuge(one: Turn) -> str:
    return one.path[12]


def own_pieces(pile: list[str], side: str) -> int:
    return sum(side_of(piece) == side for piece in pile)


def steps(one: Turn) -> int:
    """How far a piece moves, negative if it moves back."""
    return one.path.index(one.target) + 1 - one.index


def rows_closed(turns: Turns) -> None:
    """Only prisoners, which lie under another piece, are on the other side's row."""
    outer = {"A": "D", "C": "L"}
    found = [
        (square, piece, pile is not None and pile[-1] == piece)
        for _, square, pile in board_of(turns)
        for piece in pile
        if outer.get(square[0]) == side_of(piece)
    ]
    assert found, "no prisoner is on the row of the opponent"
    tops = [(s, p) for _, s, p in board_of(turns) if outer.get(s[0]) == side_of(p[-1])]
    assert tops == []


def keeps_all(one: Turn) -> bool:
    """Whether a landing puts the moving pieces on top of what was there."""
    pile = one.after.board[one.target]
    return pile[: len(one.there)] == one.there and side_of(pile[-1]) == one.side


def loses(one: Turn) -> bool:
    return one.after.hand[one.enemy] == 0 and not one.after.squares_topped_by(one.enemy)


def six(turns: Turns) -> None:
    rules = parse_rules("ravensburger")
    throw = rules.dice.throw
    for other in "12345":
        assert rules.starts(throw("6"), throw(other)) is Side.LIGHT
        assert rules.starts(throw(other), throw("6")) is Side.DARK
    each(lambda one: one.faces == "6", lambda one: not one.legal)(turns)


RAVENSBURGER: Final[dict[object, Check]] = {
    pages.CAPTURE_ALL: both(each(over, loses), each(loses, over)),
    pages.SIX_BEGINS: six,
    "One die with six faces. 1 to 5 count; a 6 moves nothing.": both(
        each(lambda one: one.faces == "6", lambda one: not one.legal),
        each(lambda one: one.faces != "6", lambda one: one.throw == int(one.faces)),
    ),
    "Light's pieces follow the numbers from 1 to {last}, and stay on the board.": both(
        each(lambda one: one.enters, lambda one: one.path[one.throw - 1] == one.target),
        each(moved, lambda one: one.target != "off"),
    ),
    "Throw the die, then bring in a new piece on the square with that number, or move a piece that "
    "far along your path.": both(
        each(moved, lambda one: len(one.parts) == 1),
        each(lambda one: one.enters, lambda one: one.path[one.throw - 1] == one.target),
        each(goes, lambda one: abs(steps(one)) == one.throw),
    ),
    "You move only a piece of yours that stands alone or on top of its pile.": each(
        goes, lambda one: side_of(one.before.board[one.origin][-1]) == one.side
    ),
    "You may pass over any piece, and land on any piece.": both(
        some(passes_over),
        some(lambda one: bool(one.there) and side_of(one.there[-1]) == one.side),
        some(lambda one: bool(one.there) and side_of(one.there[-1]) != one.side),
    ),
    "Then it is your opponent's turn.": each(
        lambda one: not over(one), lambda one: one.after.turn == one.enemy
    ),
    "The goal is the last square of your path. It holds up to five of your pieces. There you turn "
    "your piece over to red, and its prisoners leave the game.": both(
        each(
            lambda one: moved(one) and one.target == goal(one),
            lambda one: (
                is_marked(one.after.board[one.target][-1])
                and own_pieces(one.after.board[one.target], one.enemy) == 0
            ),
        ),
        some(lambda one: moved(one) and one.after.off[one.enemy] > one.before.off[one.enemy]),
        each(
            lambda one: goal(one) in one.after.board,
            lambda one: own_pieces(one.after.board[goal(one)], one.side) <= 5,
        ),
    ),
    "The refuge is the square before the goal. It holds up to five of your pieces. A piece that "
    "leaves it takes its prisoners along, because an opponent's piece may not stand free there.": (
        both(
            each(
                lambda one: refuge(one) in one.after.board,
                lambda one: own_pieces(one.after.board[refuge(one)], one.side) <= 5,
            ),
            each(
                lambda one: (
                    goes(one)
                    and one.origin == refuge(one)
                    and len(one.before.board[one.origin]) > 1
                    and side_of(one.before.board[one.origin][-2]) == one.enemy
                ),
                lambda one: one.move.endswith("*"),
            ),
        )
    ),
    "The six squares of the opponent's own row are closed to you, except as a "
    "prisoner.": rows_closed,
    "Rosettes are ordinary squares.": both(
        each(lambda one: one.target in ROSETTES, lambda one: not one.again),
        some(lambda one: one.target in ROSETTES and one.captures),
    ),
    pages.ON_TOP: both(
        each(lambda one: bool(one.there) and one.target != goal(one), keeps_all),
        some(lambda one: one.captures),
    ),
    "A piece may take along all the opponent's pieces directly under it, or none. These are its "
    "prisoners. A piece that is left on top is free again.": both(
        each(
            lambda one: one.move.endswith("*"),
            lambda one: (
                not one.after.board.get(one.origin)
                or side_of(one.after.board[one.origin][-1]) == one.side
            ),
        ),
        some(lambda one: one.move.endswith("*") and one.move[:-1] in one.legal),
        some(
            lambda one: (
                goes(one)
                and side_of((one.after.board.get(one.origin) or [one.side])[-1]) == one.enemy
            )
        ),
    ),
    "A red piece may also move back by the number thrown, as far as B1, but only without "
    "prisoners.": each(
        lambda one: goes(one) and steps(one) < 0,
        lambda one: (
            is_marked(one.before.board[one.origin][-1])
            and not one.move.endswith("*")
            and one.path.index(one.target) >= one.path.index("B1")
        ),
    ),
    "Except on refuge and goal, a pile may be as high as you like.": piles(
        lambda s, p: s[0] == "B" and len(p) > 5, lambda _s, _p: True
    ),
    "A piece that has reached the goal may stay there or move back.": both(
        some(lambda one: one.origin == goal(one) and goes(one) and steps(one) < 0),
        some(lambda one: goal(one) in one.before.board and one.origin != goal(one) and moved(one)),
    ),
    pages.NOT_HOME: each(moved, lambda one: one.target != "off"),
    pages.NONE_EXTRA: each(moved, lambda one: not one.again),
    "Your turn passes only if no move is possible, or with a 6.": must_move,
}
