"""Hall sensors: readings of the simulated table's fields, against the calculated ones."""

from random import Random

import pytest

from tests.each import each
from urpi.rules import Side, parse_square
from urpi.simulation.hall_sensors import READINGS, HallSensors
from urpi.simulation.piece_layout import PieceLayout, Place
from urpi.simulation.schedule import Schedule
from wiring.cylinder import exact_field_mt
from wiring.hall import Design, pile_mt
from wiring.pages.hall import MIXED

B3 = parse_square("B3")


class Table:
    """Pieces above sensors, with a log of the readings as (ms, strength, error, pole)."""

    def __init__(self, seed: int) -> None:
        self.schedule, self.layout = Schedule(), PieceLayout()
        self.layout.set_piece_count(4)
        self.readings: list[tuple[int, int, int, Side | None]] = []
        self.sensors = HallSensors(self.schedule, Random(seed), self.layout, self._read)

    def _read(self, square: int, strength: int, error: int, pole: Side | None) -> None:
        assert square == B3
        self.readings.append((self.schedule.now, strength, error, pole))

    def put(self, name: str, *, turned: bool = False) -> None:
        place, _ = self.layout.find(name)
        (piece,) = self.layout.lift("hand", place, name=name)
        piece.turned = turned
        self.layout.put("hand", Place(B3))
        self.sensors.follow()

    def lift(self) -> None:
        self.layout.lift("hand", Place(B3))
        self.sensors.follow()


@each("seed", range(20))
@each(("name", "turned"), [("L1", False), ("D1", False), ("L1", True)])
def test_a_piece_is_read_twice_with_its_pole_and_a_strength_that_it_can_have(seed, name, turned):
    table = Table(seed)
    table.put(name, turned=turned)
    table.schedule.advance(1000)

    side = Side.of_letter(name[0])
    assert [(t, error) for t, _, error, _ in table.readings] == list(READINGS)
    assert {pole for *_, pole in table.readings} == {side.other if turned else side}
    weakest, _ = pile_mt(Design(*MIXED), "L", 4.0)
    _, strongest = pile_mt(Design(*MIXED), "L", 0.0)
    disc, gap_mm = MIXED
    usual, _ = exact_field_mt(disc, gap_mm + disc.height_mm / 2)
    for _, strength, error, _ in table.readings:
        assert 1000 * weakest / usual - 50 < abs(strength) + error
        assert abs(strength) < 1000 * strongest / usual + error


@pytest.mark.parametrize("seed", range(20))
def test_a_piece_that_joins_a_pile_changes_the_reading_without_an_edge(seed):
    table = Table(seed)
    table.put("L1")
    table.schedule.advance(1000)
    table.put("L2")
    table.schedule.advance(2000)
    _, alone, _, _ = table.readings[1]
    t, both, error, _ = table.readings[3]
    assert t == 1320
    assert both - alone > 2 * error


def test_what_changes_before_it_has_come_to_rest_is_not_read():
    table = Table(1)
    table.put("L1")
    table.schedule.advance(50)
    table.lift()
    table.schedule.advance(1000)
    assert [(t, abs(strength) <= error) for t, strength, error, _ in table.readings] == [
        (110, True),
        (370, True),
    ]
