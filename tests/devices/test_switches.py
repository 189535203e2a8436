from queue import Empty, Queue

import pytest
from gpiozero.pins.mock import MockFactory

from urpi.devices.pins import PinMap, default_pins
from urpi.devices.switches import Switches
from urpi.errors import UrpiError
from urpi.referee.facts import Button, Edge, Occupancy
from urpi.rules import Side, parse_square, squares_of

PINS = default_pins()
DEADLINE_S = 10


class Table:
    """Mock pins, a clock set by hand, and the facts that came."""

    def __init__(self):
        self.factory = MockFactory()
        self.now = 1000
        self.facts = Queue()
        self.switches = Switches(self.factory, PINS, lambda: self.now, self.facts.put)

    def at(self, t, gpio, on):
        self.now = t
        pin = self.factory.pin(gpio)
        pin.drive_low() if on else pin.drive_high()

    def come(self):
        found = []
        while True:
            try:
                found.append(self.facts.get_nowait())
            except Empty:
                return found


@pytest.fixture
def table():
    table = Table()
    yield table
    table.switches.close()


def test_bounce_goes_out_as_it_is_each_edge_with_its_time(table):
    b4 = parse_square("B4")
    edges = [(1000, True), (1001, False), (1003, True), (2000, False), (2002, True), (2003, False)]
    for t, on in edges:
        table.at(t, PINS.squares[b4], on)
    assert table.come() == [Edge(t, b4, on) for t, on in edges]


@pytest.mark.parametrize("square", range(20))
def test_every_square_is_on_its_own_wire(table, square):
    table.at(1000, PINS.squares[square], on=True)
    assert table.come() == [Edge(1000, square, on=True)]
    assert table.switches.read() == Occupancy(1000, squares_of([square]))


def test_a_reading_is_all_that_stands_there_now(table):
    standing = [parse_square(name) for name in ("A1", "B1", "C8")]
    for square in standing:
        table.at(1000, PINS.squares[square], on=True)
    table.at(1500, PINS.squares[standing[1]], on=False)
    assert table.switches.read() == Occupancy(1500, squares_of([standing[0], standing[2]]))


def test_a_board_without_magnets_is_empty_from_the_start(table):
    assert table.switches.read() == Occupancy(1000, 0)
    assert table.come() == []


def test_a_short_press_comes_when_the_button_is_let_go(table):
    gpio = PINS.buttons[Side.LIGHT]
    table.at(1000, gpio, on=True)
    table.at(1200, gpio, on=False)
    table.now = 1220
    assert table.facts.get(timeout=DEADLINE_S) == Button(1220, Side.LIGHT, "short")


def test_a_long_press_comes_while_the_button_is_held(table):
    table.at(1000, PINS.buttons[Side.DARK], on=True)
    table.now = 1800
    assert table.facts.get(timeout=DEADLINE_S) == Button(1800, Side.DARK, "long")


def test_both_buttons_are_told_apart_while_both_are_down(table):
    light, dark = PINS.buttons[Side.LIGHT], PINS.buttons[Side.DARK]
    table.at(1000, light, on=True)
    table.at(1100, dark, on=True)
    table.at(1300, light, on=False)
    table.at(1400, dark, on=False)
    table.now = 1500
    come = [table.facts.get(timeout=DEADLINE_S) for _ in range(2)]
    assert come == [Button(1320, Side.LIGHT, "short"), Button(1420, Side.DARK, "short")]


def test_a_closed_table_says_nothing_and_gives_the_pins_back():
    table = Table()
    table.switches.close()
    table.at(1000, PINS.squares[0], on=True)
    assert table.come() == []
    again = Switches(table.factory, PINS, lambda: 0, table.facts.put)
    again.close()


def test_a_pin_that_cannot_be_opened_names_the_square_and_gives_the_others_back(table):
    table.switches.close()
    twice = PinMap((*PINS.squares[:19], PINS.squares[0]), PINS.buttons, 1, 0x3C)
    with pytest.raises(UrpiError, match=r"C8 on GPIO 4 cannot be used"):
        Switches(table.factory, twice, lambda: 0, table.facts.put)
    Switches(table.factory, PINS, lambda: 0, table.facts.put).close()


def test_reading_after_the_close_is_an_error_that_names_the_contact(table):
    table.switches.close()
    with pytest.raises(UrpiError, match="contact A1 cannot be used"):
        table.switches.read()
