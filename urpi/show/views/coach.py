"""The view of the coach: the better move, how much better it is, and what can be done now."""

from typing import Final

from PIL import Image

from urpi.referee.decisions import Coached
from urpi.referee.snapshot import Snapshot
from urpi.rules import HAND, OFF, parse_move, squares_of
from urpi.show.views.bitmap_font import font
from urpi.show.views.board_diagram import Marks, draw_board
from urpi.show.views.panel import WIDTH, blank
from urpi.show.views.text import MEDIUM, SMALL, draw_line, draw_lines, largest
from urpi.show.views.warning import BESIDE_BOARD, BOARD_AT
from urpi.show.words import Words

_TEXT_TOP: Final = MEDIUM
_GAIN_TOP: Final = 51
_LINES: Final = 2


def draw_coached(snapshot: Snapshot, coached: Coached, words: Words) -> Image.Image:
    """Draw the better move: its text, and its squares to clear and to fill before the last one."""
    image = blank()
    title = words.text("Better: {move}").replace("{move}", coached.better)
    draw_line(image, (0, 0), title, largest(title, (MEDIUM, SMALL), WIDTH))
    draw_lines(image, (0, _TEXT_TOP), _what_now(snapshot, words), font(SMALL), (WIDTH,) * _LINES)
    draw_line(image, (0, _GAIN_TOP), f"+{coached.loss} %", font(SMALL), BESIDE_BOARD)
    if snapshot.before is not None:
        draw_board(image, BOARD_AT, snapshot.before, move_marks(coached.better))
    return image


def _what_now(snapshot: Snapshot, words: Words) -> str:
    """Return what the player can do now; empty if only the program continues."""
    seems, side = snapshot.seems is not None, snapshot.side
    waits = snapshot.program_throws(side.other if seems and side is not None else side)
    if snapshot.takeback is None and not seems:
        return "" if waits else words.text("Throw on.")
    return words.text("Put back, or wait.") if waits else words.text("Put back, or throw on.")


def move_marks(move: str) -> Marks:
    """Return the squares that a move fills and clears."""
    parts = parse_move(move).parts
    origins = squares_of(part.origin for part in parts if part.origin != HAND)
    targets = squares_of(part.target for part in parts if part.target != OFF)
    return Marks(targets, origins & ~targets)
