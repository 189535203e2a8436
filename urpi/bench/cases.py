"""Cases: under what hands, habits and faults a referee is measured, each with a name.

The presets are the table's own; every other case turns up one thing, so that a figure that
is bad says what it is bad at.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from urpi.errors import UrpiError
from urpi.table import BEHAVIOURS, Behaviour, CaptureOrder, ReedFault


@dataclass(frozen=True, slots=True)
class Case:
    """How people behave, and what the table has or lacks.

    `fault` breaks one switch after the first throw, for the rest of the game; `lost_edges` is
    the chance of each raw edge to be lost. `chute`: the board has finish chutes; `own_dice`:
    each player has a set.
    """

    behaviour: Behaviour = field(default_factory=Behaviour)
    chute: bool = False
    own_dice: bool = False
    fault: ReedFault | None = None
    lost_edges: float = 0.0


_CALM: Final = Behaviour()


def _captures(order: CaptureOrder) -> Case:
    return Case(replace(_CALM, captures=(order,)))


CASES: Final[Mapping[str, Case]] = MappingProxyType(
    {
        **{name: Case(behaviour) for name, behaviour in BEHAVIOURS.items()},
        "slides": Case(replace(_CALM, slides=1.0)),
        "bumps": Case(replace(_CALM, bumps=0.5)),
        "adjusting": Case(replace(_CALM, adjusts=0.5)),
        "thinking": Case(replace(_CALM, thinks_in_hand=0.5)),
        **{order.value: _captures(order) for order in CaptureOrder},
        "quiet-piles": Case(replace(_CALM, squares_up=0.0)),
        "off-by-chute": Case(chute=True),
        "off-by-hand": Case(replace(_CALM, rest_ms=(1500, 4000))),
        # So long that every wrong act stands until it is warned of, a piece in the hand too.
        "illegal": Case(replace(_CALM, illegal=0.4, notice_ms=(14_500, 20_000))),
        "early": Case(replace(_CALM, early=0.4, notice_ms=(14_500, 20_000))),
        "take-back": Case(replace(_CALM, takes_back=0.3)),
        "cocked": Case(replace(_CALM, cocked=0.4)),
        "turned": Case(replace(_CALM, die_turned=0.3)),
        "forgotten": Case(replace(_CALM, die_forgotten=0.3)),
        "nudged": Case(replace(_CALM, die_nudged=0.5)),
        "own-dice": Case(own_dice=True),
        "stuck-on": Case(fault=ReedFault.STUCK_ON),
        "stuck-off": Case(fault=ReedFault.STUCK_OFF),
        "flicker": Case(fault=ReedFault.FLICKER),
        "lost-edges": Case(lost_edges=0.03),
    }
)
"""Every case by name."""


def case(name: str) -> Case:
    """The case of that name.

    Raises:
        UrpiError: when there is none.
    """
    if name not in CASES:
        message = f"There is no behaviour {name!r} to measure; there are {', '.join(CASES)}."
        raise UrpiError(message)
    return CASES[name]
