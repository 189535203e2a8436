"""The connections with dice that have Bluetooth: reports and time in, facts out. Pure.

A connection can be interrupted while a die rolls or lies, and these dice do not count their throws.
What was missed is therefore never guessed. A die whose throw may have been missed remains lost
until it moves again: the referee then asks the players for the throw, once (`urpi.referee.throws`).
Connections and threads are in `urpi.hardware.bluetooth_dice`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from urpi.hardware import godice, pixels
from urpi.hardware.die_faces import DieFaces, parity_tip
from urpi.hardware.die_reports import (
    CHARGED_PERCENT,
    LOW_PERCENT,
    Battery,
    Brand,
    Identity,
    Motion,
    Report,
)
from urpi.referee.facts import Die, NotThrown
from urpi.show.menu.status import DieStatus

NO_CONNECTION: Final = "no connection yet"


@dataclass(frozen=True, slots=True)
class PairedDie:
    """A die that belongs to this table.

    Attributes:
        number: The die's number in the game, from 1.
        brand: Its maker, which decides the messages.
        address: Its Bluetooth address in upper case, such as ``C4:00:11:22:33:44``.
        faces: Its number of faces, one of `urpi.hardware.die_reports.FACES`.
    """

    number: int
    brand: Brand
    address: str
    faces: int


@dataclass(frozen=True, slots=True)
class BluetoothHealth:
    """The health of Bluetooth and its dice.

    `error` is the reason why Bluetooth is unavailable, empty if it is available. `dice` are the
    numbers of the connected dice, `low` those with a low battery, and `twins` those whose settings
    another die has, too.
    """

    error: str = NO_CONNECTION
    dice: tuple[int, ...] = ()
    low: tuple[int, ...] = ()
    twins: tuple[int, ...] = ()

    @property
    def available(self) -> bool:
        """Whether reports of dice can be received at present."""
        return not self.error

    @property
    def unavailable(self) -> tuple[str, ...]:
        """The name of this source if it is unavailable."""
        return ("bluetooth",) if self.error else ()


@dataclass(slots=True)
class _DieState:
    """What is known of a die.

    `state` is the last fact's. `rolled` is whether it has rolled in this connection since it last
    lay still. `resumed` is whether the connection is a new one without a report of its motion.
    `lost` is whether the facts have it lost, also when it is connected but a throw may have been
    missed. `missed` is whether it was found to lie as after a throw that was missed.
    """

    state: str = ""
    value: int | None = None
    connected: bool = False
    rolled: bool = False
    resumed: bool = False
    lost: bool = False
    missed: bool = False
    percent: int | None = None
    low: bool = False
    built: int | None = None

    @property
    def lay_still(self) -> bool:
        """Whether it lay on a face when it last reported, or has never reported."""
        return self.state in {"", "settled"}


class BluetoothLink:
    """The state of all paired dice. Times are in whole milliseconds.

    Args:
        dice: The paired dice.
        faces: What the faces of tetrahedral dice show.
    """

    def __init__(self, dice: Iterable[PairedDie], faces: DieFaces) -> None:
        self.dice: Mapping[int, PairedDie] = {die.number: die for die in dice}
        self._faces = faces
        self._states = {number: _DieState() for number in self.dice}

    def connected(self, number: int) -> bool:
        return self._states[number].connected

    def parse(self, number: int, data: bytes) -> tuple[Report, ...]:
        """Return the reports in a message of a die."""
        die = self.dice[number]
        if die.brand == "pixels":
            return pixels.parse(data, die.faces, self._states[number].built)
        return godice.parse(data, die.faces)

    def on_connect(self, number: int, now: int) -> tuple[Die, ...]:
        """Process a new connection with a die."""
        die = self._states[number]
        die.connected, die.rolled, die.resumed = True, False, True
        if die.lost and die.lay_still and not self._reports_motion(number):
            # Whether it was moved cannot be known; a throw that was missed must be thrown again.
            die.lost = die.resumed = False
            return (Die(now, number, "found"),)
        return ()

    def on_disconnect(self, number: int, now: int) -> tuple[Die, ...]:
        """Process the loss of a connection."""
        die = self._states[number]
        die.connected, die.rolled = False, False
        if die.lost:
            return ()
        die.lost = True
        return (Die(now, number, "lost"),)

    def on_report(self, number: int, report: Report, now: int) -> tuple[Die, ...]:
        """Process a die's report."""
        die = self._states[number]
        match report:
            case Battery(percent):
                die.percent = percent
                # Hysteresis, so that a battery near the limit does not switch the warning on and
                # off.
                limit = LOW_PERCENT + (CHARGED_PERCENT if die.low else 0)
                die.low = percent <= limit
                return ()
            case Identity(_, built):
                die.built = built
                return ()
            case Motion():
                resumed, die.resumed = die.resumed, False
                if report.state in {"rolled", "placed"}:
                    return self._on_rest(number, die, report, now, resumed=resumed)
                return self._on_motion(number, die, report.state, now)

    def _on_motion(self, number: int, die: _DieState, state: str, now: int) -> tuple[Die, ...]:
        found = self._find(number, die, now)
        die.missed = False
        die.rolled = state == "rolling" or (die.rolled and state == "handled")
        if state == die.state and not found:
            return ()
        die.state = state
        match state:
            case "rolling":
                return (*found, Die(now, number, "rolling"))
            case "handled":
                return (*found, Die(now, number, "handled"))
            case _:
                return (*found, Die(now, number, "cocked"))

    def _on_rest(
        self, number: int, die: _DieState, report: Motion, now: int, *, resumed: bool
    ) -> tuple[Die, ...]:
        unchanged = die.state == "settled" and report.value == die.value
        known = bool(die.state) and not unchanged
        unseen = die.lost and report.state == "rolled" and not die.rolled
        # Also when it reports the same once more, such as after another interruption.
        die.missed = unseen and (known or die.missed)
        if die.missed:
            die.value = report.value
            # Reported when it moves again, see above.
            return ()
        found = self._find(number, die, now)
        if unchanged and (resumed or not die.rolled):
            return found
        thrown = report.state == "rolled" and die.rolled
        # It was placed by hand, although its report of being handled was missed.
        moved = report.state == "placed" and die.state not in {"", "handled"}
        by_hand = (Die(now, number, "handled"),) if moved else ()
        die.state, die.value, die.rolled = "settled", report.value, False
        shown = self.shown(number, report.value)
        why: NotThrown | None = "by-hand" if report.state == "placed" else None
        return (*found, *by_hand, Die(now, number, "settled", shown, thrown, why=why))

    def _find(self, number: int, die: _DieState, now: int) -> tuple[Die, ...]:
        if not die.lost:
            return ()
        die.lost = False
        return (Die(now, number, "found"),)

    def _reports_motion(self, number: int) -> bool:
        """Return whether a die reports on request how it lies; a GoDice does not."""
        return self.dice[number].brand == "pixels"

    def shown(self, number: int, value: int | None) -> str | None:
        """Return what a die with a value on top shows, as in FORMATS.md.

        A die with another number of faces than 4 and 6 counts by parity.
        """
        faces = self.dice[number].faces
        if value is None:
            return None
        return self._faces.shown(number, faces, value) if faces in {4, 6} else parity_tip(value)

    def health(self, error: str) -> BluetoothHealth:
        """Return the health, given the reason why Bluetooth is unavailable, or an empty text."""
        known = sorted(self._states.items())
        return BluetoothHealth(
            error,
            tuple(number for number, die in known if die.connected),
            tuple(number for number, die in known if die.low),
        )

    def statuses(self) -> tuple[DieStatus, ...]:
        """Return the status of every paired die, by number."""
        return tuple(
            DieStatus(
                number,
                die.connected,
                self.shown(number, die.value) or "" if die.lay_still else "",
                low=die.low,
                battery_percent=die.percent,
            )
            for number, die in sorted(self._states.items())
        )
