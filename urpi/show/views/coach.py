"""The view of the coach: the better move, how much better it is, and what can be done now."""

from PIL import Image

from urpi.referee.decisions import Coached
from urpi.referee.snapshot import Snapshot
from urpi.rules import HAND, OFF, parse_move, squares_of
from urpi.show.views.board_diagram import Marks
from urpi.show.views.panel import WIDTH, blank
from urpi.show.views.text import ROW, draw_main, draw_rows, fits_main
from urpi.show.views.turn import BESIDE, draw_disc
from urpi.show.words import Words
from urpi.show.words.move_texts import shown_move


def draw_coached(snapshot: Snapshot, coached: Coached, words: Words) -> Image.Image:
    """Draw the better move in high letters, and below what its player can do now."""
    image = blank()
    # Translators: Above a better move in high letters; {move} is how much better it is, such as
    # +8%. 21 letters.
    title = words.text("Better: {move}").replace("{move}", f"+{words.percent(coached.loss)}")
    draw_rows(image, 0, title, 1)
    draw_disc(image, (0, ROW + 3), coached.side)
    better = shown_move(coached.better, words, lambda text: fits_main(text, WIDTH - BESIDE))
    draw_main(image, (BESIDE, ROW), better, WIDTH - BESIDE)
    draw_rows(image, 3 * ROW, _what_now(snapshot, words), 1)
    return image


def _what_now(snapshot: Snapshot, words: Words) -> str:
    """Return what the player can do now; empty if only the program continues."""
    seems, side = snapshot.seems is not None, snapshot.side
    waits = snapshot.program_throws(side.other if seems and side is not None else side)
    if snapshot.takeback is None and not seems:
        # Translators: Below a better move: to keep one's own, one only has to throw. 21 letters.
        return "" if waits else words.text("Or just throw.")
    # Translators: Below a better move: put the piece back to play it, or keep one's own by waiting
    # or throwing. 21 letters.
    return words.text("Put back, or wait.") if waits else words.text("Put back or throw.")


def move_marks(move: str) -> Marks:
    """Return the squares that a move fills and clears."""
    parts = parse_move(move).parts
    origins = squares_of(part.origin for part in parts if part.origin != HAND)
    targets = squares_of(part.target for part in parts if part.target != OFF)
    return Marks(targets, origins & ~targets)
