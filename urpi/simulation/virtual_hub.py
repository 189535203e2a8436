"""The virtual hub: it speaks the real hub's serial protocol, byte for byte (FORMATS.md). Pure.

Bytes and times come in, bytes go out; ports and clocks are its caller's.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from urpi.hardware.protocol import (
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
from urpi.hardware.protocol_constants import HEARTBEAT_MS, RESEND_LIMIT, RESEND_MS, VERSION
from urpi.simulation.virtual_dice import DieReport

FIRMWARE: Final = "1.0.0"
_CLOCK_WRAPS: Final = 1 << 32
_SEQ_WRAPS: Final = 1 << 16

OnCommand: TypeAlias = Callable[[CalLine | LedLine], None]


def _verdict(report: DieReport) -> int | None:
    """Return the verdict of a die that settled, without evidence of how it flew."""
    if report.state != "settled":
        return None
    return int((report.tumbles or 0) >= 2 or (report.fall_ms or 0) >= 80)


@dataclass(slots=True)
class _Pending:
    """A report that waits for its acknowledgement: when to repeat it, and how often at most."""

    line: bytes
    due: int
    left: int = RESEND_LIMIT


class VirtualHub:
    """A hub with a number of dice. `on_command` is called with `$CAL` and `$LED` lines.

    Every method returns the bytes to send to the Pi now.
    """

    def __init__(
        self,
        dice: int,
        on_command: OnCommand = lambda _line: None,
        hub_id: str = "0BAD",
        first_seq: int = 0,
    ) -> None:
        self.reader = LineReader()
        self._dice = dice
        self._on_command = on_command
        self._id = hub_id
        self._seq = first_seq
        self._heartbeat_at = 0
        self._pending: dict[int, _Pending] = {}
        self._last: dict[int, tuple[int, bytes]] = {}
        """The last report of each die: its sequence number and its line."""

    @property
    def acknowledged(self) -> bool:
        """Whether every report was acknowledged, or repeated as often as allowed."""
        return not self._pending

    @property
    def next_due(self) -> int:
        """The time of the next repeated report or heartbeat."""
        return min([self._heartbeat_at, *(one.due for one in self._pending.values())])

    def start(self, now: int) -> bytes:
        """Start with power: forget everything, and return the greeting."""
        self.reader.reset()
        self._pending.clear()
        self._last.clear()
        return self._greeting(now)

    def replace_dice(self, dice: int, now: int) -> bytes:
        """Replace the dice, forget their last reports, and return the greeting."""
        self._dice = dice
        self._last.clear()
        return self._greeting(now)

    def report(self, report: DieReport, now: int) -> bytes:
        """Return the line of a die's report."""
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
                thrown=_verdict(report),
                t_ms=now % _CLOCK_WRAPS,
            )
        )
        self._pending[self._seq] = _Pending(line, now + RESEND_MS)
        self._last[report.die] = self._seq, line
        self._seq = (self._seq + 1) % _SEQ_WRAPS
        return line

    def receive(self, data: bytes, now: int) -> bytes:
        """Process bytes from the Pi and return the reply."""
        return b"".join(self._reply(line, now) for line in self.reader.feed(data))

    def run_due(self, now: int) -> bytes:
        """Return what is due by now: pending reports, and the heartbeat."""
        repeated = b"".join(self._repeat(seq, now) for seq in self._due(now))
        return repeated + self._greeting(now) if self._heartbeat_at <= now else repeated

    def _reply(self, line: Line, now: int) -> bytes:
        match line:
            case AckLine(seq):
                self._pending.pop(seq, None)
            case AskLine():
                return self._greeting(now) + self._last_reports(now)
            case CalLine() | LedLine():
                self._on_command(line)
            case _:
                pass
        return b""

    def _greeting(self, now: int) -> bytes:
        self._heartbeat_at = now + HEARTBEAT_MS
        return line_bytes(HubLine(VERSION, FIRMWARE, self._id, self._dice, now % _CLOCK_WRAPS))

    def _last_reports(self, now: int) -> bytes:
        for seq, line in self._last.values():
            self._pending[seq] = _Pending(line, now + RESEND_MS)
        return b"".join(line for _seq, line in self._last.values())

    def _due(self, now: int) -> list[int]:
        return [seq for seq, one in self._pending.items() if one.due <= now]

    def _repeat(self, seq: int, now: int) -> bytes:
        one = self._pending[seq]
        one.left -= 1
        one.due = now + RESEND_MS
        if one.left == 0:
            del self._pending[seq]
        return one.line
