"""Clearing: only an empty board in a game of this table may mean a new game."""

from random import Random

from tests.each import each
from tests.referee.playing import Desk
from tests.referee.positions import reached
from urpi.referee.clearing import CLEARED_MS, cleared_at
from urpi.rules import RULE_SETS, names_of


@each("seed", range(4))
@each("rules", RULE_SETS)
def test_a_board_is_cleared_once_its_last_piece_was_lifted(rules: str, seed: int) -> None:
    rng = Random(f"{rules} {seed}")
    position = reached(rules, rng, rng.randrange(8, 60))
    names = names_of(position.occupancy)
    rng.shuffle(names)
    desk = Desk.at(str(position)).wait(3_000)
    for name in names:
        assert cleared_at(desk.state) is None
        desk.lift(name).wait(rng.randrange(200, 4_000))
    lifted_at = desk.state.contacts.last_edge

    assert cleared_at(desk.state) == (lifted_at + CLEARED_MS if len(names) > 1 else None)

    desk.put(names[0])
    assert cleared_at(desk.state) is None


def test_the_start_of_a_game_is_not_a_cleared_board() -> None:
    desk = Desk.at("finkel - L7D7 L0D0 L").wait(60_000)
    assert cleared_at(desk.state) is None


def test_a_switch_that_is_left_out_does_not_count() -> None:
    desk = Desk.at("finkel A4:L,B4:D,B6:D L6D5 L0D0 L")
    desk.state.mask = 1 << 9
    assert cleared_at(desk.lift("A4", "B6").state) is not None


def test_the_only_piece_may_be_in_a_hand_for_long() -> None:
    desk = Desk.at("finkel A4:L L6D7 L0D0 L").wait(3_000)
    assert cleared_at(desk.lift("A4").wait(60_000).state) is None
