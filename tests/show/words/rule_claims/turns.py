"""A turn as the second implementation plays it, and the checks that sentences are made of."""

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
    other_side,
    path_of,
    side_of,
)
from tests.second.dice import value
from tests.second.game import moves_of
from tests.second.texts import Position, pieces_each, write_position, write_rules
from urpi.rules import parse_rules
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
