"""Conversion of the hub's time to the host's. Pure.

The hub counts milliseconds from its start, mod 2^32 (49.7 days), by its own quartz. Heartbeats
can arrive late, but never early: the smallest offset of the recent ones is the most accurate.
Keeping only recent ones lets the offset follow the drift between the clocks.
"""

from collections import deque
from typing import Final

BEATS: Final = 32
"""Number of heartbeats kept. At one per second, clocks 100 ppm apart drift 3 ms in that time."""
WRAP: Final = 1 << 32
"""The hub's time wraps to 0 at this number of milliseconds."""
JUMP_MS: Final = 2000
DRIFT: Final = 100
"""After a silence, the hub has restarted if its time is off by more than `JUMP_MS` plus one part
in `DRIFT` of the silence. No hub's clock is that inaccurate."""


class HubClock:
    """The offset from the hub's time to the host's, estimated from the heartbeats."""

    def __init__(self) -> None:
        self._offsets: deque[int] = deque(maxlen=BEATS)
        self._hub_ms = 0
        self._heartbeat_at = 0

    def on_heartbeat(self, hub_ms: int, now: int, *, after_silence: bool = False) -> bool:
        """Add a heartbeat, and return whether the hub has restarted since the last one.

        Args:
            hub_ms: The hub's time.
            now: The host's time in milliseconds.
            after_silence: Whether the connection was interrupted; by default it was not. The hub
                has then restarted not only if its time went back, but also if it advanced by too
                little.
        """
        restarted = bool(self._offsets) and self._has_restarted(hub_ms, now, after_silence)
        if restarted:
            self._offsets.clear()
        self._hub_ms = self._unwrapped(hub_ms) if self._offsets else hub_ms
        self._heartbeat_at = now
        self._offsets.append(now - self._hub_ms)
        return restarted

    def to_host_time(self, hub_ms: int, now: int) -> int:
        """Convert the hub's time to the host's, at most `now`.

        Before the first heartbeat the result is `now`.
        """
        if not self._offsets:
            return now
        return min(now, self._unwrapped(hub_ms) + min(self._offsets))

    def _has_restarted(self, hub_ms: int, now: int, after_silence: bool) -> bool:
        hub = self._unwrapped(hub_ms)
        if hub < self._hub_ms:
            return True
        missing = abs((now - hub) - min(self._offsets))
        return after_silence and missing > JUMP_MS + (now - self._heartbeat_at) // DRIFT

    def _unwrapped(self, hub_ms: int) -> int:
        # Less than half a turn ahead is later; more is a time before the last heartbeat.
        ahead = (hub_ms - self._hub_ms) % WRAP
        return self._hub_ms + (ahead if ahead < WRAP // 2 else ahead - WRAP)
