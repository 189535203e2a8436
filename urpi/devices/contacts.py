"""The board's contacts by the configuration: on the header's pins, or on expanders."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from urpi.config import Config
from urpi.devices.expander import ExpanderSwitches, smbus
from urpi.devices.expander_map import CHIP_NAMES, ExpanderMap
from urpi.devices.mcp23017 import I2cBus
from urpi.devices.pins import PinMap, changed_pins, free_gpios, gpio_clashes, moved_pins
from urpi.devices.presses import PressTiming
from urpi.devices.switches import Switches
from urpi.devices.watched_chip import OnFault
from urpi.devices.wiring_fault import WiringFault
from urpi.errors import UrpiError
from urpi.referee.facts import Fact, Occupancy

BUZZER: Final = "the buzzer"


@dataclass(frozen=True, slots=True)
class Sockets:
    """What contacts are plugged into.

    `factory` is gpiozero's for the header's pins, `pins` says which; `open_bus` gives
    ``/dev/i2c-<port>`` by its port (`urpi.devices.expander.smbus`).
    """

    factory: Any
    pins: PinMap
    open_bus: Callable[[int], I2cBus] = smbus


class Contacts(Protocol):
    """What watches the contacts: facts go out from the moment it is made until `close`."""

    def read(self) -> Occupancy | None:
        """Every square's contact as it is now, bounce included; None while nobody can look."""

    def levels(self) -> Mapping[str, bool]:
        """Every contact by its name: whether it is closed."""

    def close(self) -> None:
        """Give pins and bus back; nothing is emitted afterwards."""


def open_contacts(
    config: Config,
    sockets: Sockets,
    clock: Callable[[], int],
    emit: Callable[[Fact], None],
    on_fault: OnFault,
) -> Contacts:
    """The contacts as [gpio] and [expander] of the configuration say.

    `clock`, `emit` and `on_fault` are `Switches`' and `ExpanderSwitches`'; a header's pins have
    no faults to tell.

    Raises:
        UrpiError: when smbus2 is missing, or the pin map has no expanders; `PinsAwayError` when
            a pin cannot be opened.
    """
    timing = PressTiming(long_ms=config.buttons.long_press_ms)
    pins, factory = sockets.pins, sockets.factory
    if config.gpio.wiring == "header":
        return Switches(factory, pins, clock, emit, timing=timing, chutes=config.gpio.chutes)
    expander = expander_of(config, pins)
    return ExpanderSwitches(
        expander,
        lambda: sockets.open_bus(expander.port),
        clock,
        emit,
        factory=factory if config.expander.interrupts else None,
        timing=timing,
        poll_ms=config.expander.poll_ms,
        on_fault=on_fault,
    )


def wired_pins(config: Config, pins: PinMap) -> PinMap:
    """The pin map as the configuration changes it: what the board is opened by.

    Raises:
        UrpiError: when two wires come to lie on one pin, or two chips on one address.
    """
    if config.gpio.wiring == "header":
        return changed_pins(pins, config.gpio.pins, chutes=config.gpio.chutes)
    return replace(pins, expander=expander_of(config, pins))


def expander_of(config: Config, pins: PinMap) -> ExpanderMap:
    """The pin map's expanders where the configuration has them; chutes where there are some.

    Raises:
        UrpiError: when the pin map has none, or two chips on the bus have the same address.
    """
    for fault in expander_faults(config, pins):
        raise UrpiError(fault.sentence)
    assert pins.expander is not None
    return _told_expander(config, pins.expander)


def expander_faults(config: Config, pins: PinMap) -> Iterator[WiringFault]:
    """Why the expanders cannot be opened: none in the pin map, or two chips at one address."""
    if pins.expander is None:
        yield WiringFault(
            "gpio.wiring",
            "the pin map has no [expander]",
            "contacts are on expanders only where it says which pins",
            'say "header", or add the table to wiring/pins.toml',
        )
        return
    found = _told_expander(config, pins.expander)
    first, second = found.addresses
    if first == second:
        yield WiringFault(
            "expander.second",
            f"both expanders are at 0x{first:02X}",
            "each needs an address of its own, from 0x20 to 0x27",
            "wire A0 of the second to 3.3 V and say its address, usually 0x21",
        )
    oled = config.oled
    shared = oled.driver != "none" and oled.i2c_port == found.port
    if shared and oled.i2c_address in found.addresses:
        yield WiringFault(
            "oled.i2c_address",
            f"the OLED is at 0x{oled.i2c_address:02X}, and so is an expander of the same bus",
            "a display is at 0x3C or 0x3D, an expander from 0x20 to 0x27",
            "say the address that `urpi doctor` finds the display at",
        )


def buzzer_pin(config: Config, pins: PinMap) -> int:
    """The buzzer's GPIO.

    Raises:
        UrpiError: when none is said, or a contact or an interrupt has it.
    """
    pin = _told_buzzer(config, pins)
    for fault in buzzer_clashes(config, pins):
        raise UrpiError(fault.sentence)
    assert pin is not None
    return pin


def buzzer_clashes(config: Config, pins: PinMap) -> Iterator[WiringFault]:
    """Why the buzzer cannot sound. The board plays all the same."""
    key, pin = "sound.buzzer_pin", _told_buzzer(config, pins)
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
    """Every wire to a GPIO by its name: contacts or interrupts, and the buzzer where there is one.

    `pins` are the pin map's own; the configuration's changes are made here.
    """
    if config.gpio.wiring == "header":
        wires = moved_pins(pins, config.gpio.pins).contacts(chutes=config.gpio.chutes)
    elif config.expander.interrupts and pins.expander is not None:
        interrupts = zip(CHIP_NAMES, pins.expander.interrupts, strict=True)
        wires = {f"INTA of {chip}": gpio for chip, gpio in interrupts}
    else:
        wires = {}
    buzzer = _told_buzzer(config, pins) if has_buzzer(config) else None
    return wires if buzzer is None else {**wires, BUZZER: buzzer}


def has_buzzer(config: Config) -> bool:
    """Whether there is one: it plays, or at least somebody has said where it is."""
    return config.sound.buzzer or config.sound.buzzer_pin is not None


def _told_expander(config: Config, usual: ExpanderMap) -> ExpanderMap:
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


def _told_buzzer(config: Config, pins: PinMap) -> int | None:
    pin = config.sound.buzzer_pin
    if pin is None and config.gpio.wiring == "expander" and pins.expander is not None:
        return pins.expander.buzzer
    return pin
