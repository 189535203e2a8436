from queue import Empty, Queue
from threading import Event

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from urpi.core.errors import UrpiError
from urpi.hardware.contacts import Switches
from urpi.hardware.gpio import BUSY_PAUSES_S
from urpi.hardware.pins import PinMap, default_pins
from urpi.referee.facts import Button, Chute, Edge, Occupancy
from urpi.rules import Side, parse_square, squares_of

PINS = default_pins()
DEADLINE_S = 240.0


class Table:
    """Mock pins, a clock set by the test, and the facts emitted."""

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

    def facts_so_far(self):
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


def test_bounces_are_emitted_with_their_times(table):
    b4 = parse_square("B4")
    edges = [(1000, True), (1001, False), (1003, True), (2000, False), (2002, True), (2003, False)]
    for t, on in edges:
        table.at(t, PINS.squares[b4], on)
    assert table.facts_so_far() == [Edge(t, b4, on) for t, on in edges]


@pytest.mark.parametrize("square", range(20))
def test_every_square_has_its_own_pin(table, square):
    table.at(1000, PINS.squares[square], on=True)
    assert table.facts_so_far() == [Edge(1000, square, on=True)]
    assert table.switches.read() == Occupancy(1000, squares_of([square]))


def test_reading_has_every_closed_square(table):
    standing = [parse_square(name) for name in ("A1", "B1", "C8")]
    for square in standing:
        table.at(1000, PINS.squares[square], on=True)
    table.at(1500, PINS.squares[standing[1]], on=False)
    assert table.switches.read() == Occupancy(1500, squares_of([standing[0], standing[2]]))


def test_board_without_magnets_is_empty(table):
    assert table.switches.read() == Occupancy(1000, 0)
    assert table.facts_so_far() == []


def test_short_press_is_emitted_on_release(table):
    gpio = PINS.buttons[Side.LIGHT]
    table.at(1000, gpio, on=True)
    table.at(1200, gpio, on=False)
    table.now = 1220
    assert table.facts.get(timeout=DEADLINE_S) == Button(1220, Side.LIGHT, "short")


def test_long_press_is_emitted_while_the_button_is_held(table):
    table.at(1000, PINS.buttons[Side.DARK], on=True)
    table.now = 1800
    assert table.facts.get(timeout=DEADLINE_S) == Button(1800, Side.DARK, "long")


def test_overlapping_short_presses_are_separate(table):
    light, dark = PINS.buttons[Side.LIGHT], PINS.buttons[Side.DARK]
    table.at(1000, light, on=True)
    table.at(1100, dark, on=True)
    table.at(1300, light, on=False)
    table.at(1400, dark, on=False)
    table.now = 1500
    facts_so_far = [table.facts.get(timeout=DEADLINE_S) for _ in range(2)]
    assert facts_so_far == [Button(1320, Side.LIGHT, "short"), Button(1420, Side.DARK, "short")]


def test_both_buttons_held_emit_both_only(table):
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


class SleepingPin(MockPin):
    """A pin that reports no edges until it is claimed a second time, as can happen with lgpio."""

    reclaimed = Event()

    def _set_edges(self, value):
        super()._set_edges(value)
        if self._when_changed is not None:
            self.reclaimed.set()

    def _call_when_changed(self, *arguments):
        if self.reclaimed.is_set():
            super()._call_when_changed(*arguments)


class BusyAtClaimPin(SleepingPin):
    """A pin that is busy at the first attempts to claim it again, which lose its pull-up."""

    attempts = 0

    def _set_edges(self, value):
        if self._when_changed is not None:
            type(self).attempts += 1
            if self.attempts < len(BUSY_PAUSES_S):
                self._pull = "floating"
                message = "GPIO busy"
                raise RuntimeError(message)
        assert self._pull == "up"
        super()._set_edges(value)


@pytest.mark.parametrize("pin", [SleepingPin, BusyAtClaimPin])
def test_pin_is_claimed_again_to_wake_the_library(pin):
    SleepingPin.reclaimed.clear()
    BusyAtClaimPin.attempts = 0
    table = Table(pin)
    try:
        assert SleepingPin.reclaimed.wait(DEADLINE_S)
        table.at(1000, PINS.squares[0], on=True)
        assert table.facts_so_far() == [Edge(1000, 0, on=True)]
    finally:
        table.switches.close()


class BusyPin(MockPin):
    """A pin that is busy when it is first released, as can happen with lgpio."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.attempts = 0

    def close(self):
        self.attempts += 1
        if self.attempts == 1:
            message = "GPIO busy"
            raise RuntimeError(message)
        super().close()


def test_each_pin_is_released_also_if_it_is_busy():
    table = Table(BusyPin)
    table.switches.close()
    for gpio in PINS.squares:
        assert table.factory.pin(gpio).attempts == 2
    # All of them can be opened again.
    Switches(table.factory, PINS, lambda: 0, table.facts.put).close()


def test_reading_replaces_a_buttons_lost_edge():
    SleepingPin.reclaimed.clear()
    table = Table(SleepingPin)
    try:
        table.at(1000, PINS.buttons[Side.LIGHT], on=True)
        table.switches.read()
        table.now = 1800
        assert table.facts.get(timeout=DEADLINE_S) == Button(1800, Side.LIGHT, "long")
    finally:
        table.switches.close()


@pytest.mark.parametrize("side", Side)
def test_bouncing_chute_contact_counts_one_piece(side):
    table = Table(chutes=True)
    try:
        edges = [(1000, 1), (1004, 0), (1009, 1), (1060, 0), (1359, 1), (1370, 0), (1670, 1)]
        for t, on in edges:
            table.at(t, PINS.chutes[side], on)
        assert table.facts_so_far() == [Chute(1000, side), Chute(1670, side)]
    finally:
        table.switches.close()


def test_chute_pins_are_not_opened_without_chutes(table):
    assert not set(PINS.chutes.values()) & set(table.factory.pins)


def test_close_stops_facts_and_releases_the_pins():
    table = Table()
    table.switches.close()
    table.at(1000, PINS.squares[0], on=True)
    assert table.facts_so_far() == []
    again = Switches(table.factory, PINS, lambda: 0, table.facts.put)
    again.close()


def test_pin_error_names_the_square_and_releases_the_other_pins(table):
    table.switches.close()
    twice = PinMap((*PINS.squares[:19], PINS.squares[0]), PINS.buttons, 1, 0x3C, PINS.converters)
    with pytest.raises(UrpiError, match=r"C8 on GPIO 4 cannot be used"):
        Switches(table.factory, twice, lambda: 0, table.facts.put)
    Switches(table.factory, PINS, lambda: 0, table.facts.put).close()


def test_read_after_close_raises_an_error_with_the_contact(table):
    table.switches.close()
    with pytest.raises(UrpiError, match="contact A1 cannot be used"):
        table.switches.read()
