"""Facts: observations from devices and requests from players (FORMATS.md, Event stream).

Every fact has its time `t`, in whole milliseconds of one monotonic clock; it never decreases.
"""

from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from urpi.core.codec import REQUIRED, Only
from urpi.referee.line_kinds import (
    ANGLE,
    EVIDENCE,
    FACE,
    OPTIONS,
    OWN_DICE,
    SHARED,
    DieNumber,
    LineClock,
    LineCoaches,
    LineSeats,
    LineSquare,
    LineSquares,
    Milliseconds,
    Percent,
    Strength,
)
from urpi.referee.seats import NO_COACH, PERSONS, EngineThrows, SharedGame
from urpi.rules import Side
from urpi.rules.ruleset import StartValue

ReportedState: TypeAlias = Literal["rolling", "settled", "cocked", "handled", "lost", "found"]
"""The states that a die or its hub reports."""
NotThrown: TypeAlias = Literal["dropped", "held", "gentle", "by-hand"]
"""Why a die was not thrown: a hand held it still and dropped it as it was, or held it still before
it rolled a little, let it go gently or low, or set it down, turned or moved it.
"""
Press: TypeAlias = Literal["short", "long", "both"]
"""How a button was pressed; ``both``: together with the other player's button."""
Explore: TypeAlias = Literal["line", "back"]
"""What an exploration does: a line is tried, or the hands go back to the position that was left."""
Confidence: TypeAlias = Literal["sensed", "inferred", "answered"]
"""How a move is known: from the switches alone, by inference, or from a player's entry."""
_SETTLED: Final = Only("state", "settled")


@dataclass(frozen=True, slots=True)
class Game:
    """The start of a game.

    Attributes:
        t: Time of the fact.
        rules: Id of the rule set.
        light: Name of light's player.
        dark: Name of dark's player.
        options: Names and values of the house rules that are not at their default.
        first: The side that begins, None if the rule set's way of starting decides.
        position: The position to begin with, None for the start position.
        dice: The numbers of light's and of dark's own dice, None if they share dice 1 to n.
        chooser: The side that chooses who begins, where the rule set leaves that to the players;
            None if either may choose.
        seats: Who decides the moves of light and of dark.
        hints: Whether the players may ask for hints. They may by default, and lines leave out what
            has its default, so that no default of a fact may ever change.
        coach: From which mark on each side's moves are answered with a better one.
        engine_throws: What throws for the sides of the engine, dice or the program.
        takebacks: Whether people may take moves back; the engine's moves always may be.
        shared: The properties of a game with another table; None in a game of one table.
        early_throws: Whether a throw counts that the next player made while the move was being
            made. By default it is refused.
        start: How throws decide who begins, where the rule set has the option `start`; None in
            games from before it.
        decline: Whether a player may decline an extra throw.
        by_hand: Whether the players enter their throws, of dice that report nothing.
        explore: What is done of an exploration beside the game; None in a game.
        clock: The time that each side has, None if it is not limited.
    """

    t: Milliseconds
    rules: str
    light: Annotated[str, REQUIRED] = ""
    dark: Annotated[str, REQUIRED] = ""
    options: Annotated[tuple[tuple[str, str], ...], OPTIONS, REQUIRED] = ()
    first: Side | None = None
    position: str | None = None
    dice: Annotated[tuple[tuple[int, ...], tuple[int, ...]] | None, OWN_DICE] = None
    chooser: Side | None = None
    seats: LineSeats = PERSONS
    hints: bool = True
    coach: LineCoaches = NO_COACH
    engine_throws: EngineThrows = "dice"
    takebacks: bool = True
    shared: Annotated[SharedGame | None, SHARED] = None
    early_throws: bool = False
    by_hand: bool = False
    start: StartValue | None = None
    decline: bool = False
    explore: Explore | None = None
    clock: LineClock = None


@dataclass(frozen=True, slots=True)
class Time:
    """The clock alone: timers up to and including `t` expire."""

    t: Milliseconds


@dataclass(frozen=True, slots=True)
class Occupancy:
    """A full reading: all squares whose switch is closed."""

    t: Milliseconds
    squares: LineSquares


@dataclass(frozen=True, slots=True)
class Edge:
    """A raw edge of a square's switch, including contact bounce."""

    t: Milliseconds
    square: LineSquare
    on: bool


@dataclass(frozen=True, slots=True)
class Field:
    """A reading of a square's Hall sensor, once the field has come to rest.

    Attributes:
        t: Time of the fact.
        square: The square.
        strength: The field in thousandths of that of a single piece in the middle, from -9999 to
            9999; positive if it is that of a light piece that is not turned.
        error: By how much it may be wrong, compared with a reading a few seconds earlier.
        pole: The side whose piece has this pole if it is not turned, None if that is not certain.
    """

    t: Milliseconds
    square: LineSquare
    strength: Strength
    error: Annotated[int, EVIDENCE]
    pole: Side | None = None


@dataclass(frozen=True, slots=True)
class Die:
    """A report of a die.

    The last four attributes are evidence for a dispute and do not influence what counts. They
    default to None: older dice do not report them.

    Attributes:
        t: Time of the fact.
        die: Number of the die, from 1.
        state: What the die does.
        face: The face shown, ``g``, ``s`` or ``-``, or ``1`` to ``6``; only if settled.
        tumbled: Whether the die was thrown rather than turned by hand; only if settled.
        angle: Angle off the face, in degrees.
        tumbles: Number of faces that it passed.
        fall_ms: Duration of its free fall, in milliseconds.
        why: Why it was not thrown, None if it was, or if the reason is unknown.
    """

    t: Milliseconds
    die: DieNumber
    state: ReportedState
    face: Annotated[str | None, FACE, _SETTLED] = None
    tumbled: Annotated[bool, _SETTLED] = False
    angle: Annotated[int | None, ANGLE] = None
    tumbles: Annotated[int | None, EVIDENCE] = None
    fall_ms: Annotated[int | None, EVIDENCE] = None
    why: NotThrown | None = None


@dataclass(frozen=True, slots=True)
class Button:
    """A press of a player's button."""

    t: Milliseconds
    button: Side
    press: Press


@dataclass(frozen=True, slots=True)
class Chute:
    """A piece passed a side's finish chute."""

    t: Milliseconds
    side: Side


@dataclass(frozen=True, slots=True)
class Answer:
    """A player's entry in place of a sensor: exactly one of move, faces, first and takeback.

    `agreed`: the opponent has accepted the take-back. It is evidence only.
    """

    t: Milliseconds
    move: str | None = None
    faces: str | None = None
    first: Side | None = None
    takeback: bool = False
    agreed: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """The move that the engine has chosen for a side whose seat it has.

    `move` is None if it could not choose; a person may then play any legal move for it.
    """

    t: Milliseconds
    side: Side
    move: str | None = None


@dataclass(frozen=True, slots=True)
class ProgramThrow:
    """The program has thrown for a side of the engine, where the game lets it."""

    t: Milliseconds
    side: Side
    faces: str


@dataclass(frozen=True, slots=True)
class RemoteThrow:
    """A throw that another table has: of the side there, or one that was lost here."""

    t: Milliseconds
    side: Side
    faces: str


@dataclass(frozen=True, slots=True)
class RemoteMove:
    """A move of the side at another table, refereed there; local hands make it on this board.

    One of the side that plays here was lost here, and counts at once. `confidence` is how the table
    of its player knows it.
    """

    t: Milliseconds
    side: Side
    move: str
    confidence: Confidence


@dataclass(frozen=True, slots=True)
class RemoteTakeback:
    """A side's newest move, `move`, was taken back at another table."""

    t: Milliseconds
    side: Side
    move: str


@dataclass(frozen=True, slots=True)
class Hint:
    """The engine's best move for a side that has asked for it.

    `margin` is by how many percentage points its probability to win exceeds that of the next best
    move, None if no other move is legal.
    """

    t: Milliseconds
    side: Side
    move: str
    margin: Percent | None = None


@dataclass(frozen=True, slots=True)
class Coach:
    """The coach has a better move than the one that a side has just made.

    `loss` is the number of percentage points by which the probability to win would be higher after
    `better` than after `move`.
    """

    t: Milliseconds
    side: Side
    move: str
    better: str
    loss: Percent


@dataclass(frozen=True, slots=True)
class Resign:
    """A side resigns."""

    t: Milliseconds
    side: Side


@dataclass(frozen=True, slots=True)
class Claim:
    """A side claims a game of two tables, because the other one is silent."""

    t: Milliseconds
    side: Side


@dataclass(frozen=True, slots=True)
class Decline:
    """A side declines its extra throw."""

    t: Milliseconds
    side: Side


@dataclass(frozen=True, slots=True)
class Draw:
    """A side claims a draw; with `agreed`, its opponent has accepted the offer of a draw."""

    t: Milliseconds
    side: Side
    agreed: bool = False


@dataclass(frozen=True, slots=True)
class Abandon:
    """A side abandons the game. `agreed`: the opponent has accepted. It is evidence only."""

    t: Milliseconds
    side: Side
    agreed: bool = False


Fact: TypeAlias = (
    Game
    | Time
    | Occupancy
    | Edge
    | Field
    | Die
    | Button
    | Chute
    | Answer
    | Plan
    | ProgramThrow
    | RemoteThrow
    | RemoteMove
    | RemoteTakeback
    | Hint
    | Coach
    | Resign
    | Claim
    | Decline
    | Draw
    | Abandon
)
