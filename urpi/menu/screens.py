"""What may be on the display in place of the game, as values; how it is drawn is a view's."""

from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from urpi.menu.around import DieSeen
from urpi.menu.deals import Deal
from urpi.rules import Side


@dataclass(frozen=True, slots=True)
class Item:
    """A line of a list. `name` says what it does, `value` or `die` what it is about."""

    name: str
    value: str = ""
    die: DieSeen | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """Lines to choose from. Only `side`'s button moves in it, with None both do."""

    name: str
    items: tuple[Item, ...]
    chosen: int = 0
    side: Side | None = None

    @property
    def item(self) -> Item:
        """The chosen line."""
        return self.items[self.chosen]


@dataclass(frozen=True, slots=True)
class Entry:
    """A page of a text: its heading, such as how long ago it was, and what it says."""

    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What the board saw, a page an event, the newest first; None while it is being looked up."""

    pages: tuple[Entry, ...] | None = None
    place: int = 0


@dataclass(frozen=True, slots=True)
class Recap:
    """What it was again: the last throw, the last move, whose turn it is."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What one side asks and the other has to answer."""

    deal: Deal


@dataclass(frozen=True, slots=True)
class Note:
    """A short word over the game's picture: a code of the words, and what it is about."""

    code: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class Pin:
    """The page's PIN, which somebody there has asked for, and the page's address."""

    pin: str
    address: str


Screen: TypeAlias = Listing | Reading | Recap | Offer | Note | Pin
HIDDEN_PIN: Final = "******"


def without_pin(screen: Screen) -> Screen:
    """The same for whoever is not at the board: who does not see the display has no PIN of it."""
    match screen:
        case Pin():
            return replace(screen, pin=HIDDEN_PIN)
        case Listing(items=items):
            hidden = (replace(one, value=HIDDEN_PIN) if one.name == "pin" else one for one in items)
            return replace(screen, items=tuple(hidden))
        case _:
            return screen
