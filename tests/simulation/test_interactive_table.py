"""Hands at an interactive table, and a referee that receives its edges."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.simulation.interactive_session import InteractiveSession, session
from urpi.core.errors import UrpiError
from urpi.referee.decisions import Cleared, Moved, Roll, RollRefused, TakenBack, Warned
from urpi.rules import Side, names_of, parse_position, parse_rules, parse_square
from urpi.simulation.document import table_document
from urpi.simulation.hardware import PRESS_MS, Outputs
from urpi.simulation.interactive_table import PATIENCE_MS
from urpi.simulation.interactive_table import InteractiveTable as Table
from urpi.simulation.piece_layout import ImpossibleError, parse_place
from urpi.simulation.reeds import ReedFault
from urpi.simulation.table_orders import PRESSES, act
from urpi.simulation.throwing import PRESS_PAUSE_MS

LIGHT = parse_place("hand:light")
REST_MS = 700
LOOKED_AT_MS = 10_000
ROLLED_MS = 2500


def square(name: str) -> int:
    return parse_square(name)


def to_move(rules: str = "bell[pieces=3]") -> InteractiveSession:
    """Return a table at which light has thrown and has a legal move."""
    at = session(rules)
    at.do(act(Table.throw), wait_ms=ROLLED_MS)
    assert at.shown.legal
    return at


def enter(at: InteractiveSession, name: str, wait_ms: int = REST_MS) -> None:
    at.do(act(Table.lift, "me", LIGHT), wait_ms=300)
    at.do(act(Table.put, "me", parse_place(name)), wait_ms=wait_ms)


def decided(at: InteractiveSession, kind: type) -> list:
    return [one for one in at.decided if isinstance(one, kind)]


def closed(at: InteractiveSession) -> list[str]:
    return names_of(at.table.reeds.levels)


def where(at: InteractiveSession, name: str) -> str:
    pieces = {piece["id"]: piece["at"] for piece in table_document(at.table, 1.0)["pieces"]}
    return pieces[name]


def test_a_legal_move_by_hand_is_a_move() -> None:
    at = to_move()
    target = at.shown.legal[0].removeprefix("+")
    enter(at, target)

    assert decided(at, Moved)[-1].move == f"+{target}"


def test_a_piece_on_a_wrong_square_is_warned_of_until_it_is_corrected() -> None:
    at = to_move()
    enter(at, "B7", LOOKED_AT_MS)
    assert names_of(at.shown.clear) == ["B7"]
    target = at.shown.legal[0].removeprefix("+")
    at.do(
        act(Table.lift, "me", parse_place("B7")),
        act(Table.put, "me", parse_place(target)),
        wait_ms=REST_MS,
    )

    assert decided(at, Warned)
    assert decided(at, Cleared)
    assert decided(at, Moved)[-1].move == f"+{target}"


def test_a_piece_slid_over_squares_closes_the_switch_below_it() -> None:
    at = session()
    at.do(act(Table.lift, "me", LIGHT), wait_ms=50)
    for name in ("A4", "A3", "B8"):
        at.do(act(Table.hold_over, "me", square(name)), wait_ms=50)
        assert closed(at) == [name]
    at.do(act(Table.hold_over, "me", None), wait_ms=50)

    assert closed(at) == []


def test_a_lifted_piece_bounces_its_switch() -> None:
    at = to_move()
    edges = []
    at.table.reeds._sink = lambda *edge: edges.append(edge)
    for _ in range(8):
        enter(at, "B8")
        at.do(act(Table.lift, "me", parse_place("B8")), wait_ms=50)
        at.do(act(Table.put, "me", LIGHT), wait_ms=50)

    assert len(edges) > 16


def test_an_enemy_is_pushed_off_and_its_switch_opens_briefly() -> None:
    at = to_move()
    enter(at, "B7")
    levels = []
    at.table.reeds._sink = lambda *edge: levels.append(edge)
    at.do(act(Table.lift_named, "me", "D1"), act(Table.put, "me", parse_place("B7")))
    at.wait(200)

    assert (square("B7"), False) in levels
    assert closed(at) == ["B7"]
    assert where(at, "D1") == "B7"
    assert sorted(where(at, name) for name in ("L1", "L2", "L3")).count("aside") == 1


def test_no_piece_is_pushed_off_in_rule_sets_with_piles() -> None:
    at = session("ravensburger")
    enter(at, "B3")
    at.do(
        act(Table.lift, "me", parse_place("hand:dark")),
        act(Table.put, "me", parse_place("B3")),
        wait_ms=200,
    )

    assert [piece.side for piece in at.table.layout.at(parse_place("B3"))] == [
        Side.LIGHT,
        Side.DARK,
    ]


def test_a_held_piece_can_be_turned_over() -> None:
    at = session("skiryuk")
    at.do(
        act(Table.lift_named, "me", "L1"),
        act(Table.turn, "me"),
        act(Table.put, "me", parse_place("B3")),
    )

    document = table_document(at.table, 1.0)
    assert document["faces"]
    assert next(piece for piece in document["pieces"] if piece["id"] == "L1")["turned"]


def test_putting_back_restores_the_piece() -> None:
    at = session()
    enter(at, "B7")
    at.do(
        act(Table.lift, "me", parse_place("B7")),
        act(Table.hold_over, "me", square("B8")),
        act(Table.put_back, "me"),
        wait_ms=50,
    )

    assert closed(at) == ["B7"]


def test_the_piece_of_an_inactive_hand_is_put_back() -> None:
    at = session()
    at.do(act(Table.lift_named, "gone", "L4"))
    at.wait(PATIENCE_MS - 1000)
    assert where(at, "L4") == "held"
    at.wait(2000)

    assert where(at, "L4") == "hand:light"


def test_an_active_hand_keeps_its_piece() -> None:
    at = session()
    at.do(act(Table.lift_named, "me", "L4"))
    for _ in range(6):
        at.wait(PATIENCE_MS // 2)
        at.do(act(Table.hold_over, "me", None))

    assert where(at, "L4") == "held"


@pytest.mark.parametrize("how", ["cocked", "turned"])
def test_badly_thrown_dice_do_not_count(how: str) -> None:
    at = session("bell")
    at.do(act(Table.throw, (1, 2)), wait_ms=ROLLED_MS)
    at.do(act(Table.throw, (3,), how), wait_ms=LOOKED_AT_MS)

    assert not decided(at, Roll)
    assert decided(at, RollRefused)[-1].dice == (3,)
    at.do(act(Table.throw, (3,)), wait_ms=ROLLED_MS)
    assert len(decided(at, Roll)) == 1


def test_a_rolling_die_cannot_be_thrown() -> None:
    at = session()
    at.do(act(Table.throw))
    with pytest.raises(ImpossibleError, match="Die 1 still rolls"):
        at.do(act(Table.throw, (1,)))


def test_a_missing_die_cannot_be_thrown() -> None:
    with pytest.raises(UrpiError, match="There is no die 9"):
        session().do(act(Table.throw, (9,)))


def test_a_bump_does_not_change_the_game() -> None:
    at = to_move()
    for name in ("B5", "B6", "B7"):
        enter(at, name)
    before = closed(at)
    at.do(act(Table.bump), wait_ms=REST_MS)

    assert closed(at) == before


def test_a_swept_board_can_be_restored() -> None:
    at = session("bell", plays=Side)
    at.until(lambda: len(decided(at, Moved)) == 4)
    at.do(act(Table.seat_players, frozenset()), wait_ms=LOOKED_AT_MS)
    standing = closed(at)
    at.do(act(Table.sweep), wait_ms=LOOKED_AT_MS)
    assert closed(at) == []
    at.do(act(Table.restore_board), wait_ms=LOOKED_AT_MS)

    assert closed(at) == standing
    assert not at.shown.fill | at.shown.clear


def test_a_stuck_switch_stays_closed_until_it_is_repaired() -> None:
    at = session()
    at.do(act(Table.break_switch, square("B4"), ReedFault.STUCK_ON), wait_ms=50)
    assert closed(at) == ["B4"]
    at.do(act(Table.break_switch, square("B4"), None), wait_ms=50)

    assert closed(at) == []


def test_the_simulated_hands_play_a_legal_move() -> None:
    at = to_move()
    at.do(act(Table.move, at.shown.legal[0]), wait_ms=5000)

    assert len(decided(at, Moved)) == 1


def test_the_simulated_hands_reject_an_illegal_move() -> None:
    with pytest.raises(ImpossibleError, match="legal moves are"):
        to_move().do(act(Table.move, "B1-B2"))


def test_a_move_that_is_put_back_is_taken_back() -> None:
    at = to_move()
    target = at.shown.legal[0].removeprefix("+")
    enter(at, target, 2000)
    at.do(act(Table.lift, "me", parse_place(target)), wait_ms=300)
    at.do(act(Table.put, "me", LIGHT), wait_ms=LOOKED_AT_MS)

    assert decided(at, TakenBack)


def test_both_buttons_can_be_pressed_long_together() -> None:
    at = session()
    at.do(act(Table.press, Side.LIGHT, "both"), wait_ms=500)
    assert table_document(at.table, 1.0)["buttons"] == ["light", "dark"]
    at.wait(2000)
    assert table_document(at.table, 1.0)["buttons"] == []


@given(
    st.lists(
        st.tuples(st.sampled_from(Side), st.sampled_from(PRESSES), st.integers(0, 1500)),
        min_size=1,
        max_size=8,
    )
)
def test_a_button_that_is_down_comes_up_before_it_is_pressed_again(
    presses: list[tuple[Side, str, int]],
) -> None:
    changes: dict[Side, list[tuple[bool, int]]] = {side: [] for side in Side}
    outputs = Outputs(button=lambda side, down: changes[side].append((down, table.schedule.now)))
    table = Table(parse_rules("finkel"), 1, outputs)
    expected = Counter[tuple[Side, int]]()
    for side, press, wait_ms in presses:
        table.press(side, press)
        for each in Side if press == "both" else (side,):
            expected[each, PRESS_MS["short" if press == "short" else "long"]] += 1
        table.advance(table.schedule.now + wait_ms)
    table.advance(table.schedule.now + 20_000)

    pressed = Counter[tuple[Side, int]]()
    for side, seen in changes.items():
        assert [down for down, _ in seen] == [True, False] * (len(seen) // 2)
        downs, ups = [at for down, at in seen if down], [at for down, at in seen if not down]
        pressed.update((side, up - down) for down, up in zip(downs, ups, strict=True))
        assert all(down - up >= PRESS_PAUSE_MS for up, down in zip(ups, downs[1:], strict=False))
    assert pressed == expected


@pytest.mark.parametrize("rules", ["ravensburger", "finkel3", "finkel[pieces=3]"])
def test_a_new_game_brings_its_pieces_and_dice(rules: str) -> None:
    at = to_move()
    enter(at, "B7")
    at.do(act(Table.lift, "me", LIGHT))
    expected = parse_rules(rules)
    at.table.change_rules(expected)
    at.begin(expected)
    at.wait(LOOKED_AT_MS)

    document = table_document(at.table, 1.0)
    assert len(document["pieces"]) == 2 * expected.pieces
    assert {piece["at"] for piece in document["pieces"]} == {"hand:light", "hand:dark"}
    assert len(document["dice"]) == expected.dice.count
    at.do(act(Table.throw), wait_ms=ROLLED_MS)
    at.do(act(Table.throw), wait_ms=ROLLED_MS)
    assert any(at.shown.start_throws) or at.shown.phase.value != "start-throw"


def test_the_simulated_sides_can_be_changed() -> None:
    at = session()
    at.do(act(Table.seat_players, frozenset({Side.DARK})))

    assert table_document(at.table, 1.0)["players"] == {"light": "hands", "dark": "simulated"}


@pytest.mark.parametrize(
    ("told", "is_set_up"),
    [
        ("finkel A3:L,B4:L L4D6 L1D1 L", True),
        ("finkel A3:L,B4:D L6D4 L0D2 L", False),
        ("finkel A3:L,B4:L,B6:D L5D6 L0D0 L", False),
        ("masters A3:L,B4:L L5D7 L0D0 L", False),
    ],
)
def test_a_position_that_hands_have_set_up_is_left_as_it_is(told: str, is_set_up: bool) -> None:
    at = session("finkel")
    for name in ("A3", "B4"):
        enter(at, name)
    position = parse_position(told)
    assert at.table.has_set_up(position) is is_set_up
    if is_set_up:
        at.do(act(Table.keep, position), wait_ms=LOOKED_AT_MS)
        assert closed(at) == ["A3", "B4"]
        pieces = table_document(at.table, 1.0)["pieces"]
        assert sorted(piece["at"] for piece in pieces if "home" in piece["at"]) == [
            "home:dark",
            "home:light",
        ]
