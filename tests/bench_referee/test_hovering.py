"""Hovering hands cause no false move in the record, and no warning."""

import pytest

from tests.slow import slow_except
from tools.bench import Task, run
from urpi.rules import RULE_SETS


@pytest.mark.parametrize("case", ["hovering", "quiet-lively"])
@pytest.mark.parametrize("rules", slow_except(RULE_SETS, "finkel", "skiryuk", "ravensburger"))
def test_no_false_move_stays_in_the_record(rules: str, case: str) -> None:
    outcome = run(Task(rules, case, "random", 503, 60))

    assert outcome.incidents == ()
    assert outcome.compared.false == ()
    assert outcome.compared.exact
