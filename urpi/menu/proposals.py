"""Proposals: what one player proposes and the opponent must accept, because it binds both.

An accepted proposal becomes facts for the referee or an order for the service. The proposal
itself is not recorded.
"""

from dataclasses import dataclass

from urpi.orders import NewGame
from urpi.referee.facts import Abandon, Answer, Draw, Fact
from urpi.rules import Side


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal by a side.

    `name` is ``take-back`` (of `move`), ``draw``, ``abandon``, or ``new-game`` (`order`).
    """

    name: str
    by: Side
    move: str = ""
    order: NewGame | None = None

    def accepted(self, t: int) -> tuple[Fact | NewGame, ...]:
        """Return the facts and orders that follow when the opponent accepts at time `t`."""
        match self.name:
            case "take-back":
                return (Answer(t, takeback=True, agreed=True),)
            case "draw":
                return (Draw(t, self.by, agreed=True),)
            case "abandon":
                return (Abandon(t, self.by, agreed=True),)
            case _:
                assert self.order is not None
                return Abandon(t, self.by, agreed=True), self.order
