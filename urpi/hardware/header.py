"""The Pi's 40-pin header: its pins, and the other functions that use some of them.

Source: Raspberry Pi documentation, "GPIO and the 40-pin header"; the same on every Pi since the
B+. Independent of the board's wiring.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

# In the order of GPIO 0, 1, 2 ...
_PINS: Final = (27, 28, 3, 5, 7, 29, 31, 26, 24, 21, 19, 23, 32, 33)
_MORE_PINS: Final = (8, 10, 36, 11, 12, 35, 38, 40, 15, 16, 18, 22, 37, 13)
HEADER_PINS: Final[Mapping[int, int]] = MappingProxyType(dict(enumerate(_PINS + _MORE_PINS)))
"""The header's pin, counted from 1, by BCM GPIO number."""
GROUND_PINS: Final = (6, 9, 14, 20, 25, 30, 34, 39)
POWER_3V3_PINS: Final = (1, 17)
POWER_5V_PINS: Final = (2, 4)
SDA_GPIO: Final = 2
SCL_GPIO: Final = 3
HEADER_I2C_PORT: Final = 1
"""Pins 3 and 5 belong to /dev/i2c-1; the other buses are off the header or on contacts' pins."""

RESERVED: Final[Mapping[int, str]] = MappingProxyType(
    {0: "the EEPROM's", 1: "the EEPROM's", 2: "the OLED's", 3: "the OLED's"}
)
"""GPIO numbers not available for switches, with their users.

GPIO 2 and 3 also have fixed pull-up resistors on the Pi.
"""


@dataclass(frozen=True, slots=True)
class OtherUse:
    """Another function of the Pi, the GPIOs that it uses, and the command to switch it off."""

    what: str
    gpios: frozenset[int]
    off: str


SPI: Final = OtherUse("SPI", frozenset(range(7, 12)), "sudo raspi-config nonint do_spi 1")
ONE_WIRE: Final = OtherUse("1-Wire", frozenset({4}), "sudo raspi-config nonint do_onewire 1")
CONSOLE: Final = OtherUse(
    "The serial console", frozenset({14, 15}), "sudo raspi-config nonint do_serial_cons 1"
)
OTHER_USES: Final = (SPI, ONE_WIRE, CONSOLE)


def place(gpio: int) -> str:
    """Return a GPIO's name together with its header pin, as needed for soldering.

    >>> place(17)
    'GPIO 17 (pin 11)'
    """
    return f"GPIO {gpio} (pin {HEADER_PINS[gpio]})"
