"""The one door: which view shows a snapshot."""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from PIL import Image

from urpi.referee.snapshot import Phase, Snapshot
from urpi.views.move import draw_move
from urpi.views.outcome import draw_choose_first, draw_no_game, draw_outcome
from urpi.views.question import draw_question
from urpi.views.throw import draw_start_throw, draw_throw
from urpi.views.warning import draw_set_up, draw_warning
from urpi.words import Words

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
    """The OLED's picture, 128 by 64 pixels of mode ``1``, lit where it is 1.

    The end of the game goes before a question, a question before a warning (it takes the
    buttons, and it may be how to settle what the warning says), and these before what the
    game waits for.
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
