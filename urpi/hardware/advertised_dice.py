"""Dice that advertise their reports (brand ``urpi``): advertisements and time in, facts out. Pure.

Nobody acknowledges an advertisement, so a die repeats each report for a second. A report has a
number, which is greater after every start of the die, too; one with a lower number was recorded and
sent again, and is refused. What remains are the lines that a hub would send, and
`urpi.hardware.hub_link` makes facts of them. `urpi.hardware.bluetooth_dice` has the thread.
"""

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final

from urpi.core.errors import UrpiError
from urpi.hardware.advertisement import Frame, frame_of
from urpi.hardware.bluetooth_link import BluetoothHealth
from urpi.hardware.die_faces import DieFaces
from urpi.hardware.hub_link import WRAP, DieStatuses, HubLink, HubSettings
from urpi.hardware.protocol import DieLine, HubLine, Line
from urpi.hardware.protocol_constants import RANGES, VERSION
from urpi.referee.facts import Die
from urpi.show.menu.status import DieStatus

SCAN_S: Final = 10.0
"""Duration of a scan, after which the next one begins at once; so the end of bluetoothd is noticed.
"""
SHORT_SCAN_S: Final = 1.0
"""The same if the adapter may report each die once per scan: a report is repeated for a second."""
REPEATS: Final = 5
"""Repeats of a report by which an adapter proves that it passes them on; about 38 are sent."""
PROOFS: Final = 10
"""Proofs in a row until scans are long: with much in the air a filter passes repeats on, too."""
THROW_MS: Final = 1000
"""Time from the first scan until a throw that ends has begun after it."""
OLDEST_MS: Final = 63_000
"""Ages of reports from here on are not known (firmware/common/air_frame.c)."""
LOST_MS: Final = 110_000
"""Silence after which a die is lost, as a hub's: three signs of life (firmware/air.toml, LOST_S).

Each consists of three advertisements. Of nine, one arrives but for 3 in 10,000 times at a loss of
40 %."""
NO_KEY: Final = "nokey"
_SEQS: Final = RANGES["seq"][1] + 1
_STRANGERS: Final = 64
"""Number of other dice in range whose last report is remembered."""


@dataclass(frozen=True, slots=True)
class AdvertisedDie:
    """A die of this table: its number, address, number of faces, and 16 bytes of a secret key."""

    number: int
    address: str
    faces: int
    key: bytes

    @property
    def key_name(self) -> str:
        """What identifies the key, and does not betray it."""
        return sha256(self.key).hexdigest()[:16]


class Scan:
    """How long the next scan is to be, by what the last ones heard.

    Some adapters drop what they take for a repeat, and of these some do not compare the contents.
    With such a one all but the first report of a die in a scan is missed, so scans are short until
    the adapter has proved to be none.
    """

    def __init__(self) -> None:
        self._proofs = 0
        self._repeats: dict[str, tuple[int, set[bytes]]] = {}

    @property
    def seconds(self) -> float:
        return SCAN_S if self._proofs >= PROOFS else SHORT_SCAN_S

    def begin(self) -> None:
        """Begin a scan."""
        for address in tuple(self._repeats):
            self._judge(address)

    def hear(self, address: str, number: int, data: bytes, *, is_new: bool) -> None:
        """Process an advertisement of a die, the number of its report, and whether that is new."""
        if is_new:
            self._judge(address)
            self._repeats[address] = number, {data}
        elif address in self._repeats and self._repeats[address][0] == number:
            self._repeats[address][1].add(data)

    def _judge(self, address: str) -> None:
        """Judge by the last new report of a die, of which each repeat has another age."""
        _, repeats = self._repeats.pop(address, (0, ()))
        if len(repeats) == 1:
            self._proofs = 0
        elif len(repeats) >= REPEATS:
            self._proofs += 1


@dataclass(slots=True)
class _DieState:
    """What is known of a die: its last report, and when it was heard.

    `refused` is whether it has sent something since then that is not valid: it has no settings or
    another key, or its numbers began again.
    """

    number: int
    line: DieLine | None = None
    heard: int = 0
    refused: bool = False


class AdvertisedDice:
    """The state of the dice that advertise. Times are in whole milliseconds.

    Args:
        dice: The dice of this table.
        faces: What the faces of tetrahedral dice show.
        settings: How strictly to judge, and the limit of a low battery.
        numbers: The number of the last report that counted, by `AdvertisedDie.key_name`. It is
            changed with each die that comes to rest, and is to be kept for the next start: what
            somebody recorded before could otherwise be sent again then.
    """

    def __init__(
        self,
        dice: Iterable[AdvertisedDie],
        faces: DieFaces,
        settings: HubSettings,
        numbers: MutableMapping[str, int],
    ) -> None:
        self.dice: Mapping[int, AdvertisedDie] = {die.number: die for die in dice}
        self._by_address = {die.address: die for die in self.dice.values()}
        self._numbers = numbers
        self._states = {
            number: _DieState(numbers.get(die.key_name, 0)) for number, die in self.dice.items()
        }
        self._link, self._statuses = HubLink(faces, settings), DieStatuses(faces)
        self.scan = Scan()
        self.waiting: set[str] = set()
        """The addresses of other dice that have no settings yet."""
        self._twins: set[int] = set()
        self._strangers: dict[str, int] = {}
        self._since: int | None = None
        self._seq = 0

    def begin_scan(self, now: int) -> float:
        """Begin a scan, and return for how many seconds."""
        self._since = now if self._since is None else self._since
        self.scan.begin()
        return self.scan.seconds

    def on_advertisement(self, address: str, data: bytes, now: int) -> Iterator[DieLine | Die]:
        """Yield the new report in an advertisement, as a hub's line, and then its facts.

        Args:
            address: The sender's Bluetooth address in upper case.
            data: The manufacturer data.
            now: The time.
        """
        frame, die = frame_of(data), self._by_address.get(address)
        if frame is not None and die is not None:
            found = tuple(self._on_frame(die, frame, now))
            self.scan.hear(address, frame.number, data, is_new=bool(found))
            yield from found
        elif frame is not None:
            self._on_stranger(address, frame)

    def tick(self, now: int) -> Iterator[DieLine | Die]:
        """Yield the loss of the dice that have been silent for too long."""
        for number in self._link.health.dice:
            state = self._states[number]
            if state.line is not None and now - state.heard >= LOST_MS:
                yield from self._pass(replace(state.line, state="lost", t_ms=now % WRAP), now)

    def on_failure(self, error: str, now: int) -> tuple[Die, ...]:
        """Process that Bluetooth is not available."""
        return self._link.on_close(error, now).facts

    def health(self) -> BluetoothHealth:
        """Return which dice are in range, low or there twice."""
        found = self._link.health
        return BluetoothHealth("", found.dice, found.low, tuple(sorted(self._twins)))

    def statuses(self) -> tuple[DieStatus, ...]:
        """Return the status of every die, by number."""
        known = {one.die: one for one in self._statuses.statuses(self._link.health)}
        return tuple(self._status(known.get(n, DieStatus(n, False))) for n in sorted(self.dice))

    def _status(self, status: DieStatus) -> DieStatus:
        if self._states[status.die].refused and not status.in_range:
            return replace(status, error=NO_KEY)
        return replace(status, error="twin") if status.die in self._twins else status

    def _on_frame(self, die: AdvertisedDie, frame: Frame, now: int) -> Iterator[DieLine | Die]:
        state = self._states[die.number]
        if state.line is not None and frame.is_signed and frame.number == state.number:
            # One of many repeats, whose signature is not verified again: it changes nothing.
            state.heard = now
            if die.number not in self._link.health.dice:
                found = replace(state.line, state="found", t_ms=now % WRAP)
                yield from self._pass(self._numbered(found), now)
            return
        line = self._line(die, frame, now) if frame.is_signed else None
        if line is None or frame.number < state.number:
            # A late repeat of an earlier report is no reason for a warning.
            state.refused = die.number not in self._link.health.dice
            return
        if state.line is None and line.throws is not None and self._is_since(line, now):
            # Whatever was heard first of it: it was not thrown before the program listened.
            self._link.suppose_throws(die.number, line.throws - 1)
        state.number, state.line, state.heard, state.refused = frame.number, line, now, False
        yield from self._pass(line, now)
        if line.state in {"settled", "cocked"}:
            # Once for each throw: this writes a file.
            self._numbers[die.key_name] = frame.number

    def _is_since(self, line: DieLine, now: int) -> bool:
        """Return whether what a report tells happened while the program listened."""
        age = (now - line.t_ms) % WRAP
        return self._since is not None and age < min(OLDEST_MS, now - self._since - THROW_MS)

    def _line(self, die: AdvertisedDie, frame: Frame, now: int) -> DieLine | None:
        """Return a genuine report of the die, None for any other."""
        if not frame.is_genuine(die.key):
            return None
        try:
            line = self._numbered(frame.line(0, now))
        except UrpiError:
            return None
        return line if line.die == die.number and line.kind == die.faces else None

    def _numbered(self, line: DieLine) -> DieLine:
        self._seq = (self._seq + 1) % _SEQS
        return replace(line, seq=self._seq)

    def _pass(self, line: DieLine, now: int) -> Iterator[DieLine | Die]:
        if not self._link.health.connected:
            self._link.on_open("", now)
        # The hub's time is that of this machine.
        clock = HubLine(VERSION, "-", "0000", len(self._link.health.dice), now % WRAP)
        self._statuses.on_line(line)
        yield line
        for each in (clock, line):
            yield from self._facts(each, now)

    def _facts(self, line: Line, now: int) -> tuple[Die, ...]:
        return self._link.on_line(line, now).facts

    def _on_stranger(self, address: str, frame: Frame) -> None:
        """Notice a new die, and another one that has the settings of one of this table."""
        if not frame.is_new:
            self.waiting.discard(address)
        elif len(self.waiting) < _STRANGERS:
            self.waiting.add(address)
        if not frame.is_signed or self._strangers.get(address) == frame.number:
            return
        if len(self._strangers) >= _STRANGERS:
            self._strangers.clear()
        self._strangers[address] = frame.number
        number = (frame.data[1] >> 5) + 1
        if number in self.dice and frame.is_genuine(self.dice[number].key):
            self._twins.add(number)
