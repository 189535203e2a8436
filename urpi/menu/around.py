"""What the menu is told: how the table is when a button is pressed, and what may close it."""

from dataclasses import dataclass
from typing import Final

from urpi.orders import NewGame
from urpi.referee.snapshot import Phase, Snapshot
from urpi.rules import Squares

PLAYING: Final = (Phase.CHOOSE_FIRST, Phase.START_THROW, Phase.THROW, Phase.MOVE)


@dataclass(frozen=True, slots=True)
class DieSeen:
    """A die as the hub last heard it.

    `heard`: it is in hearing; `face` as in FORMATS.md, empty while nobody knows; `battery_mv` 0
    while it did not say; `low`: it needs a new battery; `fault`: a code such as ``accel``.
    """

    die: int
    heard: bool
    face: str = ""
    battery_mv: int = 0
    low: bool = False
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """Where the page is to be found, such as ``192.168.1.20:8011``, and the PIN for acting on it.

    Empty where there is none.
    """

    address: str = ""
    pin: str = ""


@dataclass(frozen=True, slots=True)
class Around:
    """How the table is. `next_game` is what would be played if nobody chose anything.

    `players` have played here before, the newest first. `hub`: the dice hub is heard.
    """

    snapshot: Snapshot
    next_game: NewGame
    language: str = "en"
    languages: tuple[str, ...] = ("en",)
    sound: str = "off"
    sounds: tuple[str, ...] = ("off",)
    players: tuple[str, ...] = ()
    dice: tuple[DieSeen, ...] = ()
    hub: bool = False
    page: Page = Page()

    @property
    def playing(self) -> bool:
        """Whether a game has begun and is not over."""
        return self.snapshot.phase in PLAYING


@dataclass(frozen=True, slots=True)
class Sight:
    """What tells that the game goes on, so that the menu has to give way.

    `occupied` are the squares on which something stands, None while they change; `rolling` the
    dice in the air; `calls` the question, the warning and the move that seems made, as far as
    there are such.
    """

    game: int | None
    phase: Phase
    occupied: Squares | None = None
    rolling: frozenset[int] = frozenset()
    calls: tuple[object | None, ...] = (None, None, None)

    @property
    def playing(self) -> bool:
        """Whether a game has begun and is not over."""
        return self.phase in PLAYING
