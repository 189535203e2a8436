"""One game of two tables as seen by one of them: its events, and what the players propose.

A state machine without input or output. The caller passes the game as it stands and the messages
of the other table, sends what `next_messages` returns, and submits what `next_fact` returns.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from urpi.link.remote.events import (
    SharedAbandoning,
    SharedClaim,
    SharedDraw,
    SharedEvent,
    SharedMove,
    SharedResignation,
    SharedTakeback,
    SharedThrow,
    fact_of,
    holder,
    last_act,
    lost_fact,
    newest_move,
    one_sided_end,
)
from urpi.link.remote.exchange import Exchange
from urpi.link.remote.messages import (
    Progress,
    ProposalCode,
    Proposed,
    Replied,
    Sealed,
    TableMessage,
)
from urpi.link.remote.seals import Seals
from urpi.link.remote.silence import Silence
from urpi.referee import Phase, Snapshot
from urpi.referee.facts import Abandon, Claim, Draw, Fact, RemoteTakeback, Resign
from urpi.rules import Side

PROPOSAL_MS: Final = 60_000
"""Time until a proposal without an answer is withdrawn, or counts as declined."""
REPEAT_MS: Final = 2_000
"""Time after which a proposal without a reply is sent again."""
MAX_REPLIES: Final = 20
"""Number of replies that are kept to be repeated."""
DECLINED_MS: Final = 20_000
"""Time for which it is shown that a proposal was declined, unless the game continues before."""
ONE_SIDED: Final = ("resign", "claim")
"""What ends the game at the table of its player alone, and must arrive at the other one."""
OVER: Final = (Phase.OVER, Phase.NO_GAME)


@dataclass(slots=True)
class _Open:
    """A proposal that is not settled.

    Attributes:
        proposed: The proposal.
        until: When it counts as declined, None if it must arrive.
        repeat_at: When it is sent again.
        accepted: Whether it was accepted.
    """

    proposed: Proposed
    until: int | None
    repeat_at: int = 0
    accepted: bool = False

    @property
    def must_arrive(self) -> bool:
        """Whether it needs no consent, and is repeated until the game has ended."""
        return self.proposed.what in ONE_SIDED

    @property
    def is_repeated(self) -> bool:
        """Whether it is sent again at `repeat_at`."""
        return self.must_arrive or not self.accepted


class Session:
    """One game. Times are milliseconds of any clock that never decreases.

    Args:
        game: The identity of the game.
        side: The side that plays at this table.
        new_number: Returns a fresh identity for a proposal.
        key: The key of the journal, by which events that it has lost are believed.
        resumed: Whether the game is continued by a program that has started since: its journal may
            be one of a backup.
    """

    def __init__(
        self,
        game: str,
        side: Side,
        new_number: Callable[[], str],
        key: str = "",
        *,
        resumed: bool = False,
    ) -> None:
        self.exchange: Final = Exchange(game)
        self._seals: Final = Seals(self.exchange, side, key, resumed=resumed)
        self._side, self._new_number = side, new_number
        self._local: _Open | None = None
        self._remote: _Open | None = None
        self._replies: dict[str, bool] = {}
        self._outgoing: list[TableMessage] = []
        self._declined_until: int | None = None
        self._holder: Side | None = None
        self._rejects_claim = False
        self.silence: Silence | None = None
        """The silence of both tables, None before the first `update`."""

    @property
    def asked(self) -> ProposalCode | None:
        """What the other table proposes and a player here must answer; None if nothing."""
        remote = self._remote
        return None if remote is None or remote.accepted else remote.proposed.what

    @property
    def asking(self) -> ProposalCode | None:
        """What this table has proposed and is not answered; None if nothing."""
        local = None if self.exchange.over else self._local
        return None if local is None else local.proposed.what

    @property
    def declined(self) -> bool:
        """Whether the newest proposal of this table was just declined, or not answered."""
        return self._declined_until is not None

    def update(self, snapshot: Snapshot, events: Sequence[SharedEvent], now: int) -> None:
        """Note the game as it stands, and all its events that are stored."""
        had = self.exchange.have
        self.exchange.update(events, now)
        if self.silence is None:
            self.silence = Silence(now, now)
        if self.exchange.have != had:
            self._seals.peer_acts = last_act(events, self._side.other)
            self._declined_until = None
            self.silence.acted = now
        self._holder = holder(snapshot)
        self._seals.acts = self._holder is self._side
        was_over, self.exchange.over = self.exchange.over, snapshot.phase in OVER
        # Who has to wait before acting is not silent.
        waits = self._seals.acts and self.exchange.peer_have is not None
        self.silence.wait(now, waits=waits and self.is_unclear)
        if self.exchange.over:
            # Nothing can be agreed any more, and a question would stay on the display.
            self._remote = self._declined_until = None
            if not was_over:
                self._local = None
                # What is stored binds. The other table may add events until it knows of it.
                end = one_sided_end(events, self._side)
                if end is not None:
                    number = self._new_number()
                    proposed = Proposed(self.exchange.game, number, end, len(events) - 1)
                    self._local = _Open(proposed, None, now)

    def propose(self, what: ProposalCode, now: int) -> None:
        """Propose something to the other table, in place of an earlier proposal.

        A resignation is repeated until it arrives. It replaces other proposals, and none replaces
        it.
        """
        if self._local is not None and self._local.must_arrive:
            return
        proposed = Proposed(self.exchange.game, self._new_number(), what, self.exchange.have)
        until = None if what == "resign" else now + PROPOSAL_MS
        self._local, self._declined_until = _Open(proposed, until, now), None

    def answer(self, accepted: bool) -> None:
        """Accept or decline what the other table proposes."""
        if self._remote is None or self._remote.accepted:
            return
        self._reply(self._remote.proposed, accepted)
        if accepted:
            self._remote.accepted = True
        else:
            self._remote = None

    def _reply(self, proposed: Proposed, accepted: bool) -> None:
        self._replies[proposed.number] = accepted
        while len(self._replies) > MAX_REPLIES:
            del self._replies[next(iter(self._replies))]
        self._outgoing.append(Replied(proposed.game, proposed.number, accepted))

    @property
    def is_unclear(self) -> bool:
        """Whether nothing may be thrown or moved, as `Seals.is_unclear`."""
        return self._seals.is_unclear

    def receive(self, message: Progress | Sealed | Proposed | Replied, now: int) -> None:
        """Process a message of the other table about this game."""
        self.exchange.last_contact = now
        match message:
            case Sealed():
                self._seals.receive(message)
            case Progress():
                self.exchange.receive(message, now)
                # Events that it only says it has could postpone a claim for ever.
                has_arrived = self.exchange.chain_after(message.have) is not None
                if self.silence is not None and has_arrived:
                    self.silence.hear(message.have, now)
                self._seals.keep(message)
            case Proposed():
                self._receive_proposal(message, now)
            case Replied(number=number, accepted=accepted):
                local = self._local
                if local is None or local.proposed.number != number:
                    return
                # A resignation remains open until the game has ended here.
                local.accepted = accepted
                if self.exchange.over:
                    self._local = None
                elif not accepted and not local.must_arrive:
                    self._local, self._declined_until = None, now + DECLINED_MS

    def _receive_proposal(self, proposed: Proposed, now: int) -> None:
        number = proposed.number
        # A reply may get lost: a repeated proposal is answered in the same way as before.
        if number in self._replies:
            self._outgoing.append(Replied(proposed.game, number, self._replies[number]))
        elif self.exchange.over:
            self._reply(proposed, accepted=False)
        elif self._remote is None or self._remote.proposed.number != number:
            self._remote = _Open(proposed, now + PROPOSAL_MS)
            if proposed.what == "resign":
                self.answer(accepted=True)
            elif proposed.what == "claim":
                # If this side was not silent, the tables disagree about the game.
                believed = self.silence is None or self.silence.believes(now)
                self._rejects_claim = not believed
                self.answer(accepted=believed)

    def next_fact(self, snapshot: Snapshot, t: int) -> Fact | None:
        """Return the fact to be submitted next, None if there is none.

        Call `update` after it was processed, and then this again.

        Args:
            snapshot: The game as it stands.
            t: The time of the fact.
        """
        ended, other = self._ended_there, self._side.other
        if ended is not None:
            self._remote = None
            return Resign(t, other) if ended == "resign" else Claim(t, other)
        event = self.exchange.next_event
        if event is not None and self._seals.has_lost:
            return lost_fact(event, t, snapshot) if self._seals.covers_next else None
        if isinstance(event, SharedThrow | SharedMove) and event.side is self._side:
            self.exchange.diverged = True
            return None
        if event is not None:
            return fact_of(event, t, snapshot) if self._has_consent(event) else None
        # Only one table adds events, so that there is one order; the other one waits for them.
        if holder(snapshot) is not self._side or self.is_unclear:
            return None
        local, remote = self._local, self._remote
        if local is not None and (local.accepted or local.must_arrive):
            self._local = None
            return self._fact_of(local.proposed, self._side, snapshot, t)
        if remote is not None and remote.accepted:
            self._remote = None
            return self._fact_of(remote.proposed, self._side.other, snapshot, t)
        return None

    @property
    def _ended_there(self) -> ProposalCode | None:
        """How the other side has ended the game at its table, once all before it has arrived.

        It counts whatever was thrown and moved here meanwhile.
        """
        remote = self._remote
        if remote is None or not remote.accepted or remote.proposed.what not in ONE_SIDED:
            return None
        return remote.proposed.what if self.exchange.have >= remote.proposed.at else None

    @property
    def claimable(self) -> int | None:
        """From when on this side may claim the game, None while the other one need not act."""
        is_due = self.exchange.have > 0 and self._holder is self._side.other
        is_due = is_due and not self._seals.has_lost
        return self.silence.claimable if is_due and self.silence is not None else None

    @property
    def liable(self) -> int | None:
        """From when on the other table may claim the game, None while it has to act itself.

        Without a connection nothing is known of the other table's acts.
        """
        silence, exchange = self.silence, self.exchange
        if silence is None or self._holder is None:
            return None
        owes = self._holder is self._side or not exchange.is_confirmed
        is_due = silence.connected is None or (exchange.have > 0 and owes)
        return silence.liable if is_due else None

    @property
    def is_disputed(self) -> bool:
        """Whether the other table has an end or take-back that was not agreed to here.

        It is not applied unless the same is proposed here.
        """
        event = self.exchange.next_event
        if event is None or self._seals.covers_next:
            return False
        if isinstance(event, SharedClaim):
            # Whether it is believed is known when its proposal arrives.
            return event.side is self._side or self._rejects_claim
        return not self._has_consent(event)

    def _has_consent(self, event: SharedEvent) -> bool:
        """Whether an event needs no consent of this side, or has it."""
        match event:
            # For the event before the take-back: agreement to another one must not undo this move.
            case SharedTakeback(side=side) if side is self._side:
                return self._agreed("takeback", self.exchange.have)
            case SharedResignation(side=side):
                return side is not self._side or self._agreed("resign")
            case SharedClaim():
                # It is applied when its proposal arrives.
                return False
            case SharedDraw(code="agreed"):
                return self._agreed("draw")
            case SharedAbandoning():
                return self._agreed("abandon")
        return True

    def _agreed(self, what: ProposalCode, at: int | None = None) -> bool:
        """Whether this side has proposed something, or accepted it."""
        local, remote = self._local, self._remote
        agreed = [] if local is None else [local.proposed]
        if remote is not None and remote.accepted and what not in ONE_SIDED:
            agreed.append(remote.proposed)
        return any(one.what == what and at in {None, one.at} for one in agreed)

    def _fact_of(self, proposed: Proposed, by: Side, snapshot: Snapshot, t: int) -> Fact | None:
        """The fact that an accepted proposal becomes, None if it is too late for it."""
        match proposed.what:
            case "resign":
                return Resign(t, by)
            case "claim":
                return Claim(t, by)
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
        times = [self.exchange.due, self._declined_until]
        if self._local is not None:
            times.append(self._local.until)
            times.append(self._local.repeat_at if self._local.is_repeated else None)
        if self._remote is not None:
            times.append(None if self._remote.accepted else self._remote.until)
        return min((t for t in times if t is not None), default=None)

    def next_messages(self, now: int) -> list[TableMessage]:
        """Return the messages to be sent now."""
        self._expire(now)
        found, self._outgoing = self._outgoing, []
        local = self._local
        if local is not None and local.is_repeated and local.repeat_at <= now:
            local.repeat_at = now + REPEAT_MS
            found.append(local.proposed)
        progress = self.exchange.next_message(now)
        if progress is None:
            return found
        returned = self._seals.to_return
        progress = replace(progress, seal=self._seals.of(progress.have, progress.chain))
        # A seal is known before the events that it proves.
        return [*found, progress] if returned is None else [*found, returned, progress]

    def _expire(self, now: int) -> None:
        if self._declined_until is not None and self._declined_until <= now:
            self._declined_until = None
        if self._is_late(self._local, now):
            self._local, self._declined_until = None, now + DECLINED_MS
        # What was accepted remains agreed: its event may arrive much later.
        if self._remote is not None and self._remote.accepted:
            return
        if self._is_late(self._remote, now):
            self.answer(accepted=False)
            self._remote = None

    @staticmethod
    def _is_late(proposal: _Open | None, now: int) -> bool:
        return proposal is not None and proposal.until is not None and proposal.until <= now
