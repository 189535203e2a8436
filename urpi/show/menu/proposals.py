"""Proposals: what one player proposes and the opponent must accept, because it binds both.

An accepted proposal becomes facts for the referee or an order for the service. The proposal
itself is not recorded.
"""

from dataclasses import dataclass

from urpi.referee.facts import Abandon, Answer, Draw, Fact
from urpi.referee.orders import AnswerProposal, Explore, NewGame
from urpi.rules import Side


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal by a side.

    `name` is ``take-back`` (of `move`), ``draw``, ``abandon``, ``explore``, ``new-game`` (`order`),
    or ``set-up`` of the position of a game (`order`).
    `remote`: it comes from another table, to which the answer is sent.
    """

    name: str
    by: Side
    move: str = ""
    order: NewGame | None = None
    remote: bool = False

    def accepted(self, t: int) -> tuple[Fact | NewGame | Explore | AnswerProposal, ...]:
        """Return the facts and orders that follow when the opponent accepts at time `t`."""
        if self.remote:
            return (AnswerProposal(self._what, accepted=True),)
        match self.name:
            case "take-back":
                return (Answer(t, takeback=True, agreed=True),)
            case "draw":
                return (Draw(t, self.by, agreed=True),)
            case "abandon" | "set-up":
                return (Abandon(t, self.by, agreed=True),)
            case "explore":
                return (Explore(),)
            case _:
                assert self.order is not None
                return Abandon(t, self.by, agreed=True), self.order

    def declined(self) -> tuple[AnswerProposal, ...]:
        """Return what follows when the opponent declines; nothing at one table."""
        return (AnswerProposal(self._what, accepted=False),) if self.remote else ()

    @property
    def _what(self) -> str:
        return "takeback" if self.name == "take-back" else self.name
