"""The views at the end of a game and before one."""

from PIL import Image

from urpi import __version__
from urpi.referee.decisions import Won
from urpi.referee.snapshot import Snapshot
from urpi.rules import Side
from urpi.show.views.bitmap_font import font
from urpi.show.views.panel import HEIGHT, WIDTH, blank
from urpi.show.views.phrases import player_name
from urpi.show.views.text import (
    HUGE,
    LARGE,
    MEDIUM,
    SMALL,
    draw_centred,
    draw_title,
    largest,
    wrap,
)
from urpi.show.words import Words


def draw_outcome(snapshot: Snapshot, words: Words) -> Image.Image:
    """Draw the winner in large letters, or how the game ended without one."""
    image = blank()
    outcome = snapshot.outcome
    assert outcome is not None
    if isinstance(outcome, Won):
        _draw_winner(image, player_name(snapshot, outcome.side, words), words)
        why = words.sentence(outcome.code, {"side": outcome.side.value})
    else:
        draw_centred(
            image,
            8,
            words.text("No winner"),
            largest(words.text("No winner"), (LARGE, MEDIUM), WIDTH),
        )
        why = words.sentence(outcome.code)
    _draw_reason(image, why)
    return image


def _draw_winner(image: Image.Image, name: str, words: Words) -> None:
    _draw_large(image, 0, name)
    draw_centred(image, LARGE - 1, words.text("wins!"), font(MEDIUM))


def _draw_large(image: Image.Image, top: int, text: str) -> None:
    """Draw one line, LARGE if it fits, else MEDIUM."""
    letters = largest(text, (LARGE, MEDIUM), WIDTH)
    draw_centred(image, top + (LARGE - letters.height) // 2, text, letters)


def _draw_reason(image: Image.Image, why: str) -> None:
    """Draw one or two lines at the bottom."""
    lines = wrap(why, font(SMALL), (WIDTH, WIDTH))
    top = 48 if len(lines) == 1 else HEIGHT - 2 * SMALL
    for number, line in enumerate(lines):
        draw_centred(image, top + number * SMALL, line, font(SMALL))


def draw_no_game(snapshot: Snapshot, words: Words) -> Image.Image:
    """Draw the program's name and version, and the first fault if there is one."""
    image = blank()
    draw_centred(image, 0, "urpi", font(HUGE))
    draw_centred(image, 31, __version__, font(SMALL))
    _draw_reason(image, _idle_text(snapshot, words))
    return image


def _idle_text(snapshot: Snapshot, words: Words) -> str:
    if snapshot.faults:
        fault = snapshot.faults[0]
        return words.sentence(fault.code, {"device": fault.device})
    return words.text("Waiting for a game")


def draw_choose_first(snapshot: Snapshot, words: Words) -> Image.Image:
    """Draw the request to the players to choose who begins."""
    image = blank()
    draw_title(image, words.text("Who begins?"))
    for side in Side:
        name = player_name(snapshot, side, words)
        draw_centred(image, 20 + 20 * side.number, name, font(MEDIUM))
    return image
