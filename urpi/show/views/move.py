"""The views after a throw: the throw, the engine's move or a hint, and a move not confirmed yet."""

from typing import Final

from PIL import Image

from urpi.referee.seats import is_engine
from urpi.referee.snapshot import Snapshot
from urpi.rules import Side, Throw
from urpi.show.views.board_diagram import draw_board
from urpi.show.views.clock import draw_clocks
from urpi.show.views.coach import draw_coached, move_marks
from urpi.show.views.dice_row import SMALL_DIE, draw_dice, symbols_of_faces
from urpi.show.views.panel import WIDTH, blank
from urpi.show.views.phrases import player_name, refusal
from urpi.show.views.score import draw_score
from urpi.show.views.text import (
    ROW,
    draw_main,
    draw_rows,
    ink_width,
    main_letters,
    second,
    shorten,
    value_letters,
)
from urpi.show.views.turn import BESIDE, draw_beside_disc, draw_disc, draw_fault_marker, draw_turn
from urpi.show.views.warning import BESIDE_BOARD, BOARD_AT
from urpi.show.words import Words
from urpi.show.words.decisions import UNPLANNED
from urpi.show.words.move_texts import shown_move

_GAP: Final = 4


def draw_move(snapshot: Snapshot, words: Words) -> Image.Image:
    """Draw the throw as the largest thing, or a move: the engine's, or one that seems made."""
    if snapshot.coached is not None:
        return draw_coached(snapshot, snapshot.coached, words)
    image = blank()
    advised = snapshot.planned or (snapshot.hint.move if snapshot.hint is not None else None)
    if snapshot.seems is not None:
        _draw_seems(image, snapshot, snapshot.seems, words)
    elif advised is not None:
        _draw_advised(image, advised, snapshot, words)
    elif _problem(snapshot, words):
        _draw_problem(image, snapshot, words)
    elif snapshot.throw is not None:
        _draw_throw(image, snapshot, snapshot.throw, words)
    else:
        _draw_mover(image, snapshot, words, 0)
        # Translators: Below a name in high letters, whose turn it is to move: about 8 letters.
        draw_main(image, (0, 2 * ROW), words.text("to move"), WIDTH)
    return image


def _draw_mover(image: Image.Image, snapshot: Snapshot, words: Words, left: int) -> None:
    if snapshot.side is not None:
        draw_turn(image, snapshot, snapshot.side, words, left)


def _draw_throw(image: Image.Image, snapshot: Snapshot, throw: Throw, words: Words) -> None:
    """Draw the value at the left, beside it the player and the dice, and below the moves."""
    figures, value = value_letters(), str(throw.value)
    figures.draw(image, (0, 2 - figures.above), value)
    left = ink_width(figures, value) + _GAP
    _draw_mover(image, snapshot, words, left)
    if snapshot.position is None:
        return
    body, symbols = snapshot.position.rules.dice.body, symbols_of_faces(throw.shown)
    draw_dice(image, (left, 2 * ROW + 1), body, symbols, SMALL_DIE)
    if draw_clocks(image, 3 * ROW, snapshot):
        return
    text = _moves(snapshot, words)
    draw_rows(image, 3 * ROW, text, 1)
    left = ink_width(second(), text) + 2 * _GAP
    if snapshot.faults:
        draw_fault_marker(image, (left, 3 * ROW), WIDTH - left, snapshot.faults, words)
    else:
        draw_score(image, 3 * ROW, snapshot.position, words, WIDTH - left)


def _moves(snapshot: Snapshot, words: Words) -> str:
    if not snapshot.legal:
        # Translators: Beside the board on the display: 10 letters. The player cannot move.
        return words.text("no move")
    # Translators: How many moves are possible, beside the board on the display: 10 letters.
    return words.count("{number} move", "{number} moves", len(snapshot.legal))


def _draw_problem(image: Image.Image, snapshot: Snapshot, words: Words) -> None:
    """Draw the throw beside the player, and below why there is nothing to play now."""
    value = "" if snapshot.throw is None else str(snapshot.throw.value)
    width = ink_width(main_letters(value, WIDTH), value)
    draw_main(image, (0, 0), value, WIDTH)
    _draw_mover(image, snapshot, words, width + _GAP if value else 0)
    draw_rows(image, 2 * ROW, _problem(snapshot, words), 2)


def _problem(snapshot: Snapshot, words: Words) -> str:
    """Return why there is nothing to play now, or what was refused last, empty otherwise."""
    if snapshot.thinking:
        remote = snapshot.remote is not None
        # Translators: The other table has not sent its move yet: two lines of 10 letters beside
        # the board.
        return words.text("Waiting for the other table") if remote else words.sentence("thinking")
    failed = snapshot.side is not None and is_engine(snapshot.seat(snapshot.side))
    return words.text(UNPLANNED) if failed else refusal(snapshot, words)


def _draw_advised(image: Image.Image, move: str, snapshot: Snapshot, words: Words) -> None:
    """Draw the engine's move, or a hint: in words, and on the board its squares."""
    side = snapshot.side or Side.LIGHT
    draw_beside_disc(image, side, _short(move, words, WIDTH - BESIDE))
    refused = refusal(snapshot, words)
    if refused:
        draw_rows(image, 2 * ROW, refused, 2)
        return
    left = 0
    if snapshot.throw is not None:
        value = str(snapshot.throw.value)
        draw_main(image, (0, 2 * ROW), value, BESIDE_BOARD)
        left = ink_width(main_letters(value, BESIDE_BOARD), value) + _GAP
    for row, text in enumerate(_advice(snapshot, words)):
        line = shorten(text, second(), BESIDE_BOARD - left)
        draw_rows(image, (2 + row) * ROW, line, 1, (left, BESIDE_BOARD - left))
    if snapshot.position is not None:
        draw_board(image, BOARD_AT, snapshot.position, move_marks(move))


def _advice(snapshot: Snapshot, words: Words) -> tuple[str, str]:
    """Return what the move is, and how much better it is than the next one."""
    if snapshot.planned is not None:
        # Translators: Beside the board, after the name of the engine, which wants this move to be
        # made for it: 10 letters.
        return words.text("plays"), ""
    margin = snapshot.hint.margin if snapshot.hint is not None else None
    # Translators: Beside the board, below a move that is only a hint: 10 letters.
    return words.text("hint"), "" if margin is None else f"+{words.percent(margin)}"


def _short(move: str, words: Words, width: int) -> str:
    """Return a move in words if they fit into a line of high letters, else with arrows."""
    return shown_move(move, words, lambda text: _fits(text, width))


def _fits(text: str, width: int) -> bool:
    return ink_width(main_letters(text, width), text.upper()) <= width


def _draw_seems(image: Image.Image, snapshot: Snapshot, move: str, words: Words) -> None:
    """Draw a move that seems made, and what confirms it or that a throw after it was refused."""
    side = snapshot.side or Side.LIGHT
    refused = refusal(snapshot, words)
    if snapshot.seems_won and not refused:
        _draw_seems_won(image, snapshot, side, words)
        return
    if refused:
        draw_beside_disc(image, side, _short(move, words, WIDTH - BESIDE))
        draw_rows(image, 2 * ROW, refused, 2)
        return
    # Translators: Above a move that seems to have been made: 21 letters.
    draw_rows(image, 0, words.text("Looks like"), 1)
    moved = _short(move, words, WIDTH - BESIDE)
    draw_disc(image, (0, ROW + 3), side)
    draw_main(image, (BESIDE, ROW), moved, WIDTH - BESIDE)
    draw_rows(image, 3 * ROW, _how_to_confirm(snapshot, words), 1)


def _how_to_confirm(snapshot: Snapshot, words: Words) -> str:
    """Return how the players confirm a move that seems made; the program does not throw before."""
    if snapshot.side is not None and snapshot.program_throws(snapshot.side.other):
        # Translators: Below a move that seems to have been made: it counts when the button is
        # pressed, or soon. 21 letters.
        return words.text("Press, or wait")
    # Translators: Below a move that seems to have been made: it counts with the next throw, or
    # when the button is pressed. 21 letters.
    return words.text("Just throw, or press")


def _draw_seems_won(image: Image.Image, snapshot: Snapshot, side: Side, words: Words) -> None:
    """Draw that the game seems won: no dice follow, so the winner must not throw."""
    draw_disc(image, (0, 3), side)
    name = shorten(player_name(snapshot, side, words), second(), (WIDTH - BESIDE) // 2)
    # Translators: Until the last piece counts as home: two lines of 21 letters.
    text = words.text("{name} seems to have won").format(name=name)
    draw_rows(image, 0, text, 2, (BESIDE, WIDTH - BESIDE))
    # Translators: Below "seems to have won": do not throw, but confirm with the button; two lines
    # of 21 letters.
    draw_rows(image, 2 * ROW, words.text("Throw nothing, or press the button"), 2)
