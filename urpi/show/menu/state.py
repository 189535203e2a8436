"""The menu's state: the screens that are open, and when they close."""

from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from urpi.referee.facts import Fact
from urpi.referee.orders import NewGame, Order
from urpi.rules import Side
from urpi.show.menu.screens import Invitation, LastMinute, Listing, MenuScreen, Offer
from urpi.show.menu.status import Activity


@dataclass(frozen=True, slots=True)
class LastMinuteRequest:
    """A request for the events of the last minute, answered by `machine.show_last_minute`."""


@dataclass(frozen=True, slots=True)
class DrawOffer:
    """A side's offer of a draw to the engine, which accepts or declines it later."""

    by: Side


Output: TypeAlias = Fact | Order | LastMinuteRequest | DrawOffer
RECAP_MS: Final = 6_000
"""Milliseconds for which the recap is shown, and that a move must be put back."""


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
        """Whether a list, the last minute, an offer or an invitation is shown.

        They are controlled by the buttons.
        """
        return isinstance(self.screen, Listing | LastMinute | Offer | Invitation)


Result: TypeAlias = tuple[Menu, tuple[Output, ...]]
CLOSED: Final = Menu()


def replace_screen(menu: Menu, screen: MenuScreen) -> Menu:
    """Return the menu with the screen shown replaced by another."""
    return replace(menu, screens=(*menu.screens[:-1], screen))


def go_back(menu: Menu) -> Menu:
    """Return the menu with the previous screen shown, closed if there is none."""
    return replace(menu, screens=menu.screens[:-1]) if len(menu.screens) > 1 else CLOSED
