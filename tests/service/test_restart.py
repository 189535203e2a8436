"""After a restart: the clock continues, and first reports of dice are interpreted."""

from collections.abc import Mapping

import pytest

from urpi.referee.facts import Die
from urpi.referee.throws import DieState
from urpi.service.restart import DiceAfterRestart, GameClock


def test_a_clock_is_unchanged_before_a_game_is_resumed() -> None:
    now = [500]
    clock = GameClock(lambda: now[0])
    assert clock() == 500


@pytest.mark.parametrize("boot_ms", [0, 20_000, 9_000_000])
def test_the_clock_continues_after_the_stored_time_whatever_the_machine_s_clock(
    boot_ms: int,
) -> None:
    now = [boot_ms]
    clock = GameClock(lambda: now[0])
    clock.continue_after(80_000)
    assert clock() == 80_001
    now[0] += 250
    assert clock() == 80_251


SETTLED_G = {1: DieState("settled", "g", counts=True, t=9)}
ROLLED = {1: DieState("rolling", "g", t=9)}
COCKED = {1: DieState("cocked", "g", t=9)}
LOST = {1: DieState("settled", "g", lost_at=9)}
SETTLED = Die(50, 1, "settled", "s", tumbled=True)
NOT_TUMBLED = Die(50, 1, "settled", "s", tumbled=False)


@pytest.mark.parametrize(
    ("before", "reports", "facts"),
    [
        pytest.param(ROLLED, [SETTLED], [SETTLED], id="it was rolling, so it was thrown"),
        pytest.param(SETTLED_G, [SETTLED], [NOT_TUMBLED], id="it was not seen to roll"),
        pytest.param(COCKED, [SETTLED], [NOT_TUMBLED], id="it leant and was touched"),
        pytest.param({}, [SETTLED], [NOT_TUMBLED], id="it never reported before"),
        pytest.param(
            SETTLED_G,
            [Die(40, 1, "rolling"), SETTLED],
            [Die(40, 1, "rolling"), SETTLED],
            id="it is still rolling",
        ),
        pytest.param(
            SETTLED_G, [SETTLED, SETTLED], [NOT_TUMBLED, SETTLED], id="later reports are trusted"
        ),
        pytest.param(
            SETTLED_G,
            [Die(40, 1, "lost"), Die(45, 1, "found"), SETTLED],
            [Die(40, 1, "lost"), Die(45, 1, "found"), NOT_TUMBLED],
            id="out of range first",
        ),
        pytest.param(
            LOST, [SETTLED], [Die(50, 1, "found"), NOT_TUMBLED], id="in range again since"
        ),
    ],
)
def test_the_first_report_of_a_die_counts_only_if_it_was_seen_to_roll(
    before: Mapping[int, DieState], reports: list[Die], facts: list[Die]
) -> None:
    dice = DiceAfterRestart(before)
    assert [fact for report in reports for fact in dice.interpret(report)] == facts
