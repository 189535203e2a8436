"""The stages of a game: what the referee knows only in one of its phases.

A step works on copies of the stages that change while they last; the others are frozen.
"""

from dataclasses import dataclass, replace
from typing import ClassVar, TypeAlias

from urpi.referee.decisions import Abandoned, Coached, Drawn, Hinted, Won
from urpi.referee.facts import Confidence
from urpi.referee.inference import Candidate
from urpi.referee.snapshot import Phase
from urpi.rules import Side, Squares, Throw


@dataclass(slots=True)
class SettingUp:
    """The board does not yet show the position.

    Attributes:
        awaits_reading: Whether the board has not been read since the game was created.
        reported: The wrong squares that the players know of.
        read_at: Time of the first reading, None before it.
    """

    phase: ClassVar = Phase.SET_UP
    awaits_reading: bool = True
    reported: Squares = 0
    read_at: int | None = None

    def copy(self) -> "SettingUp":
        return replace(self)


@dataclass(frozen=True, slots=True)
class ChoosingFirst:
    """The players are asked who begins."""

    phase: ClassVar = Phase.CHOOSE_FIRST

    def copy(self) -> "ChoosingFirst":
        return self


@dataclass(frozen=True, slots=True)
class ThrowingForStart:
    """A side throws for the start: light first, then dark. `light` is light's throw."""

    phase: ClassVar = Phase.START_THROW
    light: Throw | None = None

    @property
    def side(self) -> Side:
        """The side to throw."""
        return Side.LIGHT if self.light is None else Side.DARK

    def copy(self) -> "ThrowingForStart":
        return self


@dataclass(frozen=True, slots=True)
class Throwing:
    """A side is to throw. `coached` is what the coach says of the move before."""

    phase: ClassVar = Phase.THROW
    side: Side
    coached: Coached | None = None

    def copy(self) -> "Throwing":
        return self


@dataclass(frozen=True, slots=True)
class LegalMoves:
    """The legal moves of a throw, and those of them that may be played.

    Attributes:
        all: All legal moves, at least one.
        planned: The move that the engine has chosen, None if a person decides.
        awaits_plan: Whether the engine has not chosen yet, or the other table has not moved.
        confidence: How the table at which the planned move was made knows it; None of a move of
            this table.
    """

    all: tuple[Candidate, ...]
    planned: Candidate | None = None
    awaits_plan: bool = False
    confidence: Confidence | None = None

    @property
    def accepted(self) -> tuple[Candidate, ...]:
        """The moves that may be played: one if the engine has chosen, none while it has not."""
        if self.awaits_plan:
            return ()
        return self.all if self.planned is None else (self.planned,)

    def after_plan(self, move: str | None, confidence: Confidence | None = None) -> "LegalMoves":
        """Return the moves after the engine has chosen, or the other table has moved.

        All may be played if the engine could not choose, or chose a move that is not legal.
        """
        planned = next((each for each in self.all if each.text == move), None)
        if planned is not None:
            # No other move may follow, so a landing counts at once.
            planned = replace(planned, unfinished=False)
        return LegalMoves(self.all, planned, confidence=confidence)

    def before_remote_move(self) -> "LegalMoves":
        """Return the moves before the other table has moved; unchanged if it has not."""
        return self if self.confidence is None else LegalMoves(self.all, awaits_plan=True)


@dataclass(frozen=True, slots=True)
class Seeming:
    """A move that the occupancy shows, though a hand may still hold the piece.

    It was shown at `shown`, and is committed at `due`, with this `confidence`; if `due` is None,
    only when a player confirms it, or when the dice are thrown once more.
    """

    candidate: Candidate
    shown: int
    due: int | None
    confidence: Confidence = "inferred"


@dataclass(slots=True)
class Moving:
    """A side is to move.

    Attributes:
        side: The side.
        throw: Its throw.
        thrown_at: When the throw was complete, or the last move taken back.
        moves: The legal moves.
        taken_back: Whether a move of this throw was taken back.
        chute: Whether a piece has passed the side's finish chute.
        seeming: The move that seems made now.
        seemed: The last move that seemed made while the board was wrong without it.
        hint: The hint that the side has asked for.
        coached: What the coach says of a move that seemed made.
    """

    phase: ClassVar = Phase.MOVE
    side: Side
    throw: Throw
    thrown_at: int
    moves: LegalMoves
    taken_back: bool = False
    chute: bool = False
    seeming: Seeming | None = None
    seemed: Candidate | None = None
    hint: Hinted | None = None
    coached: Coached | None = None

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The legal moves that may be played."""
        return self.moves.accepted

    def copy(self) -> "Moving":
        # Steps copy it most often, and `replace` takes three times as long.
        return Moving(
            self.side,
            self.throw,
            self.thrown_at,
            self.moves,
            self.taken_back,
            self.chute,
            self.seeming,
            self.seemed,
            self.hint,
            self.coached,
        )


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over."""

    phase: ClassVar = Phase.OVER
    outcome: Won | Drawn | Abandoned

    def copy(self) -> "Ended":
        return self


AnyThrowing: TypeAlias = ThrowingForStart | Throwing
Stage: TypeAlias = SettingUp | ChoosingFirst | ThrowingForStart | Throwing | Moving | Ended
