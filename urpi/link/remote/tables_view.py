"""Invitations and proposals of other tables and of the club, as they are displayed."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from urpi.link.remote.invitations import InvitationState
from urpi.link.remote.messages import Invited, ProposalCode
from urpi.referee.orders import Pairing

ProblemCode: TypeAlias = Literal["comparing", "diverged", "unknown", "no-contact", "no-broker"]
"""Why a game waits or cannot continue: until both tables have the whole of it; because the other
table has another course of it, has no such game, or does not respond; or because this table has no
connection to the broker."""


@dataclass(frozen=True, slots=True)
class ClaimNotice:
    """That a side is silent, and the time of day from which the other one may claim the game.

    Attributes:
        code: ``claim-later``: a player here may claim it then; ``may-claim``: now; ``may-lose``:
            the other table may then.
        at: The time, HH:MM.
    """

    code: Literal["claim-later", "may-claim", "may-lose"]
    at: str


@dataclass(frozen=True, slots=True)
class PairingView:
    """The pairing that the club has assigned to this table; None if it cannot be played here."""

    pairing: Pairing | None


@dataclass(frozen=True, slots=True)
class TablesView:
    """What players must answer, and what they wait for.

    Attributes:
        invitation: The table that invites this one, its invitation, and the name under which a
            player here accepts; None if there is none.
        sent: The table that this one has invited, and the state of that invitation; None if there
            is none.
        joining: The table whose invitation was accepted here and that has not begun yet.
        proposed: What the other table proposes and a player here must answer.
        move: The move that it asks to take back; empty if it asks for something else.
        proposing: What this table has proposed and is not answered.
        declined: Whether the newest proposal of this table was declined or not answered.
        problem: Why the game cannot continue between the tables.
        claim: Who may claim the game because the other side is silent; None while nobody may.
        next: What the club says that is to be played next here; None if nothing is.
    """

    invitation: tuple[str, Invited, str] | None = None
    sent: tuple[str, InvitationState] | None = None
    joining: str | None = None
    proposed: ProposalCode | None = None
    move: str = ""
    proposing: ProposalCode | None = None
    declined: bool = False
    problem: ProblemCode | None = None
    claim: ClaimNotice | None = None
    next: PairingView | None = None


NOTHING: Final = TablesView()
"""Nothing is shown."""
