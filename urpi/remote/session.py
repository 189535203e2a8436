"""One game of two tables as seen by one of them: its events, and what the players propose.

A state machine without input or output. The caller passes the game as it stands and the messages
of the other table, sends what `next_messages` returns, and submits what `next_fact` returns.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from urpi.referee import Phase, Snapshot
from urpi.referee.decisions import Moved
from urpi.referee.facts import Abandon, Draw, Fact, RemoteTakeback, Resign
from urpi.remote.events import SharedEvent, fact_of, holder
from urpi.remote.exchange import Exchange
from urpi.remote.messages import Progress, ProposalCode, Proposed, Replied, TableMessage
from urpi.rules import Side

PROPOSAL_MS: Final = 60_000
"""Time until a proposal without an answer is withdrawn, or counts as declined."""
REPEAT_MS: Final = 2_000
"""Time after which a proposal without a reply is sent again."""
MOST_REPLIES: Final = 20
"""Number of replies that are kept to be repeated."""
OVER: Final = (Phase.OVER, Phase.NO_GAME)


@dataclass(slots=True)
class _Open:
    """A proposal that is not settled: until when, when it is sent again, and whether accepted."""

    proposed: Proposed
    until: int
    repeat_at: int = 0
    accepted: bool = False


class Session:
    """One game. Times are milliseconds of any clock that never decreases.

    Args:
        game: The identity of the game.
        side: The side that plays at this table.
        new_number: Returns a fresh identity for a proposal.
    """

    def __init__(self, game: str, side: Side, new_number: Callable[[], str]) -> None:
        self.exchange: Final = Exchange(game)
        self._side, self._new_number = side, new_number
        self._mine: _Open | None = None
        self._theirs: _Open | None = None
        self._replies: dict[str, bool] = {}
        self._outgoing: list[TableMessage] = []
        self.declined = False
        """Whether the newest proposal of this table was declined or not answered."""

    @property
    def asked(self) -> ProposalCode | None:
        """What the other table proposes and a player here must answer; None if nothing."""
        theirs = self._theirs
        return None if theirs is None or theirs.accepted else theirs.proposed.what

    @property
    def asking(self) -> ProposalCode | None:
        """What this table has proposed and is not answered; None if nothing."""
        return None if self._mine is None else self._mine.proposed.what

    def update(self, snapshot: Snapshot, events: Sequence[SharedEvent], now: int) -> None:
        """Note the game as it stands, and all its events that are stored."""
        self.exchange.update(events, now)
        self.exchange.over = snapshot.phase in OVER
        if self.exchange.over:
            self._mine = self._theirs = None

    def propose(self, what: ProposalCode, now: int) -> None:
        """Propose something to the other table, in place of an earlier proposal."""
        proposed = Proposed(self.exchange.game, self._new_number(), what, self.exchange.have)
        self._mine, self.declined = _Open(proposed, now + PROPOSAL_MS, now), False

    def answer(self, accepted: bool) -> None:
        """Accept or decline what the other table proposes."""
        if self._theirs is None or self._theirs.accepted:
            return
        self._reply(self._theirs.proposed, accepted)
        if accepted:
            self._theirs.accepted = True
        else:
            self._theirs = None

    def _reply(self, proposed: Proposed, accepted: bool) -> None:
        self._replies[proposed.number] = accepted
        while len(self._replies) > MOST_REPLIES:
            del self._replies[next(iter(self._replies))]
        self._outgoing.append(Replied(proposed.game, proposed.number, accepted))

    def receive(self, message: Progress | Proposed | Replied, now: int) -> None:
        """Process a message of the other table about this game."""
        self.exchange.last_contact = now
        match message:
            case Progress():
                self.exchange.receive(message, now)
            case Proposed():
                self._receive_proposal(message, now)
            case Replied(number=number, accepted=accepted):
                mine = self._mine
                if mine is None or mine.proposed.number != number:
                    return
                mine.accepted = accepted
                if not accepted:
                    self._mine, self.declined = None, True

    def _receive_proposal(self, proposed: Proposed, now: int) -> None:
        number = proposed.number
        if number in self._replies:
            self._outgoing.append(Replied(proposed.game, number, self._replies[number]))
        elif self.exchange.over:
            self._reply(proposed, accepted=False)
        elif self._theirs is None or self._theirs.proposed.number != number:
            self._theirs = _Open(proposed, now + PROPOSAL_MS)
            if proposed.what == "resign":
                self.answer(accepted=True)

    def next_fact(self, snapshot: Snapshot, t: int) -> Fact | None:
        """Return the fact to be submitted next, None if there is none.

        Call `update` after it was processed, and then this again.

        Args:
            snapshot: The game as it stands.
            t: The time of the fact.
        """
        event = self.exchange.next_event
        if event is not None:
            return fact_of(event, t, snapshot)
        if holder(snapshot) is not self._side:
            return None
        mine, theirs = self._mine, self._theirs
        if mine is not None and mine.accepted:
            self._mine = None
            return self._fact_of(mine.proposed, self._side, snapshot, t)
        if theirs is not None and theirs.accepted:
            self._theirs = None
            return self._fact_of(theirs.proposed, self._side.other, snapshot, t)
        return None

    def _fact_of(self, proposed: Proposed, by: Side, snapshot: Snapshot, t: int) -> Fact | None:
        """Return the fact that an accepted proposal becomes, None if it is too late for it."""
        match proposed.what:
            case "resign":
                return Resign(t, by)
            case "draw":
                position = snapshot.position
                draws = position is not None and position.rules.draws
                return Draw(t, by, agreed=True) if draws else None
            case "abandon":
                return Abandon(t, by, agreed=True)
            case "takeback":
                move = newest_move(snapshot, by)
                is_newest = proposed.at == self.exchange.have and move is not None
                return RemoteTakeback(t, by, move) if is_newest and move is not None else None

    @property
    def due(self) -> int | None:
        """When `next_messages` must be called, None if only another call matters."""
        if self._outgoing:
            return 0
        times = [self.exchange.due]
        if self._mine is not None:
            times += [self._mine.until, None if self._mine.accepted else self._mine.repeat_at]
        if self._theirs is not None:
            times.append(self._theirs.until)
        return min((t for t in times if t is not None), default=None)

    def next_messages(self, now: int) -> list[TableMessage]:
        """Return the messages to be sent now."""
        self._expire(now)
        found, self._outgoing = self._outgoing, []
        mine = self._mine
        if mine is not None and not mine.accepted and mine.repeat_at <= now:
            mine.repeat_at = now + REPEAT_MS
            found.append(mine.proposed)
        progress = self.exchange.next_message(now)
        return found if progress is None else [*found, progress]

    def _expire(self, now: int) -> None:
        if self._mine is not None and self._mine.until <= now:
            self._mine, self.declined = None, True
        if self._theirs is not None and self._theirs.until <= now:
            self.answer(accepted=False)
            self._theirs = None


def newest_move(snapshot: Snapshot, by: Side) -> str | None:
    """Return the newest move of the game if that side made it, None otherwise."""
    if snapshot.planned is not None and snapshot.side is by:
        return snapshot.planned
    acted = snapshot.acted
    is_open = snapshot.phase is Phase.THROW and isinstance(acted, Moved)
    return acted.move if is_open and isinstance(acted, Moved) and acted.side is by else None
