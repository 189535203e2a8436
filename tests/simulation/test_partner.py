"""The simulated partner, which plays by the display, and hands that do anything."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.simulation.interactive_session import InteractiveSession, session
from urpi.core.errors import UrpiError
from urpi.referee.decisions import Moved, Roll, Warned
from urpi.rules import RULE_SETS, Side, parse_position
from urpi.simulation.piece_layout import Place, parse_place
from urpi.simulation.reeds import ReedFault
from urpi.simulation.table_orders import (
    BreakSwitch,
    Bump,
    HoldOver,
    Lift,
    PressButton,
    Put,
    PutBack,
    RestoreBoard,
    SeatPlayers,
    Sweep,
    ThrowDice,
    TurnOver,
)

BOTH = frozenset(Side)
SOME_MOVES = 12
HOUR_MS = 3_600_000


def moves(at: InteractiveSession) -> int:
    return sum(isinstance(one, Moved) for one in at.decided)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_two_partners_play_every_rule_set_without_a_warning(rules: str) -> None:
    at = session(rules, plays=BOTH)
    at.until(lambda: moves(at) >= SOME_MOVES or at.over, HOUR_MS)

    assert not any(isinstance(one, Warned) for one in at.decided)


def test_two_partners_play_a_whole_game() -> None:
    at = session("finkel[pieces=3]", plays=BOTH)
    at.until(lambda: at.over, HOUR_MS)

    assert at.shown.outcome is not None


def test_a_partner_waits_while_a_hand_holds_a_piece() -> None:
    at = session("bell", plays=BOTH)
    at.do(Lift("me", parse_place("hand:light")))
    for _ in range(10):
        at.wait(5000)
        at.do(HoldOver("me", None))
    assert not any(isinstance(one, Roll) for one in at.decided)
    at.do(PutBack("me"))
    at.until(lambda: moves(at) > 0)


def test_a_partner_does_not_act_on_another_sides_turn() -> None:
    at = session("bell", plays={Side.DARK})
    at.wait(60_000)

    assert not any(isinstance(one, Roll) for one in at.decided)


def test_a_partner_corrects_the_board_on_its_own_turn() -> None:
    at = session("bell", plays={Side.LIGHT})
    at.until(lambda: bool(at.shown.legal))
    at.do(Lift("me", parse_place("hand:dark")), wait_ms=100)
    at.do(Put("me", parse_place("B7")))
    at.until(lambda: moves(at) > 0)


def test_a_partner_leaves_the_opponents_mistake_to_the_opponent() -> None:
    at = session("bell", plays={Side.DARK})
    at.do(ThrowDice(), wait_ms=3000)
    at.do(Lift("me", parse_place("hand:light")), wait_ms=100)
    at.do(Put("me", parse_place("B7")), wait_ms=60_000)

    assert at.shown.warning is not None
    assert at.table.layout.at(parse_place("B7"))


def test_a_partner_restores_a_swept_board() -> None:
    at = session("bell", plays=BOTH)
    at.until(lambda: moves(at) >= 4)
    at.do(Sweep())
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


HANDS = st.sampled_from(["one", "other"])
SQUARES = st.integers(0, 19)
PLACES = st.one_of(
    st.builds(Place, SQUARES),
    st.sampled_from([parse_place(text) for text in ("hand:light", "hand:dark", "aside")]),
    st.sampled_from([parse_place(text) for text in ("home:light", "home:dark")]),
)
FAULTS = st.sampled_from([ReedFault.STUCK_ON, ReedFault.STUCK_OFF, ReedFault.FLICKER, None])
ACTS = st.one_of(
    st.builds(Lift, HANDS, PLACES, st.integers(0, 3)),
    st.builds(Put, HANDS, PLACES, st.sampled_from([None, True, False])),
    st.builds(HoldOver, HANDS, st.one_of(st.none(), SQUARES)),
    st.builds(PutBack, HANDS),
    st.builds(TurnOver, HANDS),
    st.builds(
        ThrowDice,
        st.lists(st.integers(1, 4), max_size=3, unique=True).map(tuple),
        st.sampled_from(["thrown", "cocked", "turned"]),
    ),
    st.just(Bump()),
    st.just(Sweep()),
    st.just(RestoreBoard()),
    st.builds(BreakSwitch, SQUARES, FAULTS),
    st.builds(PressButton, st.sampled_from(Side), st.sampled_from(["short", "long", "both"])),
    st.builds(SeatPlayers, st.sets(st.sampled_from(Side)).map(frozenset)),
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
    for act, wait_ms in acts:
        with suppress(UrpiError):
            at.do(act, wait_ms=wait_ms)
        assert sorted(piece.name for piece in at.table.layout.pieces()) == names
    assert_can_go_on(at)


def assert_can_go_on(at: InteractiveSession) -> None:
    """Repair every switch and let partners play: the game must continue."""
    for square in range(20):
        at.do(BreakSwitch(square, None))
    at.do(RestoreBoard(), SeatPlayers(BOTH))
    at.read()
    before = moves(at)
    at.until(lambda: at.over or moves(at) >= before + 3, 2 * HOUR_MS)
