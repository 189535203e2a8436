"""What a board shows its players at one moment, and the picture of it for the OLED."""

from dataclasses import dataclass

from PIL import Image

from urpi.referee import Snapshot
from urpi.referee.decisions import Decision
from urpi.show.menu import MenuScreen
from urpi.show.views import draw, draw_end_review, draw_menu
from urpi.show.views.notice import MAX_NOTICE_LINES, draw_notice
from urpi.show.words import Words
from urpi.show.words.end_review import EndReview


@dataclass(frozen=True, slots=True)
class Scene:
    """What every output of a board shows.

    Attributes:
        snapshot: The current state of the game.
        words: The texts in the players' language.
        decisions: The decisions that led to it; none if something else has changed.
        notice: The text of the notice over it, empty for none.
        brief: Whether the notice remains in one line.
        menu: The open screen of the menu, None if it is closed.
        asks: Whether the menu has just changed, so that a question in it is new.
        end: The review of the game that has ended, None if it is not shown.
    """

    snapshot: Snapshot
    words: Words
    decisions: tuple[Decision, ...] = ()
    notice: str = ""
    brief: bool = False
    menu: MenuScreen | None = None
    asks: bool = False
    end: EndReview | None = None


def oled_picture(scene: Scene) -> Image.Image:
    """Return the picture for the OLED: the menu, the review or the game, and a notice over it."""
    if scene.menu is not None:
        picture = draw_menu(scene.menu, scene.snapshot, scene.words)
    elif scene.end is not None:
        picture = draw_end_review(scene.end, scene.words)
    else:
        picture = draw(scene.snapshot, scene.words)
    # The menu's last line explains the buttons, so a brief notice, which remains, must not cover
    # it; a transient notice may.
    if scene.notice and (scene.menu is None or not scene.brief):
        draw_notice(picture, scene.notice, lines=1 if scene.brief else MAX_NOTICE_LINES)
    return picture
