"""The view after a throw: the throw, the legal moves, and a move that is not confirmed yet."""

from typing import Final

from PIL import Image

from urpi.referee.seats import is_engine
from urpi.referee.snapshot import Snapshot
from urpi.rules import Side, Throw
from urpi.show.views.bitmap_font import font
from urpi.show.views.board_diagram import draw_board
from urpi.show.views.coach import draw_coached, move_marks
from urpi.show.views.dice_row import SMALL_DIE, draw_dice, symbols_of_faces
from urpi.show.views.fault_marker import draw_fault_marker
from urpi.show.views.panel import HEIGHT, WIDTH, blank
from urpi.show.views.phrases import player_name, refusal
from urpi.show.views.text import (
    HUGE,
    LARGE,
    MEDIUM,
    SMALL,
    draw_centred,
    draw_line,
    draw_lines,
    draw_named_title,
    draw_title,
    largest,
    shorten,
)
from urpi.show.views.warning import BESIDE_BOARD, BOARD_AT
from urpi.show.words import Words
from urpi.show.words.decisions import UNPLANNED

_VALUE_TOP: Final = 17
RIGHT_OF_VALUE: Final = 22
REFUSAL_LINES: Final = 4
_DICE_TOP: Final = 21
_COUNT_TOP: Final = 51
_MARKER_TOP: Final = 36


def draw_move(snapshot: Snapshot, words: Words) -> Image.Image:
    """Draw the throw to play in large digits, or a move: the engine's, or one that seems made."""
    if snapshot.coached is not None:
        return draw_coached(snapshot, snapshot.coached, words)
    image = blank()
    shown = snapshot.planned or (snapshot.hint.move if snapshot.hint is not None else None)
    if shown is not None and snapshot.seems is None:
        _draw_advised(image, shown, snapshot, words)
        return image
    if snapshot.seems is not None and snapshot.seems_won and snapshot.side is not None:
        _draw_seems_won(image, snapshot, snapshot.side, snapshot.seems, words)
        return image
    _draw_mover(image, snapshot, words)
    if snapshot.seems is not None:
        refused = refusal(snapshot, words)
        if refused:
            _draw_refused(image, snapshot.seems, refused)
        else:
            _draw_seems(image, snapshot.seems, _how_to_confirm(snapshot, words), words)
    elif snapshot.throw is not None:
        _draw_value(image, snapshot.throw)
        _draw_details(image, snapshot, words)
    return image


def _draw_mover(image: Image.Image, snapshot: Snapshot, words: Words) -> None:
    if snapshot.side is None:
        draw_title(image, words.text("Make the move"))
    else:
        name = player_name(snapshot, snapshot.side, words)
        title = words.text("{name} to move")
        draw_named_title(image, title, name, smaller=snapshot.side is snapshot.remote)


def _draw_value(image: Image.Image, throw: Throw) -> None:
    draw_line(image, (1, _VALUE_TOP), str(throw.value), font(HUGE), 2 * HUGE // 2)


def _draw_details(image: Image.Image, snapshot: Snapshot, words: Words) -> None:
    text = _problem(snapshot, words)
    if text:
        widths = (WIDTH - RIGHT_OF_VALUE,) * REFUSAL_LINES
        draw_lines(image, (RIGHT_OF_VALUE, MEDIUM), text, font(SMALL), widths)
        return
    _draw_faces(image, snapshot)
    draw_line(image, (0, _COUNT_TOP), _count(snapshot, words), font(SMALL), BESIDE_BOARD)
    room = BOARD_AT[0] - RIGHT_OF_VALUE - 1
    draw_fault_marker(image, (RIGHT_OF_VALUE, _MARKER_TOP), room, snapshot.faults)


def _problem(snapshot: Snapshot, words: Words) -> str:
    """Return why there is nothing to play now, or what was refused last, empty otherwise."""
    if snapshot.thinking:
        remote = snapshot.remote is not None
        return words.text("Waiting for the other table") if remote else words.sentence("thinking")
    failed = snapshot.side is not None and is_engine(snapshot.seat(snapshot.side))
    return words.text(UNPLANNED) if failed else refusal(snapshot, words)


def _draw_faces(image: Image.Image, snapshot: Snapshot) -> None:
    assert snapshot.throw is not None
    if snapshot.position is not None:
        symbols = symbols_of_faces(snapshot.throw.faces)
        body = snapshot.position.rules.dice.body
        draw_dice(image, (RIGHT_OF_VALUE, _DICE_TOP), body, symbols, SMALL_DIE)
        draw_board(image, BOARD_AT, snapshot.position)


def _count(snapshot: Snapshot, words: Words) -> str:
    if not snapshot.legal:
        return words.text("no move")
    return words.count("{number} move", "{number} moves", len(snapshot.legal))


def _draw_advised(image: Image.Image, move: str, snapshot: Snapshot, words: Words) -> None:
    """Draw the engine's move, or a hint: its text, and its squares to clear and to fill."""
    text, top = refusal(snapshot, words), MEDIUM
    sizes: tuple[int, ...] = (LARGE, MEDIUM, SMALL)
    if text:
        draw_lines(image, (0, 0), text, font(SMALL), (WIDTH, WIDTH))
        sizes, top = sizes[1:], 2 * SMALL - 1
    elif snapshot.planned_as is not None and snapshot.side is not None:
        name = player_name(snapshot, snapshot.side, words)
        draw_named_title(image, words.text("{name} plays"), name, smaller=True)
    else:
        draw_title(
            image,
            words.text("Engine plays") if snapshot.planned is not None else words.text("Hint"),
        )
    draw_line(image, (0, top), move, largest(move, sizes, WIDTH))
    if snapshot.hint is not None and snapshot.hint.margin is not None:
        draw_line(image, (0, _COUNT_TOP), f"+{snapshot.hint.margin} %", font(SMALL), BESIDE_BOARD)
    elif snapshot.rolled is not None and snapshot.rolled.program:
        threw = words.text("threw {value}").format(value=snapshot.rolled.value)
        draw_line(image, (0, _COUNT_TOP), threw, font(SMALL), BESIDE_BOARD)
    elif snapshot.side is not None:
        side = shorten(words.side(snapshot.side), font(SMALL), BESIDE_BOARD)
        draw_line(image, (0, _COUNT_TOP), side, font(SMALL), BESIDE_BOARD)
    if snapshot.position is not None:
        draw_board(image, BOARD_AT, snapshot.position, move_marks(move))


def _how_to_confirm(snapshot: Snapshot, words: Words) -> str:
    """Return how the players confirm a move that seems made; the program does not throw before."""
    if snapshot.side is not None and snapshot.program_throws(snapshot.side.other):
        return words.text("Press, or wait")
    return words.text("Throw on, or press")


def _draw_seems_won(
    image: Image.Image, snapshot: Snapshot, side: Side, move: str, words: Words
) -> None:
    """Draw that the game seems won: no dice follow, so the winner must not throw."""
    name = player_name(snapshot, side, words)
    short = shorten(name, font(SMALL), WIDTH // 2)
    text = words.text("{name} seems to have won").format(name=short)
    draw_lines(image, (0, 0), text, font(SMALL), (WIDTH, WIDTH))
    draw_centred(image, 2 * SMALL, move, largest(move, (MEDIUM, SMALL), WIDTH))
    how = words.text("Throw nothing, or press the button")
    draw_lines(image, (0, 2 * SMALL + MEDIUM), how, font(SMALL), (WIDTH, WIDTH))


def _draw_seems(image: Image.Image, move: str, confirm: str, words: Words) -> None:
    draw_centred(image, 15, words.text("Looks like"), font(SMALL))
    letters = largest(move, (LARGE, MEDIUM, SMALL), WIDTH)
    draw_centred(image, 27 + (LARGE - letters.height) // 2, move, letters)
    draw_centred(image, 51, confirm, font(SMALL))


def _draw_refused(image: Image.Image, move: str, refused: str) -> None:
    """Draw a move that seems made, and that a throw after it does not count."""
    draw_centred(image, SMALL + 2, move, largest(move, (MEDIUM, SMALL), WIDTH))
    draw_lines(image, (0, HEIGHT - 2 * SMALL), refused, font(SMALL), (WIDTH, WIDTH))
