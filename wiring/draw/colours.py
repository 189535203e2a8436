"""Which wire has which colour: wiring/colours.toml, read."""

import tomllib
from pathlib import Path
from typing import Final

PAGE: Final = Path(__file__).parents[1] / "colours.toml"
_TABLES: Final = tomllib.loads(PAGE.read_text("utf-8"))
NAMES: Final[dict[str, str]] = _TABLES["name"]
"""What people call a colour, by its two letters."""


def of_square(name: str) -> str:
    """The two letters of a square's colour.

    >>> of_square("B4")
    'YE'
    """
    return str(_TABLES["square"][name[1]])


def of_side(name: str) -> str:
    """Of a button's or a chute's: light, dark, light-2 or dark-2."""
    return str(_TABLES["side"][name])


def of_signal(name: str) -> str:
    """Of anything else."""
    return str(_TABLES["signal"][name])
