"""The menu's state: the screens that are open, and when they close."""

from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from urpi.referee.facts import Fact
from urpi.referee.orders import NewGame, Order
from urpi.referee.placing import Placing
from urpi.rules import Side
from urpi.show.menu.screens import (
    Invitation,
    LastMinute,
    Listing,
    MenuScreen,
    Offer,
    PositionSetUp,
)
from urpi.show.menu.status import Activity


@dataclass(frozen=True, slots=True)
class LastMinuteRequest:
    """A request for the events of the last minute, answered by `machine.show_last_minute`."""


@dataclass(frozen=True, slots=True)
class SetUpRequest:
    """A request to set up the position of the game `order` at the board."""

    order: NewGame


@dataclass(frozen=True, slots=True)
class QuestionRequest:
    """A request for the next question from the games of `player`."""

    player: str


@dataclass(frozen=True, slots=True)
class DrawOffer:
    """A side's offer of a draw to the engine, which accepts or declines it later."""

    by: Side


Output: TypeAlias = Fact | Order | LastMinuteRequest | SetUpRequest | QuestionRequest | DrawOffer
RECAP_MS: Final = 6_000
"""Milliseconds for which the recap is shown, and that a move must be put back."""
PLACING_MS: Final = 600_000
"""Milliseconds after the last press or change of the board until a set-up closes: hands may look
for the pieces, or for the picture of the position.
"""


@dataclass(frozen=True, slots=True)
class Menu:
    """The state of the menu.

    The last of `screens` is shown, and leads back to the one before; without screens the game is
    shown. The screens close at `until`, in milliseconds. Presses before `ignore_until` are
    ignored. `draft` is the next game as chosen so far. `activity` is the board's activity when
    the first screen opened, None if no game was in progress.
    """

    screens: tuple[MenuScreen, ...] = ()
    until: int = 0
    ignore_until: int = 0
    draft: NewGame | None = None
    activity: Activity | None = None

    @property
    def screen(self) -> MenuScreen | None:
        """The screen shown, None if the menu is closed."""
        return self.screens[-1] if self.screens else None

    @property
    def is_open(self) -> bool:
        """Whether a screen is shown that is controlled by the buttons."""
        return isinstance(self.screen, Listing | LastMinute | Offer | Invitation | PositionSetUp)


Result: TypeAlias = tuple[Menu, tuple[Output, ...]]
CLOSED: Final = Menu()


def replace_screen(menu: Menu, screen: MenuScreen) -> Menu:
    """Return the menu with the screen shown replaced by another."""
    return replace(menu, screens=(*menu.screens[:-1], screen))


def set_up_position(t: int, draft: NewGame) -> Menu:
    """Return the menu in which hands set up the position of a game."""
    return Menu((PositionSetUp(Placing(draft.rules)),), t + PLACING_MS, draft=draft)


def go_back(menu: Menu) -> Menu:
    """Return the menu with the previous screen shown, closed if there is none."""
    return replace(menu, screens=menu.screens[:-1]) if len(menu.screens) > 1 else CLOSED
