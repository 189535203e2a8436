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
from urpi.show.views.text import SMALL, draw_lines, draw_title, fits
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
        names = [_name_and_height(position, each) for each in own]
        lists.append((f"{words.side(side)} {{squares}}", names))
    lists.append((words.text("Clear {squares}."), names_of(snapshot.clear)))
    top, widths = SET_UP_TOP, widths_around_board(SET_UP_TOP)
    lists = [each for each in lists if each[1]]
    for number, (template, names) in enumerate(lists, 1):
        # Each list has a line, and the last one all that are left.
        room = widths if number == len(lists) else widths[:1]
        draw_lines(image, (0, top), _list_that_fits(template, names, room), font(SMALL), room)
        top, widths = top + SMALL, widths[1:]
    marks = Marks(clear=snapshot.clear, pieces=snapshot.fill)
    board_diagram.draw_board(image, BOARD_AT, position, marks)
    return image


def _list_that_fits(template: str, names: list[str], widths: tuple[int, ...]) -> str:
    """Return the template with the names, as many as fit, and how many more there are."""
    for count in range(len(names), 0, -1):
        more = [f"+{len(names) - count}"] * (count < len(names))
        text = template.format(squares=" ".join((*names[:count], *more)))
        if fits(text, font(SMALL), widths):
            return text
    return text


def _name_and_height(position: Position, square: Square) -> str:
    height = len(position.board[square])
    return SQUARE_NAMES[square] + (f"\N{MULTIPLICATION SIGN}{height}" if height > 1 else "")


def draw_set_up(snapshot: Snapshot, words: Words) -> Image.Image:
    """Draw what must be set up on the board before the game can begin or continue."""
    wrong = snapshot.fill | snapshot.clear
    if wrong.bit_count() > MAX_BROKEN and snapshot.position is not None and not snapshot.faults:
        return _draw_rebuilding(snapshot, snapshot.position, words)
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
