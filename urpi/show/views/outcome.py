"""The views at the end of a game and before one."""

from typing import Final

from PIL import Image

from urpi import __version__
from urpi.referee.decisions import Won
from urpi.referee.snapshot import Snapshot
from urpi.rules import Side
from urpi.show.views.panel import WIDTH, blank
from urpi.show.views.phrases import player_name
from urpi.show.views.text import ROW, draw_main, draw_rows
from urpi.show.views.turn import draw_disc, draw_turn
from urpi.show.words import Words

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
        why = f"{words.text('wins!')} {why}"
    else:
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
