import pytest

from tests.kernel.latency import MS, Answer, answers, of_type, percentile, summary
from tests.kernel.panel import Write


def writes(*times_ms: int, changed: bool = True) -> tuple[Write, ...]:
    return tuple(Write(t * MS, 129, changed) for t in times_ms)


def test_a_delay_starts_at_the_last_edge_before_the_decision() -> None:
    edges = [100 * MS, 104 * MS, 300 * MS]
    found = answers([254], edges, writes(50, 262, 265))
    assert found == (Answer(150.0, 158.0, 161.0),)


def test_a_picture_ends_with_a_pause_in_the_writes() -> None:
    found = answers([254], [104 * MS], writes(262, 270, 400))
    assert found[0].whole_ms == 270 - 104


def test_writes_without_a_change_are_ignored() -> None:
    assert answers([254], [104 * MS], writes(262, changed=False)) == ()


@pytest.mark.parametrize(("part", "value"), [(0.5, 50), (0.99, 99), (1.0, 100), (0.0, 1)], ids=str)
def test_a_percentile_is_one_of_the_values(part: float, value: int) -> None:
    assert percentile(range(1, 101), part) == value


def test_the_99th_percentile_of_few_values_is_the_maximum() -> None:
    assert summary([3.0, 1.0, 2.0]) == "p50 2 ms, p99 3 ms, most 3 ms, 3 times"


def test_decisions_are_selected_by_type_side_and_confidence() -> None:
    lines = [
        {"t": 1, "type": "move", "confidence": "sensed"},
        {"t": 2, "type": "move", "confidence": "inferred"},
        {"t": 3, "type": "roll"},
    ]
    assert of_type(lines, type="move", confidence="sensed") == (1,)
