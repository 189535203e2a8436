"""The simulated partner, which plays by the display, and hands that do anything."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.simulation.interactive_session import InteractiveSession, session
from tests.slow import slow_except
from urpi.core.errors import UrpiError
from urpi.referee.decisions import Moved, Roll, Warned
from urpi.rules import RULE_SETS, Side, parse_position
from urpi.simulation.interactive_table import InteractiveTable as Table
from urpi.simulation.piece_layout import Place, parse_place
from urpi.simulation.reeds import ReedFault
from urpi.simulation.table_orders import act

BOTH = frozenset(Side)
SOME_MOVES = 12
HOUR_MS = 3_600_000


def moves(at: InteractiveSession) -> int:
    return sum(isinstance(one, Moved) for one in at.decided)


@pytest.mark.parametrize(
    "rules", slow_except(RULE_SETS, "finkel", "skiryuk", "ravensburger", "freecompany")
)
def test_two_partners_play_every_rule_set_without_a_warning(rules: str) -> None:
    at = session(rules, plays=BOTH)
    at.until(lambda: moves(at) >= SOME_MOVES or at.over, HOUR_MS)

    assert not any(isinstance(one, Warned) for one in at.decided)


@pytest.mark.slow
def test_two_partners_play_a_whole_game() -> None:
    at = session("finkel[pieces=3]", plays=BOTH)
    at.until(lambda: at.over, HOUR_MS)

    assert at.shown.outcome is not None


def test_a_partner_waits_while_a_hand_holds_a_piece() -> None:
    at = session("bell", plays=BOTH)
    at.do(act(Table.lift, "me", parse_place("hand:light")))
    for _ in range(10):
        at.wait(5000)
        at.do(act(Table.hold_over, "me", None))
    assert not any(isinstance(one, Roll) for one in at.decided)
    at.do(act(Table.put_back, "me"))
    at.until(lambda: moves(at) > 0)


def test_a_partner_does_not_act_on_another_sides_turn() -> None:
    at = session("bell", plays={Side.DARK})
    at.wait(60_000)

    assert not any(isinstance(one, Roll) for one in at.decided)


def test_a_partner_corrects_the_board_on_its_own_turn() -> None:
    at = session("bell", plays={Side.LIGHT})
    at.until(lambda: bool(at.shown.legal))
    at.do(act(Table.lift, "me", parse_place("hand:dark")), wait_ms=100)
    at.do(act(Table.put, "me", parse_place("B7")))
    at.until(lambda: moves(at) > 0)


def test_a_partner_leaves_the_opponents_mistake_to_the_opponent() -> None:
    at = session("bell", plays={Side.DARK})
    at.do(act(Table.throw), wait_ms=3000)
    at.do(act(Table.lift, "me", parse_place("hand:light")), wait_ms=100)
    at.do(act(Table.put, "me", parse_place("B7")), wait_ms=60_000)

    assert at.shown.warning is not None
    assert at.table.layout.at(parse_place("B7"))


def test_a_partner_restores_a_swept_board() -> None:
    at = session("bell", plays=BOTH)
    at.until(lambda: moves(at) >= 4)
    at.do(act(Table.sweep))
    before = moves(at)
    at.until(lambda: moves(at) >= before + 4)


def test_a_partner_does_not_throw_while_the_hub_has_no_power() -> None:
    at = session("bell", plays=BOTH)
    at.table.plug_hub(plugged=False)
    at.wait(30_000)
    assert not any(at.table.dice.appearance(die).moves for die in (1, 2, 3))
    assert all(at.table.dice._body(die).throws == 0 for die in (1, 2, 3))
    at.table.plug_hub(plugged=True)
    at.until(lambda: moves(at) > 0)


def test_the_table_is_laid_out_for_a_position() -> None:
    position = parse_position("ravensburger A4:L,B1:DL,B4:LDD',C4:D L7D5 L0D1 L")
    at = session()
    at.table.lay_out(position)

    assert tuple(at.table.partner.access.board) == position.board
    assert at.table.reeds.levels == position.occupancy
    assert at.table.partner.access.home == [0, 1]


def acts_of(do, *arguments, **named):
    """Return a strategy for acts of a method."""
    return st.builds(act, st.just(do), *arguments, **named)


HANDS = st.sampled_from(["one", "other"])
SQUARES = st.integers(0, 19)
PLACES = st.one_of(
    st.builds(Place, SQUARES),
    st.sampled_from([parse_place(text) for text in ("hand:light", "hand:dark", "aside")]),
    st.sampled_from([parse_place(text) for text in ("home:light", "home:dark")]),
)
FAULTS = st.sampled_from([ReedFault.STUCK_ON, ReedFault.STUCK_OFF, ReedFault.FLICKER, None])
ACTS = st.one_of(
    acts_of(Table.lift, HANDS, PLACES, st.integers(0, 3)),
    acts_of(Table.put, HANDS, PLACES, push=st.sampled_from([None, True, False])),
    acts_of(Table.hold_over, HANDS, st.one_of(st.none(), SQUARES)),
    acts_of(Table.put_back, HANDS),
    acts_of(Table.turn, HANDS),
    acts_of(
        Table.throw,
        st.lists(st.integers(1, 4), max_size=3, unique=True).map(tuple),
        st.sampled_from(["thrown", "cocked", "turned"]),
    ),
    st.just(act(Table.bump)),
    st.just(act(Table.sweep)),
    st.just(act(Table.restore_board)),
    acts_of(Table.break_switch, SQUARES, FAULTS),
    acts_of(Table.press, st.sampled_from(Side), st.sampled_from(["short", "long", "both"])),
    acts_of(Table.seat_players, st.sets(st.sampled_from(Side)).map(frozenset)),
)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["finkel[pieces=3]", "skiryuk", "ravensburger", "bell"]),
    st.integers(0, 99),
    st.lists(st.tuples(ACTS, st.integers(0, 6000)), max_size=25),
)
def test_no_act_of_a_hand_loses_pieces_or_stops_the_game(rules, seed, acts) -> None:
    at = session(rules, seed)
    names = sorted(piece.name for piece in at.table.layout.pieces())
    for each, wait_ms in acts:
        with suppress(UrpiError):
            at.do(each, wait_ms=wait_ms)
        assert sorted(piece.name for piece in at.table.layout.pieces()) == names
    assert_can_go_on(at)


def assert_can_go_on(at: InteractiveSession) -> None:
    """Repair every switch and let partners play: the game must continue."""
    for square in range(20):
        at.do(act(Table.break_switch, square, None))
    at.do(act(Table.restore_board), act(Table.seat_players, BOTH))
    at.read()
    before = moves(at)
    at.until(lambda: at.over or moves(at) >= before + 3, 2 * HOUR_MS)
