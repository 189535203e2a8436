"""Who begins: the option `start`, also of games that were stored before there was a choice."""

import pytest

from tests.referee.playing import Desk
from urpi.core.errors import UrpiError
from urpi.referee.decisions import Starts, ThrowForStart
from urpi.referee.facts import Occupancy
from urpi.referee.lines import parse_fact
from urpi.rules import Side

TWO, THREE, ONE = "gs-", "ggg", "--s"


def thrown(rules: str, light: str, dark: str, **game: object) -> Desk:
    """Return a game for whose start both have thrown."""
    desk = Desk.new(rules, **game)
    desk.do(Occupancy(0, 0))
    return desk.wait(1000).throw(light).wait(500).throw(dark)


@pytest.mark.parametrize("rules", ["finkel3", "murray"])
@pytest.mark.parametrize(
    ("light", "dark", "higher", "one"),
    [
        (TWO, THREE, Side.DARK, None),
        (THREE, ONE, Side.LIGHT, Side.DARK),
        (TWO, "-gs", None, None),
        (ONE, "g--", None, None),
    ],
)
def test_the_option_start_decides_who_begins(
    rules: str, light: str, dark: str, higher: Side | None, one: Side | None
) -> None:
    by_one = {"options": (("start", "one"),), "start": "one"}
    # Games from before the option have no start, and began by one.
    for game, first, why in (
        ({"start": "higher"}, higher, "throw"),
        (by_one, one, "one"),
        ({}, one, "one"),
    ):
        newest = thrown(rules, light, dark, **game).decided[-1]
        if first is None:
            assert isinstance(newest, ThrowForStart)
        else:
            assert isinstance(newest, Starts)
            assert (newest.side, newest.why) == (first, why)


def test_a_start_that_is_not_that_of_the_rules_is_an_error() -> None:
    line = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"","dark":"","start":"one"}'
    with pytest.raises(
        UrpiError, match="a game's start must be that of its rules, none; found one"
    ):
        parse_fact(line)
