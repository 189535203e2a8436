"""Switches: edges, bounce and faults."""

from random import Random

import pytest

from tests.each import each
from urpi.simulation.reeds import Bounce, ReedFault, Reeds
from urpi.simulation.schedule import Schedule

SQUARE = 6
BIT = 1 << SQUARE


class Bench:
    """A set of switches with a log of its edges as (ms, on)."""

    def __init__(self, seed=1, bounce=None):
        self.schedule = Schedule()
        self.edges = []
        self.reeds = Reeds(self.schedule, Random(seed), self._edge, bounce)

    def _edge(self, square, on):
        assert square == SQUARE
        self.edges.append((self.schedule.now, on))

    def at(self, t_ms, occupancy):
        self.schedule.advance(t_ms)
        self.reeds.follow(occupancy)
        return self


@each("seed", range(50))
def test_a_bounce_ends_at_the_new_level_within_four_milliseconds(seed):
    bench = Bench(seed).at(100, BIT)
    bench.schedule.advance(1000)

    times, levels = zip(*bench.edges, strict=True)
    assert levels == tuple(number % 2 == 0 for number in range(len(levels)))
    assert levels[-1] is True
    assert len(levels) <= 9
    assert (times[0], times[-1] <= 104) == (100, True)


def test_some_changes_bounce_and_others_do_not():
    counts = set()
    for seed in range(50):
        bench = Bench(seed).at(0, BIT)
        bench.schedule.advance(10)
        counts.add(len(bench.edges))

    assert counts == {1, 3, 5, 7, 9}


def test_a_new_change_ends_the_bounce_of_the_previous_one():
    bench = Bench(bounce=Bounce(likely=1.0)).at(0, BIT).at(1, 0)
    bench.schedule.advance(100)

    assert bench.edges[-1][1] is False
    assert bench.reeds.levels == 0


@pytest.mark.parametrize(
    ("fault", "levels"),
    [(ReedFault.STUCK_ON, [True]), (ReedFault.STUCK_OFF, [])],
)
def test_a_stuck_switch_never_changes(fault, levels):
    bench = Bench()
    bench.reeds.break_down(SQUARE, fault)
    bench.at(10, BIT).at(500, 0).at(1000, BIT)

    assert [on for _, on in bench.edges] == levels


def test_only_the_next_edge_is_lost():
    bench = Bench(bounce=Bounce(likely=0.0))
    bench.reeds.break_down(SQUARE, ReedFault.LOST_EDGE)
    bench.at(10, BIT).at(500, 0).at(1000, BIT)

    assert bench.edges == [(1000, True)]


def test_a_flickering_switch_flickers_while_its_square_is_occupied():
    bench = Bench()
    bench.reeds.break_down(SQUARE, ReedFault.FLICKER)
    bench.at(1000, BIT).at(2000, 0).schedule.advance(3000)

    assert all(1000 <= t <= 2060 for t, _ in bench.edges)
    assert len(bench.edges) > 15


def test_a_repaired_switch_follows_its_square():
    bench = Bench(bounce=Bounce(likely=0.0)).at(0, BIT)
    bench.reeds.break_down(SQUARE, ReedFault.STUCK_OFF)
    bench.reeds.repair(SQUARE)

    assert bench.edges == [(0, True), (0, False), (0, True)]


@pytest.mark.parametrize(("standing", "edges"), [(BIT, [(5, False), (25, True)]), (0, [])])
def test_a_knock_opens_a_closed_switch_briefly(standing, edges):
    bench = Bench(bounce=Bounce(likely=0.0)).at(0, standing)
    bench.edges.clear()
    bench.reeds.knock(SQUARE, wait_ms=5, open_ms=20)
    bench.schedule.advance(100)

    assert bench.edges == edges
