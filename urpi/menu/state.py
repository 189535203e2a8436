"""The menu's state: which screens are open over the game, and until when."""

from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from urpi.menu.around import Sight
from urpi.menu.screens import Listing, Offer, Reading, Screen
from urpi.orders import NewGame, Order
from urpi.referee.facts import Fact


@dataclass(frozen=True, slots=True)
class LookBack:
    """What the board saw in the last minute is wanted; see `looked_back`."""


Told: TypeAlias = Fact | Order | LookBack


@dataclass(frozen=True, slots=True)
class Menu:
    """What is on the display in place of the game.

    The last of `screens` is shown, and leads back to the one before; without any the game is
    shown. It goes away at `until`. Before `deaf_until` presses are nobody's. `draft` is the next
    game as far as it has been chosen; `sight` how the board was when the first screen came, None
    when no game was on.
    """

    screens: tuple[Screen, ...] = ()
    until: int = 0
    deaf_until: int = 0
    draft: NewGame | None = None
    sight: Sight | None = None

    @property
    def screen(self) -> Screen | None:
        """What is shown."""
        return self.screens[-1] if self.screens else None

    @property
    def is_open(self) -> bool:
        """Whether somebody chooses, reads or is asked something."""
        return isinstance(self.screen, Listing | Reading | Offer)


Done: TypeAlias = tuple[Menu, tuple[Told, ...]]
CLOSED: Final = Menu()


def on(menu: Menu, screen: Screen) -> Menu:
    """The menu with another screen in place of the one that is shown."""
    return replace(menu, screens=(*menu.screens[:-1], screen))


def back(menu: Menu) -> Menu:
    """The menu with the screen that led here, closed when none did."""
    return replace(menu, screens=menu.screens[:-1]) if len(menu.screens) > 1 else CLOSED
