"""Seals: by them a table believes what it has stored itself, although its journal has lost it.

The other table has all events of both, but could invent some. So each table seals how many events
its journal has, with a key that only this journal has; the other one keeps the seals, and returns
them to a table that has fewer events, as after a backup was restored.
"""

from hashlib import blake2b
from hmac import compare_digest
from typing import Final

from urpi.link.remote.events import SharedClaim, SharedResignation
from urpi.link.remote.exchange import Exchange
from urpi.link.remote.messages import MAX_EVENTS, Progress, Sealed
from urpi.rules import Side

SPACING: Final = MAX_EVENTS // 2
"""Of so many events, the newest seal is kept: each can be compared with one message of events."""


class Seals:
    """The seals of one game, as one of its tables has them, and what they are needed for.

    Args:
        exchange: The events.
        side: The side that plays at this table.
        key: The key of this table's journal, empty if it has none.
        resumed: Whether the program has started since the game began: the journal may be old.
    """

    def __init__(self, exchange: Exchange, side: Side, key: str, *, resumed: bool) -> None:
        self._exchange, self._side, self._key = exchange, side, key.encode()
        self._resumed = resumed
        self.acts, self.peer_acts = False, 0
        """Whether this table adds the next event, and the number of the other side's last throw or
        move here; to be assigned."""
        self._kept: dict[int, Sealed] = {}
        self._returned: Sealed | None = None

    @property
    def is_unclear(self) -> bool:
        """Whether a table may have lost events, or they differ: nothing may be added meanwhile."""
        exchange = self._exchange
        have = exchange.peer_have
        if exchange.over or have is None:
            return self._resumed and not exchange.over
        # What only this table can have added may still be on its way back.
        lacks = self.acts and have > exchange.have
        return lacks or self.has_lost or have < self.peer_acts or exchange.diverged

    @property
    def has_lost(self) -> bool:
        """Whether the other table has an event that only this one can have added, or had."""
        event = self._exchange.next_event
        if event is None:
            return False
        # The other side may end the game at any time.
        is_lost = self.acts and not isinstance(event, SharedResignation | SharedClaim)
        return is_lost or self.covers_next

    def of(self, have: int, chain: str) -> str:
        """The seal of events of this table, empty if it has no key."""
        if not self._key:
            return ""
        text = f"{self._exchange.game} {self._side.value} {have} {chain}"
        return blake2b(text.encode(), key=self._key, digest_size=16).hexdigest()

    def keep(self, progress: Progress) -> None:
        """Keep the seal of what the other table has."""
        have, place = progress.have, progress.have // SPACING
        # One of events that did not arrive here proves nothing, and must not replace one that does.
        is_known = self._exchange.chain_after(have) == progress.chain
        is_new = place not in self._kept or self._kept[place].have <= have
        if progress.seal and is_known and is_new:
            self._kept[place] = Sealed(progress.game, have, progress.chain, progress.seal)

    def receive(self, sealed: Sealed) -> None:
        """Note a seal of this table that the other one has returned."""
        true = self.of(sealed.have, sealed.chain)
        if true and compare_digest(true, sealed.seal):
            self._returned = sealed

    @property
    def to_return(self) -> Sealed | None:
        """The newest seal of the other table whose events can be sent to it, None if it has all."""
        exchange, have = self._exchange, self._exchange.peer_have
        if have is None:
            return None
        found = (
            one
            for one in self._kept.values()
            if have < one.have <= min(exchange.have, have + MAX_EVENTS)
            and exchange.chain_after(one.have) == one.chain
        )
        return max(found, key=lambda one: one.have, default=None)

    @property
    def covers_next(self) -> bool:
        """Whether the journal here has had the next event of the other table."""
        found, exchange = self._returned, self._exchange
        if found is None or found.have <= exchange.have:
            return False
        return exchange.chain_after(found.have) == found.chain
