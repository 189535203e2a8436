"""The views at the end of a game and before one."""

from typing import Final

from PIL import Image

from urpi import __version__
from urpi.referee.decisions import Won
from urpi.referee.snapshot import Snapshot
from urpi.rules import Side
from urpi.show.views.bitmap_font import font
from urpi.show.views.panel import WIDTH, blank
from urpi.show.views.phrases import player_name
from urpi.show.views.text import (
    ELLIPSIS,
    MEDIUM,
    ROW,
    SMALL,
    draw_line,
    draw_main,
    draw_rows,
    draw_title,
    fits,
    largest,
    with_name,
    wrap,
)
from urpi.show.views.turn import draw_disc, draw_turn
from urpi.show.words import Words
from urpi.show.words.end_review import WINS, EndReview, luck_sentence, mistake_sentence

_VERSION_LEFT: Final = 56
_SMALL_DISC: Final = 11


def draw_outcome(snapshot: Snapshot, words: Words) -> Image.Image:
    """Draw the winner as the largest thing, or that there is none, and how the game ended."""
    image = blank()
    outcome = snapshot.outcome
    assert outcome is not None
    if isinstance(outcome, Won):
        draw_turn(image, snapshot, outcome.side, words)
        why = words.sentence(outcome.code, {"side": outcome.side.value})
        # Translators: After the winner's name in high letters, before the reason: six letters.
        why = f"{words.text('wins!')} {why}"
    else:
        # Translators: A game that was drawn or abandoned; it must not say draw. 12 letters.
        draw_main(image, (0, 0), words.text("No winner"), WIDTH, centred=True)
        why = words.sentence(outcome.code)
    draw_rows(image, 2 * ROW, why, 2)
    return image


def draw_no_game(snapshot: Snapshot, words: Words) -> Image.Image:
    """Draw the program's name and version, and the first fault if there is one."""
    image = blank()
    draw_main(image, (0, 0), "urpi", WIDTH)
    draw_rows(image, ROW - 5, __version__, 1, (_VERSION_LEFT, WIDTH - _VERSION_LEFT))
    draw_rows(image, 2 * ROW, _idle_text(snapshot, words), 2)
    return image


def _idle_text(snapshot: Snapshot, words: Words) -> str:
    if snapshot.faults:
        fault = snapshot.faults[0]
        return words.sentence(fault.code, {"device": fault.device})
    # Translators: No game is running: 21 letters.
    return words.text("Waiting for a game")


def draw_choose_first(snapshot: Snapshot, words: Words) -> Image.Image:
    """Draw the request to the players to choose who begins."""
    image = blank()
    draw_main(image, (0, 0), words.text("Who begins?"), WIDTH)
    for side in Side:
        top = (2 + side.number) * ROW
        draw_disc(image, (0, top + 2), side, _SMALL_DISC)
        left = _SMALL_DISC + 4
        draw_rows(image, top, player_name(snapshot, side, words), 1, (left, WIDTH - left))
    return image


_LINES: Final = 2
"""The lines of a sentence."""


def draw_end_review(end: EndReview, words: Words) -> Image.Image:
    """Draw the winner in the first line, and below a sentence on luck and one on mistakes."""
    image = blank()
    if end.winner is None:
        draw_title(image, words.text("No winner"))
    else:
        _draw_winner(image, words.text(WINS), end.name(end.winner, words))
    for number, sentence in enumerate((luck_sentence(end, words), mistake_sentence(end, words))):
        top = MEDIUM + number * _LINES * SMALL
        text = _with_name(*sentence)
        for row, line in enumerate(wrap(text, font(SMALL), (WIDTH,) * _LINES)):
            draw_line(image, (0, top + row * SMALL), line, font(SMALL))
    return image


def _draw_winner(image: Image.Image, template: str, name: str) -> None:
    """Draw the first line, MEDIUM if it fits, else SMALL with as much of the name as fits."""
    letters = largest(template.replace("{name}", name), (MEDIUM, SMALL), WIDTH)
    top = (MEDIUM - letters.height) // 2
    draw_line(image, (0, top), with_name(template, name, letters, WIDTH), letters)


def _with_name(template: str, name: str) -> str:
    """Return the sentence with the name, shortened until the whole sentence fits."""
    text, kept = template.replace("{name}", name), name
    while kept and not fits(text, font(SMALL), (WIDTH,) * _LINES):
        kept = kept[:-1]
        text = template.replace("{name}", kept.rstrip() + ELLIPSIS)
    return text
