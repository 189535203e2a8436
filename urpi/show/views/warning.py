"""The views of a warning and of setting up the board: what to do is larger than what was wrong."""

from typing import Final

from PIL import Image

from urpi.referee.snapshot import MAX_BROKEN, Snapshot
from urpi.rules import SQUARE_NAMES, Position, Square, Squares, each_square, owner
from urpi.show.views import board_diagram
from urpi.show.views.board_diagram import Marks
from urpi.show.views.panel import HEIGHT, WIDTH, blank
from urpi.show.views.text import ROW, draw_bar, draw_main, draw_main_or_rows, draw_rows
from urpi.show.views.turn import BESIDE, draw_disc
from urpi.show.words import Words
from urpi.show.words.move_texts import GOES

BOARD_AT: Final = (WIDTH - board_diagram.WIDTH, HEIGHT - board_diagram.HEIGHT)
"""The board's upper left corner in every view: the board is in the lower right corner."""

BESIDE_BOARD: Final = BOARD_AT[0] - 2
"""The width in pixels left of the board, without the gap."""

REASON_ROWS: Final = 2
_MORE: Final = 21
"""The width in pixels for the number of squares that remain."""
_SENTENCE_END: Final = ". "


def draw_warning(snapshot: Snapshot, words: Words) -> Image.Image:
    """Draw in high letters what to do, and below on a lit strip what is wrong."""
    warning = snapshot.warning
    assert warning is not None
    fill, clear = warning.fix.fill, warning.fix.clear
    # For a moment after the last square is correct nothing is left to do.
    wrong = snapshot.fill | snapshot.clear
    if warning.code == "disturbed" and snapshot.position is not None and wrong:
        return _draw_rebuilding(snapshot, snapshot.position, words)
    image = blank()
    text = warning.text or words.sentence(warning.code, {"side": warning.side.value})
    if not fill | clear:
        draw_bar(image, 0, text, HEIGHT // ROW)
        return image
    draw_correction(image, snapshot, words)
    draw_bar(image, 2 * ROW, reason(text), REASON_ROWS)
    return image


def draw_correction(image: Image.Image, snapshot: Snapshot, words: Words) -> None:
    """Draw in the two upper rows what the warning requires to be done with the pieces, if any."""
    warning = snapshot.warning
    assert warning is not None
    wrong = snapshot if warning.code in {"disturbed", "wrong-piece"} else warning.fix
    if wrong.fill | wrong.clear:
        _draw_step(image, snapshot.position, wrong.fill, wrong.clear, words)


def reason(text: str) -> str:
    """Return what is wrong, which is the first sentence of a warning.

    >>> reason("You threw 2, but moved it 3. Put it back on A4.")
    'You threw 2, but moved it 3.'
    """
    first, end, _ = text.partition(_SENTENCE_END)
    return first + end.rstrip()


def _draw_step(
    image: Image.Image, position: Position | None, fill: Squares, clear: Squares, words: Words
) -> None:
    """Draw in the two upper rows the next thing to do with the pieces, and how many squares remain.

    One piece that stands wrong goes from its square to the other. Otherwise one square after the
    other is corrected, first those to clear, from which the pieces may be needed.
    """
    square = next(each_square(clear or fill))
    both = fill.bit_count() == clear.bit_count() == 1
    side = None
    if both:
        [target] = each_square(fill)
        text = words.text(GOES[False]).format(
            origin=SQUARE_NAMES[square], target=_name(position, target)
        )
        square = target
    elif clear:
        # Translators: In the list of what is wrong on the board: this square must be empty. 10
        # letters.
        text = words.text("empty {square}").format(square=SQUARE_NAMES[square])
    else:
        # Translators: In the list of what is wrong on the board: a piece belongs on this square.
        # 10 letters.
        text = words.text("on {square}").format(square=_name(position, square))
    if (both or not clear) and position is not None and position.board[square]:
        side = owner(position.board[square])
    left = 0
    if side is not None:
        draw_disc(image, (0, 3), side)
        left = BESIDE
    more = (fill | clear).bit_count() - 1 - both
    room = WIDTH - left - (_MORE if more else 0)
    draw_main(image, (left, 0), text, room)
    if more:
        draw_rows(image, ROW - 5, f"+{more}", 1, (WIDTH - _MORE + 3, _MORE - 3))


def _name(position: Position | None, square: Square) -> str:
    """Return a square's name, with the height of the pile that belongs there."""
    height = 0 if position is None else len(position.board[square])
    return SQUARE_NAMES[square] + (f"\N{MULTIPLICATION SIGN}{height}" if height > 1 else "")


def _draw_rebuilding(snapshot: Snapshot, position: Position, words: Words) -> Image.Image:
    """Draw which piece is to be put where next, and on the board all that is wrong."""
    image = blank()
    _draw_step(image, position, snapshot.fill, snapshot.clear, words)
    # Translators: Beside the board: two lines of 10 letters; above a list of squares: 16 letters.
    draw_rows(image, 2 * ROW, words.text("Set up the board"), 2, (0, BESIDE_BOARD))
    marks = Marks(clear=snapshot.clear, pieces=snapshot.fill)
    board_diagram.draw_board(image, BOARD_AT, position, marks)
    return image


def draw_set_up(snapshot: Snapshot, words: Words) -> Image.Image:
    """Draw what must be set up on the board before the game can begin or continue."""
    wrong = snapshot.fill | snapshot.clear
    if wrong.bit_count() > MAX_BROKEN and snapshot.position is not None and not snapshot.faults:
        return _draw_rebuilding(snapshot, snapshot.position, words)
    image = blank()
    if wrong:
        _draw_step(image, snapshot.position, snapshot.fill, snapshot.clear, words)
    else:
        draw_main_or_rows(image, (0, 0), words.text("Set up the board"), WIDTH)
    draw_rows(image, 2 * ROW, _set_up_text(snapshot, words), 2)
    return image


def _set_up_text(snapshot: Snapshot, words: Words) -> str:
    if snapshot.faults:
        fault = snapshot.faults[0]
        return reason(words.sentence(fault.code, {"device": fault.device}))
    # So few squares can be broken switches, without which the game can begin.
    # Translators: Below a disturbed board: if it is right, just throw. 21 letters.
    return words.text("Board right? Throw.") if snapshot.fill | snapshot.clear else ""
