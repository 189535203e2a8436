"""An extra throw is declined where the rules allow it, and nowhere else."""

import pytest

from tests.referee.playing import Desk
from urpi.referee.decisions import Passed
from urpi.referee.facts import Decline, Game, Occupancy
from urpi.rules import Side, parse_position

# Light may step from A2 onto the fort A1, which grants an extra throw.
FORT = "freecompany A2:L,B6:D L6D6 L0D0 L"
AFTER = "freecompany A1:L,B6:D L6D6 L0D0"
# Light's throw of 1 goes from A2 to the rosette A1.
ROSETTE = "finkel[decline=yes] A2:L,B6:D L6D6 L0D0 L"


def on_extra_throw(position: str = FORT, faces: str = "g-", **game: object) -> Desk:
    """Return a game in which light has an extra throw."""
    parsed = parse_position(position)
    rules = parsed.rules
    more = {"decline": True, "options": rules.changed, **game}
    desk = Desk(Game(0, rules.id, position=position, **more))
    desk.do(Occupancy(0, parsed.occupancy))
    desk.wait(500).throw(faces).wait(500).lift("A2").wait(500).put("A1").wait(1000)
    assert desk.state.position.turn is Side.LIGHT
    desk.pop_decisions()
    return desk


def test_the_side_with_an_extra_throw_declines_it_by_holding_its_button() -> None:
    desk = on_extra_throw()
    assert desk.state.may_decline

    assert desk.press(Side.LIGHT, "long").decided == [Passed(desk.t, Side.LIGHT, "declined")]
    assert str(desk.state.position) == f"{AFTER} D"
    assert desk.wait(500).throw("s-").pop_decisions()[-1] == "roll 1"


@pytest.mark.parametrize(("side", "press"), [(Side.LIGHT, "short"), (Side.DARK, "long")])
def test_no_other_press_declines_it(side: Side, press: str) -> None:
    desk = on_extra_throw()

    assert desk.press(side, press).decided == []
    assert str(desk.state.position) == f"{AFTER} L*"


def test_it_is_declined_on_the_page_too_and_in_a_race_with_the_option() -> None:
    for desk in on_extra_throw(), on_extra_throw(ROSETTE, "g---"):
        desk.do(Decline(desk.t, Side.LIGHT))
        assert desk.decided == [Passed(desk.t, Side.LIGHT, "declined")]
        assert desk.state.position.turn is Side.DARK


def test_nothing_is_declined_before_an_ordinary_throw() -> None:
    desk = on_extra_throw()
    desk.press(Side.LIGHT, "long").pop_decisions()

    desk.do(Decline(desk.t, Side.DARK))
    assert desk.pop_decisions() == ["refused no-extra-throw"]
    assert desk.press(Side.DARK, "long").decided == []


def test_nothing_is_declined_once_a_die_has_moved() -> None:
    desk = on_extra_throw().die(1, "rolling")

    assert desk.press(Side.LIGHT, "long").decided == []
    desk.do(Decline(desk.t, Side.LIGHT))
    assert desk.pop_decisions() == ["refused no-extra-throw"]


def test_nothing_is_declined_in_older_games() -> None:
    desk = on_extra_throw(decline=False)

    assert desk.press(Side.LIGHT, "long").decided == []
    desk.do(Decline(desk.t, Side.LIGHT))
    assert desk.pop_decisions() == ["refused no-extra-throw"]


@pytest.mark.parametrize("seat", ["engine:easy", "remote"])
def test_no_press_declines_for_the_engine_which_may_decline_itself(seat: str) -> None:
    desk = on_extra_throw()
    desk.state.game = Game(0, "freecompany", decline=True, seats=(seat, "person"))

    assert not desk.state.may_decline
    assert desk.press(Side.LIGHT, "long").decided == []
    desk.do(Decline(desk.t, Side.LIGHT))
    if seat == "remote":
        assert desk.pop_decisions() == ["refused no-extra-throw"]
    else:
        assert desk.decided == [Passed(desk.t, Side.LIGHT, "declined")]


def test_a_move_before_a_declined_throw_cannot_be_taken_back_any_more() -> None:
    desk = on_extra_throw()
    assert desk.state.played
    desk.press(Side.LIGHT, "long").pop_decisions()

    desk.answer(takeback=True)
    assert desk.pop_decisions() == ["refused no-takeback"]
