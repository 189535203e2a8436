"""The contacts on expanders, which emit the same facts as those on the header."""

import time
from contextlib import contextmanager
from queue import Empty, Queue
from threading import Event

import pytest
from gpiozero.pins.mock import MockFactory

from tests.hardware.expander_bus import ExpanderPins
from tests.waiting import wait_until
from urpi.core.errors import UrpiError
from urpi.hardware.contacts import Switches
from urpi.hardware.expander import ExpanderSwitches, smbus
from urpi.hardware.pins import default_pins
from urpi.referee.facts import Button, Chute, Edge, Occupancy
from urpi.rules import SQUARE_NAMES, Side, parse_square, rule_set, squares_of
from urpi.simulation import MockPins, Outputs, VirtualTable

PINS = default_pins().expander
DEADLINE_S = 240.0


class Table:
    """Two chips whose interrupts drive mock pins, a clock set by the test, and the facts."""

    def __init__(self, *, wired=True, **settings):
        self.factory = MockFactory()
        self.pins = ExpanderPins(self.factory, PINS)
        self.now = 1000
        self.facts, self.faults = Queue(), Queue()
        self.switches = ExpanderSwitches(
            PINS,
            lambda: self.pins.bus,
            lambda: self.now,
            self.facts.put,
            factory=self.factory if wired else None,
            on_fault=self.faults.put,
            **settings,
        )

    def wait_for_closed(self, name):
        wait_until(lambda: self.switches.levels()[name], f"{name} is closed")

    def next(self):
        return self.facts.get(timeout=DEADLINE_S)


@contextmanager
def table_with(**settings):
    table = Table(**settings)
    try:
        yield table
    finally:
        table.switches.close()


@pytest.fixture(params=[True, False], ids=["interrupts", "polled"])
def table(request):
    with table_with(wired=request.param) as table:
        yield table


def test_every_square_has_its_own_pin(table):
    for square in range(20):
        table.pins.square(square, on=True)
        assert table.next() == Edge(1000, square, on=True)
    assert table.switches.read() == Occupancy(1000, 2**20 - 1)


def test_edges_are_emitted_in_order(table):
    b4 = parse_square("B4")
    for on in (True, False, True):
        table.pins.square(b4, on=on)
        assert table.next() == Edge(1000, b4, on=on)


def test_pieces_on_the_board_at_the_start_are_read_without_edges():
    factory = MockFactory()
    pins, facts = ExpanderPins(factory, PINS), Queue()
    pins.square(3, on=True)
    switches = ExpanderSwitches(PINS, lambda: pins.bus, lambda: 5, facts.put, factory=factory)
    try:
        assert switches.read() == Occupancy(5, squares_of([3]))
    finally:
        switches.close()
    with pytest.raises(Empty):
        facts.get_nowait()


def test_chute_and_button_emit_the_same_facts_as_on_the_header(table):
    table.pins.chute(Side.DARK, closed=True)
    assert table.next() == Chute(1000, Side.DARK)
    for name in ("light button", "light button 2"):
        table.pins.contact(name, closed=True)
        table.wait_for_closed(name)
        table.now += 800
        assert table.next() == Button(table.now, Side.LIGHT, "long")


def test_edge_is_found_by_polling_after_a_lost_interrupt():
    with table_with() as table:
        table.pins.wired = False
        table.pins.square(0, on=True)
        assert table.next() == Edge(1000, 0, on=True)


def test_wire_stuck_low_does_not_occupy_the_bus():
    with table_with() as table:
        table.factory.pin(PINS.interrupts[0]).drive_low()
        table.pins.wired = False
        before = table.pins.bus.transfers
        began = time.monotonic()
        Event().wait(0.6)
        done, took_s = table.pins.bus.transfers - before, time.monotonic() - began
        # Both chips are polled at most every 2 ms for the burst of 50, then every 20 ms.
        assert done <= 2 * (50 + took_s / 0.02 + 10)
        table.pins.square(0, on=True)
        assert table.next() == Edge(1000, 0, on=True)


def test_chip_is_unplugged_and_plugged_in_again(table):
    table.pins.square(0, on=True)
    assert table.next() == Edge(1000, 0, on=True)
    table.pins.chips[0].unplug()
    assert "MCP23017 at 0x20" in str(table.faults.get(timeout=DEADLINE_S))
    assert table.switches.lost
    table.pins.square(19, on=True)
    assert table.next() == Edge(1000, 19, on=True)
    assert table.switches.read().squares == squares_of([0, 19])
    table.pins.chips[0].plug()
    table.now += 1000
    assert table.faults.get(timeout=DEADLINE_S) is None
    table.pins.square(0, on=False)
    assert table.next() == Edge(2000, 0, on=False)


def test_chips_missing_at_the_start_are_reported_and_retried():
    factory = MockFactory()
    pins, faults, now = ExpanderPins(factory, PINS), Queue(), [0]
    for chip in pins.chips:
        chip.unplug()
    switches = ExpanderSwitches(
        PINS, lambda: pins.bus, lambda: now[0], print, factory=factory, on_fault=faults.put
    )
    try:
        messages = {str(faults.get(timeout=DEADLINE_S))[:25] for _ in pins.chips}
        assert messages == {"The MCP23017 at 0x20 does", "The MCP23017 at 0x21 does"}
        pins.chips[0].plug()
        pins.square(7, on=True)
        now[0] = 1000
        name = SQUARE_NAMES[7]
        wait_until(lambda: switches.levels()[name], f"{name} is closed")
        assert faults.empty(), "one chip is still missing"
        assert switches.read() is None, "its squares are still unknown"
        pins.chips[1].plug()
        now[0] = 2000
        assert faults.get(timeout=DEADLINE_S) is None
        assert not switches.lost
        assert switches.read().squares == squares_of([7])
    finally:
        switches.close()


def test_interrupt_pin_in_use_is_named_and_the_bus_is_closed():
    factory = MockFactory()
    pins = ExpanderPins(factory, PINS)
    with table_with() as table, pytest.raises(UrpiError, match="interrupt wire on GPIO 17"):
        ExpanderSwitches(PINS, lambda: pins.bus, lambda: 0, print, factory=table.factory)
    ExpanderSwitches(PINS, lambda: pins.bus, lambda: 0, print, factory=factory).close()


def test_game_reads_the_same_on_header_and_expanders(table):
    factory = MockFactory()
    header = MockPins(factory, default_pins())
    switches = Switches(factory, default_pins(), lambda: table.now, lambda _fact: None)

    def edge(square, on):
        header.square(square, on)
        table.pins.square(square, on)

    game = VirtualTable(rule_set("finkel"), 3, Outputs(edge=edge, button=header.button))
    game.play_out(max_turns=30)
    expected = switches.read()
    switches.close()
    assert expected.squares
    wait_until(lambda: table.switches.read() == expected, str(expected))


def test_no_facts_after_close():
    table = Table()
    table.switches.close()
    table.pins.square(0, on=True)
    with pytest.raises(Empty):
        table.facts.get_nowait()


def test_missing_bus_is_named():
    with pytest.raises(OSError, match="/dev/i2c-255"):
        smbus(255)
