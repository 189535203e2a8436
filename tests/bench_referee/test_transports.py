"""When and in which order edges reach the program, and which of them."""

from itertools import pairwise
from random import Random

import pytest

from tests.each import each
from tools.bench.transports import (
    CLUMP_MS,
    LATE_MS,
    READING_MS,
    TRANSPORTS,
    lossy,
    polled,
    transport,
)
from urpi.core.errors import UrpiError
from urpi.simulation import Schedule

EDGES = [(10, 5, True), (12, 5, False), (14, 5, True), (15, 2, True), (48, 2, False)]
"""Square 5 fills with a bounce, square 2 fills and empties."""


def carried(way, edges=EDGES, *, levels=0, seed=1):
    """Return what a transport makes of edges: when each was passed on, and its contents."""
    schedule, passed = Schedule(), []
    on_edge = way(
        schedule, Random(seed), lambda *edge: passed.append((schedule.now, *edge)), levels
    )
    for t, square, on in edges:
        schedule.at(t, lambda square=square, on=on: on_edge(square, on))
    schedule.advance(10_000)
    return passed


def test_as_is_passes_edges_on_when_they_happen():
    assert carried(transport("as-is")) == [(t, t, square, on) for t, square, on in EDGES]


@each("seed", range(10))
@each("period_ms", [1, 5, 20])
def test_polled_passes_changes_on_at_the_polls_in_bit_order(period_ms, seed):
    passed = carried(transport(f"polled-{period_ms}"), seed=seed)

    assert len({t % period_ms for t, *_ in passed}) == 1
    assert passed == sorted(passed)
    levels = 0
    for at, time, square, on in passed:
        assert time == at
        assert bool(levels >> square & 1) is not on
        levels ^= 1 << square
    assert levels == 1 << 5


def test_polled_misses_a_change_between_two_polls():
    assert carried(polled(1000), [(21, 3, True), (22, 3, False)]) == []


@pytest.mark.parametrize("seed", range(10))
def test_late_keeps_the_order_and_the_times(seed):
    passed = carried(transport("late"), seed=seed)

    assert [edge for _, *edge in passed] == [list(edge) for edge in EDGES]
    assert all(0 <= at - time <= LATE_MS for at, time, *_ in passed)
    assert [at for at, *_ in passed] == sorted(at for at, *_ in passed)


def test_clumped_keeps_the_order_with_one_time():
    passed = carried(transport("clumped"))

    assert [edge[1:] for _, *edge in passed] == [list(edge[1:]) for edge in EDGES]
    assert [at for at, *_ in passed] == [10 + CLUMP_MS] * 4 + [48 + CLUMP_MS]
    assert all(at == time for at, time, *_ in passed)


def test_repeated_passes_each_edge_on_twice():
    passed = carried(transport("repeated"))

    assert passed[::2] == passed[1::2] == carried(transport("as-is"))


@pytest.mark.parametrize("seed", range(10))
def test_lossy_loses_one_edge_at_most_between_two_readings(seed):
    many = [(t, 1, t % 20 == 0) for t in range(0, 5000, 10)]
    kept = {t for t, *_ in carried(lossy(0.5), many, seed=seed)}
    lost = [t for t, *_ in many if t not in kept]

    assert lost
    assert all(later - t >= READING_MS for t, later in pairwise(lost))


def test_an_unknown_transport_is_an_error():
    with pytest.raises(UrpiError, match=f"no transport 'pigeon'.*{list(TRANSPORTS)[-1]}"):
        transport("pigeon")
