"""The picture on a board's OLED: what is shown of menu, game, review and notices."""

from PIL import Image

from urpi.referee import Snapshot
from urpi.service.notices import Notice
from urpi.show.menu import MenuScreen
from urpi.show.views import draw, draw_end_review, draw_menu
from urpi.show.views.notice import MAX_NOTICE_LINES, draw_notice
from urpi.show.words import Words
from urpi.show.words.end_review import EndReview


def oled_picture(
    snapshot: Snapshot,
    notice: Notice | None,
    words: Words,
    menu: MenuScreen | None,
    end: EndReview | None,
) -> Image.Image:
    """Return the picture for the OLED: the menu, the review or the game, and a notice over it.

    Args:
        snapshot: The current state of the game.
        notice: The notice to show, None for none.
        words: The texts in the players' language.
        menu: The open screen of the menu, None if it is closed.
        end: The review of the game that has ended, None if it is not shown.
    """
    if menu is not None:
        picture = draw_menu(menu, snapshot, words)
    elif end is not None:
        picture = draw_end_review(end, words)
    else:
        picture = draw(snapshot, words)
    # The menu's last line explains the buttons, so a brief notice, which remains, must not cover
    # it; a transient notice may.
    if notice is not None and (menu is None or not notice.brief):
        text = words.sentence(notice.code, notice.details)
        draw_notice(picture, text, lines=1 if notice.brief else MAX_NOTICE_LINES)
    return picture
