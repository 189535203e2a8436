"""Colours of the wires, from wiring/colours.toml."""

import tomllib
from pathlib import Path
from typing import Final

PAGE: Final = Path(__file__).parents[1] / "colours.toml"
_TABLES: Final = tomllib.loads(PAGE.read_text("utf-8"))
NAMES: Final[dict[str, str]] = _TABLES["name"]
"""Names of the colours by their two-letter code."""


def of_square(name: str) -> str:
    """Return the colour code of a square's wire.

    >>> of_square("B4")
    'YE'
    """
    return str(_TABLES["square"][name[1]])


def of_side(name: str) -> str:
    """Return the colour code of a button or chute: light, dark, light-2 or dark-2."""
    return str(_TABLES["side"][name])


def of_signal(name: str) -> str:
    """Return the colour code of any other signal."""
    return str(_TABLES["signal"][name])
