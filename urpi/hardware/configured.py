"""Wiring and dice as configured, and what is wrong with pin map, expanders and buzzer.

No GPIO library is imported.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from urpi.config import Config, DiceSection, HubSection
from urpi.core.errors import UrpiError
from urpi.hardware.bluetooth_link import PairedDie
from urpi.hardware.die_faces import DieFaces
from urpi.hardware.expander_map import CHIP_NAMES, ExpanderMap
from urpi.hardware.pins import (
    PinMap,
    WiringFault,
    changed_pins,
    free_gpios,
    gpio_clashes,
    moved_pins,
)
from urpi.rules import TIP_LETTERS

BUZZER: Final = "the buzzer"
"""The buzzer's name among the wires of `header_wires`."""


def configured_pins(config: Config, pins: PinMap) -> PinMap:
    """Return the pin map with the configuration's changes applied.

    Raises:
        UrpiError: If two wires share a pin, or two chips an address.
    """
    if config.gpio.wiring == "header":
        return changed_pins(pins, config.gpio.pins, chutes=config.gpio.chutes)
    return replace(pins, expander=expander_of(config, pins))


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
            "contacts on expanders need the table that lists their pins",
            'set "header", or add the table to wiring/pins.toml',
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
    oled = config.oled
    shared = oled.driver != "none" and oled.i2c_port == found.port
    if shared and oled.i2c_address in found.addresses:
        yield WiringFault(
            "oled.i2c_address",
            f"the OLED is at 0x{oled.i2c_address:02X}, and so is an expander of the same bus",
            "a display is at 0x3C or 0x3D, an expander from 0x20 to 0x27",
            "set the address at which `urpi doctor` finds the display",
        )


def buzzer_pin(config: Config, pins: PinMap) -> int:
    """Return the buzzer's GPIO.

    Raises:
        UrpiError: If none is configured, or another wire uses it.
    """
    pin = _configured_buzzer(config, pins)
    for fault in buzzer_clashes(config, pins):
        raise UrpiError(fault.sentence)
    assert pin is not None
    return pin


def buzzer_clashes(config: Config, pins: PinMap) -> Iterator[WiringFault]:
    """Yield the reasons why the buzzer cannot be used. The board works without it."""
    key, pin = "sound.buzzer_pin", _configured_buzzer(config, pins)
    allowed = "a buzzer needs a GPIO from 4 to 27 that no other wire has"
    others = {wire: gpio for wire, gpio in header_wires(config, pins).items() if wire != BUZZER}
    if pin is None:
        cure = f"give the buzzer {free_gpios(others.values())}"
        yield WiringFault(key, "the buzzer has no pin", allowed, cure, wrong=False)
        return
    for fault in gpio_clashes(key, {**others, BUZZER: pin}):
        if fault.found.startswith(BUZZER):
            yield replace(fault, allowed=allowed, wrong=False)


def header_wires(config: Config, pins: PinMap) -> dict[str, int]:
    """Return the GPIO of every wire by its name: contacts or interrupts, and a buzzer.

    Args:
        config: The configuration, whose changes to the pin map are applied.
        pins: The pin map without those changes.
    """
    if config.gpio.wiring == "header":
        wires = moved_pins(pins, config.gpio.pins).contacts(chutes=config.gpio.chutes)
    elif config.expander.interrupts and pins.expander is not None:
        interrupts = zip(CHIP_NAMES, pins.expander.interrupts, strict=True)
        wires = {f"INTA of {chip}": gpio for chip, gpio in interrupts}
    else:
        wires = {}
    buzzer = _configured_buzzer(config, pins) if has_buzzer(config) else None
    return wires if buzzer is None else {**wires, BUZZER: buzzer}


def has_buzzer(config: Config) -> bool:
    """Return whether the board has a buzzer: it is switched on, or at least has a pin."""
    return config.sound.buzzer or config.sound.buzzer_pin is not None


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


def _configured_buzzer(config: Config, pins: PinMap) -> int | None:
    pin = config.sound.buzzer_pin
    if pin is None and config.gpio.wiring == "expander" and pins.expander is not None:
        return pins.expander.buzzer
    return pin


def paired_dice(settings: DiceSection) -> tuple[PairedDie, ...]:
    """Return the paired dice, by number."""
    return tuple(
        PairedDie(
            number,
            "godice" if die["brand"] == "godice" else "pixels",
            str(die["address"]),
            int(die["faces"]),
        )
        for number, die in sorted(settings.paired.items())
    )


def configured_faces(hub: HubSection) -> DieFaces:
    """Return what the faces of the configured dice show."""
    own = {die: _letters(tips) for die, tips in hub.faces.own.items()}
    return DieFaces(_letters(hub.faces.d4), own)


def _letters(tips: tuple[str, ...]) -> str:
    return "".join(TIP_LETTERS[tip] for tip in tips)
