"""The model of the chip compared with its data sheet, register by register."""

import pytest

from tests.hardware.expander_bus import ChipModel, ExpanderBus
from urpi.hardware.mcp23017 import GPINTEN, GPIO, GPPU, INTCAP, INTF, IOCON, IODIR, IPOL, OLAT


class Wire:
    def __init__(self):
        self.interrupts = []
        self.chip = ChipModel(self.interrupts.append)
        for register, value in ((GPPU, 0x7F), (GPINTEN, 0x7F)):
            for port in range(2):
                self.chip.write(register + port, value)
        for port in range(2):
            self.chip.read(GPIO + port)
        self.interrupts.clear()


@pytest.fixture
def wire():
    return Wire()


def test_all_pins_are_inputs_after_a_reset():
    chip = ChipModel(lambda _active: None)
    assert [chip.read(register) for register in range(OLAT + 2)] == [0xFF, 0xFF] + [0] * 20


def test_a_closed_contact_pulls_its_pin_low(wire):
    wire.chip.contact(3, closed=True)
    wire.chip.contact(13, closed=True)
    assert (wire.chip.read(GPIO), wire.chip.read(GPIO + 1)) == (0x77, 0x5F)


def test_polarity_inverts_the_levels_that_are_read(wire):
    wire.chip.write(IPOL, 0xFF)
    assert wire.chip.read(GPIO) == 0x80


def test_an_output_has_the_level_that_was_written(wire):
    wire.chip.write(IODIR, 0x7F)
    wire.chip.write(GPIO, 0x80)
    assert wire.chip.read(OLAT) == 0x80
    assert wire.chip.read(GPIO) == 0xFF


def test_the_first_change_is_captured_until_it_is_read(wire):
    wire.chip.contact(0, closed=True)
    wire.chip.contact(0, closed=False)
    wire.chip.contact(1, closed=True)
    assert wire.chip.read(INTF) == 1
    assert wire.chip.read(INTCAP) == 0x7E
    assert wire.interrupts == [True, False]


@pytest.mark.parametrize("register", [INTCAP, GPIO])
def test_reading_ends_the_interrupt_and_later_changes_are_compared_with_the_present_levels(
    wire, register
):
    wire.chip.contact(0, closed=True)
    wire.chip.read(register)
    assert wire.interrupts == [True, False]
    wire.chip.contact(0, closed=False)
    assert wire.interrupts == [True, False, True]


def test_reading_one_port_keeps_the_interrupt_of_the_other(wire):
    wire.chip.contact(0, closed=True)
    wire.chip.contact(8, closed=True)
    wire.chip.read(INTCAP)
    assert wire.interrupts == [True]
    wire.chip.read(INTCAP + 1)
    assert wire.interrupts == [True, False]


def test_pins_that_are_not_enabled_do_not_interrupt(wire):
    wire.chip.write(GPINTEN, 0)
    wire.chip.contact(0, closed=True)
    assert wire.interrupts == []


def test_banks_change_the_addresses_of_the_registers(wire):
    wire.chip.write(IOCON, 0x80)
    assert wire.chip.read(0x06) == 0x7F
    wire.chip.write(0x05, 0)
    assert wire.chip.read(GPPU) == 0x7F


def test_a_chip_without_power_does_not_answer_and_loses_its_registers(wire):
    wire.chip.unplug()
    with pytest.raises(OSError, match="Remote I/O"):
        wire.chip.read(GPIO)
    wire.chip.plug()
    assert wire.chip.read(GPPU) == 0


def test_no_chip_answers_at_another_address(wire):
    bus = ExpanderBus({0x20: wire.chip})
    assert bus.read_i2c_block_data(0x20, GPPU, 2) == [0x7F, 0x7F]
    with pytest.raises(OSError, match="Remote I/O"):
        bus.write_i2c_block_data(0x21, GPPU, [0])
    assert bus.transfers == 2
