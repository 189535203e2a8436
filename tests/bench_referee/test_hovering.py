"""Hovering and tapping hands cause no false move, and no warning."""

import pytest

from tests.slow import mostly_slow, slow_except
from tools.bench import Task, run
from tools.bench.figures import percentile
from urpi.referee import Timing
from urpi.rules import RULE_SETS


@pytest.mark.parametrize("case", mostly_slow(["hovering", "tapping-long", "quiet-lively"], 1))
@pytest.mark.parametrize("rules", slow_except(RULE_SETS, "skiryuk", "ravensburger"))
def test_no_move_is_announced_that_was_not_made(rules: str, case: str) -> None:
    outcome = run(Task(rules, case, "random", 503, 60))

    assert outcome.incidents == ()
    assert outcome.compared.false == ()
    assert outcome.compared.exact


@pytest.mark.parametrize("rules", mostly_slow(["skiryuk", "ravensburger", "freecompany"], 1))
def test_a_landing_is_shown_at_once_though_the_piece_may_still_be_moved_on(rules: str) -> None:
    outcome = run(Task(rules, "tapping-long", "random", 503, 60))

    assert percentile(outcome.waits_ms["shown"], 95) == Timing().still_ms
