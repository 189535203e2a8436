"""The menu at a board: what the buttons' presses go through before any of them is a fact.

Joins the menu's machine with the service. All of it is called in the thread that works.
"""

import logging
from collections.abc import Callable
from threading import Thread
from typing import Final

from urpi.errors import UrpiError
from urpi.menu import (
    Activity,
    LastMinuteRequest,
    Menu,
    MenuScreen,
    Output,
    PagePin,
    TableStatus,
    TextPage,
    due,
    on_press,
    show_last_minute,
    show_pin,
    tick,
)
from urpi.orders import ChangeLanguage, ChangeSound, NewGame, Order
from urpi.referee.decisions import Decision
from urpi.referee.facts import Button
from urpi.service.service import Service

_log: Final = logging.getLogger(__name__)


class BoardMenu:
    """Hands presses, time and the board to the machine, and has done what comes of it.

    `players` are those who have played here, `around` says how else the table is, `carry_out`
    takes orders, `look_back` gives what the board saw (in a thread of its own), and `redraw` is
    told when another screen is to be shown.
    """

    def __init__(  # noqa: PLR0913 - what varies is passed in
        self,
        service: Service,
        *,
        players: Callable[[], tuple[str, ...]],
        around: Callable[[tuple[str, ...]], TableStatus],
        carry_out: Callable[[Order], object],
        look_back: Callable[[], tuple[TextPage, ...]],
        redraw: Callable[[], None],
    ) -> None:
        self._service, self._players, self._around = service, players, around
        self._carry_out, self._look_back, self._redraw = carry_out, look_back, redraw
        self._known: tuple[str, ...] = ()
        self._menu = Menu()
        service.accompany(self)

    @property
    def screen(self) -> MenuScreen | None:
        """What is to be shown in place of the game, None when nothing is; from any thread."""
        return self._menu.screen

    @property
    def is_open(self) -> bool:
        """Whether somebody chooses, reads or is asked something; from any thread."""
        return self._menu.is_open

    @property
    def next_due(self) -> int | None:
        """When what is shown goes away by itself, None when nothing is shown."""
        return due(self._menu)

    def pressed(self, button: Button) -> tuple[Decision, ...]:
        """A button was pressed: it is the menu's or the referee's; what the referee decided."""
        before = self._menu
        if not before.is_open:
            self._known = self._players()
        self._menu, told = on_press(before, button, self._around(self._known), self._sight())
        decided = tuple(decision for one in told for decision in self._do(one))
        if self._menu.screens != before.screens:
            self._redraw()
        return decided

    def show_pin(self, pin: PagePin) -> None:
        """Somebody at the page asks for the PIN."""
        sight = self._sight()
        around = self._around(self._known)
        self._menu = show_pin(self._menu, self._service.clock(), pin, around, sight)
        self._redraw()

    def tend(self, t: int) -> None:
        """See whether time or the game has gone on."""
        if not self._menu.screens:
            return
        before = self._menu
        self._menu = tick(before, t, self._around(self._known), self._sight())
        if self._menu.screens != before.screens:
            self._redraw()

    def _sight(self) -> Activity:
        service = self._service
        snapshot = service.snapshot
        return Activity(
            service.game,
            snapshot.phase,
            service.occupied,
            service.rolling,
            (snapshot.question, snapshot.warning, snapshot.seems),
        )

    def _do(self, told: Output) -> tuple[Decision, ...]:
        match told:
            case LastMinuteRequest():
                Thread(target=self._look, name="urpi-last-minute", daemon=True).start()
            case NewGame() | ChangeLanguage() | ChangeSound():
                try:
                    self._carry_out(told)
                except UrpiError as error:
                    _log.warning("%s", error)
            case _:
                return self._service.decide(told)
        return ()

    def _look(self) -> None:
        pages = self._look_back()
        self._service.call(lambda: self._looked_back(pages))

    def _looked_back(self, pages: tuple[TextPage, ...]) -> None:
        self._menu = show_last_minute(self._menu, pages)
        self._redraw()
