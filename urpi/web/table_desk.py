"""The desk of a virtual table, which outlives the program whose power is cut there."""

from collections.abc import Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PIL import Image

from urpi.errors import UrpiError
from urpi.journal import Preferences
from urpi.orders import Order
from urpi.referee import Snapshot
from urpi.referee.decisions import Decision
from urpi.referee.facts import Fact
from urpi.web.desk import BoardDesk, Change
from urpi.web.documents.state import Device
from urpi.words import Words
from urpi.words.sentences import N_

if TYPE_CHECKING:
    # `urpi serve` needs neither the virtual table nor luma, which it imports.
    from urpi.service.interactive import InteractiveService

NO_POWER: Final = N_("The power is off.")


class TableDesk:
    """A `Desk` that asks the program which runs just now; without power it tells what was."""

    def __init__(self, service: "InteractiveService", journal: Path) -> None:
        self._service, self.journal, self.table = service, journal, "virtual"

    @property
    def _board(self) -> BoardDesk:
        return BoardDesk(self._service.board, self.journal, self.table)

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

    def clock(self) -> int:
        """The game's time in milliseconds."""
        return self._service.board.clock()

    def now(self) -> Change:
        """The table as it stands."""
        return self._board.now()

    def change(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> Change:
        """What a watcher was told, with its place in the journal; in the thread that told it."""
        return self._board.change(snapshot, decisions)

    def devices(self) -> Mapping[str, Device]:
        """How hub, oled, contacts and journal are; all are away without power."""
        devices = self._board.devices()
        if self._service.has_power:
            return devices
        said = self.words.text(NO_POWER)
        return {name: Device(False, said) for name in devices}

    def picture(self) -> Image.Image:
        """What the OLED shows; dark without power."""
        if not self._service.has_power:
            return self._service.picture()
        return self._board.picture()

    def heard(self, fact: Fact) -> None:
        """Take a fact, as from a button; without power nobody hears it."""
        if self._service.has_power:
            self._board.heard(fact)

    def decide(self, fact: Fact) -> Future[tuple[Decision, ...]]:
        """Take a fact; the future gets what was decided on it, nothing without power."""
        if self._service.has_power:
            return self._board.decide(fact)
        nothing: Future[tuple[Decision, ...]] = Future()
        nothing.set_result(())
        return nothing

    def show_pin(self, pin: str, address: str) -> None:
        """Show the PIN on the OLED, unless it is dark."""
        if self._service.has_power:
            self._board.show_pin(pin, address)

    def order(self, order: Order) -> Future[int | None]:
        """Carry an order out; the future gets a new game's number, or the `UrpiError`."""
        if self._service.has_power:
            return self._board.order(order)
        refused: Future[int | None] = Future()
        refused.set_exception(UrpiError(self.words.text(NO_POWER)))
        return refused
