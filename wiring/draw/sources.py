"""Sources of the drawings: the pin map and the wires of the dice.

The pin map is read with the program's own reader, so the program accepts every wire that is drawn.
"""

import tomllib
from pathlib import Path
from typing import Any, Final

from urpi.hardware.expander_map import ExpanderMap
from urpi.hardware.pins import PinMap, read_pins
from urpi.rules import SQUARE_NAMES

ROOT: Final = Path(__file__).parents[1]
PINS: Final[PinMap] = read_pins(ROOT / "pins.toml")
DICE: Final[dict[str, Any]] = tomllib.loads((ROOT / "dice.toml").read_text("utf-8"))
ROWS: Final = {row: [name for name in SQUARE_NAMES if name[0] == row] for row in "ABC"}
"""Squares of each row. Every row has its own cable."""

GROUND_OF: Final = {
    "A": 9,
    "B": 20,
    "C": 34,
    "buttons": 39,
    "chutes": 14,
    "buzzer": 14,
    "OLED": 6,
    "chips": 9,
}
"""Ground pin of the header for each cable: the nearest one, although any would do."""


def expander() -> ExpanderMap:
    """Return the expanders of the pin map.

    Raises:
        LookupError: if wiring/pins.toml has none.
    """
    if PINS.expander is None:
        raise LookupError("wiring/pins.toml has no [expander] to draw.")
    return PINS.expander
