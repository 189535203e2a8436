"""Decisions: what the referee concludes, each with the time at which it was taken.

FORMATS.md, Event stream. Moves and positions are texts, sets of squares are numbers in bit
order, lists of moves are sorted.
"""

from dataclasses import dataclass
from typing import TypeAlias

from urpi.rules import Side, Squares


@dataclass(frozen=True, slots=True)
class Ready:
    """The set-up matches; `squares` are those to put right first, None when nothing is."""

    t: int
    squares: Squares = 0


@dataclass(frozen=True, slots=True)
class ThrowForStart:
    """A side is to throw for the start."""

    t: int
    side: Side


@dataclass(frozen=True, slots=True)
class Starts:
    """Who begins, and why: ``throw``, ``drawn``, ``chosen`` or ``given``."""

    t: int
    side: Side
    why: str


@dataclass(frozen=True, slots=True)
class Roll:
    """A throw that counts: its faces, what it counts, and the legal moves."""

    t: int
    side: Side
    faces: str
    value: int
    legal: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RollRefused:
    """A throw that does not count; `dice` are those it is about."""

    t: int
    side: Side
    code: str
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """A move is committed. `confidence` is sensed, inferred or answered."""

    t: int
    side: Side
    move: str
    position: str
    confidence: str


@dataclass(frozen=True, slots=True)
class Seems:
    """The picture is this move's, but the hand may still be at work."""

    t: int
    side: Side
    move: str


@dataclass(frozen=True, slots=True)
class Passed:
    """The turn passes: ``zero`` or ``no-move``."""

    t: int
    side: Side
    code: str


@dataclass(frozen=True, slots=True)
class Warned:
    """Something on the board is not right: which rule, which squares, and how to mend it."""

    t: int
    side: Side
    code: str
    squares: Squares
    text: str
    fill: Squares
    clear: Squares


@dataclass(frozen=True, slots=True)
class Cleared:
    """The board is right again."""

    t: int


@dataclass(frozen=True, slots=True)
class Question:
    """Only a person can tell: ``move`` (of `moves`), ``first``, or ``faces``."""

    t: int
    side: Side
    ask: str
    moves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A move was put back."""

    t: int
    side: Side
    move: str


@dataclass(frozen=True, slots=True)
class Fault:
    """A device is broken: `device` is a square's name, ``die 3``, ``hub`` or ``oled``.

    `code` is stuck-on, stuck-off, flicker or lost.
    """

    t: int
    device: str
    code: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A request that fits nothing now: the fact's type, a code, and a sentence."""

    t: int
    what: str
    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Won:
    """The game is won: ``off``, ``captured``, ``forts`` or ``resigned``."""

    t: int
    side: Side
    code: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """The game is drawn; `code` says how."""

    t: int
    code: str


@dataclass(frozen=True, slots=True)
class Abandoned:
    """The game was broken off."""

    t: int
    code: str


Decision: TypeAlias = (
    Ready
    | ThrowForStart
    | Starts
    | Roll
    | RollRefused
    | Moved
    | Seems
    | Passed
    | Warned
    | Cleared
    | Question
    | TakenBack
    | Fault
    | Refused
    | Won
    | Drawn
    | Abandoned
)
