"""What the sentences about races claim."""

from typing import Final

from tests import second
from tests.second.board import (
    ROSETTES,
    side_of,
)
from tests.show.words.rule_claims.turns import (
    Check,
    alike,
    all_home,
    blocks,
    both,
    captures_on,
    chances,
    counts,
    dark_path,
    declines,
    each,
    extra_reason,
    follow,
    goes,
    hand_grows,
    may_not,
    meet,
    moved,
    must_move,
    over,
    own_squares,
    passes_over,
    piles,
    some,
    twice,
)
from urpi.show.words import race_page as race
from urpi.show.words import rules_pages as pages

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
