"""The snapshot: all that a view may need to draw the game as it stands. It decides nothing."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from urpi.referee.decisions import (
    Abandoned,
    Decision,
    Drawn,
    Fault,
    Moved,
    Passed,
    Question,
    Roll,
    TakenBack,
    Warned,
    Won,
)
from urpi.rules import Position, Side, Throw

MOST_BROKEN: Final = 2
"""More squares than this that contradict the players are no broken switches."""


class Phase(Enum):
    """What the game waits for."""

    NO_GAME = "no-game"
    SET_UP = "set-up"
    """The board does not yet show the position: `Snapshot.fill` and `clear` say what is wrong."""
    CHOOSE_FIRST = "choose-first"
    START_THROW = "start-throw"
    THROW = "throw"
    MOVE = "move"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The game as it stands.

    `side` is who is to act (throw, move, mend, answer), None where nobody is. `rolling` are
    dice in the air, `waiting` those of the set that have not yet counted in this throw, and
    `settled` what the others show, by die. `throw` is the one to be played. `start_throws`
    are light's and dark's throws for the start, None where none is. `last` is the newest
    decision worth telling: a RollRefused, Moved, Passed, Starts, TakenBack or Refused.
    `choices` are a question's answers as texts (moves, faces, or sides), `chosen` the place of
    the one that the button stands on. `warning`
    stays until the board is right. `rolled` is the newest throw that counted, `acted` the newest
    move, pass or take-back; `takeback` the move that its side may ask to take back, and that
    side. `chooser` says who begins where the rules leave it to one of the players.
    """

    phase: Phase
    position: Position | None = None
    light: str = ""
    dark: str = ""
    side: Side | None = None
    rolling: tuple[int, ...] = ()
    waiting: tuple[int, ...] = ()
    settled: tuple[tuple[int, str], ...] = ()
    throw: Throw | None = None
    legal: tuple[str, ...] = ()
    start_throws: tuple[Throw | None, Throw | None] = (None, None)
    seems: str | None = None
    last: Decision | None = None
    warning: Warned | None = None
    question: Question | None = None
    choices: tuple[str, ...] = ()
    chosen: int = 0
    faults: tuple[Fault, ...] = ()
    fill: int = 0
    clear: int = 0
    outcome: Won | Drawn | Abandoned | None = None
    rolled: Roll | None = None
    acted: Moved | Passed | TakenBack | None = None
    takeback: tuple[Side, str] | None = None
    chooser: Side | None = None

    def name(self, side: Side) -> str:
        """What a side's player is called, empty when no name was given."""
        return (self.light, self.dark)[side.number]
