"""While the program was down, time stood still and nobody saw the dice."""

from collections.abc import Mapping

import pytest

from urpi.referee.facts import Die
from urpi.referee.throws import DieState
from urpi.service.outage import GameClock, UnseenDice


def test_a_clock_is_as_it_is_before_anything_was_stored() -> None:
    now = [500]
    clock = GameClock(lambda: now[0])
    assert clock() == 500


@pytest.mark.parametrize("boot_ms", [0, 20_000, 9_000_000])
def test_time_goes_on_right_behind_what_is_stored_whatever_the_machine_says(boot_ms: int) -> None:
    now = [boot_ms]
    clock = GameClock(lambda: now[0])
    clock.follow(80_000)
    assert clock() == 80_001
    now[0] += 250
    assert clock() == 80_251


LAY_AS_G = {1: DieState("settled", "g", counts=True, t=9)}
ROLLED = {1: DieState("rolling", "g", t=9)}
LEANT = {1: DieState("cocked", "g", t=9)}
WAS_LOST = {1: DieState("settled", "g", lost_at=9)}
SETTLED = Die(50, 1, "settled", "s", tumbled=True)
NOT_THROWN = Die(50, 1, "settled", "s", tumbled=False)


@pytest.mark.parametrize(
    ("known", "reports", "heard"),
    [
        pytest.param(ROLLED, [SETTLED], [SETTLED], id="seen to roll, so it was thrown"),
        pytest.param(LAY_AS_G, [SETTLED], [NOT_THROWN], id="nobody saw it roll"),
        pytest.param(LEANT, [SETTLED], [NOT_THROWN], id="it leant, and somebody touched it"),
        pytest.param({}, [SETTLED], [NOT_THROWN], id="never heard of before"),
        pytest.param(
            LAY_AS_G,
            [Die(40, 1, "rolling"), SETTLED],
            [Die(40, 1, "rolling"), SETTLED],
            id="it still rolls",
        ),
        pytest.param(LAY_AS_G, [SETTLED, SETTLED], [NOT_THROWN, SETTLED], id="later it is seen"),
        pytest.param(
            LAY_AS_G,
            [Die(40, 1, "lost"), Die(45, 1, "found"), SETTLED],
            [Die(40, 1, "lost"), Die(45, 1, "found"), NOT_THROWN],
            id="out of hearing first",
        ),
        pytest.param(
            WAS_LOST, [SETTLED], [Die(50, 1, "found"), NOT_THROWN], id="heard again since"
        ),
    ],
)
def test_what_a_die_says_first_is_taken_for_what_was_seen(
    known: Mapping[int, DieState], reports: list[Die], heard: list[Die]
) -> None:
    dice = UnseenDice(known)
    assert [taken for report in reports for taken in dice.taken(report)] == heard
