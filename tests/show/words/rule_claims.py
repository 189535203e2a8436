"""What each sentence of the rule pages claims, as a check of the second implementation's games.

A check is called with the turns of some games, and fails where one contradicts the sentence, or
where none shows it.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product
from typing import Final

import pytest

from tests import second
from tests.second.board import (
    ROSETTES,
    SQUARES,
    is_marked,
    neighbours,
    other_side,
    path_of,
    side_of,
)
from tests.second.dice import value
from tests.second.game import moves_of
from tests.second.texts import Position, pieces_each, write_position, write_rules
from urpi.rules import Side, parse_rules
from urpi.rules.ruleset import Starter
from urpi.show.words import race_page as race
from urpi.show.words import rules_pages as pages
from urpi.show.words.rules_text import values_of

_PART: Final = re.compile(r"(\+|[ABC]\d)((?:[-x]?(?:off|[ABC]\d))+)(\*?)$")
_STOP: Final = re.compile(r"([-x]?)(off|[ABC]\d)")


@dataclass(frozen=True)
class Turn:
    """A position, a throw, its legal moves, and one of them; none of a pass."""

    before: Position
    faces: str
    legal: tuple[str, ...]
    move: str
    after: Position

    @property
    def side(self) -> str:
        return self.before.turn

    @property
    def enemy(self) -> str:
        return other_side(self.side)

    @property
    def throw(self) -> int:
        return value(self.before.name, self.before.options, self.faces)

    @property
    def parts(self) -> list[tuple[str, list[tuple[str, str]], str]]:
        """The origin, the stops with their signs, and the star of each piece that moves."""
        found = [_PART.match(text) for text in self.move.split(",") if text]
        return [(m[1], _STOP.findall(m[2]), m[3]) for m in found if m]

    @property
    def origin(self) -> str:
        return self.parts[0][0] if self.move else ""

    @property
    def target(self) -> str:
        return self.parts[-1][1][-1][1] if self.move else ""

    @property
    def enters(self) -> bool:
        return self.origin == "+"

    @property
    def captures(self) -> bool:
        return "x" in self.move

    @property
    def again(self) -> bool:
        return bool(self.move) and self.after.turn == self.side

    @property
    def path(self) -> list[str]:
        return path_of(self.before.name, self.before.options, self.side)

    @property
    def index(self) -> int:
        """The path index of the piece that moves, from 1; 0 in hand."""
        if self.enters:
            return 0
        visits = [k for k, square in enumerate(self.path, 1) if square == self.origin]
        return (
            visits[-1]
            if is_marked(self.before.board[self.origin][-1]) and len(visits) > 1
            else visits[0]
        )

    @property
    def there(self) -> list[str]:
        """The pile on the target before the move."""
        return self.before.board.get(self.target, [])


Turns = list[Turn]
Check = Callable[[Turns], None]
Test = Callable[[Turn], bool]


def each(applies: Test, holds: Test, *, may_lack: bool = False) -> Check:
    """Return the check that all turns to which a sentence applies agree with it, and some do."""

    def check(turns: Turns) -> None:
        found = [one for one in turns if applies(one)]
        assert found or may_lack, "no turn shows it"
        wrong = [one for one in found if not holds(one)]
        assert not wrong, f"{write_position(wrong[0].before)} {wrong[0].faces} {wrong[0].move}"

    return check


def both(*checks: Check) -> Check:
    """Return the check that does all of some checks."""

    def check(turns: Turns) -> None:
        for one in checks:
            one(turns)

    return check


def some(shows: Test) -> Check:
    """Return the check that a turn shows what a sentence allows."""
    return each(shows, lambda _: True)


def word(turns: Turns) -> str:
    return write_rules(turns[0].before.name, turns[0].before.options)


def board_of(turns: Turns) -> Iterable[tuple[str, str, list[str]]]:
    """Yield the rules' name, the square and the pile of every pile after a turn."""
    return (
        (one.before.name, square, pile) for one in turns for square, pile in one.after.board.items()
    )


def piles(
    applies: Callable[[str, list[str]], bool], holds: Callable[[str, list[str]], bool]
) -> Check:
    """Return the check of all piles to which a sentence applies."""

    def check(turns: Turns) -> None:
        found = [(square, pile) for _, square, pile in board_of(turns) if applies(square, pile)]
        assert found, "no pile shows it"
        assert [one for one in found if not holds(*one)] == []

    return check


def moved(one: Turn) -> bool:
    return bool(one.move)


def goes(one: Turn) -> bool:
    """Whether a piece moves along its path."""
    return moved(one) and not one.enters


def counts(number: int, none: int) -> Check:
    """Return the check of how a number of tetrahedra counts."""

    def check(turns: Turns) -> None:
        name, options = turns[0].before.name, turns[0].before.options
        for faces in map("".join, product("gs-", repeat=number)):
            marks = number - faces.count("-")
            assert value(name, options, faces) == (marks or none)
        if none == 0:
            each(lambda one: one.throw == 0, lambda one: not one.legal)(turns)

    return check


def alike(turns: Turns) -> None:
    for one in turns:
        other = one.faces.replace("g", "s")
        assert set(moves_of(one.before, other)) == set(one.legal)


def chances(turns: Turns) -> None:
    name, options = turns[0].before.name, turns[0].before.options
    text = str(values_of(parse_rules(word(turns)))["chances"])
    found = re.findall(r"(\d+) \((\d+)/(\d+)\)", text)
    throws = [(value(name, options, faces), chance) for faces, chance in second.throws(word(turns))]
    assert [(int(v), int(a) / int(b)) for v, a, b in found] == [(v, float(c)) for v, c in throws]


def squares_named(key: str) -> Callable[[Turns], set[str]]:
    def named(turns: Turns) -> set[str]:
        return set(str(values_of(parse_rules(word(turns)))[key]).split())

    return named


def meet(turns: Turns) -> None:
    tops: dict[str, set[str]] = {"L": set(), "D": set()}
    for _, square, pile in board_of(turns):
        for piece in pile[-1:]:
            tops[side_of(piece)].add(square)
    assert tops["L"] & tops["D"] == squares_named("shared")(turns)


def captures_on(turns: Turns) -> None:
    found = {one.target for one in turns if one.captures}
    assert found == squares_named("captures")(turns)


def dark_path(turns: Turns) -> None:
    swap = str.maketrans("AC", "CA")
    name, options = turns[0].before.name, turns[0].before.options
    light = path_of(name, options, "L")
    assert path_of(name, options, "D") == [square.translate(swap) for square in light]
    used = {one.target for one in turns if moved(one) and one.side == "D" and one.target != "off"}
    assert used == {square.translate(swap) for square in light}


def follow(turns: Turns) -> None:
    """A piece goes by its throw along the path, and off it after the last square."""
    each(
        moved,
        lambda one: [*one.path, "off"][one.index + one.throw - 1] == one.target,
    )(turns)
    assert {one.target for one in turns if moved(one) and one.side == "L"} == {
        *path_of(turns[0].before.name, turns[0].before.options, "L"),
        "off",
    }


def twice(turns: Turns) -> None:
    """The pieces on the second visit of a square are marked, and no others on such squares."""
    for one in turns:
        if not moved(one) or one.target == "off" or one.path.count(one.target) < 2:
            continue
        at = one.index + one.throw
        second_visit = one.path.index(one.target) + 1 < at
        assert is_marked(one.after.board[one.target][-1]) == second_visit
    some(
        lambda one: (
            moved(one) and one.target != "off" and is_marked(one.after.board[one.target][-1])
        )
    )(turns)


def blocks(_: Turns) -> None:
    assert [square for square in SQUARES if square[1] in "56"] == ["B5", "B6"]
    for columns in ("1234", "78"):
        assert all(f"{row}{column}" in SQUARES for row in "ABC" for column in columns)


def over(one: Turn) -> bool:
    return one.after.turn == "="


def all_home(one: Turn) -> bool:
    return one.after.off[one.side] == pieces_each(one.before.name, one.before.options)


def passes_over(one: Turn) -> bool:
    if not goes(one):
        return False
    between = one.path[one.index : one.index + one.throw - 1]
    return any(square in one.before.board for square in between)


def may_not(method: Callable[[str], str]) -> Check:
    def check(turns: Turns) -> None:
        with pytest.raises(ValueError, match="declined"):
            method(write_position(next(one.after for one in turns if one.again)))

    return check


def declines(turns: Turns) -> None:
    one = next(one for one in turns if one.again)
    assert second.decline(write_position(one.after)).split()[-1].rstrip("*") == one.enemy


def must_move(turns: Turns) -> None:
    one = next(one for one in turns if one.legal)
    with pytest.raises(ValueError, match="not legal"):
        second.play(write_position(one.before), one.faces, "pass")
    each(lambda one: not one.legal, lambda one: one.after.turn == one.enemy)(turns)


def own_squares(turns: Turns) -> None:
    name, options = turns[0].before.name, turns[0].before.options
    for side in "LD":
        own = set(path_of(name, options, side)) - set(path_of(name, options, other_side(side)))
        found = {side_of(p) for _, square, pile in board_of(turns) if square in own for p in pile}
        assert found == {side}


def hand_grows(one: Turn) -> bool:
    return one.after.hand[one.enemy] == one.before.hand[one.enemy] + 1


def extra_reason(one: Turn) -> bool:
    return one.target in ROSETTES or one.throw == 4 or one.captures


RACE: Final[dict[object, Check]] = {
    race.RACE_AIM: both(each(over, all_home), each(all_home, over)),
    race.WIN: both(each(over, all_home), each(all_home, over)),
    pages.MARKS_FOUR: counts(4, 0),
    pages.MARKS_THREE: counts(3, 0),
    pages.MARKS_THREE_FOUR: counts(3, 4),
    race.ALIKE: alike,
    race.CHANCES: chances,
    race.FOLLOW: follow,
    pages.DARK_PATH: dark_path,
    race.TWICE: twice,
    race.TWICE_BY_FACE: twice,
    pages.MEET: meet,
    pages.BLOCKS: blocks,
    race.MOVE_OR_ENTER: each(moved, lambda one: len(one.parts) == 1),
    race.ENTER: each(lambda one: one.enters, lambda one: one.path[one.throw - 1] == one.target),
    race.PASS_OVER: both(
        each(
            lambda one: bool(moved(one) and one.there),
            lambda one: side_of(one.there[-1]) != one.side,
        ),
        some(passes_over),
    ),
    race.PASS_OVER_CAMPS: both(
        each(
            lambda one: bool(moved(one) and one.there and side_of(one.there[-1]) == one.side),
            lambda one: one.target in {"A2", "A4", "C2", "C4", "B3", "B6", "B7"},
        ),
        some(passes_over),
    ),
    race.THEN: both(
        each(lambda one: one.again, extra_reason),
        each(
            lambda one: moved(one) and not one.again and not over(one),
            lambda one: one.after.turn == one.enemy,
        ),
    ),
    race.CAPTURE: each(lambda one: one.captures, hand_grows),
    race.CAPTURES_ON: captures_on,
    race.HOME: each(moved, lambda one: one.after.off[one.side] >= one.before.off[one.side]),
    race.EXACT: both(
        each(
            lambda one: one.target == "off", lambda one: one.throw == len(one.path) + 1 - one.index
        ),
        each(
            lambda one: goes(one) and one.target != "off",
            lambda one: one.index + one.throw <= len(one.path),
        ),
    ),
    race.LAST: each(
        lambda one: goes(one) and one.index == len(one.path),
        lambda one: one.throw == 1 and one.target == "off",
    ),
    race.THROW_AGAIN: both(
        each(lambda one: one.target in ROSETTES, lambda one: one.again),
        some(lambda one: one.again and len(one.legal) > 1),
    ),
    race.SAFE: both(
        each(moved, lambda one: not (one.target in ROSETTES and one.there)),
        piles(lambda square, _: square in ROSETTES, lambda _, pile: len(pile) == 1),
    ),
    race.SAFE_ONLY: both(
        each(moved, lambda one: not (one.target in ROSETTES and one.captures)),
        each(lambda one: one.target in ROSETTES and one.throw != 4, lambda one: not one.again),
    ),
    race.NOT_SAFE: some(lambda one: one.target in ROSETTES and one.captures),
    race.OWN_SQUARES: own_squares,
    race.FOUR_AGAIN: each(
        lambda one: moved(one) and one.throw == 4 and not over(one), lambda one: one.again
    ),
    race.FOUR_LOST: each(
        lambda one: one.throw == 4 and not one.legal, lambda one: one.after.turn == one.enemy
    ),
    race.CAPTURE_AGAIN: both(
        each(lambda one: one.captures, lambda one: one.again),
        some(lambda one: one.captures and one.target in ROSETTES),
    ),
    race.MUST_THROW: may_not(second.decline),
    race.DECLINING: declines,
    race.MUST_MOVE: must_move,
    pages.NO_PILES: piles(lambda _s, _p: True, lambda _, pile: len(pile) == 1),
    "Pieces go home along the opponent's row, where the opponent's new pieces may capture "
    "them.": some(lambda one: one.enters and one.captures),
}


def turns_face(one: Turn) -> bool:
    return is_marked(one.after.board[one.target][-1]) == (one.index >= 13)


def thirteenth(turns: Turns) -> None:
    name, options = turns[0].before.name, turns[0].before.options
    found = values_of(parse_rules(word(turns)))
    for side, key in (("L", "light_turns"), ("D", "dark_turns")):
        assert path_of(name, options, side)[12] == found[key]
        assert found[key] in {"A8", "C8"}


COMMON: Final = {"B3", "B6"}
CAMP_SQUARES: Final = {"A2", "A4", "C2", "C4", "B3", "B6", "B7"}

SKIRYUK: Final[dict[object, Check]] = {
    "A piece enters with its plain face up. Once it stands on the first ziggurat or beyond, turn "
    "it over with its next move: now it is dotted, and on its way back.": each(
        lambda one: moved(one) and one.target != "off", turns_face
    ),
    pages.CAMPS: both(
        piles(
            lambda s, _: s in {"A2", "A4"},
            lambda _, p: {side_of(x) for x in p} == {"L"} and len(p) <= 4,
        ),
        piles(
            lambda s, _: s in {"C2", "C4"},
            lambda _, p: {side_of(x) for x in p} == {"D"} and len(p) <= 4,
        ),
        piles(lambda s, p: s in {"A2", "A4"} and len(p) > 1, lambda _s, _p: True),
    ),
    "The camp B7 belongs to the side that stands there first, with up to four pieces, until the "
    "last one leaves. The opponent may only pass over it.": piles(
        lambda s, _: s == "B7", lambda _, p: len({side_of(x) for x in p}) == 1 and len(p) <= 4
    ),
    "B3 and B6 hold up to four pieces each, those of both players together, and no piece is "
    "captured there.": both(
        piles(lambda s, _: s in COMMON, lambda _, p: len(p) <= 4),
        piles(lambda s, p: s in COMMON and len({side_of(x) for x in p}) == 2, lambda _s, _p: True),
        each(lambda one: one.target in COMMON, lambda one: not one.captures),
    ),
    "Light's first ziggurat is {light_turns}, Dark's {dark_turns}: the 13th square of the path. A "
    "piece there is not safe.": both(
        thirteenth,
        some(lambda one: one.captures and one.target in {"A8", "C8"}),
    ),
    "B1 holds one piece, and a dotted one is safe there.": both(
        piles(lambda s, _: s == "B1", lambda _, p: len(p) == 1),
        each(
            lambda one: one.target == "B1" and one.captures,
            lambda one: not is_marked(one.there[-1]),
        ),
    ),
    "A dotted piece may not land on B1 while a piece stands there.": each(
        lambda one: one.target == "B1" and one.index >= 13, lambda one: not one.there
    ),
    "Plain pieces capture plain ones, dotted pieces dotted ones. You may not land on an opponent's "
    "piece that shows its other face, except in a camp. A captured piece enters plain again.": both(
        each(
            lambda one: one.captures,
            lambda one: is_marked(one.there[-1]) == is_marked(one.after.board[one.target][-1]),
        ),
        each(
            lambda one: bool(moved(one) and one.there and one.target not in CAMP_SQUARES),
            lambda one: one.captures,
        ),
        each(lambda one: one.enters, lambda one: not is_marked(one.after.board[one.target][-1])),
    ),
    "Piles stand only in camps, and may mix plain and dotted pieces.": both(
        piles(lambda _, p: len(p) > 1, lambda s, _: s in CAMP_SQUARES),
        piles(lambda _, p: len({is_marked(x) for x in p}) == 2, lambda _s, _p: True),
    ),
    "In a camp only the top piece moves.": each(
        lambda one: goes(one) and len(one.before.board[one.origin]) > 1,
        lambda one: (
            one.after.board[one.origin][: len(one.before.board[one.origin]) - 1]
            == one.before.board[one.origin][:-1]
        ),
    ),
}


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
    pages.NO_PILES: RACE[pages.NO_PILES],
    pages.NOT_HOME: each(moved, lambda one: one.target != "off"),
    "If you can do something, you must. If you cannot, your turn ends.": must_move,
    race.DECLINING: declines,
    race.MUST_THROW: may_not(second.decline),
}

CLAIMS: Final[dict[object, Check]] = {**RACE, **SKIRYUK, **RAVENSBURGER, **FREECOMPANY}
SHOWN_BY: Final = {
    pages.MORE_BEGINS: "test_starters:test_the_higher_throw_starts_and_a_tie_is_thrown_again",
    pages.ONE_BEGINS: "test_starters:test_by_an_option_the_only_player_who_throws_a_one_starts",
    race.BEGINS[Starter.CHOICE]: (
        "test_freecompany:test_the_players_say_who_starts_and_later_the_loser"
    ),
    race.BEGINS[Starter.DRAWN]: "DRAWN",
    "You may claim a draw when a player has made the same move or placement five turns in a row, "
    "or when the same position has come up five times.": (
        "test_freecompany:test_when_a_draw_may_be_claimed"
    ),
}
"""Tests of `tests/rules` for what happens before and beside the moves."""
NO_RULES: Final = {
    race.NEED,
    race.SEATS,
    race.HAND,
    pages.PILE_NUMBER,
    (
        "Each piece has a plain face and one with five dots. On other pieces, stick a paper dot to "
        "one face."
    ),
    (
        "Each piece has a blue and a red face, and comes in with the blue one up. On other pieces, "
        "stick a paper dot to the red face: so they are drawn here."
    ),
    "Throwing sticks may be used instead.",
}
"""What players need, and how it is drawn."""
