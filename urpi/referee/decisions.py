"""Decisions: the referee's conclusions, each with the time at which it was made.

FORMATS.md, Event stream. Moves and positions are texts, sets of squares are numbers in bit
order, lists of moves are sorted.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from urpi.referee.facts import Confidence
from urpi.rules import Side, Squares
from urpi.rules.refusals import RefusalCode
from urpi.rules.ruleset import DrawCode, WinCode

StartReason: TypeAlias = Literal["throw", "drawn", "chosen", "given"]
"""Why a side begins: by throws, a draw, a player's choice, or the game fact's `first`."""
ThrowRefusal: TypeAlias = Literal[
    "not-tumbled", "cocked", "missing-die", "unplayed-throw", "not-your-turn", "not-begun"
]
PassCode: TypeAlias = Literal["zero", "no-move"]
QuestionType: TypeAlias = Literal["move", "first", "faces"]
FaultCode: TypeAlias = Literal["stuck-on", "stuck-off", "flicker", "lost"]
Request: TypeAlias = Literal["answer", "resign", "draw", "abandon"]
RequestRefusal: TypeAlias = Literal[
    "nothing-to-answer",
    "no-takeback",
    "takebacks-off",
    "wrong-faces",
    "not-legal",
    "not-planned",
    "thinking",
    "no-draw",
    "game-over",
    "no-game",
]
WonCode: TypeAlias = Literal[WinCode, "resigned"]
DrawnCode: TypeAlias = Literal[DrawCode, "agreed"]
AbandonedCode: TypeAlias = Literal["abandoned"]
GameResult: TypeAlias = Literal["light", "dark", "draw", "abandoned"]
"""How a game ended: the side that won, a draw, or no winner."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The set-up is complete, unless `squares` must be corrected first."""

    t: int
    squares: Squares = 0


@dataclass(frozen=True, slots=True)
class ThrowForStart:
    """A side is to throw for the start."""

    t: int
    side: Side


@dataclass(frozen=True, slots=True)
class Starts:
    """The side that begins, and the reason."""

    t: int
    side: Side
    why: StartReason


@dataclass(frozen=True, slots=True)
class Roll:
    """A throw that counts: its faces, its value, and the legal moves.

    `program`: the program has thrown. By default the dice were thrown.
    """

    t: int
    side: Side
    faces: str
    value: int
    legal: tuple[str, ...]
    program: bool = False


@dataclass(frozen=True, slots=True)
class RollRefused:
    """A throw that does not count; `dice` are the dice that the refusal applies to."""

    t: int
    side: Side
    code: ThrowRefusal
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """A committed move and the position after it."""

    t: int
    side: Side
    move: str
    position: str
    confidence: Confidence


@dataclass(frozen=True, slots=True)
class Planned:
    """The move that the engine has chosen, None if it could not choose.

    `remote`: it was made at another table instead. By default the engine has chosen it.
    """

    t: int
    side: Side
    move: str | None = None
    remote: bool = False


@dataclass(frozen=True, slots=True)
class Hinted:
    """A hint: the engine's best move, and its margin over the next best one as in the fact."""

    t: int
    side: Side
    move: str
    margin: int | None = None


@dataclass(frozen=True, slots=True)
class Coached:
    """The coach shows a better move than the one that a side has just made; as in the fact."""

    t: int
    side: Side
    move: str
    better: str
    loss: int


@dataclass(frozen=True, slots=True)
class Seems:
    """A move that the picture shows, though the piece may still be in the player's hand."""

    t: int
    side: Side
    move: str


@dataclass(frozen=True, slots=True)
class Passed:
    """The turn passes: the throw moves nothing, or no move is legal."""

    t: int
    side: Side
    code: PassCode


@dataclass(frozen=True, slots=True)
class Warned:
    """A wrong picture: the rule that it breaks, its squares, and how to correct them.

    `text` is the sentence in the table's language; `fill` and `clear` are the squares on which a
    piece must be put and from which one must be removed.
    """

    t: int
    side: Side
    code: RefusalCode
    squares: Squares
    text: str
    fill: Squares
    clear: Squares


@dataclass(frozen=True, slots=True)
class Cleared:
    """The board is correct again after a warning."""

    t: int


@dataclass(frozen=True, slots=True)
class Question:
    """A question that only a player can answer; `moves` are the choices if it asks for a move."""

    t: int
    side: Side
    ask: QuestionType
    moves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A move was taken back."""

    t: int
    side: Side
    move: str


@dataclass(frozen=True, slots=True)
class Fault:
    """A broken device: `device` is the name of a square, or ``die`` and a number."""

    t: int
    device: str
    code: FaultCode


@dataclass(frozen=True, slots=True)
class Refused:
    """A request that cannot apply now: the type of its fact, a code, and a sentence."""

    t: int
    what: Request
    code: RequestRefusal
    text: str


@dataclass(frozen=True, slots=True)
class Won:
    """The game is won by `side`."""

    t: int
    side: Side
    code: WonCode


@dataclass(frozen=True, slots=True)
class Drawn:
    """The game is drawn."""

    t: int
    code: DrawnCode


@dataclass(frozen=True, slots=True)
class Abandoned:
    """The game was abandoned."""

    t: int
    code: AbandonedCode


Decision: TypeAlias = (
    Ready
    | ThrowForStart
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
