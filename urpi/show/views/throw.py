"""The views before a throw: whose turn it is, the moving dice, and the throws for the start."""

from typing import Final

from PIL import Image

from urpi.referee.snapshot import Snapshot
from urpi.rules import Side, Starter
from urpi.show.views.bitmap_font import font
from urpi.show.views.board_diagram import draw_board
from urpi.show.views.coach import draw_coached
from urpi.show.views.dice_row import (
    BIG_DIE,
    SMALL_DIE,
    DieSize,
    DieSymbol,
    draw_dice,
    row_width,
    symbols_of,
)
from urpi.show.views.fault_marker import draw_fault_marker
from urpi.show.views.panel import HEIGHT, WIDTH, blank
from urpi.show.views.phrases import last_event, player_name, refusal
from urpi.show.views.score import draw_score
from urpi.show.views.text import (
    LARGE,
    SMALL,
    draw_centred,
    draw_line,
    draw_lines,
    draw_named_title,
    draw_title,
)
from urpi.show.views.warning import BOARD_AT
from urpi.show.words import Words

_EVENT_TOP: Final = 16
_SCORE_TOP: Final = 28
_DICE_TOP: Final = 19
_CAPTION_TOP: Final = 50
_REFUSAL_TOP: Final = 16
_START_TOP: Final = 38
_START_NAME: Final = 16


def draw_throw(snapshot: Snapshot, words: Words) -> Image.Image:
    """Draw whose throw it is, with the dice as they settle, the coach, or else the position."""
    if snapshot.coached is not None and not refusal(snapshot, words):
        return draw_coached(snapshot, snapshot.coached, words)
    image = blank()
    _draw_thrower(image, snapshot, words)
    if _dice_are_moving(snapshot):
        _draw_moving_dice(image, snapshot, words)
    elif refusal(snapshot, words):
        _draw_refusal(image, snapshot, words)
    else:
        _draw_position(image, snapshot, words)
    return image


def draw_start_throw(snapshot: Snapshot, words: Words) -> Image.Image:
    """Draw whose throw for the start it is, and both throws so far."""
    image = blank()
    _draw_thrower(image, snapshot, words)
    if _dice_are_moving(snapshot):
        _draw_dice_row(image, _DICE_TOP, snapshot, SMALL_DIE)
    else:
        text = refusal(snapshot, words) or _start_text(snapshot, words)
        draw_lines(image, (0, _EVENT_TOP), text, font(SMALL), (WIDTH, WIDTH))
    for side in Side:
        _draw_start_value(image, snapshot, words, side)
    return image


def _start_text(snapshot: Snapshot, words: Words) -> str:
    if None in snapshot.start_throws:
        return words.text("Throw for the start")
    if snapshot.starter is Starter.ONE_MARK:
        return words.text("Not exactly one 1: both throw again")
    return words.text("A tie: both throw again")


def _draw_thrower(image: Image.Image, snapshot: Snapshot, words: Words) -> None:
    if snapshot.side is None:
        draw_title(image, words.text("Throw the dice"))
    else:
        name = player_name(snapshot, snapshot.side, words)
        throws = snapshot.program_throws(snapshot.side)
        title = words.text("{name} throws") if throws else words.text("{name} to throw")
        draw_named_title(image, title, name, smaller=snapshot.side is snapshot.remote)


def _dice_are_moving(snapshot: Snapshot) -> bool:
    """Return whether a throw has begun: a die is rolling, or only some have settled."""
    settled = {die for die, _ in snapshot.settled}
    return bool(snapshot.rolling) or bool(settled - set(snapshot.waiting) and snapshot.waiting)


def _draw_moving_dice(image: Image.Image, snapshot: Snapshot, words: Words) -> None:
    text = refusal(snapshot, words)
    if text:
        _draw_dice_row(image, _DICE_TOP, snapshot, SMALL_DIE)
        draw_lines(image, (0, _DICE_TOP + 17), text, font(SMALL), (WIDTH, WIDTH))
        return
    _draw_dice_row(image, _DICE_TOP + 3, snapshot, BIG_DIE)
    draw_centred(image, _CAPTION_TOP, _caption(snapshot, words), font(SMALL))


def _caption(snapshot: Snapshot, words: Words) -> str:
    waiting = [die for die in snapshot.waiting if die not in snapshot.rolling]
    if snapshot.rolling or not waiting:
        return words.text("The dice are rolling")
    names = ", ".join(map(str, waiting))
    return words.count("Waiting: die {dice}", "Waiting: dice {dice}", len(waiting), dice=names)


def _draw_dice_row(image: Image.Image, top: int, snapshot: Snapshot, size: DieSize) -> None:
    _draw_row(image, top, symbols_of(snapshot), snapshot, size)


def _draw_row(
    image: Image.Image,
    top: int,
    symbols: tuple[DieSymbol, ...],
    snapshot: Snapshot,
    size: DieSize,
) -> None:
    body = snapshot.position.rules.dice.body if snapshot.position else "d4"
    left = (WIDTH - row_width(len(symbols), size)) // 2
    draw_dice(image, (left, top), body, symbols, size)


def _draw_refusal(image: Image.Image, snapshot: Snapshot, words: Words) -> None:
    shown = snapshot.refused and snapshot.position is not None
    lines = 3 if shown else 4
    draw_lines(image, (0, _REFUSAL_TOP), refusal(snapshot, words), font(SMALL), (WIDTH,) * lines)
    if shown:
        symbols = tuple(DieSymbol(die, face) for die, face in snapshot.refused)
        _draw_row(image, HEIGHT - SMALL_DIE.height, symbols, snapshot, SMALL_DIE)


def _draw_position(image: Image.Image, snapshot: Snapshot, words: Words) -> None:
    event = words.text("Hold: no extra throw") if snapshot.may_decline else ""
    draw_line(image, (0, _EVENT_TOP), event or last_event(snapshot, words), font(SMALL))
    if snapshot.position is not None:
        draw_score(image, (0, _SCORE_TOP), snapshot.position, words)
        draw_board(image, BOARD_AT, snapshot.position)
    draw_fault_marker(image, (BOARD_AT[0], _SCORE_TOP - 1), WIDTH - BOARD_AT[0], snapshot.faults)


def _draw_start_value(image: Image.Image, snapshot: Snapshot, words: Words, side: Side) -> None:
    left, half = side.number * WIDTH // 2, WIDTH // 2
    throw = snapshot.start_throws[side.number]
    value = "-" if throw is None else str(throw.value)
    draw_line(image, (left, _START_TOP), value, font(LARGE), _START_NAME - 2)
    name = player_name(snapshot, side, words)
    draw_line(
        image, (left + _START_NAME, _START_TOP + 8), name, font(SMALL), half - _START_NAME - 2
    )
