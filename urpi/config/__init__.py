"""The configuration: one TOML file, every key of it known, documented and checked."""

from urpi.config.reading import Settings, load, read
from urpi.config.sections import (
    Buttons,
    Config,
    Expander,
    Faces,
    Gpio,
    Hub,
    Journal,
    Oled,
    Page,
    Sound,
    Table,
    Timing,
)

__all__ = [
    "Buttons",
    "Config",
    "Expander",
    "Faces",
    "Gpio",
    "Hub",
    "Journal",
    "Oled",
    "Page",
    "Settings",
    "Sound",
    "Table",
    "Timing",
    "load",
    "read",
]
