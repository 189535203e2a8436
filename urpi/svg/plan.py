"""Where things are on the drawn board: one plan for every picture of it, in its own units.

x to the right, y downwards. Light's row A is the lower one, as on the OLED; columns 1-4 are the
large block, 5 and 6 the bridge. What waits beside the board lies on two trays, dark's above it
and light's below: in hand at the left, home at the right.
"""

from typing import Final

from urpi.rules import SQUARE_NAMES, Side, Square

PITCH: Final = 40
"""From a square's middle to the next one's."""
LEFT: Final = 20
TOP: Final = 18
"""The rim's width where the rows' letters and the columns' numbers stand."""
RIM: Final = 8
"""Its width elsewhere."""
WIDTH: Final = LEFT + 8 * PITCH + RIM
HEIGHT: Final = TOP + 3 * PITCH + RIM
ROWS: Final = "CBA"
GAP_LEFT: Final = LEFT + 4 * PITCH
GAP_RIGHT: Final = LEFT + 6 * PITCH
"""Outer rows have no columns 5 and 6; there the wood is cut out."""

TRAY: Final = 36
"""A tray's height."""
TRAY_GAP: Final = 8
"""Between a tray and the board."""
HAND_WIDTH: Final = 206
HOME_WIDTH: Final = 134
TABLE_TOP: Final = -(TRAY + TRAY_GAP)
TABLE_HEIGHT: Final = HEIGHT + 2 * (TRAY + TRAY_GAP)
"""Of the board with its trays; the board's own corner stays at 0, 0."""


def corner(square: Square) -> tuple[float, float]:
    """The square's left upper corner."""
    name = SQUARE_NAMES[square]
    return LEFT + (int(name[1]) - 1) * PITCH, TOP + ROWS.index(name[0]) * PITCH


def centre(square: Square) -> tuple[float, float]:
    """The square's middle."""
    left, top = corner(square)
    return left + PITCH / 2, top + PITCH / 2


def tray_top(side: Side) -> float:
    """The upper edge of that side's tray."""
    return TABLE_TOP if side is Side.DARK else HEIGHT + TRAY_GAP
