"""Behaviour: how people at the table act, as chances and times, with named presets."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final, TypeAlias

from urpi.errors import UrpiError

Span: TypeAlias = tuple[int, int]
"""Milliseconds, the least and the most; anything between is as likely."""


class CaptureOrder(Enum):
    """In what order a hand captures."""

    ENEMY_FIRST = "enemy-first"
    """The enemy is taken off, then the own piece moved."""
    OWN_FIRST = "own-first"
    """The own piece is lifted, the enemy taken off with the other hand, the own one put there."""
    BOTH_HANDS = "both-hands"
    """Both are lifted at once, one with each hand, and the own one put there."""
    KNOCKED = "knocked"
    """The own piece pushes the enemy away: the square is empty for 20 to 80 ms."""
    NO_GAP = "no-gap"
    """The same, and the square's switch never opens."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """Chances from 0 to 1 and spans in milliseconds.

    A turn: `slides` a piece over the squares on its way, `hovers` (holds the piece for `hover_ms`
    so low over another square, often one where it may go, that the switch closes), `adjusts` a
    piece, `thinks_in_hand` (lifts a piece, holds it for `in_hand_ms`, puts it back, moves
    another), `bumps` the board,
    shows with `squares_up` that a pile was joined (takes it up and puts it down with the new
    piece on top). `takes_back` a legal move before the next throw, or `changes_mind`: the
    same, and the other move follows at once.
    Dice: `cocked` a die, `die_nudged` after the throw, `die_turned` by hand instead of
    thrown, `die_forgotten` in the throw, `spare_die`: one that the set does not need is thrown
    along, `die_dead`: one that nobody hears, what it shows is entered with the button.
    `throws_twice` before the move, throws `out_of_turn` (where each side has its own dice),
    `hub_restarts` while the dice roll.
    Wrong on purpose, and put right again: `illegal`, `early` (moves before the throw).
    Mishaps: `sweeps` pieces off with a sleeve, `power_cuts` while pieces are moved about,
    `sets_up_wrong`. All of it is put right when the display says so.
    """

    slides: float = 0.0
    hovers: float = 0.1
    adjusts: float = 0.0
    thinks_in_hand: float = 0.0
    bumps: float = 0.0
    squares_up: float = 1.0
    cocked: float = 0.0
    die_nudged: float = 0.0
    die_turned: float = 0.0
    die_forgotten: float = 0.0
    illegal: float = 0.0
    early: float = 0.0
    takes_back: float = 0.0
    changes_mind: float = 0.0
    spare_die: float = 0.0
    die_dead: float = 0.0
    throws_twice: float = 0.0
    out_of_turn: float = 0.0
    hub_restarts: float = 0.0
    sweeps: float = 0.0
    power_cuts: float = 0.0
    sets_up_wrong: float = 0.0
    captures: tuple[CaptureOrder, ...] = (CaptureOrder.ENEMY_FIRST, CaptureOrder.OWN_FIRST)
    think_ms: Span = (300, 2000)
    travel_ms: Span = (200, 1500)
    hover_ms: Span = (50, 400)
    in_hand_ms: Span = (500, 2500)
    rest_ms: Span = (400, 1500)
    """From the piece put down to the next throw."""
    notice_ms: Span = (4000, 9000)
    """Until people see by themselves that something is wrong, if nobody tells them."""


_GAPS: Final = (CaptureOrder.ENEMY_FIRST, CaptureOrder.OWN_FIRST, CaptureOrder.KNOCKED)

BEHAVIOURS: Final[Mapping[str, Behaviour]] = MappingProxyType(
    {
        "calm": Behaviour(),
        "lively": Behaviour(
            slides=0.3,
            adjusts=0.15,
            thinks_in_hand=0.1,
            bumps=0.08,
            cocked=0.03,
            die_nudged=0.03,
            captures=_GAPS,
        ),
        "clumsy": Behaviour(
            slides=0.3,
            adjusts=0.2,
            thinks_in_hand=0.15,
            bumps=0.1,
            squares_up=0.5,
            cocked=0.06,
            die_nudged=0.06,
            die_turned=0.03,
            die_forgotten=0.03,
            illegal=0.12,
            early=0.03,
            takes_back=0.04,
            captures=(*_GAPS, CaptureOrder.NO_GAP),
        ),
    }
)
"""Calm: legal play, with bounce and hovering alone. Lively: never still. Clumsy: also wrong."""


def behaviour(name: str) -> Behaviour:
    """The behaviour of that name.

    Raises:
        UrpiError: when there is none.
    """
    if name not in BEHAVIOURS:
        message = f"There is no behaviour {name!r}; the behaviours are {', '.join(BEHAVIOURS)}."
        raise UrpiError(message)
    return BEHAVIOURS[name]
