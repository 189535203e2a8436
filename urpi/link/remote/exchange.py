"""The exchange of one game's events between two tables, as a state machine without input or output.

Each table sends how many events its journal has, with their checksum, and the events that the other
one lacks. That alone acknowledges, repeats and continues: messages may be lost, doubled, delayed
and reordered, and either program may be restarted at any point.

Only the table that `urpi.link.remote.events.holder` names adds events, so that two tables never
have different events with one number. If they do, as after a game was continued from a backup, the
exchange ends and reports it.
"""

from collections.abc import Sequence
from typing import Final

from urpi.link.protocol.chain import next_chain
from urpi.link.remote.events import EVENTS, SharedEvent, one_sided_end
from urpi.link.remote.messages import MAX_EVENTS, Progress, Proposed, TableMessage, Unknown
from urpi.rules import Side

HEARTBEAT_MS: Final = 10_000
"""Longest time between two messages during a game; the other table shows a longer silence."""
RESEND_MS: Final = (1_000, 2_000, 4_000, 8_000)
"""Waits before events that are not acknowledged are sent again; the last one applies from then on.

Hands at the other table may take long to make a move, before which further events wait there.
"""
MAX_HELD: Final = 200
"""Maximum number of events that wait for hands at this table; further ones are sent again later."""


class Exchange:
    """The exchange of one game. Times are milliseconds of any clock that never decreases.

    Args:
        game: The identity of the game: the checksum before its first event.
    """

    def __init__(self, game: str) -> None:
        self.game: Final = game
        self.over = False
        """Whether the game has ended here; to be assigned."""
        self.diverged = False
        """Whether the other table has other events with the same numbers."""
        self.last_contact: int | None = None
        """When a message of the other table arrived last, None before the first."""
        self._chain = [game]
        self._events: list[SharedEvent] = []
        self._held: dict[int, SharedEvent] = {}
        self._peer_have: int | None = None
        self._sent_have: int | None = None
        self._sent_at: int | None = None
        self._resend_at = 0
        self._attempt = 0
        self._owes = False

    @property
    def have(self) -> int:
        """Number of events that the journal has."""
        return len(self._events)

    @property
    def chain(self) -> str:
        """The checksum after them."""
        return self._chain[-1]

    @property
    def peer_have(self) -> int | None:
        """Number of events that the other table has, None before its first message."""
        return self._peer_have

    def chain_after(self, count: int) -> str | None:
        """The checksum after events of the journal and of the other table, None if one lacks."""
        chain = self._chain[min(count, self.have)]
        for number in range(self.have + 1, count + 1):
            if number not in self._held:
                return None
            chain = next_chain(chain, [EVENTS.line_of(self._held[number])])
        return chain

    @property
    def is_confirmed(self) -> bool:
        """Whether the other table has every event of this one."""
        return self._peer_have is not None and self._peer_have >= self.have

    def update(self, events: Sequence[SharedEvent], now: int) -> None:
        """Note the events that the journal has now; those before are the same as in earlier calls.

        Args:
            events: All events of the game, including a move that hands here still have to make.
            now: The time.
        """
        fresh = list(events[self.have :])
        if not fresh:
            return
        for event in fresh:
            self._events.append(event)
            self._chain.append(next_chain(self._chain[-1], [EVENTS.line_of(event)]))
            self._held.pop(self.have, None)
        self._attempt, self._resend_at = 0, now

    def reconnect(self, now: int) -> None:
        """Start again after a connection was lost and found: send at once what is unconfirmed."""
        self._owes, self._attempt, self._resend_at = True, 0, now

    def receive(self, message: Progress, now: int) -> None:
        """Process a message of the other table."""
        self.last_contact = now
        if self._contradicts(message.have, message.chain):
            self.diverged = True
            return
        if self._contradicts(message.first - 1, message.before):
            self.diverged = True
            return
        before, self._peer_have = self._peer_have, message.have
        if message.have < self.have and (before is None or message.have < before):
            # It was restarted, or does not know this game's end: do not wait for the next attempt.
            self._attempt, self._resend_at = 0, now
        if message.events:
            # Without a confirmation the other table would send them again.
            self._owes = True
        # With a gap before them they could not be applied; the other table sends all again.
        if message.first <= self.have + len(self._held) + 1:
            self._hold(message)

    def _contradicts(self, count: int, chain: str) -> bool:
        # Of events that this table does not have yet, nothing can be said.
        return count <= self.have and self._chain[count] != chain

    def _hold(self, message: Progress) -> None:
        for number, event in enumerate(message.events, message.first):
            # Those up to `have` are known, and a table may send the same ones many times.
            if self.have < number <= self.have + MAX_HELD:
                self._held[number] = event

    @property
    def next_event(self) -> SharedEvent | None:
        """The event after those of the journal, if the other table has sent it."""
        return None if self.diverged else self._held.get(self.have + 1)

    @property
    def due(self) -> int | None:
        """When `next_message` must be called, None if only a call of another method matters."""
        if self.diverged:
            return None
        # At once: the other table learns of an event within the time of one message.
        if self._sent_at is None or self._owes or self._sent_have != self.have:
            return 0
        times = []
        # Before the first message of the other table, it may have none of the events.
        if self._peer_have is None or self._peer_have < self.have:
            times.append(self._resend_at)
        # After the end, heartbeats are needed only until the other table has everything.
        if not (self.over and self.is_confirmed):
            times.append(self._sent_at + HEARTBEAT_MS)
        return min(times, default=None)

    def next_message(self, now: int) -> Progress | None:
        """Return the message to be sent now, None if there is none."""
        due = self.due
        if due is None or due > now:
            return None
        # An acknowledgement between two attempts carries no events: the wait before the next is
        # kept.
        lacking = self._events[self._first() - 1 :][:MAX_EVENTS] if now >= self._resend_at else []
        first = self._first() if lacking else self.have + 1
        if lacking or self._peer_have is None:
            self._resend_at = now + RESEND_MS[min(self._attempt, len(RESEND_MS) - 1)]
            self._attempt += 1
        self._sent_at, self._sent_have, self._owes = now, self.have, False
        return Progress(
            self.game, self.have, self._chain[-1], first, self._chain[first - 1], tuple(lacking)
        )

    def _first(self) -> int:
        """The number of the first event that the other table lacks, as far as is known."""
        return 1 + (self.have if self._peer_have is None else min(self._peer_have, self.have))


def answers(
    message: Progress | Proposed, events: Sequence[SharedEvent], side: Side, now: int
) -> list[TableMessage]:
    """What a table answers about an earlier game, such as its last move.

    Args:
        message: What the other table has sent about it.
        events: All events of the game, which has ended here.
        side: The side that was played here.
        now: The time.
    """
    exchange = Exchange(message.game)
    exchange.over = True
    exchange.update(events, now)
    found: list[TableMessage] = []
    if isinstance(message, Progress):
        exchange.receive(message, now)
        end = one_sided_end(events, side)
        if end is not None and message.chain != exchange.chain:
            # It ends the game there, too, whatever was thrown and moved there meanwhile.
            found.append(Proposed(message.game, message.game, end, exchange.have - 1))
    answer = exchange.next_message(now)
    if exchange.diverged:
        return [*found, Unknown(message.game, "diverged")]
    return found if answer is None else [*found, answer]
