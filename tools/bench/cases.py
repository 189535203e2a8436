"""Cases: the players' behaviour and the faults with which the referee is measured, by name.

The presets are those of `urpi.simulation.behaviour`. Every other case increases one thing, so that
a bad figure has one cause.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from tools.bench.transports import TRANSPORTS
from urpi.core.errors import UrpiError
from urpi.simulation import BEHAVIOURS, Behaviour, CaptureOrder, ReedFault
from urpi.simulation.behaviour import Span


@dataclass(frozen=True, slots=True)
class Case:
    """The players' behaviour, and the state of the table.

    By default nothing is faulty: a board without chutes, one set of dice, and no lost edge.

    Attributes:
        behaviour: How the players act.
        hall: Whether the board has Hall sensors beside its switches.
        chute: Whether the board has finish chutes.
        own_dice: Whether each player has a set of dice.
        spare_dice: The number of dice beyond those of the sets.
        faults: A switch gets each of these faults, for the rest of the game or until repaired.
        breaks_ms: The time from the start to a fault.
        repaired_ms: The time from a fault to its repair, None if it is never repaired.
        transport: How edges reach the referee (a name in `tools.bench.transports`).
        lost_edges: The probability that an edge is lost before the transport.
        repeated_reports: Whether every report of a die is received twice.
    """

    behaviour: Behaviour = field(default_factory=Behaviour)
    hall: bool = False
    chute: bool = False
    own_dice: bool = False
    spare_dice: int = 0
    faults: tuple[ReedFault, ...] = ()
    breaks_ms: Span = (5_000, 120_000)
    repaired_ms: Span | None = None
    transport: str = "as-is"
    lost_edges: float = 0.0
    repeated_reports: bool = False


QUIET: Final = "quiet-"
"""Prefix of a preset's name: the same behaviour, but no switch shows that a piece joins a pile."""
_CALM: Final = Behaviour()
_AT_ONCE: Final[Span] = (0, 0)
"""From the start, while the board is empty."""
_REPAIRED_MS: Final[Span] = (30_000, 120_000)


_EVERYTHING: Final = replace(
    BEHAVIOURS["clumsy"],
    captures=tuple(CaptureOrder),
    changes_mind=0.05,
    spare_die=0.1,
    die_dead=0.03,
    throws_twice=0.03,
    throws_early=0.05,
    hub_restarts=0.03,
    sweeps=0.01,
    power_cuts=0.01,
    sets_up_wrong=0.3,
)


def _captures(order: CaptureOrder) -> Case:
    return Case(replace(_CALM, captures=(order,)))


def _quiet(name: str) -> Case:
    return Case(replace(BEHAVIOURS[name], squares_up=0.0))


def _hands(**habits: Any) -> Case:
    return Case(replace(_CALM, **habits))


CASES: Final[Mapping[str, Case]] = MappingProxyType(
    {
        **{name: Case(behaviour) for name, behaviour in BEHAVIOURS.items()},
        "slides": _hands(slides=1.0),
        "hovering": _hands(hovers=0.6),
        "tapping": _hands(hovers=0.6, hover_ms=(50, 900)),
        "tapping-long": _hands(hovers=0.6, hover_ms=(400, 900)),
        "bumps": _hands(bumps=0.5),
        "adjusting": _hands(adjusts=0.5),
        "thinking": _hands(thinks_in_hand=0.5),
        "thinking-long": _hands(thinks_in_hand=0.5, in_hand_ms=(9000, 11_500)),
        "changing-minds": _hands(changes_mind=0.4, rest_ms=(200, 1200)),
        "hasty": _hands(rest_ms=(0, 40)),
        "fast": _hands(think_ms=(0, 150), travel_ms=(60, 200), rest_ms=(0, 60)),
        **{order.value: _captures(order) for order in CaptureOrder},
        **{QUIET + name: _quiet(name) for name in BEHAVIOURS},
        "off-by-chute": Case(chute=True),
        "off-by-hand": _hands(rest_ms=(1500, 4000)),
        # Long enough for every warning to be due, also of a piece in the hand.
        "illegal": _hands(illegal=0.4, notice_ms=(14_500, 20_000)),
        "early": _hands(early=0.4, notice_ms=(14_500, 20_000)),
        "disobeying": _hands(disobeys=0.4),
        # As long, for pieces that lie between two squares.
        "straddling": _hands(straddles=0.2, notice_ms=(14_500, 20_000)),
        "take-back": _hands(takes_back=0.3),
        "swept": _hands(sweeps=0.1, notice_ms=(5000, 9000)),
        "rebuilding": _hands(
            sweeps=0.05, power_cuts=0.05, sets_up_wrong=0.5, rebuild=True, notice_ms=(5000, 9000)
        ),
        "wrong-set-up": _hands(sets_up_wrong=1.0),
        "power-cut": _hands(power_cuts=0.1),
        "cocked": _hands(cocked=0.4),
        "turned": _hands(die_turned=0.3),
        "forgotten": _hands(die_forgotten=0.3),
        "nudged": _hands(die_nudged=0.5),
        "thrown-twice": _hands(throws_twice=0.3),
        "thrown-early": _hands(throws_early=0.4),
        "thrown-early-own-dice": Case(replace(_CALM, throws_early=0.4), own_dice=True),
        "spare-die": Case(replace(_CALM, spare_die=0.5), spare_dice=1),
        "dead-die": _hands(die_dead=0.3),
        "hub-restart": _hands(hub_restarts=0.3),
        "reported-twice": Case(repeated_reports=True),
        "own-dice": Case(own_dice=True),
        "out-of-turn": Case(replace(_CALM, out_of_turn=0.3), own_dice=True),
        "stuck-on": Case(faults=(ReedFault.STUCK_ON,), breaks_ms=_AT_ONCE),
        "stuck-off": Case(faults=(ReedFault.STUCK_OFF,), breaks_ms=_AT_ONCE),
        "sticks-on": Case(faults=(ReedFault.STUCK_ON,)),
        "sticks-off": Case(faults=(ReedFault.STUCK_OFF,)),
        "flicker": Case(faults=(ReedFault.FLICKER,)),
        "two-broken": Case(faults=(ReedFault.STUCK_ON, ReedFault.STUCK_OFF)),
        "repaired-switch": Case(faults=(ReedFault.STUCK_OFF,), repaired_ms=_REPAIRED_MS),
        "lost-edges": Case(lost_edges=0.03),
        **{name: Case(transport=name) for name in TRANSPORTS if name != "as-is"},
        "everything": Case(_EVERYTHING, spare_dice=1),
    }
)
"""All cases by name."""


HALL: Final = "hall-"
"""Prefix of any case's name: the same on a board that has Hall sensors, too."""
_HALL_ONLY: Final = {"swapping": _hands(swaps=0.4, notice_ms=(14_500, 20_000))}
"""What no switch shows."""


def case(name: str) -> Case:
    """Return the case with a name.

    Raises:
        UrpiError: If there is none.
    """
    if name.startswith(HALL):
        bare = name.removeprefix(HALL)
        return replace(_HALL_ONLY.get(bare) or case(bare), hall=True)
    if name not in CASES:
        message = f"There is no behaviour {name!r} to measure; choose one of {', '.join(CASES)}."
        raise UrpiError(message)
    return CASES[name]
