from queue import Empty, Queue
from threading import Event

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from urpi.devices.pins import PinMap, default_pins
from urpi.devices.switches import Switches
from urpi.errors import UrpiError
from urpi.referee.facts import Button, Chute, Edge, Occupancy
from urpi.rules import Side, parse_square, squares_of

PINS = default_pins()
DEADLINE_S = 10


class Table:
    """Mock pins, a clock set by hand, and the facts that came."""

    def __init__(self, pin_class=MockPin, *, chutes=False):
        self.factory = MockFactory(pin_class=pin_class)
        self.now = 1000
        self.facts = Queue()
        self.switches = Switches(
            self.factory, PINS, lambda: self.now, self.facts.put, chutes=chutes
        )

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


def test_both_buttons_held_are_told_as_both_and_nothing_else(table):
    for side in Side:
        table.at(1000, PINS.buttons[side], on=True)
    table.now = 1800
    assert table.facts.get(timeout=DEADLINE_S) == Button(1800, Side.LIGHT, "both")
    for side in Side:
        table.at(3000, PINS.buttons[side], on=False)
    light = PINS.buttons[Side.LIGHT]
    table.at(4000, light, on=True)
    table.at(4100, light, on=False)
    table.now = 5000
    assert table.facts.get(timeout=DEADLINE_S) == Button(4120, Side.LIGHT, "short")


class DeafPin(MockPin):
    """A pin whose edges nobody hears until its edges are set anew, as lgpio's can be."""

    claimed_again = Event()

    def _set_edges(self, value):
        super()._set_edges(value)
        if self._when_changed is not None:
            self.claimed_again.set()

    def _call_when_changed(self, *told):
        if self.claimed_again.is_set():
            super()._call_when_changed(*told)


def test_a_pin_library_that_sleeps_through_the_claims_is_woken():
    DeafPin.claimed_again.clear()
    table = Table(DeafPin)
    try:
        assert DeafPin.claimed_again.wait(DEADLINE_S)
        table.at(1000, PINS.squares[0], on=True)
        assert table.come() == [Edge(1000, 0, on=True)]
    finally:
        table.switches.close()


def test_a_reading_makes_up_for_a_button_s_lost_edges():
    DeafPin.claimed_again.clear()
    table = Table(DeafPin)
    try:
        table.at(1000, PINS.buttons[Side.LIGHT], on=True)
        table.switches.read()
        table.now = 1800
        assert table.facts.get(timeout=DEADLINE_S) == Button(1800, Side.LIGHT, "long")
    finally:
        table.switches.close()


@pytest.mark.parametrize("side", Side)
def test_a_piece_that_rattles_down_a_chute_is_one(side):
    table = Table(chutes=True)
    try:
        edges = [(1000, 1), (1004, 0), (1009, 1), (1060, 0), (1359, 1), (1370, 0), (1670, 1)]
        for t, on in edges:
            table.at(t, PINS.chutes[side], on)
        assert table.come() == [Chute(1000, side), Chute(1670, side)]
    finally:
        table.switches.close()


def test_the_chutes_pins_are_left_alone_where_there_are_no_chutes(table):
    assert not set(PINS.chutes.values()) & set(table.factory.pins)


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
