"""How edges come to the program: when, in which order, and which of them."""

from itertools import pairwise
from random import Random

import pytest

from urpi.bench.transports import (
    CLUMP_MS,
    LATE_MS,
    READING_MS,
    TRANSPORTS,
    lossy,
    polled,
    transport,
)
from urpi.errors import UrpiError
from urpi.simulation import Schedule

EDGES = [(10, 5, True), (12, 5, False), (14, 5, True), (15, 2, True), (48, 2, False)]
"""Square 5 fills with a bounce, square 2 fills and empties."""


def carried(way, edges=EDGES, *, levels=0, seed=1):
    """What comes of edges: when it came, and what it said."""
    schedule, come = Schedule(), []
    hear = way(schedule, Random(seed), lambda *edge: come.append((schedule.now, *edge)), levels)
    for t, square, on in edges:
        schedule.at(t, lambda square=square, on=on: hear(square, on))
    schedule.advance(10_000)
    return come


def test_as_they_are_they_come_when_they_happen():
    assert carried(transport("as-is")) == [(t, t, square, on) for t, square, on in EDGES]


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("period_ms", [1, 5, 20])
def test_polled_they_come_at_the_polls_in_bit_order_and_change_something(period_ms, seed):
    come = carried(transport(f"polled-{period_ms}"), seed=seed)

    assert len({t % period_ms for t, *_ in come}) == 1
    assert come == sorted(come)
    levels = 0
    for came, told, square, on in come:
        assert told == came
        assert bool(levels >> square & 1) is not on
        levels ^= 1 << square
    assert levels == 1 << 5


def test_a_poll_tells_nothing_of_what_has_passed_between_two():
    assert carried(polled(1000), [(21, 3, True), (22, 3, False)]) == []


@pytest.mark.parametrize("seed", range(10))
def test_late_they_keep_their_order_and_their_time(seed):
    come = carried(transport("late"), seed=seed)

    assert [told for _, *told in come] == [list(edge) for edge in EDGES]
    assert all(0 <= came - told <= LATE_MS for came, told, *_ in come)
    assert [came for came, *_ in come] == sorted(came for came, *_ in come)


def test_in_clumps_they_have_one_time_and_their_order():
    come = carried(transport("clumped"))

    assert [told[1:] for _, *told in come] == [list(edge[1:]) for edge in EDGES]
    assert [came for came, *_ in come] == [10 + CLUMP_MS] * 4 + [48 + CLUMP_MS]
    assert all(came == told for came, told, *_ in come)


def test_repeated_each_comes_twice():
    come = carried(transport("repeated"))

    assert come[::2] == come[1::2] == carried(transport("as-is"))


@pytest.mark.parametrize("seed", range(10))
def test_after_a_lost_one_none_is_lost_before_the_board_is_read_anew(seed):
    many = [(t, 1, t % 20 == 0) for t in range(0, 5000, 10)]
    heard = {t for t, *_ in carried(lossy(0.5), many, seed=seed)}
    lost = [t for t, *_ in many if t not in heard]

    assert lost
    assert all(later - t >= READING_MS for t, later in pairwise(lost))


def test_a_transport_that_is_none_is_refused_by_name():
    with pytest.raises(UrpiError, match=f"no transport 'pigeon'.*{list(TRANSPORTS)[-1]}"):
        transport("pigeon")
