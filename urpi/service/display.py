"""What the OLED of a board shows and its buzzer plays: menu, game, review and notices."""

from PIL import Image

from urpi.referee import Snapshot
from urpi.referee.decisions import Decision
from urpi.service.board_menu import BoardMenu
from urpi.service.devices import BoardDevices
from urpi.service.end_reviewer import EndReviewer
from urpi.service.notices import Notice
from urpi.service.preferences import TablePreferences
from urpi.service.service import Service
from urpi.show.menu import MenuScreen, without_pin
from urpi.show.views import draw, draw_end_review, draw_menu
from urpi.show.views.notice import MAX_NOTICE_LINES, draw_notice
from urpi.show.views.sounds import sound
from urpi.show.words import Words
from urpi.show.words.end_review import EndReview


class Display:
    """Shows a table's state on its OLED and announces changes.

    Args:
        service: The service at the board.
        preferences: The table's preferences.
        devices: The OLED and the sound.
        menu: The menu, whose screen is shown in place of the game.
        end: The review of the game that has ended, which is shown after it.
    """

    def __init__(
        self,
        service: Service,
        preferences: TablePreferences,
        devices: BoardDevices,
        menu: BoardMenu,
        end: EndReviewer,
    ) -> None:
        self._service, self._preferences = service, preferences
        self._devices, self._menu, self._end = devices, menu, end

    def update(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        """Show a change, and play what announces it. Call it in the service's thread."""
        notice, words = self._service.notice, self._preferences.words
        menu, end = self._menu.screen, self._end.shown
        # Drawn in the screen's thread, and only if no newer picture follows before.
        self._devices.show(lambda: oled_picture(snapshot, notice, words, menu, end))
        if played := sound(snapshot, decisions, words):
            self._devices.play(played.motif, played.text)

    def picture(self) -> Image.Image:
        """Return the picture for the OLED, drawn anew, without the page's PIN. Thread-safe.

        The PIN is for those who are at the display.
        """
        service, shown = self._service, self._menu.screen
        menu = None if shown is None else without_pin(shown)
        words = self._preferences.words
        return oled_picture(service.snapshot, service.notice, words, menu, self._end.shown)


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
