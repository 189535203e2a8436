"""Hands that hover leave no move in the record that nobody made, and are not warned."""

import pytest

from urpi.bench import Task, run
from urpi.rules import RULE_SETS


@pytest.mark.parametrize("case", ["hovering", "quiet-lively"])
@pytest.mark.parametrize("rules", RULE_SETS)
def test_no_move_is_committed_that_nobody_made(rules: str, case: str) -> None:
    outcome = run(Task(rules, case, "random", 503, 60))

    assert outcome.incidents == ()
    assert outcome.compared.false == ()
    assert outcome.compared.exact
