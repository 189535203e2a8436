"""The virtual hub: what the real one says on the serial line, byte for byte (FORMATS.md).

Pure: bytes and the time come in, bytes go out. It knows neither ports nor clocks.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from urpi.devices.protocol import (
    AckLine,
    AskLine,
    CalLine,
    DieLine,
    HubLine,
    LedLine,
    Line,
    LineReader,
    line_bytes,
)
from urpi.devices.protocol_constants import HEARTBEAT_MS, RESEND_LIMIT, RESEND_MS, VERSION
from urpi.simulation.virtual_dice import DieReport

FIRMWARE: Final = "1.0.0"
_CLOCK_WRAPS: Final = 1 << 32
_SEQ_WRAPS: Final = 1 << 16

Heeds: TypeAlias = Callable[[CalLine | LedLine], None]


@dataclass(slots=True)
class _Unheard:
    """A report that waits for its acknowledgement: when to say it again, how often still."""

    line: bytes
    due: int
    left: int = RESEND_LIMIT


class VirtualHub:
    """A hub that knows so many `dice`. `heeds` is told of `$CAL` and `$LED` lines.

    Every method gives the bytes that go to the Pi now.
    """

    def __init__(
        self, dice: int, heeds: Heeds = lambda _line: None, hub_id: str = "0BAD", first_seq: int = 0
    ) -> None:
        self.reader = LineReader()
        self._dice = dice
        self._heeds = heeds
        self._id = hub_id
        self._seq = first_seq
        self._greets_at = 0
        self._unheard: dict[int, _Unheard] = {}
        self._last: dict[int, tuple[int, bytes]] = {}
        """Every die's last report: its seq and its line."""

    @property
    def acknowledged(self) -> bool:
        """Whether every report has been acknowledged, or said as often as it is."""
        return not self._unheard

    @property
    def next_due(self) -> int:
        """When it speaks next by itself."""
        return min([self._greets_at, *(one.due for one in self._unheard.values())])

    def start(self, now: int) -> bytes:
        """It gets power: it greets, and has forgotten everything."""
        self.reader.reset()
        self._unheard.clear()
        self._last.clear()
        return self._greet(now)

    def replace_dice(self, dice: int, now: int) -> bytes:
        """Other dice, so many, take the place of those that it knew; what these said is old."""
        self._dice = dice
        self._last.clear()
        return self._greet(now)

    def report(self, report: DieReport, now: int) -> bytes:
        """A die has said something."""
        line = line_bytes(
            DieLine(
                self._seq,
                report.die,
                report.state,
                report.throws,
                report.kind,
                report.face,
                report.angle_deg,
                report.tumbles,
                report.fall_ms,
                report.battery_mv,
                t_ms=now % _CLOCK_WRAPS,
            )
        )
        self._unheard[self._seq] = _Unheard(line, now + RESEND_MS)
        self._last[report.die] = self._seq, line
        self._seq = (self._seq + 1) % _SEQ_WRAPS
        return line

    def receive(self, data: bytes, now: int) -> bytes:
        """The Pi has sent those bytes."""
        return b"".join(self._answer(line, now) for line in self.reader.feed(data))

    def run_due(self, now: int) -> bytes:
        """What is to be said by now: unheard reports again, and the heartbeat."""
        said = b"".join(self._repeat(seq, now) for seq in self._due(now))
        return said + self._greet(now) if self._greets_at <= now else said

    def _answer(self, line: Line, now: int) -> bytes:
        match line:
            case AckLine(seq):
                self._unheard.pop(seq, None)
            case AskLine():
                return self._greet(now) + self._say_last(now)
            case CalLine() | LedLine():
                self._heeds(line)
            case _:
                pass
        return b""

    def _greet(self, now: int) -> bytes:
        self._greets_at = now + HEARTBEAT_MS
        return line_bytes(HubLine(VERSION, FIRMWARE, self._id, self._dice, now % _CLOCK_WRAPS))

    def _say_last(self, now: int) -> bytes:
        for seq, line in self._last.values():
            self._unheard[seq] = _Unheard(line, now + RESEND_MS)
        return b"".join(line for _seq, line in self._last.values())

    def _due(self, now: int) -> list[int]:
        return [seq for seq, one in self._unheard.items() if one.due <= now]

    def _repeat(self, seq: int, now: int) -> bytes:
        one = self._unheard[seq]
        one.left -= 1
        one.due = now + RESEND_MS
        if one.left == 0:
            del self._unheard[seq]
        return one.line
