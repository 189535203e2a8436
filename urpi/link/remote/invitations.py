"""The agreement of two tables to play one game, as a state machine without input or output.

A table invites; the other one asks its player, who accepts or declines. The table that invited
begins the game when it receives the acceptance, the other one when it receives the first message
about the game. So neither begins a game that the other table cannot have. Messages may be lost,
doubled, delayed and reordered.
"""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from urpi.core.errors import UrpiError
from urpi.link.remote.messages import Accepted, DeclineCode, Declined, Invited, TableMessage
from urpi.rules import Side

INVITATION_MS: Final = 60_000
"""Time until an invitation without an answer is withdrawn."""
REPEAT_MS: Final = 2_000
"""Time after which an invitation or its acceptance is sent again."""
FORGOTTEN_MS: Final = 10_000
"""Time without a repetition after which a received invitation counts as withdrawn."""
MAX_SETTLED: Final = 20
"""Number of answers that are kept to be repeated."""

InvitationState: TypeAlias = Literal[
    "waiting", "accepted", "declined", "busy", "no-answer", "unsupported"
]
"""What became of the invitation that this table has sent."""


@dataclass(frozen=True, slots=True)
class AgreedGame:
    """A game that both tables have agreed to play.

    Attributes:
        table: The id of the other table.
        invited: The invitation, of either table.
        side: The side that plays at this table.
        guest: The name of the player who was invited; it may be empty.
    """

    table: str
    invited: Invited
    side: Side
    guest: str

    @property
    def names(self) -> tuple[str, str]:
        """Light's and dark's names."""
        host, guest = self.invited.name, self.guest
        return (host, guest) if self.invited.side is Side.LIGHT else (guest, host)


@dataclass(slots=True)
class _Sent:
    """The invitation that this table has sent."""

    table: str
    invited: Invited
    until: int
    repeat_at: int
    state: InvitationState = "waiting"


@dataclass(slots=True)
class _Asked:
    """An invitation that this table has received.

    Attributes:
        table: The table that invites.
        invited: The invitation.
        until: When it counts as withdrawn, unless it arrives again.
        accepted: The acceptance, None before the player's answer.
        repeat_at: When the acceptance is sent again.
    """

    table: str
    invited: Invited
    until: int
    accepted: Accepted | None = None
    repeat_at: int = 0


class Invitations:
    """The invitations of one table. Times are milliseconds of any clock that never decreases."""

    def __init__(self) -> None:
        self._busy = False
        self._sent: _Sent | None = None
        self._asked: _Asked | None = None
        self._agreed: AgreedGame | None = None
        self._settled: dict[tuple[str, str], Declined] = {}
        self._outgoing: list[tuple[str, TableMessage]] = []

    @property
    def state(self) -> InvitationState | None:
        """What became of the newest invitation of this table, None if there is none."""
        return None if self._sent is None else self._sent.state

    @property
    def invited_table(self) -> str | None:
        """The table that `state` is about, None if there is none."""
        return None if self._sent is None else self._sent.table

    @property
    def asked(self) -> tuple[str, Invited] | None:
        """The table that invites and its invitation, to be answered by a player, or None."""
        asked = self._asked
        return None if asked is None or asked.accepted else (asked.table, asked.invited)

    @property
    def joining(self) -> str | None:
        """The table whose invitation was accepted here and that has not begun yet, or None."""
        asked = self._asked
        return None if asked is None or asked.accepted is None else asked.table

    @property
    def is_open(self) -> bool:
        """Whether an invitation of this table or to it is not settled."""
        return self.state == "waiting" or self._asked is not None

    def was_accepted(self, game: str) -> bool:
        """Return whether this table has invited to a game, and the other one has accepted."""
        sent = self._sent
        return sent is not None and sent.state == "accepted" and sent.invited.game == game

    def update(self, *, busy: bool) -> None:
        """Note whether a game is in progress at this table, which ends open invitations."""
        self._busy = busy
        if busy:
            self.withdraw()
            if self._asked is not None:
                self._decline(self._asked.table, self._asked.invited.game, "busy")

    def invite(self, table: str, invited: Invited, now: int) -> None:
        """Invite another table, in place of an earlier invitation.

        Args:
            table: The id of the other table.
            invited: The invitation, with a game that no earlier invitation had.
            now: The time.

        Raises:
            UrpiError: If a game is in progress here, or an invitation must be answered first.
        """
        if self._busy:
            message = "A game is in progress at this table; end it before you invite."
            raise UrpiError(message)
        if self._asked is not None:
            message = f"The table {self._asked.table} invites this one; answer it first."
            raise UrpiError(message)
        self.withdraw()
        self._sent = _Sent(table, invited, now + INVITATION_MS, now)

    def withdraw(self) -> None:
        """Withdraw the invitation of this table, or discard one that was not accepted."""
        sent = self._sent
        if sent is None or sent.state == "accepted":
            return
        if sent.state == "waiting":
            self._outgoing.append((sent.table, Declined(sent.invited.game, "withdrawn")))
        self._sent = None

    def answer(self, game: str, name: str | None, now: int) -> None:
        """Accept or decline an invitation; nothing happens if it is no longer open.

        Args:
            game: The identity of the game, so that no other invitation is answered.
            name: The name of the player who accepts, which may be empty; None to decline.
            now: The time.
        """
        asked = self._asked
        if asked is None or asked.accepted is not None or asked.invited.game != game:
            return
        if name is None:
            self._decline(asked.table, game, "declined")
            return
        asked.accepted, asked.repeat_at = Accepted(game, name), now
        asked.until = now + INVITATION_MS

    def receive(self, table: str, message: Invited | Accepted | Declined, now: int) -> None:
        """Process a message of another table."""
        match message:
            case Invited():
                self._receive_invitation(table, message, now)
            case Accepted():
                self._receive_acceptance(table, message)
            case Declined(game=game, code=code):
                asked, sent = self._asked, self._sent
                if asked is not None and (asked.table, asked.invited.game) == (table, game):
                    self._asked = None
                elif self._is_waiting(sent, table, game) and code != "withdrawn":
                    assert sent is not None
                    sent.state = code
                if code == "withdrawn":
                    # A copy of the invitation may still arrive, which must not open it again.
                    self._settle(table, message)

    def _receive_invitation(self, table: str, invited: Invited, now: int) -> None:
        asked, sent, settled = self._asked, self._sent, self._settled.get((table, invited.game))
        if settled is not None:
            # The other table repeats its invitation until it has received this answer.
            if settled.code != "withdrawn":
                self._outgoing.append((table, settled))
        elif asked is not None and (asked.table, asked.invited.game) == (table, invited.game):
            # As long as it is repeated, the other table has not forgotten it.
            if asked.accepted is None:
                asked.until = now + FORGOTTEN_MS
        elif self._busy or asked is not None or self._agreed is not None:
            self._decline(table, invited.game, "busy")
        elif sent is None or sent.state != "waiting":
            self._asked = _Asked(table, invited, now + FORGOTTEN_MS)
        elif sent.table != table:
            self._decline(table, invited.game, "busy")
        elif invited.game < sent.invited.game:
            # Both invite each other: both tables keep the same one of the two invitations.
            self.withdraw()
            self._asked = _Asked(table, invited, now + FORGOTTEN_MS)

    def _receive_acceptance(self, table: str, accepted: Accepted) -> None:
        sent = self._sent
        if sent is not None and (sent.table, sent.invited.game) == (table, accepted.game):
            if sent.state == "waiting":
                sent.state = "accepted"
                side = sent.invited.side
                self._agreed = AgreedGame(table, sent.invited, side, accepted.name)
                return
            if sent.state == "accepted":
                return
        # This table was restarted, or has invited another one since: the other one must not wait.
        self._outgoing.append((table, Declined(accepted.game, "withdrawn")))

    def note_game(self, table: str, game: str) -> None:
        """Note a message of another table about a game, by which it shows that it has begun it."""
        asked = self._asked
        if asked is None or (asked.table, asked.invited.game) != (table, game):
            return
        if asked.accepted is not None:
            side = asked.invited.side.other
            self._agreed = AgreedGame(table, asked.invited, side, asked.accepted.name)
            self._asked = None

    def next_game(self) -> AgreedGame | None:
        """Return a game that must begin now, once; None if there is none."""
        agreed, self._agreed = self._agreed, None
        return agreed

    @property
    def due(self) -> int | None:
        """When `next_messages` must be called, None if only another call matters."""
        if self._outgoing:
            return 0
        times = []
        if self._sent is not None and self._sent.state == "waiting":
            times += [self._sent.until, self._sent.repeat_at]
        if self._asked is not None:
            times.append(self._asked.until)
            if self._asked.accepted is not None:
                times.append(self._asked.repeat_at)
        return min(times, default=None)

    def next_messages(self, now: int) -> list[tuple[str, TableMessage]]:
        """Return the messages to be sent now, each with the table that receives it."""
        self._expire(now)
        found, self._outgoing = self._outgoing, []
        sent, asked = self._sent, self._asked
        if sent is not None and sent.state == "waiting" and sent.repeat_at <= now:
            sent.repeat_at = now + REPEAT_MS
            found.append((sent.table, sent.invited))
        if asked is not None and asked.accepted is not None and asked.repeat_at <= now:
            asked.repeat_at = now + REPEAT_MS
            found.append((asked.table, asked.accepted))
        return found

    def _expire(self, now: int) -> None:
        sent, asked = self._sent, self._asked
        if sent is not None and sent.state == "waiting" and sent.until <= now:
            self._outgoing.append((sent.table, Declined(sent.invited.game, "withdrawn")))
            sent.state = "no-answer"
        if asked is not None and asked.until <= now:
            self._asked = None

    def _decline(self, table: str, game: str, code: DeclineCode) -> None:
        if self._asked is not None and self._asked.invited.game == game:
            self._asked = None
        declined = Declined(game, code)
        self._settle(table, declined)
        self._outgoing.append((table, declined))

    def _settle(self, table: str, declined: Declined) -> None:
        self._settled[table, declined.game] = declined
        while len(self._settled) > MAX_SETTLED:
            # A dict keeps its order, so this is the oldest one.
            del self._settled[next(iter(self._settled))]

    @staticmethod
    def _is_waiting(sent: _Sent | None, table: str, game: str) -> bool:
        if sent is None or sent.state != "waiting":
            return False
        return (sent.table, sent.invited.game) == (table, game)
