"""The chip's model against the words of its data sheet, register by register."""

import pytest

from urpi.devices.mcp23017 import GPINTEN, GPIO, GPPU, INTCAP, INTF, IOCON, IODIR, IPOL, OLAT
from urpi.simulation.expander_bus import ChipModel, ExpanderBus


class Wire:
    def __init__(self):
        self.told = []
        self.chip = ChipModel(self.told.append)
        for register, value in ((GPPU, 0x7F), (GPINTEN, 0x7F)):
            for port in range(2):
                self.chip.write(register + port, value)
        for port in range(2):
            self.chip.read(GPIO + port)
        self.told.clear()


@pytest.fixture
def wire():
    return Wire()


def test_a_chip_begins_with_inputs_and_nothing_else():
    chip = ChipModel(lambda _told: None)
    assert [chip.read(register) for register in range(OLAT + 2)] == [0xFF, 0xFF] + [0] * 20


def test_a_closed_contact_pulls_its_pin_low(wire):
    wire.chip.contact(3, closed=True)
    wire.chip.contact(13, closed=True)
    assert (wire.chip.read(GPIO), wire.chip.read(GPIO + 1)) == (0x77, 0x5F)


def test_polarity_turns_what_is_read(wire):
    wire.chip.write(IPOL, 0xFF)
    assert wire.chip.read(GPIO) == 0x80


def test_an_output_is_as_it_was_set(wire):
    wire.chip.write(IODIR, 0x7F)
    wire.chip.write(GPIO, 0x80)
    assert wire.chip.read(OLAT) == 0x80
    assert wire.chip.read(GPIO) == 0xFF


def test_the_first_change_is_kept_until_it_is_read(wire):
    wire.chip.contact(0, closed=True)
    wire.chip.contact(0, closed=False)
    wire.chip.contact(1, closed=True)
    assert wire.chip.read(INTF) == 1
    assert wire.chip.read(INTCAP) == 0x7E
    assert wire.told == [True, False]


@pytest.mark.parametrize("register", [INTCAP, GPIO])
def test_reading_ends_the_interrupt_and_what_is_now_is_the_new_rest(wire, register):
    wire.chip.contact(0, closed=True)
    wire.chip.read(register)
    assert wire.told == [True, False]
    wire.chip.contact(0, closed=False)
    assert wire.told == [True, False, True]


def test_one_port_s_reading_leaves_the_other_s_interrupt(wire):
    wire.chip.contact(0, closed=True)
    wire.chip.contact(8, closed=True)
    wire.chip.read(INTCAP)
    assert wire.told == [True]
    wire.chip.read(INTCAP + 1)
    assert wire.told == [True, False]


def test_what_is_not_enabled_tells_nothing(wire):
    wire.chip.write(GPINTEN, 0)
    wire.chip.contact(0, closed=True)
    assert wire.told == []


def test_banks_put_the_registers_elsewhere(wire):
    wire.chip.write(IOCON, 0x80)
    assert wire.chip.read(0x06) == 0x7F
    wire.chip.write(0x05, 0)
    assert wire.chip.read(GPPU) == 0x7F


def test_a_chip_without_power_does_not_answer_and_forgets(wire):
    wire.chip.unplug()
    with pytest.raises(OSError, match="Remote I/O"):
        wire.chip.read(GPIO)
    wire.chip.plug()
    assert wire.chip.read(GPPU) == 0


def test_nobody_answers_at_another_address(wire):
    bus = ExpanderBus({0x20: wire.chip})
    assert bus.read_i2c_block_data(0x20, GPPU, 2) == [0x7F, 0x7F]
    with pytest.raises(OSError, match="Remote I/O"):
        bus.write_i2c_block_data(0x21, GPPU, [0])
    assert bus.transfers == 2
