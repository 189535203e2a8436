"""What a board's devices are plugged into: by the configuration, or other ends of the same."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from urpi.config import Config, Hub, Oled
from urpi.devices import (
    DieFaces,
    PinMap,
    configured_pins,
    default_pins,
    lazy_pin_factory,
    smbus,
)


@dataclass(frozen=True, slots=True)
class Plugs:
    """What the devices are plugged into.

    `factory` is gpiozero's for the pins of `pins`; `hub` is what pyserial opens; `faces` what
    the dice show; `oled` opens a luma device, None where there is no display; `open_bus` opens
    the I2C bus of a port for the expanders.
    """

    factory: Any
    pins: PinMap
    hub: str
    faces: DieFaces
    oled: Callable[[], Any] | None
    open_bus: Callable[[int], Any] = smbus


def configured_plugs(config: Config) -> Plugs:
    """The far ends that the configuration names.

    Raises:
        UrpiError: when the pins' library is missing, this machine has no pins, or the wiring
            cannot be as it is said.
    """
    factory = lazy_pin_factory(config.gpio.factory, chip=config.gpio.chip)
    pins = configured_pins(config, default_pins())
    display = None if config.oled.driver == "none" else _display(config.oled)
    return Plugs(factory, pins, config.hub.port, configured_faces(config.hub), display)


def _display(oled: Oled) -> Callable[[], Any]:
    # A board without a display needs no luma; with one, a missing luma is reported here rather
    # than in the screen's thread.
    from urpi.devices import i2c_bus, open_oled  # noqa: PLC0415

    def open_display() -> Any:
        bus = i2c_bus(oled.i2c_port, oled.i2c_address)
        return open_oled(oled.driver, bus, upside_down=oled.rotate == 2)

    return open_display


TIP_LETTERS: Mapping[str, str] = {"gold": "g", "silver": "s", "blank": "-"}


def configured_faces(hub: Hub) -> DieFaces:
    """What the configured dice show."""
    own = {die: _letters(tips) for die, tips in hub.faces.own.items()}
    return DieFaces(_letters(hub.faces.d4), own)


def _letters(tips: tuple[str, ...]) -> str:
    return "".join(TIP_LETTERS[tip] for tip in tips)
