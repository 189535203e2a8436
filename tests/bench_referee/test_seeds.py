"""Simulated games whose records were once wrong."""

import pytest

from tools.bench.runs import Task, run


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "behaviour", "seed"),
    [
        # The button chose among choices that had just changed.
        ("ravensburger", "thrown-early-own-dice", 410000),
        ("ravensburger", "thrown-early", 410005),
        ("skiryuk", "everything", 410016),
        # The next player threw while the piece was in the hand; this throw had no move.
        ("ravensburger", "thrown-early", 410014),
    ],
)
def test_the_record_of_a_game_is_the_game(rules: str, behaviour: str, seed: int) -> None:
    outcome = run(Task(rules, behaviour, "random", seed, 250))

    assert outcome.ended != "failed"
    assert outcome.compared.exact
    assert outcome.compared.stayed == ()
    assert "invented throw" not in [each.kind for each in outcome.incidents]
