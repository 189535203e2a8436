"""The view of a question: the chosen answer as the largest thing, and the buttons' use."""

from typing import Final, assert_never

from PIL import Image, ImageDraw

from urpi.referee.decisions import NO_MOVE
from urpi.referee.snapshot import Snapshot
from urpi.rules import DiceSet, Side
from urpi.show.views.panel import WIDTH, blank
from urpi.show.views.phrases import player_name
from urpi.show.views.text import (
    ROW,
    draw_main_or_rows,
    draw_rows,
    ink_width,
    second,
    shorten,
    with_name,
)
from urpi.show.views.turn import draw_fault_marker
from urpi.show.views.warning import draw_correction, draw_warning
from urpi.show.words import Words
from urpi.show.words.move_texts import NOT_MOVED, shown_move
from urpi.show.words.sentences import N_

_DOT: Final = 24
_DOT_GAP: Final = 8
_DOT_TOP: Final = 4
_FAULT: Final = 30
_FAULT_GAP: Final = 6
# Translators: The title of a question to a player: which move was made, what was thrown. 16
# letters.
_TITLES: Final = {"move": N_("{name}, which?"), "faces": N_("{name} threw?")}


def draw_question(snapshot: Snapshot, words: Words) -> Image.Image:
    """Draw the question, in high letters the answer that is chosen, and how to answer.

    A throw is asked for during most of a game with ordinary dice, so it hides no warning.
    """
    asks_throw = snapshot.question is not None and snapshot.question.ask == "faces"
    if asks_throw and snapshot.warning is not None:
        return _draw_warned(snapshot, words)
    image = blank()
    marks = _marks(snapshot)
    texts = candidates(snapshot, words)
    asks_side = snapshot.question is not None and snapshot.question.ask == "first"
    place = "" if marks or asks_side else f"{snapshot.chosen + 1}/{len(texts)}"
    if asks_throw and snapshot.faults:
        title = _title(snapshot, words, WIDTH - _FAULT)
        draw_rows(image, 0, title, 1, (0, WIDTH - _FAULT))
        left = ink_width(second(), title) + _FAULT_GAP
        draw_fault_marker(image, (left, 0), WIDTH - left, snapshot.faults, words)
    else:
        _draw_title(image, snapshot, words, place)
    _draw_chosen(image, ROW, texts[snapshot.chosen], marks)
    # Translators: The last line of a question: 21 letters. A press shows the next answer; to hold
    # the button chooses it.
    draw_rows(image, 3 * ROW, words.text("Press: next  Hold: OK"), 1)
    return image


def _draw_warned(snapshot: Snapshot, words: Words) -> Image.Image:
    """Draw the warning; once a throw is being entered, what to do and below it the throw."""
    if not snapshot.chosen:
        return draw_warning(snapshot, words)
    image = blank()
    draw_correction(image, snapshot, words)
    chosen = candidates(snapshot, words)[snapshot.chosen]
    _draw_chosen(image, 2 * ROW, chosen, _marks(snapshot))
    return image


def _draw_chosen(image: Image.Image, top: int, text: str, marks: tuple[int, int] | None) -> None:
    """Draw the answer that is chosen in two rows from `top` down."""
    if marks is None:
        draw_main_or_rows(image, (0, top), text, WIDTH, centred=True)
        return
    draw, (filled, dice) = ImageDraw.Draw(image), marks
    left = (WIDTH - dice * _DOT - (dice - 1) * _DOT_GAP) // 2
    for die in range(dice):
        x, y = left + die * (_DOT + _DOT_GAP), top + _DOT_TOP
        box = (x, y, x + _DOT - 1, y + _DOT - 1)
        draw.ellipse(box, fill=int(die < filled), outline=1)


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


def candidates(snapshot: Snapshot, words: Words) -> tuple[str, ...]:
    """Return the candidates as shown to the players, in the order of the question's choices.

    Moves are shown in words, or in their notation if that tells them apart; sides as the players'
    names, and faces as their value, or as letters such as `gg` if the colours matter. Sides whose
    players' names look the same are shown by their own names.
    """
    assert snapshot.question is not None
    ask = snapshot.question.ask
    match ask:
        case "first":
            sides = [Side(choice) for choice in snapshot.choices]
            names = tuple(player_name(snapshot, side, words) for side in sides)
            shown = {shorten(name, second(), WIDTH) for name in names}
            return names if len(shown) == len(names) else tuple(map(words.side, sides))
        case "move":
            moves = tuple(
                words.text(NOT_MOVED) if choice == NO_MOVE else shown_move(choice, words)
                for choice in snapshot.choices
            )
            return moves if len(set(moves)) == len(moves) else snapshot.choices
        case "faces" if snapshot.position is not None:
            dice = snapshot.position.rules.dice
            return tuple(_meaning(dice, choice) for choice in snapshot.choices)
        case "faces":
            return snapshot.choices
        case _:
            assert_never(ask)


def _meaning(dice: DiceSet, faces: str) -> str:
    return faces if dice.body == "d6" else dice.throw(faces).meaning


def _draw_title(image: Image.Image, snapshot: Snapshot, words: Words, place: str) -> None:
    """Draw who is asked what, and the place of the chosen answer in the list."""
    room = WIDTH - (second().width(f" {place}") if place else 0)
    draw_rows(image, 0, place, 1, (room + second().width(" "), WIDTH))
    draw_rows(image, 0, _title(snapshot, words, room), 1, (0, room))


def _title(snapshot: Snapshot, words: Words, room: int) -> str:
    question = snapshot.question
    assert question is not None
    if question.ask in _TITLES:
        name = player_name(snapshot, question.side, words)
        return with_name(words.text(_TITLES[question.ask]), name, second(), room)
    if snapshot.chooser is None:
        return words.text("Who begins?")
    name = player_name(snapshot, snapshot.chooser, words)
    # Translators: The title of the question who begins, as the loser chooses: 16 letters.
    return with_name(words.text("{name}, who begins?"), name, second(), room)
