"""The menu's screens as values. `urpi.show.views.menu_screens` draws them."""

from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from urpi.referee.orders import Pairing
from urpi.referee.placing import Placing
from urpi.rules import Side
from urpi.show.menu.proposals import Proposal
from urpi.show.menu.status import DieStatus

MessageCode: TypeAlias = Literal[
    "declined",
    "no-question",
    "put-back",
    "hold-for-menu",
    "end-first",
    "not-free",
    "waiting-table",
    "table-declined",
    "table-busy",
    "table-silent",
    "table-unsupported",
    "asked-table",
    "joining",
    "joining-failed",
    "diverged",
]


@dataclass(frozen=True, slots=True)
class Item:
    """A line of a list. `name` identifies its action, with `value` or `die` as the argument.

    `table` is whether `value` is the id of a table.
    """

    name: str
    value: str = ""
    die: DieStatus | None = None
    table: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of lines to choose from by the button of `side`, or by either button if None."""

    name: str
    items: tuple[Item, ...]
    chosen: int = 0
    side: Side | None = None

    @property
    def item(self) -> Item:
        """The chosen line."""
        return self.items[self.chosen]


@dataclass(frozen=True, slots=True)
class TextPage:
    """A page of text with a heading, such as the time of an event."""

    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class LastMinute:
    """Pages to read: the events of the last minute, the newest first, or about an answer.

    `pages` is None while they are being read. `place` is the index of the page shown.
    """

    pages: tuple[TextPage, ...] | None = None
    place: int = 0


@dataclass(frozen=True, slots=True)
class Recap:
    """The last throw, the last move, and whose turn it is."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A proposal, shown to the opponent who must accept or decline it."""

    proposal: Proposal


@dataclass(frozen=True, slots=True)
class Invitation:
    """An invitation of another table, which a player must accept or decline.

    Attributes:
        game: The identity of the game.
        name: The name of the player who invites, which may be empty.
        place: Where that player is.
        rules: The RULES word: the id of the rule set, with the options that differ.
        side: The side of the player here.
    """

    game: str
    name: str
    place: str
    rules: str
    side: Side


@dataclass(frozen=True, slots=True)
class NextGame:
    """The pairing that is to be played next here, which the players may begin."""

    pairing: Pairing


@dataclass(frozen=True, slots=True)
class Message:
    """A short message over the game's picture: its code, and a value for its text."""

    code: MessageCode
    value: str = ""


@dataclass(frozen=True, slots=True)
class PagePin:
    """The page's PIN, shown at the request of a visitor, and the page's address."""

    pin: str
    address: str


@dataclass(frozen=True, slots=True)
class PositionSetUp:
    """Setting up a position at the board, with what is known of it so far."""

    placing: Placing


MenuScreen: TypeAlias = (
    Listing | LastMinute | Recap | Offer | Invitation | NextGame | Message | PagePin | PositionSetUp
)
HIDDEN_PIN: Final = "******"


def without_pin(screen: MenuScreen) -> MenuScreen:
    """Return the screen with its PIN hidden, for pictures that are shown outside the board."""
    match screen:
        case PagePin():
            return replace(screen, pin=HIDDEN_PIN)
        case Listing(items=items):
            hidden = (replace(one, value=HIDDEN_PIN) if one.name == "pin" else one for one in items)
            return replace(screen, items=tuple(hidden))
        case _:
            return screen
