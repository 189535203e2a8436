"""What the sentences about Skiryuk's rules claim."""

from typing import Final

from tests.second.board import (
    is_marked,
    path_of,
    side_of,
)
from tests.show.words.rule_claims.turns import (
    Check,
    Turn,
    Turns,
    both,
    each,
    goes,
    moved,
    piles,
    some,
    word,
)
from urpi.rules import parse_rules
from urpi.show.words import rules_pages as pages
from urpi.show.words.rules_text import values_of


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
