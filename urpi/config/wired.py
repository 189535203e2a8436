"""What wiring/pins.toml says and the configuration may say otherwise: those keys' defaults.

The pin map goes with the package; `urpi.devices.pins` reads and checks all of it.
"""

import tomllib
from importlib.resources import files
from typing import Any, Final

_PINS: Final[dict[str, Any]] = tomllib.loads(
    files("urpi").joinpath("devices/pins.toml").read_text(encoding="utf-8")
)
OLED_PORT: Final[int] = _PINS["oled"]["port"]
OLED_ADDRESS: Final[int] = _PINS["oled"]["address"]
EXPANDER_PORT: Final[int] = _PINS["expander"]["port"]
FIRST_ADDRESS: Final[int] = _PINS["expander"]["addresses"][0]
SECOND_ADDRESS: Final[int] = _PINS["expander"]["addresses"][1]
BUZZER_GPIO: Final[int] = _PINS["expander"]["buzzer"]
CHUTE_GPIOS: Final[tuple[int, ...]] = tuple(_PINS["chutes"].values())
