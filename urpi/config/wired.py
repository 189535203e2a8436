"""Defaults of the configuration that wiring/pins.toml says too.

They are repeated here because every command needs the defaults and few need the pin map, which
takes longer to read than the rest of the configuration. A test compares the two.
"""

from typing import Final

OLED_PORT: Final = 1
OLED_ADDRESS: Final = 0x3C
EXPANDER_PORT: Final = 1
FIRST_ADDRESS: Final = 0x20
SECOND_ADDRESS: Final = 0x21
BUZZER_GPIO: Final = 18
CHUTE_GPIOS: Final = (14, 15)
