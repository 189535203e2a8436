"""The Pi's 40-pin header: which pin is which, and what else wants some of them.

From the Raspberry Pi documentation, "GPIO and the 40-pin header"; the same on every Pi since the
B+. Knows nothing of a board.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

# By GPIO 0, 1, 2 ...
_PINS: Final = (27, 28, 3, 5, 7, 29, 31, 26, 24, 21, 19, 23, 32, 33)
_MORE_PINS: Final = (8, 10, 36, 11, 12, 35, 38, 40, 15, 16, 18, 22, 37, 13)
HEADER_PINS: Final[Mapping[int, int]] = MappingProxyType(dict(enumerate(_PINS + _MORE_PINS)))
"""The header's pin, from 1, of every GPIO by its BCM number."""
GROUND_PINS: Final = (6, 9, 14, 20, 25, 30, 34, 39)
POWER_3V3_PINS: Final = (1, 17)
POWER_5V_PINS: Final = (2, 4)
SDA_GPIO: Final = 2
SCL_GPIO: Final = 3
HEADER_I2C_PORT: Final = 1
"""Pins 3 and 5 are /dev/i2c-1's; the other buses are elsewhere, or on pins that contacts have."""

RESERVED: Final[Mapping[int, str]] = MappingProxyType(
    {0: "the EEPROM's", 1: "the EEPROM's", 2: "the OLED's", 3: "the OLED's"}
)
"""GPIO numbers that a switch cannot have: 2 and 3 have pull-ups soldered to the Pi too."""


@dataclass(frozen=True, slots=True)
class OtherUse:
    """What else may be switched on, which GPIOs it then has, and how it is switched off."""

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
    """A GPIO for a person with a soldering iron.

    >>> place(17)
    'GPIO 17 (pin 11)'
    """
    return f"GPIO {gpio} (pin {HEADER_PINS[gpio]})"
