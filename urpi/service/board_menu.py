"""The menu of a board: connects the menu's state machine with the service.

All button presses go through it before any of them becomes a fact. Its methods are called in the
service's thread.
"""

import logging
from collections.abc import Callable
from threading import Thread
from typing import Final

from urpi.core.errors import UrpiError
from urpi.referee.decisions import Decision
from urpi.referee.facts import Button, Fact
from urpi.referee.orders import (
    AnswerInvitation,
    AnswerProposal,
    AskHint,
    ChangeLanguage,
    ChangeSound,
    Invite,
    NewGame,
    Order,
    PublishName,
    WithdrawInvitation,
)
from urpi.referee.seats import place_name
from urpi.rules import Side
from urpi.service.service import Service
from urpi.show.menu import (
    Activity,
    DrawOffer,
    Invitation,
    LastMinuteRequest,
    Menu,
    MenuScreen,
    Message,
    Offer,
    Output,
    PagePin,
    Proposal,
    TableStatus,
    TextPage,
    due,
    on_press,
    show_declined,
    show_invitation,
    show_last_minute,
    show_message,
    show_offer,
    show_pin,
    tick,
)

_log: Final = logging.getLogger(__name__)


class BoardMenu:
    """Passes presses, time and the table's status to the menu, and carries out its outputs.

    Args:
        service: The service at the board.
        players: Returns the names of the recent players.
        status: Returns the table's status, given those names.
        handle_order: Carries out an order.
        last_minute: Returns the events of the last minute; called in a thread of its own.
        offer_draw: Offers the engine a draw for a side; the function is called if it declines.
        process: Processes a fact at once and returns the decisions.
        redraw: Called when another screen must be shown.
    """

    def __init__(  # noqa: PLR0913 - what varies is passed in
        self,
        service: Service,
        *,
        players: Callable[[], tuple[str, ...]],
        status: Callable[[tuple[str, ...]], TableStatus],
        handle_order: Callable[[Order], object],
        last_minute: Callable[[], tuple[TextPage, ...]],
        offer_draw: Callable[[Side, Callable[[], None]], None],
        process: Callable[[Fact], tuple[Decision, ...]],
        redraw: Callable[[], None],
    ) -> None:
        self._service, self._players, self._status = service, players, status
        self._handle_order, self._last_minute, self._redraw = handle_order, last_minute, redraw
        self._offer_draw, self._process = offer_draw, process
        self._names: tuple[str, ...] = ()
        self._menu = Menu()
        service.add_task(self)

    @property
    def screen(self) -> MenuScreen | None:
        """The screen shown in place of the game, None if there is none. Thread-safe."""
        return self._menu.screen

    @property
    def is_open(self) -> bool:
        """Whether a player is using the menu or must answer an offer. Thread-safe."""
        return self._menu.is_open

    @property
    def next_due(self) -> int | None:
        """The time at which the screen closes, None if none is shown."""
        return due(self._menu)

    def press(self, button: Button) -> tuple[Decision, ...]:
        """Handle a button press, and return the referee's decisions on it."""
        before = self._menu
        if not before.is_open:
            self._names = self._players()
        self._menu, outputs = on_press(before, button, self._status(self._names), self._activity())
        decisions = tuple(one for output in outputs for one in self._carry_out(output))
        if self._menu.screens != before.screens:
            self._redraw()
        return decisions

    def show_pin(self, pin: PagePin) -> None:
        """Show the page's PIN, which a browser has requested."""
        status, activity = self._status(self._names), self._activity()
        self._menu = show_pin(self._menu, self._service.clock(), pin, status, activity)
        self._redraw()

    def tick(self, t: int) -> None:
        """Close the screen if it has expired or the game has continued."""
        if not self._menu.screens:
            return
        before = self._menu
        self._menu = tick(before, t, self._status(self._names), self._activity())
        if self._menu.screens != before.screens:
            self._redraw()

    def _activity(self) -> Activity:
        service = self._service
        snapshot = service.snapshot
        return Activity(
            service.game,
            snapshot.phase,
            service.occupied,
            service.rolling,
            (snapshot.question, snapshot.warning, snapshot.seems),
        )

    def _carry_out(self, output: Output) -> tuple[Decision, ...]:
        match output:
            case LastMinuteRequest():
                Thread(target=self._load, name="urpi-last-minute", daemon=True).start()
            case DrawOffer(by=side):
                self._offer_draw(side, self.show_declined)
            case Invite(table=table):
                if not self._order(output):
                    self.show_message(Message("not-free", place_name(table)))
            case NewGame() | ChangeLanguage() | ChangeSound() | PublishName() | AskHint():
                self._order(output)
            case WithdrawInvitation() | AnswerInvitation() | AnswerProposal():
                self._order(output)
            case _:
                return self._process(output)
        return ()

    def _order(self, order: Order) -> bool:
        """Carry out an order, and return whether that was possible."""
        try:
            self._handle_order(order)
        except UrpiError as error:
            _log.warning("%s", error)
            return False
        return True

    def show_invitation(self, invitation: Invitation) -> bool:
        """Show an invitation and return True, or False while a player is using the menu."""
        if self._menu.is_open:
            return False
        self._menu = show_invitation(self._menu, self._service.clock(), invitation)
        self._redraw()
        return True

    def show_message(self, message: Message) -> None:
        """Show a message, unless a player is using the menu."""
        status, activity = self._status(self._names), self._activity()
        self._menu = show_message(self._menu, self._service.clock(), message, status, activity)
        self._redraw()

    def close(self, kind: type[Invitation | Message]) -> None:
        """Close the screen if it is of this kind."""
        if isinstance(self._menu.screen, kind):
            self._menu = Menu()
            self._redraw()

    def close_offer(self) -> None:
        """Close what another table has proposed."""
        screen = self._menu.screen
        if isinstance(screen, Offer) and screen.proposal.remote:
            self._menu = Menu()
            self._redraw()

    def show_offer(self, proposal: Proposal) -> None:
        """Show what another table proposes, unless a player is using the menu."""
        if self._menu.is_open:
            return
        status, activity = self._status(self._names), self._activity()
        self._menu = show_offer(self._menu, self._service.clock(), proposal, status, activity)
        self._redraw()

    def show_declined(self) -> None:
        """Show that a proposal was declined, unless a player is using the menu."""
        status, activity = self._status(self._names), self._activity()
        self._menu = show_declined(self._menu, self._service.clock(), status, activity)
        self._redraw()

    def _load(self) -> None:
        pages = self._last_minute()
        self._service.call(lambda: self._show_last_minute(pages))

    def _show_last_minute(self, pages: tuple[TextPage, ...]) -> None:
        self._menu = show_last_minute(self._menu, pages)
        self._redraw()
