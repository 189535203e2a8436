"""Decisions: the referee's conclusions, each with the time at which it was made.

FORMATS.md, Event stream. Moves and positions are texts, sets of squares are numbers in bit
order, lists of moves are sorted.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from urpi.core.codec import TEXT, Only, nested
from urpi.referee.facts import Confidence, NotThrown
from urpi.referee.line_kinds import Count, DieNumbers, LineSquares, Milliseconds, Percent
from urpi.rules import Side
from urpi.rules.refusals import RefusalCode
from urpi.rules.ruleset import DrawCode, WinCode

StartReason: TypeAlias = Literal["throw", "one", "drawn", "chosen", "given"]
"""Why a side begins: by the higher throw, the only 1, a draw, a player's choice, or the game fact's
`first`.
"""
ThrowRefusal: TypeAlias = Literal[
    NotThrown,
    "not-tumbled",
    "cocked",
    "missing-die",
    "unplayed-throw",
    "too-soon",
    "before-move",
    "unseen-move",
    "not-your-turn",
    "not-begun",
]
PassCode: TypeAlias = Literal["zero", "no-move", "declined"]
NO_MOVE: Final = "none"
"""The answer to the question for a single move that it was not made, nor any other yet."""
QuestionType: TypeAlias = Literal["move", "first", "faces"]
FaultCode: TypeAlias = Literal["stuck-on", "stuck-off", "flicker", "lost"]
Request: TypeAlias = Literal["answer", "resign", "claim", "decline", "draw", "abandon"]
RequestRefusal: TypeAlias = Literal[
    "nothing-to-answer",
    "no-takeback",
    "takebacks-off",
    "wrong-faces",
    "not-legal",
    "not-planned",
    "thinking",
    "no-draw",
    "no-extra-throw",
    "not-silent",
    "engine-side",
    "exploring",
    "game-over",
    "no-game",
]
WonCode: TypeAlias = Literal[WinCode, "resigned", "silent", "time"]
UNPLAYED_WINS: Final[frozenset[str]] = frozenset({"resigned", "silent", "time"})
"""The codes of wins that the board does not show."""
DrawnCode: TypeAlias = Literal[DrawCode, "agreed"]
AbandonedCode: TypeAlias = Literal["abandoned"]
GameResult: TypeAlias = Literal["light", "dark", "draw", "abandoned"]
"""How a game ended: the side that won, a draw, or no winner."""

# Codes and requests that are no more than a text when a line is read: `Annotated[.., TEXT]`. Stored
# lines of other versions may contain others than these.


@dataclass(frozen=True, slots=True)
class Ready:
    """The set-up is complete, unless `squares` must be corrected first."""

    t: Milliseconds
    squares: LineSquares = 0


@dataclass(frozen=True, slots=True)
class ThrowForStart:
    """A side is to throw for the start."""

    t: Milliseconds
    side: Side


@dataclass(frozen=True, slots=True)
class StartRoll:
    """A throw for the start: its faces and its value."""

    t: Milliseconds
    side: Side
    faces: str
    value: Count


@dataclass(frozen=True, slots=True)
class Starts:
    """The side that begins, and the reason."""

    t: Milliseconds
    side: Side
    why: Annotated[StartReason, TEXT]


@dataclass(frozen=True, slots=True)
class Roll:
    """A throw that counts: its faces, its value, and the legal moves.

    `program`: the program has thrown. By default the dice were thrown.
    """

    t: Milliseconds
    side: Side
    faces: str
    value: Count
    legal: tuple[str, ...]
    program: bool = False


@dataclass(frozen=True, slots=True)
class RollRefused:
    """A throw that does not count; `dice` are the dice that the refusal applies to."""

    t: Milliseconds
    side: Side
    code: ThrowRefusal
    dice: DieNumbers


@dataclass(frozen=True, slots=True)
class Moved:
    """A committed move and the position after it."""

    t: Milliseconds
    side: Side
    move: str
    position: str
    confidence: Confidence


@dataclass(frozen=True, slots=True)
class Planned:
    """The move that the engine has chosen, None if it could not choose.

    `remote`: it was made at another table instead. By default the engine has chosen it.
    """

    t: Milliseconds
    side: Side
    move: str | None = None
    remote: bool = False


@dataclass(frozen=True, slots=True)
class Hinted:
    """A hint: the engine's best move, and its margin over the next best one as in the fact."""

    t: Milliseconds
    side: Side
    move: str
    margin: Percent | None = None


@dataclass(frozen=True, slots=True)
class Coached:
    """The coach shows a better move than the one that a side has just made; as in the fact."""

    t: Milliseconds
    side: Side
    move: str
    better: str
    loss: Percent


@dataclass(frozen=True, slots=True)
class Seems:
    """A move that the occupancy shows, though the piece may still be in the player's hand."""

    t: Milliseconds
    side: Side
    move: str


@dataclass(frozen=True, slots=True)
class Passed:
    """The turn passes: the throw moves nothing, no move is legal, or an extra throw is declined."""

    t: Milliseconds
    side: Side
    code: PassCode


@dataclass(frozen=True, slots=True)
class Fix:
    """How a wrong occupancy is corrected.

    Attributes:
        fill: The squares on which a piece must be put.
        clear: The squares from which a piece must be removed.
    """

    fill: LineSquares
    clear: LineSquares


@dataclass(frozen=True, slots=True)
class Warned:
    """A wrong occupancy: the rule that it breaks, its squares, and how to correct them.

    `text` is the sentence in the table's language.
    """

    t: Milliseconds
    side: Side
    code: RefusalCode
    squares: LineSquares
    text: str
    fix: Annotated[
        Fix, nested(Fix, 'an object such as {"fill":["A1"],"clear":["B2"]}', strict=False)
    ]


@dataclass(frozen=True, slots=True)
class Cleared:
    """The board is correct again after a warning."""

    t: Milliseconds


@dataclass(frozen=True, slots=True)
class Question:
    """A question that only a player can answer; `moves` are the choices if it asks for a move."""

    t: Milliseconds
    side: Side
    ask: QuestionType
    moves: Annotated[tuple[str, ...], Only("ask", "move")] = ()


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A move was taken back."""

    t: Milliseconds
    side: Side
    move: str


@dataclass(frozen=True, slots=True)
class Fault:
    """A broken device: `device` is the name of a square, or ``die`` and a number."""

    t: Milliseconds
    device: str
    code: FaultCode


@dataclass(frozen=True, slots=True)
class Refused:
    """A request that cannot apply now: the type of its fact, a code, and a sentence."""

    t: Milliseconds
    what: Annotated[Request, TEXT]
    code: Annotated[RequestRefusal, TEXT]
    text: str


@dataclass(frozen=True, slots=True)
class Won:
    """The game is won by `side`."""

    t: Milliseconds
    side: Side
    code: WonCode


@dataclass(frozen=True, slots=True)
class Drawn:
    """The game is drawn."""

    t: Milliseconds
    code: Annotated[DrawnCode, TEXT]


@dataclass(frozen=True, slots=True)
class Abandoned:
    """The game was abandoned."""

    t: Milliseconds
    code: Annotated[AbandonedCode, TEXT]


Decision: TypeAlias = (
    Ready
    | ThrowForStart
    | StartRoll
    | Starts
    | Roll
    | RollRefused
    | Planned
    | Hinted
    | Coached
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
Report: TypeAlias = Callable[[Decision], None]
"""Receives each decision as it is made."""
