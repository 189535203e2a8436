"""The configuration: one TOML file, every key of it known, documented and checked."""

from urpi.config.reading import Settings, load, read
from urpi.config.sections import (
    Buttons,
    Config,
    Faces,
    Gpio,
    Hub,
    Journal,
    Oled,
    Table,
    Timing,
)

__all__ = [
    "Buttons",
    "Config",
    "Faces",
    "Gpio",
    "Hub",
    "Journal",
    "Oled",
    "Settings",
    "Table",
    "Timing",
    "load",
    "read",
]
