"""The configured wiring: all its faults, checked against the pin map, and every wire. Pure.

The faults that prevent `urpi serve` from opening a board are found by the modules that open boards
(`urpi.hardware.contacts`, `urpi.hardware.pins`) and collected here, so that both commands agree.
This module adds keys that have no effect and buses that may be a mistake.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from urpi.config import Config
from urpi.hardware.configured import (
    configured_pins,
    contact_pins,
    expander_faults,
    header_wires,
    moves,
    pin_clashes,
    wires_on,
)
from urpi.hardware.converter_map import ConverterMap
from urpi.hardware.expander_map import CHIP_NAMES, ExpanderMap, pin_text
from urpi.hardware.header import (
    GROUND_PINS,
    HEADER_I2C_PORT,
    HEADER_PINS,
    OTHER_USES,
    POWER_3V3_PINS,
    POWER_5V_PINS,
    SCL_GPIO,
    SDA_GPIO,
    OtherUse,
    place,
)
from urpi.hardware.outputs.registry import output_pins, places_on_i2c, used_outputs
from urpi.hardware.pins import PinMap, WiringFault, moved_clashes
from urpi.rules import SQUARE_NAMES

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


def faults(config: Config, pins: PinMap) -> Iterator[WiringFault]:
    """Yield every fault of the wiring. `urpi serve` accepts a wiring if none of them is `wrong`.

    Args:
        config: the configuration.
        pins: the pin map without the changes of the configuration.
    """
    if config.gpio.wiring == "header":
        used = contact_pins(config, pins)
        yield from moved_clashes(used, moves(config), chutes=config.gpio.chutes)
        yield from _unused_expander_keys(config)
    else:
        yield from expander_faults(config, pins)
        yield from _unused_pins(config)
    for pin in output_pins(config, pins):
        yield from pin_clashes(pin, config, pins)
    yield from _other_buses(config)


def shared_pins(config: Config, pins: PinMap) -> dict[OtherUse, dict[str, int]]:
    """Return the header functions that must be disabled, with the wires on their pins.

    The wires are GPIO numbers by name.
    """
    found = {use: wires_on(use, config, pins) for use in OTHER_USES}
    return {use: names for use, names in found.items() if names}


def conflicts(config: Config, pins: PinMap, enabled: Collection[OtherUse]) -> Iterator[WiringFault]:
    """Yield a fault for each enabled function of the header that shares pins with wires."""
    for use, wires in shared_pins(config, pins).items():
        if use in enabled:
            yield WiringFault(
                "gpio.wiring",
                f"{use.what} is enabled and uses the pins of {wire_list(wires)}",
                "a pin can serve only one of them",
                f"disable it with `{use.off}` and restart the Pi",
            )


def wire_list(wires: dict[str, int]) -> str:
    """Return wires and their pins as text.

    >>> wire_list({"A1": 4})
    'A1 on GPIO 4 (pin 7)'
    """
    return ", ".join(f"{name} on {place(gpio)}" for name, gpio in wires.items())


def _unused_expander_keys(config: Config) -> Iterator[WiringFault]:
    for name in ("i2c_port", "first", "second"):
        if getattr(config.expander, name) is not None:
            yield WiringFault(
                f"expander.{name}",
                'it is set, but gpio.wiring is "header", so no expander is used',
                'with "header" the contacts are on the Pi\'s own pins',
                'remove it, or set gpio.wiring to "expander"',
                wrong=False,
            )


def _unused_pins(config: Config) -> Iterator[WiringFault]:
    if config.gpio.pins:
        yield WiringFault(
            "gpio.pins",
            f'it moves {", ".join(config.gpio.pins)}, but gpio.wiring is "expander"',
            "with expanders wiring/pins.toml defines every pin",
            'remove it, or set gpio.wiring to "header"',
            wrong=False,
        )


def _other_buses(config: Config) -> Iterator[WiringFault]:
    places = places_on_i2c(config).items()
    ports: dict[str, int | None] = {f"{one.name}.i2c_port": port for one, (port, _) in places}
    if config.gpio.wiring == "expander":
        ports["expander.i2c_port"] = config.expander.i2c_port
    if config.squares.sensor == "hall":
        ports["squares.i2c_port"] = config.squares.i2c_port
    for key, port in ports.items():
        if port is not None and port != HEADER_I2C_PORT:
            yield WiringFault(
                key,
                f"it is {port}, which is not the bus on the header's pins 3 and 5",
                f"that bus is {HEADER_I2C_PORT}; other buses may use pins of contacts",
                f"set it to {HEADER_I2C_PORT}, or make sure that no wire in `urpi check-wiring "
                f"--table` is on a pin of /dev/i2c-{port}",
                wrong=False,
            )


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
    ends = {pin.wire: pin.to for pin in output_pins(config, pins)}
    found = list(_contacts_of_chips(wired.expander)) if config.gpio.wiring == "expander" else []
    for name, gpio in contacts.items():
        # The interrupts are listed with their chips.
        if not name.startswith("INTA"):
            found.append(_header_wire(name, gpio, ends.get(name, GROUND)))
    on_i2c = places_on_i2c(config)
    for output in used_outputs(config):
        if output in on_i2c:
            found += _on_i2c(output.title)
        elif any(pin.function is not None for pin in output.pins(config, pins)):
            found += _power_of(output.title, POWER_5V_PINS if output.on_5v else POWER_3V3_PINS)
    if config.gpio.wiring == "expander" and wired.expander is not None:
        found += _chips(wired.expander, interrupts=config.expander.interrupts)
    if config.squares.sensor == "hall":
        found += _hall_wires(config.squares.converter.upper(), pins.converters)
    return tuple(found)


def _hall_wires(converter: str, chips: ConverterMap) -> Iterator[Wire]:
    for name, (chip, channel) in zip(SQUARE_NAMES, chips.inputs, strict=True):
        to = f"CH{channel} of {converter} {chip + 1}, 100 kOhm to {GROUND}"
        yield Wire(f"{name} sensor OUT", to=to)
    for number, address in enumerate(chips.addresses, 1):
        chip_name = f"{converter} {number}"
        yield Wire(f"VDD and REF of {chip_name}", pin=POWER_3V3_PINS[0], to=f"{SUPPLY}, 100 nF")
        yield Wire(f"GND and COM of {chip_name}", pin=GROUND_PINS[0])
        for bit in range(2):
            to = SUPPLY if address >> bit & 1 else GROUND
            yield Wire(f"A{bit} of {chip_name}", to=to)
        yield _header_wire(f"SDA of {chip_name}", SDA_GPIO, f"GPIO {SDA_GPIO}")
        yield _header_wire(f"SCL of {chip_name}", SCL_GPIO, f"GPIO {SCL_GPIO}")


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


def _power_of(device: str, supply: tuple[int, ...] = POWER_3V3_PINS) -> Iterator[Wire]:
    yield Wire(f"{device} VCC", pin=supply[0], to=f"the {device}'s VCC")
    yield Wire(f"{device} GND", pin=GROUND_PINS[0], to=f"the {device}'s GND")


def _on_i2c(device: str) -> Iterator[Wire]:
    yield from _power_of(device)
    yield _header_wire(f"{device} SDA", SDA_GPIO, f"the {device}'s SDA")
    yield _header_wire(f"{device} SCL", SCL_GPIO, f"the {device}'s SCL")


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
