"""Deals: what binds both players, so that one asks and the other's button accepts.

What was agreed goes to the referee as facts, or to the service as an order; that it was
offered is nobody's business but the menu's.
"""

from dataclasses import dataclass

from urpi.orders import NewGame
from urpi.referee.facts import Abandon, Answer, Draw, Fact
from urpi.rules import Side


@dataclass(frozen=True, slots=True)
class Deal:
    """``take-back`` of a `move`, ``draw``, ``abandon``, or a ``new-game``, which is `order`."""

    name: str
    by: Side
    move: str = ""
    order: NewGame | None = None

    def accepted(self, t: int) -> tuple[Fact | NewGame, ...]:
        """What is to be done at `t`, when the other side has accepted."""
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
