"""The view of a question: the candidates with the chosen one inverted, and the buttons' use."""

from typing import Final, assert_never

from PIL import Image, ImageDraw

from urpi.referee.snapshot import Snapshot
from urpi.rules import DiceSet, Side
from urpi.show.views.bitmap_font import font
from urpi.show.views.panel import HEIGHT, WIDTH, blank
from urpi.show.views.phrases import player_name
from urpi.show.views.text import (
    SMALL,
    draw_centred,
    draw_inverted,
    draw_line,
    draw_named_title,
    draw_title,
    ink_width,
    shorten,
    with_name,
)
from urpi.show.words import Words
from urpi.show.words.sentences import N_

_TOP: Final = 16
_ROWS: Final = 3
_COLUMN_GAP: Final = 4
_DOT: Final = 17
_DOT_GAP: Final = 9
_DOT_TOP: Final = 24
_TITLES: Final = {"move": N_("{name}, which?"), "faces": N_("{name} threw?")}


def draw_question(snapshot: Snapshot, words: Words) -> Image.Image:
    """Draw the question, as many of its candidates as fit, and how to answer."""
    image = blank()
    _draw_title(image, snapshot, words)
    marks = _marks(snapshot)
    if marks is None:
        _draw_candidates(image, candidates(snapshot, words), snapshot.chosen)
    else:
        _draw_marks(image, *marks)
    draw_centred(image, HEIGHT - SMALL, words.text("Press: next  Hold: OK"), font(SMALL))
    return image


def _marks(snapshot: Snapshot) -> tuple[int, int] | None:
    """The number of marked tips that are entered, and of how many dice.

    None unless all dice of a throw are asked for, and each choice has one more mark.
    """
    asked = snapshot.question is not None and snapshot.question.ask == "faces"
    if not asked or snapshot.position is None or snapshot.position.rules.dice.body == "d6":
        return None
    marks = [len(choice) - choice.count("-") for choice in snapshot.choices]
    dice = max(map(len, snapshot.choices), default=0)
    # If some of the dice report their faces, circles for all of them would show those as open.
    return (snapshot.chosen, dice) if marks == [*range(dice + 1)] else None


def _draw_marks(image: Image.Image, marks: int, dice: int) -> None:
    """Draw a circle for each die, filled for those with a marked tip."""
    draw = ImageDraw.Draw(image)
    left = (WIDTH - dice * _DOT - (dice - 1) * _DOT_GAP) // 2
    for die in range(dice):
        x = left + die * (_DOT + _DOT_GAP)
        box = (x, _DOT_TOP, x + _DOT - 1, _DOT_TOP + _DOT - 1)
        draw.ellipse(box, fill=int(die < marks), outline=1)


def candidates(snapshot: Snapshot, words: Words) -> tuple[str, ...]:
    """Return the candidates as shown to the players, in the order of the question's choices.

    Moves are shown in their notation, sides as the players' names, and faces as their value, or
    as letters such as `gg` if the colours matter. Sides whose players' names look the same are
    shown by their own names.
    """
    assert snapshot.question is not None
    ask = snapshot.question.ask
    match ask:
        case "first":
            sides = [Side(choice) for choice in snapshot.choices]
            names = tuple(player_name(snapshot, side, words) for side in sides)
            shown = {shorten(name, font(SMALL), WIDTH - 2) for name in names}
            return names if len(shown) == len(names) else tuple(map(words.side, sides))
        case "faces" if snapshot.position is not None:
            dice = snapshot.position.rules.dice
            return tuple(_meaning(dice, choice) for choice in snapshot.choices)
        case "move" | "faces":
            return snapshot.choices
        case _:
            assert_never(ask)


def _meaning(dice: DiceSet, faces: str) -> str:
    return faces if dice.body == "d6" else dice.throw(faces).meaning


def _draw_title(image: Image.Image, snapshot: Snapshot, words: Words) -> None:
    question = snapshot.question
    assert question is not None
    if question.ask in _TITLES:
        name = player_name(snapshot, question.side, words)
        draw_named_title(image, words.text(_TITLES[question.ask]), name)
    elif snapshot.chooser is not None:
        name = player_name(snapshot, snapshot.chooser, words)
        title = words.text("{name}, who begins?")
        draw_title(image, with_name(title, name, font(SMALL), WIDTH))
    else:
        draw_title(image, words.text("Who begins?"))


def _draw_candidates(image: Image.Image, texts: tuple[str, ...], chosen: int) -> None:
    columns = _columns(texts)
    shown = _ROWS * columns
    first = chosen // shown * shown
    width = (WIDTH - _COLUMN_GAP * (columns - 1)) // columns
    for number, text in enumerate(texts[first : first + shown]):
        column, row = divmod(number, _ROWS)
        at = column * (width + _COLUMN_GAP), _TOP + row * SMALL
        if first + number == chosen:
            place = f"{chosen + 1}/{len(texts)}" if len(texts) > shown else ""
            _draw_chosen(image, at, text, place, width)
        else:
            draw_line(image, (at[0] + 1, at[1]), text, font(SMALL), width - 2)


def _draw_chosen(
    image: Image.Image, at: tuple[int, int], text: str, place: str, width: int
) -> None:
    """Draw the chosen candidate, with its position in the list if not all fit."""
    room = width - font(SMALL).width(place) - (1 if place else 0)
    draw_inverted(image, at, text, font(SMALL), (room, SMALL))
    if place:
        draw_inverted(image, (at[0] + room, at[1]), place, font(SMALL), (width - room, SMALL))


def _columns(texts: tuple[str, ...]) -> int:
    """Return 2 if there are more than `_ROWS` candidates that fit into two columns, else 1."""
    half = (WIDTH - _COLUMN_GAP) // 2 - 2
    fitting = all(ink_width(font(SMALL), text) <= half for text in texts)
    return 2 if fitting and len(texts) > _ROWS else 1
