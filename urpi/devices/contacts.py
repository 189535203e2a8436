"""The board's contacts by the configuration: on the header's pins, or on expanders."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from urpi.config import Config
from urpi.devices.expander import ExpanderSwitches, smbus
from urpi.devices.expander_map import ExpanderMap
from urpi.devices.mcp23017 import I2cBus
from urpi.devices.pins import RESERVED, PinMap
from urpi.devices.presses import PressTiming
from urpi.devices.switches import Switches
from urpi.devices.watched_chip import OnFault
from urpi.errors import UrpiError
from urpi.referee.facts import Fact, Occupancy


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

    def read(self) -> Occupancy:
        """Every square's contact as it is now, bounce included."""

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
        UrpiError: when a pin cannot be opened, smbus2 is missing, or the pin map has no expanders.
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


def expander_of(config: Config, pins: PinMap) -> ExpanderMap:
    """The pin map's expanders where the configuration has them; chutes where there are some.

    Raises:
        UrpiError: when the pin map has none, or both addresses are the same.
    """
    usual, own = pins.expander, config.expander
    if usual is None:
        message = "The pin map has no [expander], but [gpio] wiring asks for one; add the table."
        raise UrpiError(message)
    addresses = own.first or usual.addresses[0], own.second or usual.addresses[1]
    if addresses[0] == addresses[1]:
        message = (
            f"Both expanders are at 0x{addresses[0]:02X}; wire A0 of the second to 3.3 V and give"
            " [expander] its address."
        )
        raise UrpiError(message)
    inputs = {
        name: place
        for name, place in usual.inputs.items()
        if config.gpio.chutes or not name.endswith("chute")
    }
    port = usual.port if own.i2c_port is None else own.i2c_port
    return replace(usual, port=port, addresses=addresses, inputs=inputs)


def buzzer_pin(config: Config, pins: PinMap) -> int:
    """The buzzer's GPIO.

    Raises:
        UrpiError: when none is said, or a contact or an interrupt has it.
    """
    behind = expander_of(config, pins) if config.gpio.wiring == "expander" else None
    pin = config.sound.buzzer_pin
    if pin is None and behind is not None:
        pin = behind.buzzer
    if pin is None:
        message = "The buzzer has no pin; give it one with [sound] buzzer_pin, such as 14 or 15."
        raise UrpiError(message)
    taken = _on_header(config, pins) if behind is None else dict.fromkeys(behind.interrupts, "INTA")
    if pin in taken or pin in RESERVED:
        user = taken.get(pin) or RESERVED[pin]
        message = f"GPIO {pin} of the buzzer is already that of {user}; give it another."
        raise UrpiError(message)
    return pin


def _on_header(config: Config, pins: PinMap) -> dict[int, str]:
    return {gpio: name for name, gpio in pins.contacts(chutes=config.gpio.chutes).items()}
