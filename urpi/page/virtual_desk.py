"""The desk of a virtual table, which stays while the power of its program is cut."""

from collections.abc import Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PIL import Image

from urpi.core.errors import UrpiError
from urpi.journal import Preferences
from urpi.page.desk import BoardDesk, TableChange
from urpi.page.documents.state import Device
from urpi.referee import Snapshot
from urpi.referee.decisions import Decision
from urpi.referee.facts import Fact
from urpi.referee.orders import Order
from urpi.rules import Side
from urpi.service.win_chances import WinChance
from urpi.show.words import Words
from urpi.show.words.sentences import N_

if TYPE_CHECKING:
    # `urpi serve` needs neither the virtual table nor luma, which it imports.
    from urpi.service.interactive import InteractiveService

NO_POWER: Final = N_("The power is off.")


class VirtualDesk:
    """A `Desk` that forwards to the running program; without power it shows the last state."""

    def __init__(self, service: "InteractiveService", journal: Path) -> None:
        self._service, self.journal, self.table = service, journal, "virtual"

    @property
    def _board(self) -> BoardDesk:
        return BoardDesk(self._service.board, self.journal, self.table)

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
        """The ids of the other tables that can be invited now; none without power."""
        return self._board.free_tables if self._service.has_power else ()

    def clock(self) -> int:
        """Return the game's time in milliseconds."""
        return self._service.board.clock()

    def now(self) -> TableChange:
        """Return the current state of the table, without decisions."""
        return self._board.now()

    def change(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> TableChange:
        """Return a change that a watcher was notified of, as `BoardDesk.change`."""
        return self._board.change(snapshot, decisions)

    def devices(self) -> Mapping[str, Device]:
        """Return the state of hub, oled, contacts and journal, all unavailable without power."""
        devices = self._board.devices()
        if self._service.has_power:
            return devices
        reason = self.words.text(NO_POWER)
        return {name: Device(False, reason) for name in devices}

    def picture(self) -> Image.Image:
        """Return the picture on the OLED, which is dark without power."""
        if not self._service.has_power:
            return self._service.picture()
        return self._board.picture()

    def submit(self, fact: Fact) -> None:
        """Pass on a fact, such as a press of a button; without power it is lost."""
        if self._service.has_power:
            self._board.submit(fact)

    def process(self, fact: Fact) -> Future[tuple[Decision, ...]]:
        """Pass on a fact and return the decisions that it led to; none without power."""
        if self._service.has_power:
            return self._board.process(fact)
        nothing: Future[tuple[Decision, ...]] = Future()
        nothing.set_result(())
        return nothing

    def show_pin(self, pin: str, address: str) -> None:
        """Show the PIN on the OLED, unless it is dark."""
        if self._service.has_power:
            self._board.show_pin(pin, address)

    def offer_draw(self, by: Side) -> Future[bool]:
        """Offer a draw to the engine; refused without power."""
        if not self._service.has_power:
            refused: Future[bool] = Future()
            refused.set_exception(UrpiError(self.words.text(NO_POWER)))
            return refused
        return self._board.offer_draw(by)

    def win_chance(self) -> Future[WinChance | None]:
        """Return the current probability to win; none without power."""
        if self._service.has_power:
            return self._board.win_chance()
        nothing: Future[WinChance | None] = Future()
        nothing.set_result(None)
        return nothing

    def order(self, order: Order) -> Future[int | None]:
        """Carry out an order as `Desk.order`; without power the future raises an `UrpiError`."""
        if self._service.has_power:
            return self._board.order(order)
        rejected: Future[int | None] = Future()
        rejected.set_exception(UrpiError(self.words.text(NO_POWER)))
        return rejected
