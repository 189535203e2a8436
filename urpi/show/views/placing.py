"""The views of setting up a position: the question as the largest thing, and the board so far.

On the board the square that is asked about is lit, and a question mark is on each square of which
it is not known yet what stands there.
"""

from typing import Final, assert_never

from PIL import Image

from urpi.referee.placing import (
    AskBegin,
    AskHeight,
    AskOff,
    AskPiece,
    AskPiles,
    AskTurn,
    Impossible,
    Placing,
    PlacingAsk,
)
from urpi.rules import SQUARE_NAMES, Side, Square, squares_of
from urpi.rules.board import EMPTY_SIDES
from urpi.rules.position import position_of
from urpi.show.views.board_diagram import Marks, draw_board
from urpi.show.views.panel import WIDTH, blank
from urpi.show.views.text import ROW, draw_main_or_rows, draw_rows
from urpi.show.views.turn import draw_beside_disc, draw_disc
from urpi.show.views.warning import BESIDE_BOARD, BOARD_AT
from urpi.show.words import Words, menu_words

_TIMES: Final = "\N{MULTIPLICATION SIGN}"
_DOWN: Final = "\N{DOWNWARDS ARROW}"
_UP: Final = "\N{UPWARDS ARROW}"
_MORE: Final = "+"
_LESS: Final = "-"
_KEY: Final = 9


def draw_placing(placing: Placing, words: Words) -> Image.Image:
    """Draw what is asked, beside the board how it is answered, and what stands there."""
    image = blank()
    asks = placing.asks
    _draw_question(image, asks, words, is_begun=bool(placing.order))
    _draw_answer(image, asks, words, is_begun=bool(placing.order))
    asked = _asked(asks)
    marks = Marks(
        asked=0 if asked is None else 1 << asked,
        unknown=squares_of(square for square in placing.order if not placing.board[square]),
    )
    shown = position_of(placing.rules, placing.board, EMPTY_SIDES, EMPTY_SIDES, None)
    draw_board(image, BOARD_AT, shown, marks)
    return image


def _asked(asks: PlacingAsk) -> Square | None:
    match asks:
        case AskPiece(square=square) | AskHeight(square=square) | AskPiles(chosen=square):
            return square
        case _:
            return None


def _draw_question(image: Image.Image, asks: PlacingAsk, words: Words, *, is_begun: bool) -> None:
    """Draw the question in the two upper rows, beside the disc of the side that it is about."""
    match asks:
        case AskOff(side=side, counts=counts, chosen=chosen):
            text = words.text(menu_words.GONE).replace("{count}", str(counts[chosen]))
            draw_beside_disc(image, side, text)
        case AskBegin(position=position):
            assert position.turn is not None
            draw_beside_disc(image, position.turn, words.text(menu_words.BEGINS))
        case Impossible(code=code, side=side):
            draw_beside_disc(image, side, words.text(menu_words.IMPOSSIBLE[code]))
        case AskPiece():
            draw_main_or_rows(image, (0, 0), _piece_text(asks, words), WIDTH)
        case AskHeight(square=square, height=height):
            draw_main_or_rows(image, (0, 0), f"{SQUARE_NAMES[square]}{_TIMES}{height}", WIDTH)
        case AskPiles(chosen=square):
            draw_main_or_rows(image, (0, 0), _piles_text(square, words), WIDTH)
        case AskTurn():
            text = words.text(menu_words.PLACED if is_begun else menu_words.PLACE)
            draw_main_or_rows(image, (0, 0), text, WIDTH)
        case _:
            assert_never(asks)


def _piece_text(asks: AskPiece, words: Words) -> str:
    """Return whose piece is asked for, or if that is known, whether it has turned."""
    sides = {Side.of_letter(letter) for letter in asks.letters}
    text = words.text(menu_words.WHOSE if len(sides) > 1 else menu_words.TURNED)
    name = SQUARE_NAMES[asks.square]
    if asks.height > 1:
        name += f" {asks.place}/{asks.height}"
    return text.replace("{square}", name)


def _piles_text(square: Square | None, words: Words) -> str:
    if square is None:
        return words.text(menu_words.NO_PILE)
    return words.text(menu_words.PILE).replace("{square}", SQUARE_NAMES[square])


def _draw_answer(image: Image.Image, asks: PlacingAsk, words: Words, *, is_begun: bool) -> None:
    """Draw in the two rows beside the board how the buttons answer a question."""
    match asks:
        case AskPiles():
            _draw_keys(image, _DOWN, _UP, words)
        case AskHeight() | AskOff():
            _draw_keys(image, _MORE, _LESS, words)
        case AskTurn() if not is_begun:
            pass
        case _:
            draw_rows(image, 2 * ROW, words.text(_answer(asks)), 2, (0, BESIDE_BOARD))


def _draw_keys(image: Image.Image, light: str, dark: str, words: Words) -> None:
    """Draw what a press of light's and of dark's button does, and that a hold selects."""
    left = 1
    for side, text in zip(Side, (light, dark), strict=True):
        draw_disc(image, (left, 2 * ROW + (ROW - _KEY) // 2), side, _KEY)
        draw_rows(image, 2 * ROW, text, 1, (left + _KEY + 3, WIDTH))
        left += BESIDE_BOARD // 2
    draw_rows(image, 3 * ROW, words.text("Hold: OK"), 1, (0, BESIDE_BOARD))


def _answer(asks: AskPiece | AskTurn | AskBegin | Impossible) -> str:
    """Return how the buttons answer a question that has no list of answers."""
    match asks:
        case AskPiece(letters=letters):
            sides = {Side.of_letter(letter) for letter in letters}
            if len(sides) == 1:
                return menu_words.ANSWER
            faces = len(letters) > len(sides)
            return menu_words.OWNER_AND_FACE if faces else menu_words.OWNER
        case AskBegin():
            return menu_words.ANSWER
        case AskTurn(turns=turns):
            with_extra = any(turn.extra_used for turn in turns)
            return menu_words.THROWER_AND_EXTRA if with_extra else menu_words.THROWER
        case Impossible():
            return menu_words.LIFT
        case _:
            assert_never(asks)
