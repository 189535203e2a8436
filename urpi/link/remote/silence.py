"""When a side that is silent can be claimed against.

Pure: times are passed in, in milliseconds of any clock that never decreases. Silence at one table
alone proves nothing, because after a cut each of them sees it. So only a table that was connected
to the broker all the time may claim, and while the other one decides what happens next; that one,
when it is back, believes a claim if it has seen the same silence, or was not running.
"""

from dataclasses import dataclass
from typing import Final

CLAIM_MS: Final = 300_000
"""Silence after which a game may be claimed."""
NOTICE_MS: Final = CLAIM_MS // 2
"""How long before that time both displays name it."""
TOLERANCE_MS: Final = 30_000
"""Longest time by which both tables differ about one silence: their messages are repeated."""


@dataclass(slots=True)
class Silence:
    """What one table knows of the silence of the other one, and of its own.

    Attributes:
        began: When the program or the game began.
        acted: The newest event here, of either table.
        connected: Since when the broker is connected here, None if it is not.
        heard: When the other table last had more events than before, None before the first time.
        gap: The last long wait for such a change, and when it ended. A claim that was made
            meanwhile may arrive soon after it.
        waiting: Since when this side must not act until the tables agree, None if it may.
    """

    began: int
    acted: int
    connected: int | None = None
    heard: int | None = None
    gap: tuple[int, int] = 0, 0
    waiting: int | None = None
    _peer_have: int | None = None

    def hear(self, have: int, now: int) -> None:
        """Note how many events the other table has; an acknowledgement of others is none."""
        if self._peer_have is None:
            self._peer_have = have
        elif have > self._peer_have:
            gap, (longest, ended) = now - self._heard, self.gap
            if gap >= longest or now - ended > TOLERANCE_MS:
                self.gap = gap, now
            self.heard, self._peer_have = now, have

    def wait(self, now: int, *, waits: bool) -> None:
        """Note whether this side must not act, which the other table could bring about to claim.

        Not at once: a claim itself is such an event until it is accepted.
        """
        if not waits:
            self.waiting = None
        elif self.waiting is None:
            self.waiting = now
        elif now - self.waiting >= TOLERANCE_MS and self.heard is not None:
            self.heard = now

    def connect(self, connected: bool, now: int) -> None:
        """Note whether the broker is connected here."""
        if not connected:
            self.connected = None
        elif self.connected is None:
            self.connected = now

    @property
    def claimable(self) -> int | None:
        """From when on the other side's silence may be claimed here; None without a broker."""
        if self.connected is None:
            return None
        return max(self._heard, self.acted, self.connected) + CLAIM_MS

    @property
    def liable(self) -> int:
        """From when on the other table may claim, if this side does not act."""
        return self._heard + CLAIM_MS

    @property
    def _heard(self) -> int:
        return self.began if self.heard is None else self.heard

    def believes(self, now: int) -> bool:
        """Whether a claim of the other table that arrives now agrees with what was seen here."""
        if self.heard is None:
            return True
        gap, ended = self.gap
        waited = max(now - self.heard, gap if now - ended <= TOLERANCE_MS else 0)
        return waited >= CLAIM_MS - TOLERANCE_MS
