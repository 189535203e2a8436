"""Squares on Hall sensors: what the driver makes of a simulated bus with converters and magnets.

The command byte is that of the kernel's driver for the same chips, drivers/hwmon/ads7828.c.
"""

import logging
from random import Random

import pytest
from gpiozero.pins.mock import MockFactory
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.slow import mostly_slow
from urpi.config import Config, ExpanderSection, GpioSection, SquaresSection
from urpi.core.errors import UrpiError
from urpi.hardware.ads7830 import CONVERTERS, command
from urpi.hardware.configured import header_wires
from urpi.hardware.contacts import ContactBackend, open_contacts
from urpi.hardware.hall import DEAD_MS
from urpi.hardware.hall_square import SCAN_MS, HallSquare
from urpi.hardware.pins import Scale, default_pins
from urpi.hardware.watched_chip import RETRY_MS
from urpi.hardware.wiring import faults, wires_of
from urpi.referee.facts import Button, Edge, Field
from urpi.rules import ALL_SQUARES, SQUARE_NAMES, Side, parse_square
from urpi.simulation import MockPins
from urpi.simulation.hall_bus import DRIFT, NOISE, HallBus
from urpi.simulation.piece_layout import PieceLayout, Place
from urpi.simulation.schedule import Schedule

ADDRESSES = default_pins().converters.addresses
B4 = parse_square("B4")
PIECES = {"ads7828": 558, "ads7830": 35}


def config_of(converter="ads7828"):
    full = CONVERTERS[converter].full
    squares = SquaresSection(
        sensor="hall",
        converter=converter,
        empty=(full // 2,) * 20,
        piece=(PIECES[converter],) * 20,
    )
    return Config(gpio=GpioSection(factory="mock"), squares=squares)


class Table:
    """Pieces, the bus below them, and the facts and faults of the driver."""

    def __init__(self, seed=1, converter="ads7828", config=None):
        config = config or config_of(converter)
        self.schedule, self.layout = Schedule(1000), PieceLayout()
        self.layout.set_piece_count(7)
        scales = list(zip(config.squares.empty, config.squares.piece, strict=True))
        self.bus = HallBus(Random(seed), CONVERTERS[converter].bits, scales)
        self.bus.connect(self.schedule, self.layout)
        self.facts, self.faults = [], []
        self.factory, pins = MockFactory(), default_pins()
        backend = ContactBackend(self.factory, pins, lambda _port: self.bus, self.bus.repeat)
        self.pins = MockPins(self.factory, pins)
        self.contacts = open_contacts(
            config, backend, lambda: self.schedule.now, self.facts.append, self.faults.append
        )
        self.pins.refresh()

    def put(self, name, square=B4, *, turned=False):
        place, _ = self.layout.find(name)
        (piece,) = self.layout.lift("hand", place, name=name)
        piece.turned = turned
        self.layout.put("hand", Place(square))
        self.bus.edge(square, True)

    def lift(self, square=B4):
        self.layout.lift("hand", Place(square))
        self.layout.put("hand", Place())
        if not self.layout.board[square]:
            self.bus.edge(square, False)

    def wait(self, ms):
        self.facts.clear()
        self.schedule.advance(self.schedule.now + ms)
        return list(self.facts)


@pytest.fixture
def table():
    table = Table()
    yield table
    table.contacts.close()


def test_the_command_byte_selects_the_input_as_in_the_kernels_driver():
    for channel in range(8):
        # ads7828_cmd_byte() with ADS7828_CMD_SD_SE and ADS7828_CMD_PD1.
        assert command(channel) == 0x80 | 0x04 | ((channel >> 1) | (channel & 1) << 2) << 4


@pytest.mark.parametrize("converter", PIECES)
@pytest.mark.parametrize("seed", mostly_slow(range(2), 1))
def test_each_square_makes_an_edge_within_60_ms_and_tells_the_pole_at_rest(converter, seed):
    table = Table(seed, converter)
    for square in ALL_SQUARES:
        began = table.schedule.now
        table.put(name := "L1" if square % 2 else "D1", square)
        edge, *fields = table.wait(500)
        assert edge == Edge(edge.t, square, True)
        assert edge.t - began < 60
        assert [type(each) for each in fields] == [Field, Field]
        assert fields[0].t - began <= 100
        assert fields[1].error < fields[0].error
        side = Side.of_letter(name[0])
        assert {each.pole for each in fields} <= {side, None}
        assert {each.strength > 0 for each in fields} == {side is Side.LIGHT}
        table.lift(square)
        began = table.schedule.now
        (edge,) = table.wait(500)
        assert edge == Edge(edge.t, square, False)
        assert edge.t - began < 60
    assert not table.faults


def test_a_turned_piece_shows_the_other_pole(table):
    table.put("L1", turned=True)
    *_, field = table.wait(500)
    assert field.pole is Side.DARK


def test_a_piece_that_joins_a_pile_is_a_reading_without_an_edge(table):
    table.put("L1")
    *_, alone = table.wait(1000)
    table.put("L2")
    facts = table.wait(1000)
    assert {type(fact) for fact in facts} == {Field}
    assert facts[-1].strength > alone.strength + alone.error + facts[-1].error


def test_pieces_that_stand_still_make_no_further_facts(table):
    for number, square in enumerate(range(0, 14, 2), 1):
        table.put(f"L{number}", square)
    table.wait(1000)
    assert table.wait(10_000) == []


@pytest.mark.parametrize("converter", PIECES)
def test_fifty_scans_a_second_leave_the_bus_free(converter):
    table = Table(converter=converter)
    before = table.bus.bits_on_wire
    table.wait(2000)
    a_second = (table.bus.bits_on_wire - before) / 2
    # As calculated in wiring/hall.py from the bytes: 20 squares 50 times a second.
    assert a_second == {"ads7828": 48_000, "ads7830": 39_000}[converter]
    assert a_second < 0.4 * 400_000


@pytest.mark.parametrize("seed", mostly_slow(range(2), 1))
def test_sensors_that_warm_up_make_no_edges_and_a_piece_is_found_on_a_warm_board(seed):
    table = Table(seed)
    table.wait(1000)
    for half in range(1, 21):
        table.bus.warmer_k = half / 2
        assert table.wait(5000) == []
    table.put("D3")
    edge, *_, field = table.wait(500)
    assert edge.on
    assert field.pole in {Side.DARK, None}
    table.lift()
    assert [fact.on for fact in table.wait(500)] == [False]


def test_pieces_at_the_start_are_read_without_edges_and_show_their_poles():
    table = Table()
    table.put("D1")
    table.contacts.close()
    table.facts.clear()
    backend = ContactBackend(
        MockFactory(), default_pins(), lambda _port: table.bus, table.bus.repeat
    )
    contacts = open_contacts(
        config_of(), backend, lambda: table.schedule.now, table.facts.append, table.faults.append
    )
    assert contacts.read().squares == 1 << B4
    assert [type(fact) for fact in table.wait(1000)] == [Field, Field]
    contacts.close()


def test_buttons_stay_contacts_and_the_pins_of_the_squares_are_free(table):
    table.pins.button(Side.DARK, True)
    table.schedule.advance(table.schedule.now + 100)
    table.pins.button(Side.DARK, False)
    table.schedule.advance(table.schedule.now + 200)
    table.contacts.read()
    assert set(table.contacts.levels()) == {*SQUARE_NAMES, "light button", "dark button"}
    assert set(header_wires(config_of(), default_pins())) == {"light button", "dark button"}


def test_a_converter_without_power_is_reported_and_its_squares_keep_their_levels(table):
    table.put("L1")
    table.wait(500)
    table.bus.missing.add(ADDRESSES[0])
    assert table.wait(2000) == []
    (fault,) = table.faults
    assert "ADS7828 at 0x48 does not respond" in str(fault)
    assert table.contacts.levels()["B4"]
    table.put("D1", 0)
    assert Edge in map(type, table.wait(500))
    table.bus.missing.clear()
    table.lift()
    edges = [fact for fact in table.wait(RETRY_MS + 500) if isinstance(fact, Edge)]
    assert edges == [Edge(edges[0].t, B4, False)]
    assert table.faults[1:] == [None]


def test_a_stuck_bus_is_reported_and_its_end(table):
    table.bus.stuck = True
    table.wait(500)
    assert len(table.faults) == len(ADDRESSES)
    before = table.bus.bits_on_wire
    table.wait(RETRY_MS // 2)
    # A kernel waits up to a second for each transfer.
    assert table.bus.bits_on_wire == before
    table.bus.stuck = False
    table.wait(RETRY_MS + 500)
    assert table.faults[-1] is None


@pytest.mark.parametrize("reading", [0, 4095])
def test_a_sensor_at_an_end_of_the_supply_is_named_and_the_others_go_on(table, caplog, reading):
    table.put("L1")
    table.wait(500)
    table.bus.forced[B4] = reading
    with caplog.at_level(logging.WARNING):
        assert table.wait(DEAD_MS + 500) == []
    assert f"The Hall sensor of B4 reads {reading} of 4095" in caplog.text
    assert not table.faults
    table.put("D1", 0)
    assert table.wait(500)
    del table.bus.forced[B4]
    with caplog.at_level(logging.WARNING):
        table.wait(500)
    assert "of B4 works again" in caplog.text


def test_a_reading_at_an_end_of_the_supply_for_a_moment_is_not_reported(table, caplog):
    table.bus.forced[B4] = 0
    with caplog.at_level(logging.WARNING):
        table.wait(DEAD_MS // 2)
        del table.bus.forced[B4]
        table.wait(DEAD_MS)
        table.bus.forced[B4] = 0
        table.wait(DEAD_MS // 2)
    assert not caplog.text


def test_sensors_that_have_all_lost_their_power_are_reported_as_their_converter(table):
    table.bus.forced = dict.fromkeys(default_pins().converters.of_chip(0), 0)
    table.wait(DEAD_MS + 500)
    (fault,) = table.faults
    assert "0x48" in str(fault)
    assert "none of its sensors has power" in str(fault)
    table.bus.forced.clear()
    table.wait(RETRY_MS + 500)
    assert table.faults[-1] is None


def test_hall_sensors_without_a_calibration_are_an_error():
    config = Config(gpio=GpioSection(factory="mock"), squares=SquaresSection(sensor="hall"))
    backend = ContactBackend(MockFactory(), default_pins())
    with pytest.raises(UrpiError, match=r"squares.empty: it is not set; .* doctor --squares"):
        open_contacts(config, backend, int, print, print)


@pytest.mark.parametrize("wiring", ["header", "expander"])
def test_the_wiring_list_has_the_converters_in_place_of_the_squares(wiring):
    config = Config(
        gpio=GpioSection(wiring=wiring, pins={"B4": 14} if wiring == "header" else {}),
        expander=ExpanderSection(),
        squares=SquaresSection(sensor="hall"),
    )
    assert not [fault for fault in faults(config, default_pins()) if fault.wrong]
    wires = {wire.name: wire for wire in wires_of(config, default_pins())}
    assert not set(SQUARE_NAMES) & set(wires)
    assert wires["B4 sensor OUT"].to.startswith("CH3 of ADS7828 1")
    assert (wires["A0 of ADS7828 2"].to, wires["A1 of ADS7828 2"].to) == ("3.3 V", "ground")
    assert "light button" in wires


@given(
    st.lists(st.integers(0, 4095), max_size=200),
    st.integers(1, 4095),
    st.integers(-4095, 4095).filter(bool),
)
def test_any_readings_alternate_edges_and_keep_strengths_in_their_range(readings, empty, piece):
    square = HallSquare(3, Scale(empty, piece), 4096)
    facts = [fact for n, each in enumerate(readings) for fact in square.read(n * SCAN_MS, each)]
    edges = [fact.on for fact in facts if isinstance(fact, Edge)]
    assert edges == [number % 2 == 0 for number in range(len(edges))]
    assert all(abs(fact.strength) <= 9999 for fact in facts if isinstance(fact, Field))
    assert not any(isinstance(fact, Button) for fact in facts)


class Standing:
    """A square's sensor on which a piece stands while its zero drifts, scan by scan."""

    def __init__(self, seed, converter, piece, noise=1.0):
        self.noise = noise * NOISE
        self.rng, self.full = Random(seed), CONVERTERS[converter].full
        self.empty, self.piece, self.t = self.full // 2, piece, 0
        self.square = HallSquare(B4, Scale(self.empty, piece), self.full)

    def read(self, strength, drift, ms):
        """Return the facts of some time with a field, and a share of the supply as drift."""
        facts = []
        for _ in range(0, ms, SCAN_MS):
            self.t += SCAN_MS
            exact = self.empty + drift * self.full + self.piece * strength / 1000
            reading = exact + self.rng.uniform(-self.noise, self.noise) * self.full
            facts += self.square.read(self.t, round(reading))
        return facts


@pytest.mark.parametrize(
    ("converter", "piece"), mostly_slow([("ads7828", 470), ("ads7828", -558), ("ads7830", 35)], 2)
)
@settings(max_examples=8, deadline=None)
@given(
    seed=st.integers(0, 999),
    strength=st.integers(250, 1600),
    sign=st.sampled_from([-1, 1]),
    warmer=st.sampled_from([-1.0, -0.6, 0.9, 1.0]),
    noise=st.sampled_from([0.1, 1.0]),
    minutes=st.integers(4, 20),
    around=st.integers(-19, 19),
)
def test_a_piece_that_stood_while_the_board_warmed_up_leaves_an_empty_square(
    converter, piece, seed, strength, sign, warmer, noise, minutes, around
):
    table = Standing(seed, converter, piece, noise)
    table.read(0, 0, 1000)
    assert table.read(sign * strength, 0, 2000)[0].on
    steps = 6 * minutes
    for step in range(steps):
        facts = table.read(sign * strength, warmer * DRIFT * (step + 1) / steps, 10_000)
        assert not any(isinstance(each, Edge) for each in facts)
    # What pieces on all eight squares around add.
    facts = table.read(around, warmer * DRIFT, 1000)
    assert [each.on for each in facts if isinstance(each, Edge)] == [False]


@pytest.mark.parametrize("step", [-10, 10])
def test_a_piece_that_creeps_aside_for_long_leaves_an_empty_square(step):
    table = Standing(1, "ads7828", 470)
    for number in range(60):
        table.read(900 + step * number, 0, 20_000 if number else 1000)
    assert not table.read(0, 0, 1000)[0].on
