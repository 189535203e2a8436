"""What a board shows its players: menu, game, review and notices, on every output."""

from dataclasses import replace

from PIL import Image

from urpi.referee import Snapshot
from urpi.referee.decisions import Decision
from urpi.service.board_menu import BoardMenu
from urpi.service.devices import BoardDevices
from urpi.service.end_reviewer import EndReviewer
from urpi.service.preferences import TablePreferences
from urpi.service.service import Service
from urpi.show.menu import MenuScreen, without_pin
from urpi.show.scene import Scene, oled_picture


class Display:
    """Shows a table's state on its outputs and announces changes.

    Args:
        service: The service at the board.
        preferences: The table's preferences.
        devices: The devices with the outputs.
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
        self._screen: MenuScreen | None = None

    def update(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        """Show a change, and announce it. Call it in the service's thread."""
        scene = self._scene(snapshot, decisions)
        asks, self._screen = scene.menu != self._screen, scene.menu
        self._devices.show(replace(scene, asks=asks))

    def picture(self) -> Image.Image:
        """Return the picture for the OLED, drawn again, without the page's PIN. Thread-safe.

        The PIN is for those who are at the display.
        """
        scene = self._scene(self._service.snapshot)
        menu = None if scene.menu is None else without_pin(scene.menu)
        return oled_picture(replace(scene, menu=menu))

    def _scene(self, snapshot: Snapshot, decisions: tuple[Decision, ...] = ()) -> Scene:
        notice, words = self._service.notice, self._preferences.words
        text = "" if notice is None else words.sentence(notice.code, notice.details)
        brief = notice is not None and notice.brief
        menu, end = self._menu.screen, self._end.shown
        return Scene(snapshot, words, decisions, text, brief, menu, end=end)
