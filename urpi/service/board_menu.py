"""The menu of a board: connects the menu's state machine with the service.

All button presses go through it before any of them becomes a fact. What the menu's outputs lead to
is decided in `urpi.service.player_requests`. Its methods are called in the service's thread.
"""

from collections.abc import Callable
from threading import Thread
from typing import Final

from urpi.journal import VIRTUAL_TABLE, players_of
from urpi.referee.facts import Button
from urpi.referee.fields import poles
from urpi.referee.orders import Pairing
from urpi.service.devices import BoardDevices
from urpi.service.preferences import TablePreferences
from urpi.service.remote_play import RemotePlay
from urpi.service.service import Service
from urpi.show.menu import (
    Activity,
    Invitation,
    Menu,
    MenuScreen,
    Message,
    NextGame,
    Offer,
    Output,
    PageAccess,
    PagePin,
    PositionSetUp,
    Proposal,
    TableStatus,
    TextPage,
    due,
    on_press,
    show_answer,
    show_cleared,
    show_declined,
    show_invitation,
    show_last_minute,
    show_message,
    show_next_game,
    show_offer,
    show_pin,
    tick,
)
from urpi.show.views.phrases import is_legible
from urpi.show.words import display_languages

RECENT_GAMES: Final = 200
"""Number of games whose players are offered as names for the next one."""
MAX_NAMES: Final = 20
"""Maximum number of names offered."""


class BoardMenu:
    """Passes presses, time and the table's status to the menu, and shows its screens.

    Args:
        service: The service at the board.
        preferences: The table's preferences.
        devices: The dice, whose status the menu shows.
        remote: The connection to other tables.
        page: Returns the page's address and PIN.
        may_explore: Returns whether the players may explore from the game's position now.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - the parts that the menu shows
        self,
        service: Service,
        preferences: TablePreferences,
        devices: BoardDevices,
        remote: RemotePlay,
        page: Callable[[], PageAccess],
        may_explore: Callable[[], bool],
    ) -> None:
        self._service, self._preferences = service, preferences
        self._devices, self._remote, self._page = devices, remote, page
        self._may_explore = may_explore
        self._names: tuple[str, ...] = ()
        self._menu = Menu()
        self.asks = ""
        """The player whose question is on the board, empty without one."""
        self.pairing: Pairing | None = None
        """What is to be played next here, as the club says."""
        self._has_asked = False
        """Whether a new game was offered since the board was cleared."""
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
        """When the screen closes, the board stands still or a new game is offered, if ever."""
        closes = due(self._menu)
        still_at = self._service.current.still_at if self._is_placing else None
        cleared_at = None if self._has_asked else self._service.current.cleared_at
        return min((t for t in (closes, still_at, cleared_at) if t is not None), default=None)

    @property
    def _is_placing(self) -> bool:
        return isinstance(self._menu.screen, PositionSetUp)

    def press(self, button: Button) -> tuple[Output, ...]:
        """Handle a button press, and return what must be done."""
        before = self._menu
        if not before.is_open:
            self._names = self._recent_players()
        self._menu, outputs = on_press(before, button, self._status(), self._activity())
        if self._menu.screens != before.screens:
            self._service.refresh()
        return outputs

    def show_pin(self, pin: str, address: str) -> None:
        """Show the page's PIN, which a browser has requested, and its address."""
        shown = PagePin(pin, address)
        status, activity = self._status(), self._activity()
        self._menu = show_pin(self._menu, self._service.clock(), shown, status, activity)
        self._service.refresh()

    def tick(self, t: int) -> None:
        """Close the screen if it has expired or the game has continued; offer a new game."""
        self._ask_when_cleared(t)
        if not self._menu.screens:
            return
        before = self._menu
        self._menu = tick(before, t, self._status(), self._activity())
        if self._menu.screens != before.screens:
            self._service.refresh()

    def _ask_when_cleared(self, t: int) -> None:
        """Offer a new game once for each time that the board was cleared."""
        at = self._service.current.cleared_at
        if at is None:
            self._has_asked = False
        elif at <= t and not self._has_asked:
            self._has_asked = True
            if isinstance(self._menu.screen, NextGame):
                return
            before = self._menu
            self._menu = show_cleared(before, t, self._status(), self._activity())
            if self._menu is not before:
                self._service.refresh()

    def _activity(self) -> Activity:
        service = self._service
        snapshot = service.snapshot
        return Activity(
            service.game,
            snapshot.phase,
            service.current.occupied,
            service.current.rolling,
            (snapshot.question, snapshot.warning, snapshot.seems),
            poles(service.current.state.fields),
        )

    def _recent_players(self) -> tuple[str, ...]:
        self._preferences.refresh()
        # At a board, those of the demo on the same machine are not its players.
        virtual = self._service.table == VIRTUAL_TABLE
        names = self._service.read(
            lambda journal: players_of(journal, RECENT_GAMES, virtual=virtual)
        )
        # Names that the display cannot show could not be told apart.
        return tuple(filter(is_legible, names or ()))[:MAX_NAMES]

    def _status(self) -> TableStatus:
        preferences, sent = self._preferences, self._remote.invitations.sent
        return TableStatus(
            self._service.snapshot,
            preferences.next_game,
            preferences.current.language,
            display_languages(),
            preferences.current.sound,
            preferences.sounds,
            self._names,
            self._devices.dice.statuses(),
            missing_sources=self._devices.dice.health.unavailable,
            page=self._page(),
            published=preferences.published if preferences.has_club else None,
            tables=self._remote.look_for_tables(),
            invites=sent is not None and sent[1] == "waiting",
            may_explore=self._may_explore(),
            explores_game=self._service.explores_game,
            asks=self.asks,
            may_claim=self._remote.may_claim,
            pairing=self.pairing,
        )

    def show_invitation(self, invitation: Invitation) -> bool:
        """Show an invitation and return True, or False while a player is using the menu."""
        if self._menu.is_open:
            return False
        self._menu = show_invitation(self._menu, self._service.clock(), invitation)
        self._service.refresh()
        return True

    def set_pairing(self, pairing: Pairing | None) -> None:
        """Offer what is to be played next here, and close an earlier offer."""
        self.pairing = pairing
        self.close(NextGame)

    def show_pairing(self, pairing: Pairing) -> None:
        """Show what is to be played next here, unless something else is shown."""
        before = self._menu
        self._menu = show_next_game(before, self._service.clock(), pairing)
        if self._menu is not before:
            self._service.refresh()

    def show_message(self, message: Message) -> None:
        """Show a message, unless a player is using the menu."""
        status, activity = self._status(), self._activity()
        self._menu = show_message(self._menu, self._service.clock(), message, status, activity)
        self._service.refresh()

    def close(self, kind: type[Invitation | Message | NextGame]) -> None:
        """Close the screen if it is of this kind."""
        if isinstance(self._menu.screen, kind):
            self._menu = Menu()
            self._service.refresh()

    def close_offer(self) -> None:
        """Close what another table has proposed."""
        screen = self._menu.screen
        if isinstance(screen, Offer) and screen.proposal.remote:
            self._menu = Menu()
            self._service.refresh()

    def show_offer(self, proposal: Proposal) -> None:
        """Show what another table proposes, unless a player is using the menu."""
        if self._menu.is_open:
            return
        status, activity = self._status(), self._activity()
        self._menu = show_offer(self._menu, self._service.clock(), proposal, status, activity)
        self._service.refresh()

    def show_declined(self) -> None:
        """Show that a proposal was declined, unless a player is using the menu."""
        status, activity = self._status(), self._activity()
        self._menu = show_declined(self._menu, self._service.clock(), status, activity)
        self._service.refresh()

    def show_answer(self, pages: tuple[TextPage, ...]) -> None:
        """Show what there is to say about an answer, unless a player is using the menu."""
        status, activity = self._status(), self._activity()
        self._menu = show_answer(self._menu, self._service.clock(), pages, status, activity)
        self._service.refresh()

    def load_last_minute(self) -> None:
        """Show the events of the last minute, which are read in a thread of its own."""
        Thread(target=self._load, name="urpi-last-minute", daemon=True).start()

    def _load(self) -> None:
        game = self._service.game
        pages: tuple[TextPage, ...] = ()
        if game is not None:
            # Long to import: a game that continues does not wait for it.
            from urpi.service.last_minute import last_minute  # noqa: PLC0415

            address = self._page().address
            pages = last_minute(self._service.path, game, self._preferences.words, address)
        self._service.call(lambda: self._show_last_minute(pages))

    def _show_last_minute(self, pages: tuple[TextPage, ...]) -> None:
        self._menu = show_last_minute(self._menu, pages)
        self._service.refresh()
