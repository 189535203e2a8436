"""The interface between the page and the program that referees.

Everything here may be called from any thread, and nothing waits for the referee.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, TypeVar

from PIL import Image

from urpi.journal import Preferences
from urpi.link.broker.status import ClubStatus
from urpi.link.remote.tables_view import NOTHING, TablesView
from urpi.page.documents.state import Device
from urpi.referee import Snapshot
from urpi.referee.decisions import Decision
from urpi.referee.facts import Button, Fact
from urpi.referee.orders import Order
from urpi.rules import Side
from urpi.service.board import BoardService
from urpi.service.notices import DeviceCode, Notice
from urpi.service.win_chances import WinChance
from urpi.show.words import Words
from urpi.show.words.end_review import EndReview
from urpi.show.words.sentences import N_

NO_CLUB: Final = N_("No connection to the club: games are sent later.")
CLUB_REJECTS: Final = N_("The club does not accept a game: see the log.")

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class TableChange:
    """A change at the table.

    Attributes:
        snapshot: The game after the change.
        decisions: The decisions that were taken.
        game: The number of the running game, None before the first.
        seq: The place of the newest entry in the journal, which is that of the last decision if
            there is one; None while the disk fails.
        notice: The notice that the players see.
        review: The review of the game that has ended, None until it is shown.
        tables: What concerns other tables besides the game.
    """

    snapshot: Snapshot
    decisions: tuple[Decision, ...] = ()
    game: int | None = None
    seq: int | None = None
    notice: Notice | None = None
    review: EndReview | None = None
    tables: TablesView = NOTHING


class Desk(Protocol):
    """What the page requires of a table; `BoardDesk` is the implementation for a running board."""

    @property
    def table(self) -> str:
        """The kind of table, ``board`` or ``virtual``."""

    @property
    def journal(self) -> Path:
        """The journal's file."""

    @property
    def words(self) -> Words:
        """The texts in the table's current language."""

    @property
    def preferences(self) -> Preferences:
        """The table's current settings."""

    @property
    def sounds(self) -> tuple[str, ...]:
        """The sound settings that the table supports."""

    @property
    def has_club(self) -> bool:
        """Whether a club is configured."""

    @property
    def free_tables(self) -> tuple[str, ...]:
        """The ids of the other tables that can be invited now."""

    def clock(self) -> int:
        """Return the game's time in milliseconds, for facts that are passed in."""

    def now(self) -> TableChange:
        """Return the current state of the table, without decisions."""

    def devices(self) -> Mapping[str, Device]:
        """Return the state of hub, oled, contacts and journal."""

    def picture(self) -> Image.Image:
        """Return the picture on the OLED, 128 x 64 in mode ``1``."""

    def submit(self, fact: Fact) -> None:
        """Pass on a fact, such as a press of a button."""

    def process(self, fact: Fact) -> Future[tuple[Decision, ...]]:
        """Pass on a fact.

        Returns:
            The decisions that it led to; none if no game is running.
        """

    def order(self, order: Order) -> Future[int | None]:
        """Carry out an order.

        Returns:
            The number of the new game if the order began one. The future raises the `UrpiError`
            if the order cannot be carried out.
        """

    def offer_draw(self, by: Side) -> Future[bool]:
        """Offer a draw to the engine, which has the other side's seat.

        Returns:
            Whether it accepted; the game is then drawn.
        """

    def win_chance(self) -> Future[WinChance | None]:
        """Return the current probability to win, None if there is none."""

    def show_pin(self, pin: str, address: str) -> None:
        """Show the PIN and the page's address on the OLED for a while."""


class BoardDesk:
    """The desk of a running board, real or virtual."""

    def __init__(self, board: BoardService, journal: Path, table: str = "board") -> None:
        self._board, self.journal, self.table = board, journal, table
        self.clock = board.clock
        self.submit = board.submit
        self.order = board.order
        self.picture = board.picture

    def process(self, fact: Fact) -> Future[tuple[Decision, ...]]:
        """Pass on a fact and return the decisions that it led to; none if no game is running."""
        service, menu = self._board.service, self._board.menu
        if isinstance(fact, Button):
            return service.call(lambda: menu.press(fact))
        return service.call(lambda: self._board.process(fact))

    def offer_draw(self, by: Side) -> Future[bool]:
        """Offer a draw to the engine, which has the other side's seat."""
        service, engine = self._board.service, self._board.engine
        accepted: Future[bool] = Future()

        def decide(answer: bool) -> Callable[[], None]:
            return lambda: _complete(accepted, answer)

        service.call(lambda: engine.consider_draw(by, decide(answer=False), decide(answer=True)))
        return accepted

    def win_chance(self) -> Future[WinChance | None]:
        """Return the current probability to win, None if there is none."""
        service, chances = self._board.service, self._board.win_chances
        future: Future[WinChance | None] = Future()
        service.call(lambda: chances.request(lambda chance: _complete(future, chance)))
        return future

    @property
    def words(self) -> Words:
        """The texts in the table's current language."""
        return self._board.words

    @property
    def preferences(self) -> Preferences:
        """The table's current settings."""
        return self._board.preferences

    @property
    def sounds(self) -> tuple[str, ...]:
        """The sound settings that the table supports."""
        return self._board.sounds

    @property
    def has_club(self) -> bool:
        """Whether a club is configured."""
        return self._board.has_club

    @property
    def free_tables(self) -> tuple[str, ...]:
        """The ids of the other tables that can be invited now."""
        return self._board.tables.free

    def now(self) -> TableChange:
        """Return the current state of the table, without decisions."""
        return self.change(self._board.service.snapshot, ())

    def change(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> TableChange:
        """Return a change that a watcher was notified of, with its place in the journal.

        Must be called in the thread that notified the watcher, before the next change.
        """
        service = self._board.service
        review = self._board.end_review
        return TableChange(
            snapshot,
            decisions,
            service.game,
            service.seq,
            service.notice,
            review,
            self._board.tables.view,
        )

    def show_pin(self, pin: str, address: str) -> None:
        """Show the PIN and the page's address on the OLED for a while."""
        self._board.show_pin(pin, address)

    def devices(self) -> Mapping[str, Device]:
        """Return the state of hub, oled, contacts and journal."""
        service, words, hub = self._board.service, self.words, self._board.dice_health
        unavailable, failing, screen = service.unavailable, service.failing, self._board.screen
        oled = screen is None or screen.responding
        return {
            "hub": Device(
                hub.available,
                " / ".join(words.sentence(f"{name}-missing") for name in hub.unavailable),
                hub.dice,
                hub.low,
            ),
            "oled": Device(oled, "" if oled else words.sentence("lost", {"device": "oled"})),
            "contacts": _device("contacts-missing", unavailable, words),
            "journal": Device(failing is None, "" if failing is None else words.sentence(failing)),
            **club_device(self._board.club(), words),
        }


def _complete(future: Future[_T], result: _T) -> None:
    # A browser that waits no longer has cancelled the future.
    if not future.cancelled():
        future.set_result(result)


def club_device(status: ClubStatus | None, words: Words) -> dict[str, Device]:
    """Return the state of the connection to the club, empty without a club."""
    if status is None:
        return {}
    if not status.connected:
        return {"club": Device(False, words.text(NO_CLUB))}
    return {"club": Device(True, words.text(CLUB_REJECTS) if status.rejected else "")}


def _device(code: DeviceCode, unavailable: tuple[DeviceCode, ...], words: Words) -> Device:
    if code in unavailable:
        return Device(False, words.sentence(code))
    return Device(True)
