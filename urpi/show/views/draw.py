"""The choice of the view that shows a snapshot."""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from PIL import Image

from urpi.referee.snapshot import Phase, Snapshot
from urpi.show.views.move import draw_move
from urpi.show.views.outcome import draw_choose_first, draw_no_game, draw_outcome
from urpi.show.views.question import draw_question
from urpi.show.views.throw import draw_start_throw, draw_throw
from urpi.show.views.warning import draw_set_up, draw_warning
from urpi.show.words import Words

View: TypeAlias = Callable[[Snapshot, Words], Image.Image]

_VIEWS: Final[Mapping[Phase, View]] = {
    Phase.NO_GAME: draw_no_game,
    Phase.SET_UP: draw_set_up,
    Phase.CHOOSE_FIRST: draw_choose_first,
    Phase.START_THROW: draw_start_throw,
    Phase.THROW: draw_throw,
    Phase.MOVE: draw_move,
    Phase.OVER: draw_no_game,
}


def draw(snapshot: Snapshot, words: Words) -> Image.Image:
    """Draw the OLED's picture of a snapshot: 128 by 64 pixels in mode ``1``, lit where 1.

    The end of the game takes precedence over a question, a question over a warning, and both
    over the phase of the game. A question comes before a warning because it uses the buttons,
    and its answer can resolve the warning. A throw that is asked for leaves the warning visible.
    """
    return _view(snapshot)(snapshot, words)


def _view(snapshot: Snapshot) -> View:
    if snapshot.outcome is not None:
        return draw_outcome
    if snapshot.question is not None:
        return draw_question
    if snapshot.warning is not None:
        return draw_warning
    return _VIEWS[snapshot.phase]
