"""Backends of a board's devices: the configured hardware, or its simulation.

Another kind of dice source, such as dice with their own radio, is selected here, in
`configured_backends`; the service uses every source through `urpi.devices.DiceSource`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from urpi.config import Config, HubSection, OledSection
from urpi.devices import (
    DiceHub,
    DiceSource,
    DieFaces,
    HubSettings,
    PinMap,
    configured_pins,
    default_pins,
    lazy_pin_factory,
    open_serial,
    smbus,
)
from urpi.rules import TIP_LETTERS
from urpi.service.service import Clock


@dataclass(frozen=True, slots=True)
class Backends:
    """The backends on which a board's devices are opened.

    `factory` is the gpiozero pin factory for the header's pins, and `pins` the pin map.
    `make_dice` makes the source of dice facts, given the game's clock. `open_oled` opens a luma
    device; it is None if there is no display. `open_bus` opens the I2C bus of a port for the
    expanders.
    """

    factory: Any
    pins: PinMap
    make_dice: Callable[[Clock], DiceSource]
    open_oled: Callable[[], Any] | None
    open_bus: Callable[[int], Any] = smbus


def configured_backends(config: Config) -> Backends:
    """Return the backends that a configuration specifies. No device is opened yet.

    Raises:
        UrpiError: If the GPIO library is missing, the machine has no pins, or the wiring is
            invalid.
    """
    factory = lazy_pin_factory(config.gpio.factory, chip=config.gpio.chip)
    pins = configured_pins(config, default_pins())
    faces = configured_faces(config.hub)
    make_dice = partial(make_dice_hub, config.hub, config.hub.port, faces)
    open_display = None if config.oled.driver == "none" else _display_opener(config.oled)
    return Backends(factory, pins, make_dice, open_display)


def make_dice_hub(settings: HubSection, port: str, faces: DieFaces, clock: Clock) -> DiceHub:
    """Return the dice hub at a serial port.

    Args:
        settings: The section [hub] of the configuration, whose port and faces are not used.
        port: The device or URL that pyserial opens.
        faces: What the dice's faces show.
        clock: The game's clock.
    """
    limits = HubSettings(settings.tumbled_faces, settings.free_fall_ms)
    return DiceHub(lambda: open_serial(port), faces, clock, settings=limits)


def _display_opener(oled: OledSection) -> Callable[[], Any]:
    # A board without a display needs no luma; with one, a missing luma is reported here rather
    # than in the screen's thread.
    from urpi.devices import i2c_bus, open_oled  # noqa: PLC0415

    def open_display() -> Any:
        bus = i2c_bus(oled.i2c_port, oled.i2c_address)
        return open_oled(oled.driver, bus, upside_down=oled.rotate == 2)

    return open_display


def configured_faces(hub: HubSection) -> DieFaces:
    """Return what the faces of the configured dice show."""
    own = {die: _letters(tips) for die, tips in hub.faces.own.items()}
    return DieFaces(_letters(hub.faces.d4), own)


def _letters(tips: tuple[str, ...]) -> str:
    return "".join(TIP_LETTERS[tip] for tip in tips)
