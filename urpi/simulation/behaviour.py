"""Behaviour of simulated players, as probabilities and durations, with named presets.

How they choose their moves uses the rules only: no table, no switches.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from random import Random
from types import MappingProxyType
from typing import Final, TypeAlias

from urpi.core.errors import UrpiError
from urpi.rules import Move, Position, Side, Throw

Span: TypeAlias = tuple[int, int]
"""The shortest and the longest duration in milliseconds; all between are equally likely."""


class CaptureOrder(Enum):
    """The order in which a hand makes a capture."""

    ENEMY_FIRST = "enemy-first"
    """The enemy's piece is taken off, then the own piece is moved."""
    OWN_FIRST = "own-first"
    """The own piece is lifted, the other hand takes the enemy's off, the own one is put down."""
    BOTH_HANDS = "both-hands"
    """Both pieces are lifted at once, one with each hand, and the own piece is put down."""
    KNOCKED = "knocked"
    """The own piece pushes the enemy's away: the square is empty for 20 to 80 ms."""
    NO_GAP = "no-gap"
    """As `KNOCKED`, but the square's switch never opens."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """Probabilities from 0 to 1, and durations in milliseconds.

    Moving a piece: a hand `slides` it over the squares on its way; `hovers`: holds it for
    `hover_ms` so low over another square, often one that it may move to, that the switch closes;
    `adjusts` a piece on its square; `thinks_in_hand`: lifts a piece, holds it for `in_hand_ms`,
    puts it back and moves another one; `bumps` the board; `squares_up`: takes up a pile that a
    piece joins and puts it down again with the new piece on top, so that its switch opens.
    `straddles`: leaves a piece so that it also closes the switch of a neighbouring square, until
    the players notice. `takes_back` a legal move before the next throw, or `changes_mind`: the
    same, followed at once by the other move, unless the engine chooses.

    Dice: `cocked`: one comes to rest leaning; `die_nudged` after the throw; `die_turned` by hand
    instead of thrown; `die_forgotten`: left out of the throw; `spare_die`: a die that the set does
    not need is thrown too; `die_dead`: one has no signal, so what it shows is entered with the
    button. `throws_twice` before the move; the opponent `throws_early`, while the move is made;
    throws `out_of_turn` (if each side has its own dice); `hub_restarts` while the dice roll.

    Illegal acts, which are undone later: `illegal`, `early` (moves before the throw), `disobeys`
    (a legal move in place of the engine's), `swaps` pieces of the two sides before the throw or the
    move, or replaces one by the other side's.
    Mishaps: `sweeps` pieces off the board with a sleeve, `power_cuts` during which pieces are
    moved, `sets_up_wrong`. They are all corrected when the display asks for it, by hands that know
    the position, or that `rebuild` it square by square in the display's order, as far as it asks.
    """

    slides: float = 0.0
    hovers: float = 0.1
    adjusts: float = 0.0
    thinks_in_hand: float = 0.0
    bumps: float = 0.0
    squares_up: float = 1.0
    straddles: float = 0.0
    cocked: float = 0.0
    die_nudged: float = 0.0
    die_turned: float = 0.0
    die_forgotten: float = 0.0
    illegal: float = 0.0
    early: float = 0.0
    disobeys: float = 0.0
    swaps: float = 0.0
    takes_back: float = 0.0
    changes_mind: float = 0.0
    spare_die: float = 0.0
    die_dead: float = 0.0
    throws_twice: float = 0.0
    throws_early: float = 0.0
    out_of_turn: float = 0.0
    hub_restarts: float = 0.0
    sweeps: float = 0.0
    power_cuts: float = 0.0
    sets_up_wrong: float = 0.0
    rebuild: bool = False
    captures: tuple[CaptureOrder, ...] = (CaptureOrder.ENEMY_FIRST, CaptureOrder.OWN_FIRST)
    think_ms: Span = (300, 2000)
    travel_ms: Span = (200, 1500)
    hover_ms: Span = (50, 400)
    in_hand_ms: Span = (500, 2500)
    rest_ms: Span = (400, 1500)
    """From the end of a move to the next throw."""
    notice_ms: Span = (4000, 9000)
    """Until the players notice by themselves that the board is wrong, without the display."""


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
            disobeys=0.1,
            takes_back=0.04,
            captures=(*_GAPS, CaptureOrder.NO_GAP),
        ),
    }
)
"""The presets by name.

``calm``: legal play, with nothing but bounce and hovering. ``lively``: pieces and dice are moved
about, without illegal acts. ``clumsy``: illegal acts, too.
"""


def behaviour(name: str) -> Behaviour:
    """Return the preset with a name.

    Raises:
        UrpiError: If there is none.
    """
    if name not in BEHAVIOURS:
        message = f"There is no behaviour {name!r}; the behaviours are {', '.join(BEHAVIOURS)}."
        raise UrpiError(message)
    return BEHAVIOURS[name]


Player: TypeAlias = Callable[[Random, Position, Throw, tuple[Move, ...]], Move]
"""Chooses one of the legal moves, of which there is at least one."""


def any_move(rng: Random, _position: Position, _throw: Throw, legal: tuple[Move, ...]) -> Move:
    """Return any legal move, all with the same probability."""
    return rng.choice(legal)


def greedy(rng: Random, position: Position, throw: Throw, legal: tuple[Move, ...]) -> Move:
    """Return the move that wins, else bears off, captures or throws again; any of the best ones."""
    return max(legal, key=lambda move: (_worth(position, throw, move), rng.random()))


def _worth(position: Position, throw: Throw, move: Move) -> tuple[bool, int, int, bool]:
    side = position.turn
    assert side is not None
    after = position.rules.play(position, throw, move)
    return (
        position.rules.winner(after) is side,
        after.off[side.number] - position.off[side.number],
        _topped(position, side.other) - _topped(after, side.other),
        after.turn is side,
    )


def _topped(position: Position, side: Side) -> int:
    """Return the number of squares with a side's piece on top."""
    return sum(bool(pile) and Side.of_letter(pile[-1]) is side for pile in position.board)


PLAYERS: Final[Mapping[str, Player]] = MappingProxyType({"random": any_move, "greedy": greedy})
"""All players by name."""
