"""The hub's milliseconds on our clock, pure.

The hub counts from its own start, mod 2^32 (49.7 days), with a quartz of its own. Its
heartbeats come late now and then, never early: the least difference of the last ones is the
nearest to the truth, and as old ones are forgotten it follows the drift of the two clocks.
"""

from collections import deque
from typing import Final

BEATS: Final = 32
"""Heartbeats kept: at a second each, two clocks 100 ppm apart drift 3 ms in the while."""
WRAP: Final = 1 << 32
JUMP_MS: Final = 2000
DRIFT: Final = 100
"""Over a silence a hub is another one's count when it is off by more than `JUMP_MS` and one
part in `DRIFT` of the time since: no clock of a living hub is that wrong."""


class HubClock:
    """Our time from the hub's, learnt from its heartbeats."""

    def __init__(self) -> None:
        self._offsets: deque[int] = deque(maxlen=BEATS)
        self._hub = 0
        self._heartbeat_at = 0

    def on_heartbeat(self, hub_ms: int, now: int, *, after_silence: bool = False) -> bool:
        """Take a heartbeat; whether the hub must have started anew since the last one.

        Its count going back says so; `after_silence` (a port opened again) so does one that
        went on too little.
        """
        restarted = bool(self._offsets) and self._is_anew(hub_ms, now, after_silence)
        if restarted:
            self._offsets.clear()
        self._hub = self._unwrapped(hub_ms) if self._offsets else hub_ms
        self._heartbeat_at = now
        self._offsets.append(now - self._hub)
        return restarted

    def to_host_time(self, hub_ms: int, now: int) -> int:
        """Our time of the hub's, never after `now`; `now` itself before the first beat."""
        if not self._offsets:
            return now
        return min(now, self._unwrapped(hub_ms) + min(self._offsets))

    def _is_anew(self, hub_ms: int, now: int, after_silence: bool) -> bool:
        hub = self._unwrapped(hub_ms)
        if hub < self._hub:
            return True
        missing = abs((now - hub) - min(self._offsets))
        return after_silence and missing > JUMP_MS + (now - self._heartbeat_at) // DRIFT

    def _unwrapped(self, hub_ms: int) -> int:
        ahead = (hub_ms - self._hub) % WRAP
        return self._hub + (ahead if ahead < WRAP // 2 else ahead - WRAP)
