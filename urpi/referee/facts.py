"""Facts: what devices and people tell the referee, each with its time (FORMATS.md, Event stream).

`t` is whole milliseconds on one monotonic clock, never decreasing.
"""

from dataclasses import dataclass
from typing import TypeAlias

from urpi.rules import Side, Square, Squares


@dataclass(frozen=True, slots=True)
class Game:
    """A game begins. `options` are house rules by name; `first` None: the rules decide.

    `position` None: the start. `dice`: the numbers of light's and of dark's own dice, None
    when the players share dice 1..n. `chooser` says who begins where the rules leave that to
    the players; None: either may.
    """

    t: int
    rules: str
    light: str = ""
    dark: str = ""
    options: tuple[tuple[str, str], ...] = ()
    first: Side | None = None
    position: str | None = None
    dice: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    chooser: Side | None = None


@dataclass(frozen=True, slots=True)
class Time:
    """Nothing but that it is `t` now."""

    t: int


@dataclass(frozen=True, slots=True)
class Occupancy:
    """A full reading: every square on which something stands."""

    t: int
    squares: Squares


@dataclass(frozen=True, slots=True)
class Edge:
    """One raw edge of a square's switch, bounce included."""

    t: int
    square: Square
    on: bool


@dataclass(frozen=True, slots=True)
class Die:
    """What a die says of itself.

    `state` is rolling, settled, cocked, handled, lost or found; `face` (``g s -`` or ``1`` to
    ``6``) and `tumbled` (it was thrown, not turned by hand) belong to settled. The rest is
    evidence for a dispute and decides nothing, None where the die did not say it: `angle` in
    degrees off the face, `tumbles` faces passed, `fall_ms` milliseconds of free fall.
    """

    t: int
    die: int
    state: str
    face: str | None = None
    tumbled: bool = False
    angle: int | None = None
    tumbles: int | None = None
    fall_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Button:
    """A player's button, pressed ``short`` or ``long``; ``both``: held together with the other."""

    t: int
    button: Side
    press: str


@dataclass(frozen=True, slots=True)
class Chute:
    """A piece passed a side's finish chute."""

    t: int
    side: Side


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person entered in place of a sensor: one of a move, faces, who begins, a take-back.

    `agreed`: the other player has agreed to the take-back, which is evidence alone.
    """

    t: int
    move: str | None = None
    faces: str | None = None
    first: Side | None = None
    takeback: bool = False
    agreed: bool = False


@dataclass(frozen=True, slots=True)
class Resign:
    """A side gives up."""

    t: int
    side: Side


@dataclass(frozen=True, slots=True)
class Draw:
    """A side claims a draw; `agreed`: it offered one, and the other has agreed."""

    t: int
    side: Side
    agreed: bool = False


@dataclass(frozen=True, slots=True)
class Abandon:
    """A side breaks the game off; that the other has `agreed` is evidence alone."""

    t: int
    side: Side
    agreed: bool = False


Fact: TypeAlias = (
    Game | Time | Occupancy | Edge | Die | Button | Chute | Answer | Resign | Draw | Abandon
)
