"""The desk: all that the page asks of the program that referees, and hands to it.

Everything here may be called from any thread, and nothing waits for the referee.
"""

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from PIL import Image

from urpi.journal import Preferences
from urpi.orders import Order
from urpi.referee import Snapshot
from urpi.referee.decisions import Decision
from urpi.referee.facts import Button, Fact
from urpi.service.board import BoardService
from urpi.service.notices import Notice
from urpi.web.documents.state import Device
from urpi.words import Words


@dataclass(frozen=True, slots=True)
class Change:
    """What is new at the table: the game as it stands now, and what was decided just now.

    `seq` is the newest entry's in the journal, that of the last of `decisions` where there are
    any, None while the disk fails. `game` is the running game's number.
    """

    snapshot: Snapshot
    decisions: tuple[Decision, ...] = ()
    game: int | None = None
    seq: int | None = None
    notice: Notice | None = None


class Desk(Protocol):
    """What the page needs of a table; `BoardDesk` is the real one."""

    @property
    def table(self) -> str:
        """``board`` or ``virtual``."""

    @property
    def journal(self) -> Path:
        """The file in which the games are."""

    @property
    def words(self) -> Words:
        """What everything is said in now."""

    @property
    def preferences(self) -> Preferences:
        """What holds at the table now."""

    @property
    def sounds(self) -> tuple[str, ...]:
        """What sounds the table can make."""

    def clock(self) -> int:
        """The game's time in milliseconds, for the facts that are handed in."""

    def now(self) -> Change:
        """The table as it stands."""

    def devices(self) -> Mapping[str, Device]:
        """How hub, oled, contacts and journal are."""

    def picture(self) -> Image.Image:
        """What the OLED is to show, 128 x 64 in mode ``1``."""

    def heard(self, fact: Fact) -> None:
        """Take a fact, as from a button."""

    def decide(self, fact: Fact) -> Future[tuple[Decision, ...]]:
        """Take a fact; the future gets what was decided on it, nothing while no game is on."""

    def order(self, order: Order) -> Future[int | None]:
        """Carry an order out; the future gets a new game's number, or the `UrpiError`."""

    def show_pin(self, pin: str, address: str) -> None:
        """Show the PIN on the OLED for a while, with where the page is."""


class BoardDesk:
    """The desk of a board, real or virtual."""

    def __init__(self, board: BoardService, journal: Path, table: str = "board") -> None:
        self._board, self.journal, self.table = board, journal, table
        self.clock = board.clock
        self.heard = board.submit
        self.order = board.order
        self.picture = board.picture

    def decide(self, fact: Fact) -> Future[tuple[Decision, ...]]:
        """Take a fact; the future gets what was decided on it, nothing while no game is on."""
        service, menu = self._board.service, self._board.menu
        if isinstance(fact, Button):
            return service.call(lambda: menu.press(fact))
        return service.call(lambda: service.process(fact))

    @property
    def words(self) -> Words:
        """What everything is said in now."""
        return self._board.words

    @property
    def preferences(self) -> Preferences:
        """What holds at the table now."""
        return self._board.preferences

    @property
    def sounds(self) -> tuple[str, ...]:
        """What sounds the table can make."""
        return self._board.sounds

    def now(self) -> Change:
        """The table as it stands."""
        return self.change(self._board.service.snapshot, ())

    def change(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> Change:
        """What a watcher was told, with its place in the journal; in the thread that told it."""
        service = self._board.service
        return Change(snapshot, decisions, service.game, service.seq, service.notice)

    def show_pin(self, pin: str, address: str) -> None:
        """Show the PIN on the OLED for a while, with where the page is."""
        self._board.show_pin(pin, address)

    def devices(self) -> Mapping[str, Device]:
        """How hub, oled, contacts and journal are."""
        service, words, hub = self._board.service, self.words, self._board.dice_health
        away, failing, screen = service.unavailable, service.failing, self._board.screen
        oled = screen is None or screen.responding
        return {
            "hub": Device(
                hub.available,
                "" if hub.available else words.sentence("hub-missing"),
                hub.dice,
                hub.low,
            ),
            "oled": Device(oled, "" if oled else words.sentence("lost", {"device": "oled"})),
            "contacts": _well("contacts-missing", away, words),
            "journal": Device(failing is None, "" if failing is None else words.sentence(failing)),
        }


def _well(code: str, away: tuple[str, ...], words: Words) -> Device:
    return Device(code not in away, words.sentence(code) if code in away else "")
