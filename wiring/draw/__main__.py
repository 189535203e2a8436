"""Draw every picture in wiring/drawings/: `make -C wiring`. With --check, only compare them."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from wiring.draw import (
    harness,
    harness_dice,
    harness_expander,
    harness_header,
    perfboard,
    schematic,
    schematic_board,
    schematic_dice,
)
from wiring.draw.svg import alike
from wiring.stale import write_or_compare

FOLDER: Final = Path(__file__).parents[1] / "drawings"
HARNESSES: Final = {
    "board-header": harness_header.board,
    "panel-header": harness_header.panel,
    "board-expander": harness_expander.contacts,
    "panel-expander": harness_expander.bus,
    "hub": harness_dice.hub,
    "die": harness_dice.die,
    "die-supply": harness_dice.die_supply,
    "die-programmer": harness_dice.die_programmer,
}
SCHEMATICS: Final = {
    "schematic-switch": ("A reed switch on a pin of the Pi's header", schematic_board.switch),
    "schematic-expander": ("Two MCP23017 with all contacts", schematic_board.expanders),
    "schematic-matrix": ("A matrix of switches with diodes", schematic_board.matrix),
    "schematic-hub": ("The dice hub: Nano and radio", schematic_dice.hub),
    "schematic-die": ("A die: chip, sensor, radio, cell", schematic_dice.die),
}


def drawings() -> dict[Path, Callable[[], str]]:
    """Return every file with the function that draws it."""
    harnesses = {name: (lambda make=make: harness.svg(make())) for name, make in HARNESSES.items()}
    schematics = {
        name: (lambda make=make, title=title: schematic.svg(make(), title))
        for name, (title, make) in SCHEMATICS.items()
    }
    boards = {"die-perfboard": perfboard.above, "die-perfboard-copper": perfboard.below}
    every = harnesses | schematics | boards
    return {FOLDER / f"{name}.svg": draw for name, draw in every.items()}


if __name__ == "__main__":
    sys.exit(write_or_compare(drawings(), check="--check" in sys.argv[1:], alike=alike))
