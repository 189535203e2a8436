"""Every wire of a configured board, from end to end. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from urpi.config import Config
from urpi.devices.contacts import BUZZER, configured_pins, header_wires
from urpi.devices.expander_map import CHIP_NAMES, ExpanderMap, pin_text
from urpi.devices.header import (
    GROUND_PINS,
    HEADER_PINS,
    POWER_3V3_PINS,
    SCL_GPIO,
    SDA_GPIO,
)
from urpi.devices.pins import PinMap

FEET_OF_A: Final = 21
"""GPA0's pin of the MCP23017 in its 28-pin DIP; GPA1 is the next (DS20001952D, table 2-1)."""
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
    """One wire: what it is called, the end that has a number, and where it goes.

    `gpio` and `pin` are of the Pi's header, None where it does not go there. `chip` is the
    expander's, 0 or 1, and `foot` the pin of its 28-pin DIP, both None on the header.
    `chip_pin` is how wiring/pins.toml writes it, empty where it does not.
    """

    name: str
    gpio: int | None = None
    pin: int | None = None
    chip: int | None = None
    foot: int | None = None
    chip_pin: str = ""
    to: str = GROUND


def wires_of(config: Config, pins: PinMap) -> tuple[Wire, ...]:
    """Every wire, contacts first. `pins` are the pin map's own.

    Raises:
        UrpiError: when it cannot be wired so.
    """
    wired = configured_pins(config, pins)
    contacts = header_wires(config, pins)
    ends = {BUZZER: "the buzzer, its other leg to ground"}
    found = list(_contacts_of_chips(wired.expander)) if config.gpio.wiring == "expander" else []
    for name, gpio in contacts.items():
        if not name.startswith("INTA"):
            found.append(_header_wire(name, gpio, ends.get(name, GROUND)))
    if config.oled.driver != "none":
        found += _oled()
    if config.gpio.wiring == "expander" and wired.expander is not None:
        found += _chips(wired.expander, interrupts=config.expander.interrupts)
    return tuple(found)


def foot_of(bit: int) -> int:
    """The pin of the 28-pin DIP; bit 0 is GPA0, bit 8 GPB0.

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
