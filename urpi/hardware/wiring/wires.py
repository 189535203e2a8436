"""Every wire of a configured board, with both ends. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from urpi.config import Config
from urpi.hardware.configured import BUZZER, configured_pins, header_wires
from urpi.hardware.expander_map import CHIP_NAMES, ExpanderMap, pin_text
from urpi.hardware.header import (
    GROUND_PINS,
    HEADER_PINS,
    POWER_3V3_PINS,
    SCL_GPIO,
    SDA_GPIO,
)
from urpi.hardware.pins import PinMap

FEET_OF_A: Final = 21
"""Pin of GPA0 on the MCP23017's 28-pin DIP; GPA1 is the next one (DS20001952D, table 2-1).

A pin of a chip is called a foot here, and *pin* is a pin of the Pi's header.
"""
FEET_OF_B: Final = 1
VDD_FOOT: Final = 9
VSS_FOOT: Final = 10
SCL_FOOT: Final = 12
SDA_FOOT: Final = 13
ADDRESS_FEET: Final = (15, 16, 17)
"""A0, A1, A2."""
RESET_FOOT: Final = 18
INTA_FOOT: Final = 20

GROUND: Final = "ground"
SUPPLY: Final = "3.3 V"


@dataclass(frozen=True, slots=True)
class Wire:
    """A wire.

    Attributes:
        name: the contact or signal.
        gpio: GPIO number, None if the wire does not go to a GPIO of the Pi.
        pin: pin of the Pi's header, from 1; None if the wire does not go there.
        chip: expander, 0 or 1; None if the wire does not go to an expander.
        foot: pin of the expander's 28-pin DIP, from 1; None without an expander.
        chip_pin: the expander's pin as in wiring/pins.toml, such as `0.A4`; else empty.
        to: the other end.
    """

    name: str
    gpio: int | None = None
    pin: int | None = None
    chip: int | None = None
    foot: int | None = None
    chip_pin: str = ""
    to: str = GROUND


def wires_of(config: Config, pins: PinMap) -> tuple[Wire, ...]:
    """Return every wire, contacts first.

    Args:
        config: the configuration.
        pins: the pin map without the changes of the configuration.

    Raises:
        UrpiError: if the wiring is impossible.
    """
    wired = configured_pins(config, pins)
    contacts = header_wires(config, pins)
    ends = {BUZZER: "the buzzer, its other lead to ground"}
    found = list(_contacts_of_chips(wired.expander)) if config.gpio.wiring == "expander" else []
    for name, gpio in contacts.items():
        # The interrupts are listed with their chips.
        if not name.startswith("INTA"):
            found.append(_header_wire(name, gpio, ends.get(name, GROUND)))
    if config.oled.driver != "none":
        found += _oled()
    if config.gpio.wiring == "expander" and wired.expander is not None:
        found += _chips(wired.expander, interrupts=config.expander.interrupts)
    return tuple(found)


def foot_of(bit: int) -> int:
    """Return the pin of the 28-pin DIP for an input; bit 0 is GPA0, bit 8 is GPB0.

    >>> foot_of(0), foot_of(14)
    (21, 7)
    """
    return FEET_OF_A + bit if bit < 8 else FEET_OF_B + bit - 8


def _header_wire(name: str, gpio: int, to: str = GROUND) -> Wire:
    return Wire(name, gpio, HEADER_PINS[gpio], to=to)


def _contacts_of_chips(expander: ExpanderMap | None) -> Iterator[Wire]:
    assert expander is not None
    for name, (chip, bit) in expander.inputs.items():
        yield Wire(name, chip=chip, foot=foot_of(bit), chip_pin=pin_text(chip, bit))


def _oled() -> Iterator[Wire]:
    yield Wire("OLED VCC", pin=POWER_3V3_PINS[0], to="the OLED's VCC")
    yield Wire("OLED GND", pin=GROUND_PINS[0], to="the OLED's GND")
    yield _header_wire("OLED SDA", SDA_GPIO, "the OLED's SDA")
    yield _header_wire("OLED SCL", SCL_GPIO, "the OLED's SCL")


def _chips(expander: ExpanderMap, *, interrupts: bool) -> Iterator[Wire]:
    for chip, address in enumerate(expander.addresses):
        for name, foot, to in (
            ("VDD", VDD_FOOT, f"{SUPPLY}, 100 nF to ground"),
            ("RESET", RESET_FOOT, SUPPLY),
            ("VSS", VSS_FOOT, GROUND),
        ):
            yield Wire(f"{name} of {CHIP_NAMES[chip]}", chip=chip, foot=foot, to=to)
        for name, foot, gpio in (("SDA", SDA_FOOT, SDA_GPIO), ("SCL", SCL_FOOT, SCL_GPIO)):
            yield _to_header(f"{name} of {CHIP_NAMES[chip]}", gpio, chip, foot)
        for bit, foot in enumerate(ADDRESS_FEET):
            to = SUPPLY if address >> bit & 1 else GROUND
            yield Wire(f"A{bit} of {CHIP_NAMES[chip]}", chip=chip, foot=foot, to=to)
        if interrupts:
            gpio = expander.interrupts[chip]
            yield _to_header(f"INTA of {CHIP_NAMES[chip]}", gpio, chip, INTA_FOOT)


def _to_header(name: str, gpio: int, chip: int, foot: int) -> Wire:
    return Wire(name, gpio, HEADER_PINS[gpio], chip, foot, to=f"GPIO {gpio}")
