"""The views of a warning and of setting up the board: text around a board with marks."""

from typing import Final

from PIL import Image

from urpi.referee.snapshot import MAX_BROKEN, Snapshot
from urpi.rules import (
    SQUARE_NAMES,
    Position,
    Side,
    Square,
    Squares,
    each_square,
    names_of,
    owner,
)
from urpi.show.views import board_diagram
from urpi.show.views.bitmap_font import font
from urpi.show.views.board_diagram import Marks
from urpi.show.views.panel import HEIGHT, WIDTH, blank
from urpi.show.views.text import SMALL, draw_line, draw_lines, draw_title
from urpi.show.words import Words

BOARD_AT: Final = (WIDTH - board_diagram.WIDTH, HEIGHT - board_diagram.HEIGHT)
"""The board's upper left corner in every view: the board is in the lower right corner."""

BESIDE_BOARD: Final = BOARD_AT[0] - 2
"""The width in pixels left of the board, without the gap."""

WARNING_TOP: Final = 3
SET_UP_TOP: Final = 15


def widths_around_board(top: int) -> tuple[int, ...]:
    """Return the widths of the small lines from `top` down: full above the board, short beside."""
    bottoms = range(top + SMALL, HEIGHT + 1, SMALL)
    return tuple(WIDTH if bottom <= BOARD_AT[1] else BESIDE_BOARD for bottom in bottoms)


def draw_warning(snapshot: Snapshot, words: Words) -> Image.Image:
    """Draw the warning's sentence, and the squares to fill and to clear."""
    warning = snapshot.warning
    assert warning is not None
    if warning.code == "disturbed" and snapshot.position is not None:
        return _draw_rebuilding(snapshot, snapshot.position, words)
    text = warning.text or words.sentence(warning.code, {"side": warning.side.value})
    image = blank()
    _draw_around(
        image, WARNING_TOP, text, snapshot.position, Marks(warning.fix.fill, warning.fix.clear)
    )
    return image


def _draw_rebuilding(snapshot: Snapshot, position: Position, words: Words) -> Image.Image:
    """Draw which pieces are still to be put where, by side, and which squares to clear."""
    image = blank()
    draw_title(image, words.text("Set up the board"))
    lists = []
    for side in Side:
        own = [each for each in each_square(snapshot.fill) if owner(position.board[each]) is side]
        if own:
            names = " ".join(_name_and_height(position, each) for each in own)
            lists.append(f"{words.side(side)} {names}")
    if snapshot.clear:
        squares = " ".join(names_of(snapshot.clear))
        lists.append(words.text("Clear {squares}.").format(squares=squares))
    for number, text in enumerate(lists):
        width = widths_around_board(SET_UP_TOP)[number]
        draw_line(image, (0, SET_UP_TOP + number * SMALL), text, font(SMALL), width)
    marks = Marks(clear=snapshot.clear, pieces=snapshot.fill)
    board_diagram.draw_board(image, BOARD_AT, position, marks)
    return image


def _name_and_height(position: Position, square: Square) -> str:
    height = len(position.board[square])
    return SQUARE_NAMES[square] + (f"\N{MULTIPLICATION SIGN}{height}" if height > 1 else "")


def draw_set_up(snapshot: Snapshot, words: Words) -> Image.Image:
    """Draw what must be set up on the board before the game can begin or continue."""
    image = blank()
    draw_title(image, words.text("Set up the board"))
    text = _set_up_text(snapshot, words)
    _draw_around(image, SET_UP_TOP, text, snapshot.position, Marks(snapshot.fill, snapshot.clear))
    return image


def _set_up_text(snapshot: Snapshot, words: Words) -> str:
    parts = []
    if snapshot.fill:
        parts.append(_list_squares(words.text("Fill {squares}."), snapshot.fill))
    if snapshot.clear:
        parts.append(_list_squares(words.text("Clear {squares}."), snapshot.clear))
    faults = (words.sentence(fault.code, {"device": fault.device}) for fault in snapshot.faults[:1])
    if not snapshot.faults and 0 < (snapshot.fill | snapshot.clear).bit_count() <= MAX_BROKEN:
        # So few squares can be broken switches, without which the game can begin.
        parts.append(words.text("Right already? Throw."))
    return " ".join((*faults, *parts))


def _list_squares(template: str, squares: Squares) -> str:
    return template.format(squares=", ".join(names_of(squares)))


def _draw_around(
    image: Image.Image,
    top: int,
    text: str,
    position: Position | None,
    marks: Marks,
) -> None:
    draw_lines(image, (0, top), text, font(SMALL), widths_around_board(top))
    if position is not None:
        board_diagram.draw_board(image, BOARD_AT, position, marks)
