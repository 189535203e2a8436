"""Live dice with Bluetooth, as the lines that a hub would send for them.

So the same table, log and test serve both kinds of dice.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, Self

from urpi.cli.dice.live_dice import HubPort, LiveDice
from urpi.config import Config
from urpi.core.errors import UrpiError
from urpi.core.moments import milliseconds
from urpi.hardware import BluetoothDice, HubHealth, HubSettings, Line, PairedDie, open_radio
from urpi.hardware.bluetooth_link import BluetoothHealth
from urpi.hardware.configured import advertised_dice, configured_faces, paired_dice
from urpi.hardware.die_reports import Motion, Report
from urpi.hardware.protocol import DieLine
from urpi.referee.facts import Die, Fact

PLACE: Final = "Bluetooth"
# The counters of the hub's protocol have 16 bits.
_COUNTS: Final = 1 << 16


class LiveBluetooth(LiveDice):
    """The paired dice. Use it in a ``with`` statement; it connects and disconnects.

    A die with another number of faces than 4 and 6 is shown as the tip for which it counts.
    """

    def __init__(
        self, config: Config, on_message: Callable[[PairedDie, bytes], None] | None = None
    ) -> None:
        """Read the paired dice.

        Args:
            config: The configuration.
            on_message: Called with every message of a die, in another thread.
        """
        faces = configured_faces(config.hub)
        limits = HubSettings(strictness=config.dice.strictness)
        super().__init__(HubPort(PLACE, faces, limits))
        self._adapter = config.dice.adapter
        self._dice = {die.number: die for die in paired_dice(config.dice)}
        self._advertised = advertised_dice(config.dice)
        if not self._dice and not self._advertised:
            message = "No dice with Bluetooth are paired; run `urpi dice pair`."
            raise UrpiError(message)
        self._values: dict[int, int] = {}
        self._throws = dict.fromkeys(self._dice, 0)
        self._seq = 0
        self._on_message = on_message or (lambda _die, _data: None)

    @property
    def dice(self) -> tuple[PairedDie, ...]:
        return tuple(self._dice.values())

    def __enter__(self) -> Self:
        self._source = BluetoothDice(
            self._dice.values(),
            self.hub.faces,
            milliseconds,
            lambda: open_radio(self._adapter),
            advertised=self._advertised,
            listens=True,
            strictness=self.hub.settings.strictness,
            on_line=self._queue.put,
            on_message=self._on_message,
            on_report=self._on_report,
        )
        self._source.start(self._on_fact, lambda health: self._queue.put(as_hub(health)))
        return self

    def __exit__(self, *_: object) -> None:
        self._source.close()

    @property
    def health(self) -> HubHealth:
        return as_hub(self._source.health)

    @property
    def waiting(self) -> tuple[str, ...]:
        """The addresses of dice in range that have no settings yet."""
        return self._source.waiting

    def battery_percent(self, die: int) -> int | None:
        """The charge of a die's battery, None if it is unknown."""
        known = {one.die: one.battery_percent for one in self._source.statuses()}
        return known.get(die)

    def send(self, line: Line) -> None:
        """Raise an error, because these dice receive no lines."""
        message = f"A die with Bluetooth does not know the command {line.TYPE}."
        raise UrpiError(message)

    def check_testable(self, die: int | None) -> None:
        """Check that a die, or each one, has 4 or 6 faces, whose throws can be tested.

        Raises:
            UrpiError: If not.
        """
        for number, one in self._dice.items():
            if die in {None, number} and one.faces not in {4, 6}:
                message = (
                    f"Die {number} has {one.faces} faces, and only dice with 4 or 6 can be tested; "
                    "choose one with --die."
                )
                raise UrpiError(message)

    def wait_for_hub(self) -> None:
        """Wait until Bluetooth is available.

        Raises:
            UrpiError: If it is not.
        """
        self._await(lambda: self._source.health.available)
        if not self._source.health.available:
            raise UrpiError(f"Bluetooth is not available: {self._source.health.error}.")

    def wait_for_port(self) -> None:
        """Wait as `wait_for_hub`: Bluetooth has no port."""
        self.wait_for_hub()

    def _on_report(self, die: PairedDie, report: Report) -> None:
        if isinstance(report, Motion) and report.value is not None:
            self._values[die.number] = report.value

    def _on_fact(self, fact: Fact) -> None:
        assert isinstance(fact, Die)
        if fact.state == "lost":
            self._queue.put(fact)
            return
        # A die that advertises sends a hub's lines, which have been put there.
        if fact.die not in self._dice:
            return
        self._seq += 1
        self._throws[fact.die] += fact.tumbled
        line = DieLine(
            self._seq % _COUNTS,
            fact.die,
            # A settled die's line needs its face, see below.
            "handled" if fact.state == "settled" else fact.state,
            self._throws[fact.die] % _COUNTS,
            t_ms=fact.t % (1 << 32),
        )
        kind, value = self._dice[fact.die].faces, self._values.get(fact.die)
        if kind not in {4, 6}:
            kind, value = 4, self._tip(fact)
        if fact.state == "settled" and value is not None:
            line = replace(line, state="settled", kind=kind, face=value, thrown=int(fact.tumbled))
        self._queue.put(line)

    def _tip(self, fact: Die) -> int | None:
        """A tip of the die's tetrahedron that shows what the fact does, or None."""
        tips = range(1, 5)
        return next((tip for tip in tips if self._shows(fact.die, tip) == fact.face), None)

    def _shows(self, die: int, tip: int) -> str:
        return self.hub.faces.shown(die, 4, tip)


def as_hub(health: BluetoothHealth) -> HubHealth:
    """The health of Bluetooth as that of a hub."""
    up = health.available
    return HubHealth(up, up, port=PLACE, dice=health.dice, low=health.low, error=health.error)
