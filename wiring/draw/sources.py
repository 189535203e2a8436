"""What the drawings are made from: the pin map and the dice's wires, read once.

The pin map is read by the program's own reader, so that a drawing cannot say what the program
would refuse.
"""

import tomllib
from pathlib import Path
from typing import Any, Final

from urpi.devices.expander_map import ExpanderMap
from urpi.devices.pins import PinMap, read_pins
from urpi.rules import SQUARE_NAMES

ROOT: Final = Path(__file__).parents[1]
PINS: Final[PinMap] = read_pins(ROOT / "pins.toml")
DICE: Final[dict[str, Any]] = tomllib.loads((ROOT / "dice.toml").read_text("utf-8"))
ROWS: Final = {row: [name for name in SQUARE_NAMES if name[0] == row] for row in "ABC"}
"""The squares of each row, as they are soldered: one cable a row."""

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
"""Which of the header's ground pins a cable takes: the nearest one. Any other will do."""


def expander() -> ExpanderMap:
    """The pin map's expanders.

    Raises:
        LookupError: when wiring/pins.toml has none, and there is nothing to draw.
    """
    if PINS.expander is None:
        raise LookupError("wiring/pins.toml has no [expander] to draw.")
    return PINS.expander
