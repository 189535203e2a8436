import pytest

from tests.kernel.latency import MS, Answer, answers, of_type, percentile, told
from tests.kernel.panel import Write


def writes(*times_ms: int, changed: bool = True) -> tuple[Write, ...]:
    return tuple(Write(t * MS, 129, changed) for t in times_ms)


def test_an_answer_runs_from_the_last_edge_before_the_decision() -> None:
    edges = [100 * MS, 104 * MS, 300 * MS]
    found = answers([254], edges, writes(50, 262, 265))
    assert found == (Answer(150.0, 158.0, 161.0),)


def test_a_picture_ends_when_nothing_has_come_for_a_while() -> None:
    found = answers([254], [104 * MS], writes(262, 270, 400))
    assert found[0].whole_ms == 270 - 104


def test_writes_that_change_nothing_are_no_answer() -> None:
    assert answers([254], [104 * MS], writes(262, changed=False)) == ()


@pytest.mark.parametrize(("part", "value"), [(0.5, 50), (0.99, 99), (1.0, 100), (0.0, 1)], ids=str)
def test_a_percentile_is_one_of_the_values(part: float, value: int) -> None:
    assert percentile(range(1, 101), part) == value


def test_few_values_have_their_greatest_as_the_99th_percentile() -> None:
    assert told([3.0, 1.0, 2.0]) == "p50 2 ms, p99 3 ms, most 3 ms, 3 times"


def test_decisions_are_chosen_by_what_they_say() -> None:
    lines = [
        {"t": 1, "type": "move", "confidence": "sensed"},
        {"t": 2, "type": "move", "confidence": "inferred"},
        {"t": 3, "type": "roll"},
    ]
    assert of_type(lines, type="move", confidence="sensed") == (1,)
