"""The state of a table and of its devices, as the page shows them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from urpi.core.errors import UrpiError
from urpi.core.supervision import faults
from urpi.link.broker.state_message import ClubStatus
from urpi.link.remote.tables_view import NOTHING, TablesView
from urpi.referee import Snapshot
from urpi.referee.decisions import Decision
from urpi.service.notices import DeviceCode, Notice
from urpi.show.words import Words
from urpi.show.words.end_review import EndReview
from urpi.show.words.sentences import N_

if TYPE_CHECKING:
    # The page's documents are also those of the club's, which has no devices.
    from urpi.service.devices import BoardDevices
    from urpi.service.service import Service

NO_CLUB: Final = N_("No connection to the club: games will be sent later.")
CLUB_REJECTS: Final = N_(
    "The club refused a game. Ask the person who runs this table to read the program's log."
)
NO_POWER: Final = N_("The power is off.")


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
        waits: Whether a game waits for the exploration.
    """

    snapshot: Snapshot
    decisions: tuple[Decision, ...] = ()
    game: int | None = None
    seq: int | None = None
    notice: Notice | None = None
    review: EndReview | None = None
    tables: TablesView = NOTHING
    waits: bool = False


@dataclass(frozen=True, slots=True)
class Device:
    """The state of a device.

    Attributes:
        available: Whether it responds.
        problem: What is wrong with it in words, empty if nothing is.
        dice: The dice that the hub receives.
        low: The dice with a low battery.
    """

    available: bool
    problem: str = ""
    dice: tuple[int, ...] = ()
    low: tuple[int, ...] = ()


def device_states(
    service: "Service", devices: "BoardDevices", club: ClubStatus | None, words: Words
) -> dict[str, Device]:
    """Return the state of hub, oled, contacts and journal, and of the club if there is one."""
    hub, failing, screen = devices.dice.health, service.failing, devices.screen
    oled = screen is None or screen.responding
    return {
        "hub": Device(
            hub.available,
            " / ".join(words.sentence(f"{name}-missing") for name in hub.unavailable),
            hub.dice,
            hub.low,
        ),
        "oled": Device(oled, "" if oled else words.sentence("lost", {"device": "oled"})),
        "contacts": _device("contacts-missing", service.notices.unavailable, words),
        "journal": Device(failing is None, "" if failing is None else words.sentence(failing)),
        **club_device(club, words),
        **_program(words),
    }


def states_without_power(club: ClubStatus | None, words: Words) -> dict[str, Device]:
    """Return the same of a table without power: nothing is available."""
    names = ("hub", "oled", "contacts", "journal", *club_device(club, words))
    return dict.fromkeys(names, Device(False, words.text(NO_POWER)))


def no_power(words: Words) -> UrpiError:
    """Return the error of what is impossible without power."""
    return UrpiError(words.text(NO_POWER))


def club_device(status: ClubStatus | None, words: Words) -> dict[str, Device]:
    """Return the state of the connection to the club, empty without a club."""
    if status is None:
        return {}
    if not status.connected:
        return {"club": Device(False, words.text(NO_CLUB))}
    return {"club": Device(True, words.text(CLUB_REJECTS) if status.rejected else "")}


def _program(words: Words) -> dict[str, Device]:
    """Return the parts of the program that fail, empty if none does."""
    parts = ", ".join(fault.part for fault in faults())
    text = f"{words.sentence('program-fault')}: {parts}"
    return {"program": Device(False, text)} if parts else {}


def _device(code: DeviceCode, unavailable: tuple[DeviceCode, ...], words: Words) -> Device:
    if code in unavailable:
        return Device(False, words.sentence(code))
    return Device(True)
