"""The menu's input besides presses: the table's status, and the activity that closes the menu."""

from dataclasses import dataclass
from typing import Final

from urpi.referee.deduction import NO_POLES, Poles
from urpi.referee.orders import NewGame, Pairing
from urpi.referee.snapshot import Phase, Snapshot
from urpi.rules import Squares

PLAYING: Final = (Phase.CHOOSE_FIRST, Phase.START_THROW, Phase.THROW, Phase.MOVE)


@dataclass(frozen=True, slots=True)
class DieStatus:
    """The last known status of a die.

    `in_range` is whether its reports are received. `face` is as in FORMATS.md, empty if unknown.
    `battery_mv` is 0 if unknown; some dice report `battery_percent` instead, None if unknown. `low`
    is whether the battery must be charged. `error` is a code such as ``accel``, empty without an
    error.
    """

    die: int
    in_range: bool
    face: str = ""
    battery_mv: int = 0
    low: bool = False
    error: str = ""
    battery_percent: int | None = None


@dataclass(frozen=True, slots=True)
class PageAccess:
    """The page's address, such as ``192.168.1.20:8011``, and its PIN. Empty without a page."""

    address: str = ""
    pin: str = ""


@dataclass(frozen=True, slots=True)
class TableStatus:
    """The table's current state and settings, as the menu shows them.

    `next_game` is the game that begins by default. `players` are the names of earlier games at
    this table, the newest first. `missing_sources` are the unavailable sources of dice, ``hub`` and
    ``bluetooth``. `published` are the names that the club may show, None without a club. `tables`
    are the ids of other tables that can be invited. `invites` is whether an invitation of this
    table waits for an answer. `may_explore` is whether the players may explore from the game's
    position, and `explores_game` whether a game waits for an exploration while there is one. `asks`
    is the player whose question is on the board, empty without one. `may_claim` is whether the
    other table's side is silent for so long that the player here may claim the game. `pairing` is
    what is to be played next here, as the club says; None if nothing is.
    """

    snapshot: Snapshot
    next_game: NewGame
    language: str = "en"
    languages: tuple[str, ...] = ("en",)
    sound: str = "off"
    sounds: tuple[str, ...] = ("off",)
    players: tuple[str, ...] = ()
    dice: tuple[DieStatus, ...] = ()
    missing_sources: tuple[str, ...] = ()
    page: PageAccess = PageAccess()
    published: tuple[str, ...] | None = None
    tables: tuple[str, ...] = ()
    invites: bool = False
    may_explore: bool = False
    explores_game: bool = False
    asks: str = ""
    may_claim: bool = False
    pairing: Pairing | None = None

    @property
    def playing(self) -> bool:
        """Whether a game is in progress."""
        return self.snapshot.phase in PLAYING


@dataclass(frozen=True, slots=True)
class Activity:
    """The signs that the game continues, for which the menu is closed.

    `occupied` are the occupied squares, None while they are changing. `rolling` are the dice that
    are rolling. `prompts` are the question, the warning and the unconfirmed move, each None if
    there is none. `poles` is what Hall sensors show of each square.
    """

    game: int | None
    phase: Phase
    occupied: Squares | None = None
    rolling: frozenset[int] = frozenset()
    prompts: tuple[object | None, ...] = (None, None, None)
    poles: Poles = NO_POLES

    @property
    def playing(self) -> bool:
        """Whether a game is in progress."""
        return self.phase in PLAYING
