"""Wiring and dice as configured, and what is wrong with pin map, expanders and outputs.

No GPIO library is imported.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from urpi.config import Config, DiceSection, HubSection
from urpi.core.errors import UrpiError
from urpi.hardware.die_faces import DieFaces
from urpi.hardware.expander_map import CHIP_NAMES, ExpanderMap
from urpi.hardware.header import OtherUse
from urpi.hardware.outputs.output import OutputPin
from urpi.hardware.outputs.registry import output_pins, places_on_i2c
from urpi.hardware.pins import (
    PinMap,
    Scale,
    WiringFault,
    changed_pins,
    free_gpios,
    gpio_clashes,
    moved_pins,
)
from urpi.rules import SQUARE_NAMES, TIP_LETTERS

if TYPE_CHECKING:
    from urpi.hardware.advertised_dice import AdvertisedDie
    from urpi.hardware.bluetooth_link import PairedDie


def configured_pins(config: Config, pins: PinMap) -> PinMap:
    """Return the pin map with the configuration's changes applied.

    Raises:
        UrpiError: If two wires share a pin, or two chips an address.
    """
    pins = contact_pins(config, pins)
    if config.gpio.wiring == "header":
        return changed_pins(pins, moves(config), chutes=config.gpio.chutes)
    return replace(pins, expander=expander_of(config, pins))


def contact_pins(config: Config, pins: PinMap) -> PinMap:
    """Return the pin map without the squares, if Hall sensors take the place of their contacts."""
    if config.squares.sensor == "reed":
        return pins
    expander = pins.expander
    if expander is not None:
        inputs = {name: at for name, at in expander.inputs.items() if name not in SQUARE_NAMES}
        expander = replace(expander, inputs=inputs)
    return replace(pins, squares=(), expander=expander)


def moves(config: Config) -> dict[str, int]:
    """Return the configured changes of the header's pins for the contacts that there are."""
    reed = config.squares.sensor == "reed"
    changes = config.gpio.pins.items()
    return {name: gpio for name, gpio in changes if reed or name not in SQUARE_NAMES}


def hall_scales(config: Config) -> tuple[Scale, ...]:
    """Return the calibration of the Hall sensors.

    Raises:
        UrpiError: If they are not calibrated.
    """
    found = config.squares
    if len(found.empty) != len(found.piece) or not found.empty:
        lacking = "empty" if not found.empty else "piece"
        message = (
            f"squares.{lacking}: it is not set; Hall sensors need their calibration; "
            "run `urpi doctor --squares`, which writes it."
        )
        raise UrpiError(message)
    return tuple(map(Scale, found.empty, found.piece))


def expander_of(config: Config, pins: PinMap) -> ExpanderMap:
    """Return the pin map's expanders with the configuration's changes applied.

    The finish chutes' inputs are included if the configuration has chutes.

    Raises:
        UrpiError: If the pin map has no expanders, or two chips on the bus share an address.
    """
    for fault in expander_faults(config, pins):
        raise UrpiError(fault.sentence)
    assert pins.expander is not None
    return _configured_expander(config, pins.expander)


def expander_faults(config: Config, pins: PinMap) -> Iterator[WiringFault]:
    """Yield the reasons why the expanders cannot be opened."""
    if pins.expander is None:
        yield WiringFault(
            "gpio.wiring",
            "the pin map has no [expander]",
            "contacts on expanders need that TOML table, which lists their pins",
            'set "header", or add it to wiring/pins.toml',
        )
        return
    found = _configured_expander(config, pins.expander)
    first, second = found.addresses
    if first == second:
        yield WiringFault(
            "expander.second",
            f"both expanders are at 0x{first:02X}",
            "each needs an address of its own, from 0x20 to 0x27",
            "wire A0 of the second to 3.3 V and set its address, usually 0x21",
        )
    for output, (port, address) in places_on_i2c(config).items():
        if port == found.port and address in found.addresses:
            own = " or ".join(f"0x{each:02X}" for each in output.i2c_addresses)
            yield WiringFault(
                f"{output.name}.i2c_address",
                f"the {output.title} is at 0x{address:02X}, and so is an expander of the same bus",
                f"the {output.title} is at {own}, an expander from 0x20 to 0x27",
                f"set the address at which `urpi doctor` finds the {output.title}",
            )


def _cure(config: Config) -> str:
    """Return the cure for a clash on a pin that a function of the header fixes."""
    if config.gpio.wiring == "header":
        return ON_EXPANDERS
    return "use a display on I2C: only one output can be on SPI"


ON_EXPANDERS: Final = 'set gpio.wiring to "expander", which leaves the pin free'
"""The cure for a pin that a function of the header fixes."""


def usable_gpio(pin: OutputPin, config: Config, pins: PinMap) -> int:
    """Return the GPIO of an output's pin.

    Raises:
        UrpiError: If none is configured, or another wire uses it.
    """
    for fault in pin_clashes(pin, config, pins):
        raise UrpiError(fault.sentence)
    assert pin.gpio is not None
    return pin.gpio


def pin_clashes(pin: OutputPin, config: Config, pins: PinMap) -> Iterator[WiringFault]:
    """Yield the reasons why an output's pin cannot be used. The board works without it."""
    wire, allowed = pin.wire, f"{pin.wire} needs a GPIO from 4 to 27 that no other wire has"
    others = {name: gpio for name, gpio in header_wires(config, pins).items() if name != wire}
    if pin.gpio is None:
        cure = f"give {wire} {free_gpios(others.values())}"
        yield WiringFault(pin.key, f"{wire} has no pin", allowed, cure, wrong=False)
        return
    for fault in gpio_clashes(pin.key, {**others, wire: pin.gpio}):
        if fault.found.startswith(f"{wire} is on"):
            cure = fault.cure if pin.function is None else _cure(config)
            yield replace(fault, allowed=allowed, cure=cure, wrong=False)


def header_wires(config: Config, pins: PinMap) -> dict[str, int]:
    """Return the GPIO of every wire by its name: contacts or interrupts, and outputs.

    Args:
        config: The configuration, whose changes to the pin map are applied.
        pins: The pin map without those changes.
    """
    if config.gpio.wiring == "header":
        header = moved_pins(contact_pins(config, pins), moves(config))
        wires = header.contacts(chutes=config.gpio.chutes)
    elif config.expander.interrupts and pins.expander is not None:
        interrupts = zip(CHIP_NAMES, pins.expander.interrupts, strict=True)
        wires = {f"INTA of {chip}": gpio for chip, gpio in interrupts}
    else:
        wires = {}
    outputs = output_pins(config, pins)
    return {**wires, **{pin.wire: pin.gpio for pin in outputs if pin.gpio is not None}}


def wires_on(use: OtherUse, config: Config, pins: PinMap) -> dict[str, int]:
    """Return the GPIOs of the wires that a function of the header would disturb, by their names."""
    by_function = {pin.wire for pin in output_pins(config, pins) if pin.function == use}
    wires = header_wires(config, pins).items()
    return {name: gpio for name, gpio in wires if gpio in use.gpios and name not in by_function}


def _configured_expander(config: Config, usual: ExpanderMap) -> ExpanderMap:
    own = config.expander
    inputs = {
        name: place
        for name, place in usual.inputs.items()
        if config.gpio.chutes or not name.endswith("chute")
    }
    return replace(
        usual,
        port=usual.port if own.i2c_port is None else own.i2c_port,
        addresses=(own.first or usual.addresses[0], own.second or usual.addresses[1]),
        inputs=inputs,
    )


def paired_dice(settings: DiceSection) -> "tuple[PairedDie, ...]":
    """Return the paired dice that are connected."""
    # The wiring list has no dice.
    from urpi.hardware.bluetooth_link import PairedDie  # noqa: PLC0415

    return tuple(
        PairedDie(
            number,
            "godice" if die["brand"] == "godice" else "pixels",
            str(die["address"]),
            int(die["faces"]),
        )
        for number, die in sorted(settings.paired.items())
        if die["brand"] != "urpi"
    )


def advertised_dice(settings: DiceSection) -> "tuple[AdvertisedDie, ...]":
    """Return the paired dice that advertise their reports."""
    from urpi.hardware.advertised_dice import AdvertisedDie  # noqa: PLC0415 - as above

    return tuple(
        AdvertisedDie(
            number, str(die["address"]), int(die["faces"]), bytes.fromhex(str(die["key"]))
        )
        for number, die in sorted(settings.paired.items())
        if die["brand"] == "urpi"
    )


def configured_faces(hub: HubSection) -> DieFaces:
    """Return what the faces of the configured dice show."""
    own = {die: _letters(tips) for die, tips in hub.faces.own.items()}
    return DieFaces(_letters(hub.faces.d4), own)


def _letters(tips: tuple[str, ...]) -> str:
    return "".join(TIP_LETTERS[tip] for tip in tips)
