"""Opening the contacts and the buzzer as configured."""

from dataclasses import replace

import pytest
from gpiozero.pins.mock import MockFactory

from tests.hardware.expander_bus import ExpanderPins
from urpi.config import Config, ExpanderSection, GpioSection, SoundSection
from urpi.core.errors import UrpiError
from urpi.hardware import (
    ContactBackend,
    ExpanderSwitches,
    Switches,
    default_pins,
    expander_of,
    open_contacts,
)
from urpi.hardware.configured import usable_gpio
from urpi.hardware.outputs.sound import Sound

PINS = default_pins()
ON_EXPANDERS = GpioSection(wiring="expander")


@pytest.mark.parametrize(
    ("gpio", "expander", "kind", "wires"),
    [
        (GpioSection(), ExpanderSection(), Switches, 22),
        (GpioSection(chutes=True), ExpanderSection(), Switches, 24),
        (ON_EXPANDERS, ExpanderSection(), ExpanderSwitches, 2),
        (ON_EXPANDERS, ExpanderSection(interrupts=False), ExpanderSwitches, 0),
    ],
)
def test_contacts_are_opened_as_configured(gpio, expander, kind, wires):
    factory, table = MockFactory(), ExpanderPins(MockFactory(), PINS.expander)
    contacts = open_contacts(
        Config(gpio=gpio, expander=expander),
        ContactBackend(factory, PINS, lambda _port: table.bus),
        lambda: 0,
        print,
        print,
    )
    try:
        assert isinstance(contacts, kind)
        assert len(factory.pins) == wires
        assert {"A1", "C8", "light button"} <= set(contacts.levels())
        assert ("light chute" in contacts.levels()) == gpio.chutes
    finally:
        contacts.close()


def test_configuration_overrides_the_expanders_addresses():
    assert expander_of(Config(gpio=ON_EXPANDERS), PINS).addresses == (0x20, 0x21)
    other = expander_of(Config(expander=ExpanderSection(i2c_port=3, second=0x27)), PINS)
    assert (other.port, other.addresses) == (3, (0x20, 0x27))


@pytest.mark.parametrize(
    ("config", "pins", "message"),
    [
        (Config(expander=ExpanderSection(second=0x20)), PINS, "both expanders are at 0x20"),
        (Config(), replace(PINS, expander=None), "pin map has no .expander."),
    ],
)
def test_invalid_expanders_are_rejected(config, pins, message):
    with pytest.raises(UrpiError, match=message):
        expander_of(config, pins)


def buzzer_gpio(gpio, pin):
    config = Config(gpio=gpio, sound=SoundSection(buzzer=True, buzzer_pin=pin))
    (wire,) = Sound().pins(config, PINS)
    return usable_gpio(wire, config, PINS)


@pytest.mark.parametrize(
    ("gpio", "pin", "found"),
    [(ON_EXPANDERS, None, 18), (ON_EXPANDERS, 12, 12), (GpioSection(), 14, 14)],
)
def test_buzzer_pin_is_configured_or_from_the_pin_map(gpio, pin, found):
    assert buzzer_gpio(gpio, pin) == found


@pytest.mark.parametrize(
    ("gpio", "pin", "message"),
    [
        (GpioSection(), None, "the buzzer has no pin"),
        (GpioSection(), 4, "buzzer is on GPIO 4 \\(pin 7\\), which is already that of A1"),
        (GpioSection(chutes=True), 15, "already that of dark chute"),
        (GpioSection(), 3, "already the OLED's"),
        (ON_EXPANDERS, 27, "already that of INTA"),
    ],
)
def test_buzzer_pin_in_use_is_rejected(gpio, pin, message):
    with pytest.raises(UrpiError, match=message):
        buzzer_gpio(gpio, pin)
