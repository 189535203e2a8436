"""Coordinates of the drawn board, shared by all pictures.

x points to the right, y downwards. Light's row A is the lower one, as on the OLED; columns 1 to 4
are the large block, 5 and 6 the bridge. Two trays, dark's above the board and light's below, hold
the pieces in hand at the left and those at home at the right.
"""

from typing import Final

from urpi.rules import SQUARE_NAMES, Side, Square

PITCH: Final = 40
"""Distance between the centres of adjacent squares."""
LEFT: Final = 20
TOP: Final = 18
"""Width of the rim at the left and at the top, where rows and columns are named."""
RIM: Final = 8
"""Width of the rim elsewhere."""
WIDTH: Final = LEFT + 8 * PITCH + RIM
HEIGHT: Final = TOP + 3 * PITCH + RIM
ROWS: Final = "CBA"
GAP_LEFT: Final = LEFT + 4 * PITCH
GAP_RIGHT: Final = LEFT + 6 * PITCH
"""Edges of the notches: the outer rows have no columns 5 and 6."""

TRAY: Final = 36
"""Height of a tray."""
TRAY_GAP: Final = 8
"""Distance between a tray and the board."""
HAND_WIDTH: Final = 206
HOME_WIDTH: Final = 134
TABLE_TOP: Final = -(TRAY + TRAY_GAP)
TABLE_HEIGHT: Final = HEIGHT + 2 * (TRAY + TRAY_GAP)
"""Height of the board with its trays. The origin remains the corner of the board."""


def corner(square: Square) -> tuple[float, float]:
    """Return the upper left corner of a square."""
    name = SQUARE_NAMES[square]
    return LEFT + (int(name[1]) - 1) * PITCH, TOP + ROWS.index(name[0]) * PITCH


def centre(square: Square) -> tuple[float, float]:
    left, top = corner(square)
    return left + PITCH / 2, top + PITCH / 2


def tray_top(side: Side) -> float:
    """Return the upper edge of a side's tray."""
    return TABLE_TOP if side is Side.DARK else HEIGHT + TRAY_GAP
