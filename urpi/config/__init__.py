"""The configuration: one TOML file, every key of it known, documented and checked."""

from typing import TYPE_CHECKING

from urpi.lazy import export

if TYPE_CHECKING:
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
else:
    export(
        __name__,
        {
            "reading": ("Settings", "load", "read"),
            "sections": (
                "Buttons",
                "Config",
                "Expander",
                "Faces",
                "Gpio",
                "Hub",
                "Journal",
                "Oled",
                "Page",
                "Sound",
                "Table",
                "Timing",
            ),
        },
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
